import { findAccessibilityViolations, needsProgram, openBrowser } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { htmlWriter } from '../../src/pages/index.js';
import {
  contextOf,
  detailPageOf,
  errorMessagesPage,
  fullOutline,
  samplePages,
} from '../html/sample-pages.js';

import { showHtml } from '../support/show-html.js';

interface Screen {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: 'light' | 'dark';
}

describe('An HTML page in a browser', () => {
  let browser: Browser;
  /**
   * The browser page for all documents. The tests share it, because opening a page takes longer than showing a
   * document.
   */
  let page: Page;
  let problems: string[];

  before(async function () {
    needsProgram(this, 'chromium');
    browser = await openBrowser();
    page = await browser.newPage();
    page.on('console', (message) => problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
  });
  after(async () => await browser?.close());

  /**
   * Shows a document with its Content-Security-Policy, as the service sends it. Adds all messages about violations to
   * `problems`.
   */
  async function show(html: string, { width = 1280, height = 720, colorScheme = 'light' }: Screen = {}) {
    problems = [];
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    await showHtml(page, html);
  }

  for (const [name, html] of samplePages(htmlWriter)) {
    for (const [colorScheme, width] of [
      ['light', 1440],
      ['dark', 390],
    ] as const) {
      it(`is accessible (WCAG 2 A and AA), ${colorScheme}, ${width} pixels wide: ${name}`, async () => {
        await show(html, { colorScheme, width, height: 800 });
        expect(await findAccessibilityViolations(page)).to.deep.equal([]);
        expect(problems).to.deep.equal([]);
      });
    }

    it(`fits on a screen that is 360 pixels wide: ${name}`, async () => {
      await show(html, { width: 360, height: 640 });
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360);
    });
  }

  it('gets the style sheet of the service, but its Content-Security-Policy forbids all others', async () => {
    await show(samplePages(htmlWriter).get('empty list') ?? '');
    expect(await page.evaluate('getComputedStyle(document.body).margin')).to.equal('0px');
  });

  it('shows every text exactly as stored, never as elements', async () => {
    const texts = [
      ...[
        '<script>alert(1)</script>',
        '&foo; &amp; &#60;',
        ']]>',
        '<!-- x',
        '"\'`=',
        '\r\n\t\n',
        '</dd></style>',
        '',
      ],
      ...fc.sample(fc.string({ unit: 'binary', maxLength: 40 }), 300),
      ...fc.sample(fc.string({ unit: 'grapheme', maxLength: 40 }), 100),
    ];
    for (let start = 0; start < texts.length; start += 40) {
      const messages = errorMessagesPage(0);
      const outline = fullOutline(messages.resource.fields, ({ name }) => name === 'Message');
      const rows = texts.slice(start, start + 40).map((text) => [text]);
      const html = [...htmlWriter.list({ ...messages, outline, rows }, contextOf())].join('');
      await show(html);
      const shown = await page.evaluate(
        "Array.from(document.querySelectorAll('.list tbody th'), ({ innerHTML, textContent, childElementCount }) => childElementCount === 0 ? textContent : innerHTML)",
      );
      expect(shown).to.deep.equal(rows.map(([text]) => asHtmlCanHold(text ?? '')));
    }
  });

  it('shows the names and values of parameters unchanged, also in attributes', async () => {
    const value = `"><img src=x onerror=alert(1)> & ' \u{1F600}`;
    const details = detailPageOf('ApplicationVersion', (_, { type }) => (type === 'text' ? value : null));
    const context = contextOf({ parameters: [{ name: value, value }], requestId: value });
    await show([...htmlWriter.detail(details, context)].join(''));
    expect(await page.evaluate("document.querySelectorAll('img').length")).to.equal(0);
    const kept = await page.evaluate("[...new URL(document.querySelector('.menu-link').href).searchParams]");
    expect(kept).to.deep.include([value, value]);
    expect(problems).to.deep.equal([]);
  });
});

/**
 * Returns the text as a browser must show it. A replacement character stands for each character that HTML cannot
 * represent.
 */
function asHtmlCanHold(text: string): string {
  return text.replace(/[\uFFFE\uFFFF\p{Surrogate}]|[^\P{Cc}\t\n\r]/gu, '\uFFFD');
}
