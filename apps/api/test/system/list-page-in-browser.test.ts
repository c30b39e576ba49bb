import { needsProgram, openBrowser } from '@takt/test-support';
import { type Language, languages } from '@takt/texts';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { htmlWriter } from '../../src/pages/index.js';
import { planColumns } from '../../src/plan/outline.js';
import { contextOf, productionTimesPage, samplePages } from '../html/sample-pages.js';
import { productionTimes } from '../support/resources.js';
import { showHtml } from '../support/show-html.js';

const ALL = { selection: undefined, expansion: new Set<string>(), expandsAll: true, withDescriptions: false };
const WIDTHS = [390, 768, 1280, 1920];
/** English and the languages with long words, in which the layout is most likely to break. */
const LANGUAGES: readonly Language[] = ['eng', 'deu', 'pol'];

describe('The page of production times in a browser', () => {
  let browser: Browser;

  before(async function () {
    needsProgram(this, 'chromium');
    browser = await openBrowser();
  });
  after(async () => await browser?.close());

  for (const language of LANGUAGES) {
    it(`fits the width of the screen, without a line break inside numbers or headings: ${language}`, async () => {
      const page = await browser.newPage();
      for (const name of ['production times', 'setup times', 'plans to correct', 'production times of one']) {
        await showHtml(page, samplePages(htmlWriter, { language }).get(name) ?? '');
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          expect(await page.evaluate('document.documentElement.scrollWidth'), `${name} ${width}`).to.equal(
            width,
          );
          const wrapped = await page.evaluate(`Array.from(
            document.querySelectorAll('.figures td, .figures thead th, .months td, .months th'),
            (cell) => {
              const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
              const range = document.createRange();
              const wrapped = [];
              while (walker.nextNode()) {
                range.selectNodeContents(walker.currentNode);
                if (range.getClientRects().length > 1) wrapped.push(walker.currentNode.data);
              }
              return wrapped;
            },
          ).flat()`);
          expect(wrapped, `${name} ${width}`).to.deep.equal([]);
        }
      }
      await page.close();
    });
  }

  for (const language of languages) {
    it(`starts its table within 200 px on a desktop, and shows the first row on a phone: ${language}`, async () => {
      const page = await browser.newPage();
      const parameters = [
        { name: '$filter', value: 'HoursOverPlan gt 0' },
        { name: '$orderby', value: 'HoursOverPlan desc' },
      ];
      const totals = {
        outline: planColumns(productionTimes.totals?.children ?? [], ALL).outline,
        row: [160, 12_987, 20_000.5, 23_533.25, 3_532.75],
      };
      const list = { ...productionTimesPage(20), totals };
      await showHtml(page, [...htmlWriter.list(list, contextOf({ language, parameters }))].join(''));
      const topOf = async (selector: string) =>
        (await page.locator(selector).first().boundingBox())?.y ?? Number.NaN;
      await page.setViewportSize({ width: 1280, height: 800 });
      expect(await topOf('main')).to.be.at.most(50);
      expect(await topOf('.summary')).to.be.above(100);
      expect(await topOf('table.list')).to.be.at.most(200);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await topOf('table.list tbody tr')).to.be.at.most(600);
      await page.close();
    });
  }

  for (const language of LANGUAGES) {
    it(`shows all links to other lists, in one line on a desktop: ${language}`, async () => {
      const page = await browser.newPage();
      await showHtml(page, samplePages(htmlWriter, { language }).get('production times') ?? '');
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const [furthest, lines] = await page.evaluate<[number, number]>(`(() => {
          const boxes = [...document.querySelectorAll('header nav a')].map((link) => link.getBoundingClientRect());
          return [Math.max(...boxes.map(({ right }) => right)), new Set(boxes.map(({ top }) => top)).size];
        })()`);
        expect(furthest, String(width)).to.be.at.most(width);
        if (width >= 1280) expect(lines, String(width)).to.equal(1);
      }
      await page.close();
    });
  }

  for (const language of LANGUAGES) {
    it(`shows all columns of the list of months on a desktop: ${language}`, async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await showHtml(page, samplePages(htmlWriter, { language }).get('months') ?? '');
      const [needed, given] = await page.evaluate<[number, number]>(
        "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.scroll'))",
      );
      expect(needed).to.equal(given);
      await page.close();
    });
  }

  it('shows the newest months of a chart if the chart is wider than the screen', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await showHtml(page, samplePages(htmlWriter).get('production times of one') ?? '');
    const [needed, given, right, newest] = await page.evaluate<[number, number, number, number]>(`(() => {
      const chart = document.querySelector('.drawn');
      const points = [...chart.querySelectorAll('.point')].map((point) => point.getBoundingClientRect().right);
      return [chart.scrollWidth, chart.clientWidth, chart.getBoundingClientRect().right, Math.max(...points)];
    })()`);
    expect(needed).to.be.above(given);
    expect(newest).to.be.within(0, right);
    await page.close();
  });

  it('places the label of the plan line on the side that is away from the newest average', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await showHtml(page, samplePages(htmlWriter).get('production times of one') ?? '');
    const [label, line, average] = await page.evaluate<[number, number, number]>(`(() => {
      const middleOf = (selector) => {
        const { top, bottom } = document.querySelector('.month-chart ' + selector).getBoundingClientRect();
        return (top + bottom) / 2;
      };
      const points = document.querySelector('.month-chart').querySelectorAll('.point');
      const { top, bottom } = points[points.length - 1].getBoundingClientRect();
      return [middleOf('.plan-label'), middleOf('.plan-line'), (top + bottom) / 2];
    })()`);
    expect(Math.abs(label - line)).to.be.above(8);
    expect(Math.sign(label - line)).to.equal(-Math.sign(average - line));
    await page.close();
  });

  it('shows each row on a phone as a card with labels', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await showHtml(page, samplePages(htmlWriter).get('production times') ?? '');
    expect(await page.locator('.figures thead').isVisible()).to.equal(false);
    const label = await page.evaluate(
      "getComputedStyle(document.querySelector('.figures td'), '::before').content",
    );
    expect(label).to.equal('"Made"');
    expect(await page.locator('.order').isVisible()).to.equal(true);
    await page.close();
  });

  it('keeps the name of each row visible during sideways scrolling', async () => {
    const page = await browser.newPage({ viewport: { width: 768, height: 800 } });
    await showHtml(page, samplePages(htmlWriter).get('production times') ?? '');
    await page.evaluate("document.querySelector('.scroll').scrollLeft = 400");
    const left = await page.evaluate(
      "document.querySelector('.figures tbody th').getBoundingClientRect().left",
    );
    expect(left).to.be.within(0, 40);
    await page.close();
  });

  it('shows the months of a structure version as table rows on a phone', async () => {
    const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await showHtml(page, samplePages(htmlWriter).get('production times of one') ?? '');
    const [rows, heights] = await page.evaluate<[number, number]>(`[
      document.querySelectorAll('.months tr').length,
      document.querySelector('.months').getBoundingClientRect().height,
    ]`);
    expect(heights / rows).to.be.within(20, 40);
    const [moved, left] = await page.evaluate<[number, number]>(`(() => {
      const scroll = document.querySelector('.scroll:has(.months)');
      scroll.scrollLeft = 200;
      return [scroll.scrollLeft, document.querySelector('.months tbody th').getBoundingClientRect().left];
    })()`);
    expect(moved).to.equal(200);
    expect(left).to.be.within(0, 40);
    await page.close();
  });

  it('is printed with the table heading and the subject, but without navigation and empty pages', async () => {
    const page = await browser.newPage();
    const parameters = [
      { name: '$filter', value: 'HoursOverPlan gt 0' },
      { name: '$orderby', value: 'HoursOverPlan desc' },
    ];
    await showHtml(page, [...htmlWriter.list(productionTimesPage(80), contextOf({ parameters }))].join(''));
    await page.emulateMedia({ media: 'print' });
    for (const hidden of ['.tabs', '.quick', '.help', '.pager ul', 'header nav']) {
      expect(await page.locator(hidden).first().isVisible(), hidden).to.equal(false);
    }
    for (const shown of ['h1', '.summary', 'footer time']) {
      expect(await page.locator(shown).first().isVisible(), shown).to.equal(true);
    }
    expect(await page.evaluate("getComputedStyle(document.querySelector('thead')).display")).to.equal(
      'table-header-group',
    );
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    const pages = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    // The list has 80 rows of two lines each. With more pages, a part that cannot be divided would take a separate
    // page.
    expect(pages).to.be.within(2, 6);
    await page.close();
  });
});
