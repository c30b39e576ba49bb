import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from 'playwright-core';
import { findProgram } from './needs.js';

const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const EXCERPT_CHARACTERS = 200;

/**
 * Opens the Chromium of the machine without its sandbox, because the sandbox does not work as root. The headless shell
 * is preferred, because it takes two thirds of the CPU time.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findProgram('chromium-headless-shell') ?? findProgram('chromium');
  if (executablePath === undefined) throw new Error('chromium is not on the PATH');
  // The module is loaded only when a browser is opened, because loading takes longer than most tests.
  const { chromium } = await import('playwright-core');
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
}

/**
 * Finds classes of a page that no rule of its styles names. For inline elements it also finds classes whose rules do
 * not apply at their place. An example is `span.note`, whose text would run into the text beside it. A selector counts
 * up to the part that names the class; `:is()` and `:not()` count as they are written.
 */
export async function findUnstyledClasses(page: Page): Promise<readonly string[]> {
  return await page.evaluate(`(() => {
    const rulesOf = (rules) => [...rules].flatMap((rule) => [rule, ...rulesOf(rule.cssRules ?? [])]);
    const selectors = [...document.styleSheets]
      .flatMap(({ cssRules }) => rulesOf(cssRules))
      .flatMap(({ selectorText = '' }) => selectorText.split(/,(?![^(]*\\))/));
    const upTo = (name, selector) => {
      const [, start, end] = new RegExp('^(.*?\\\\.' + name + ')(?![\\\\w-])(.*)$').exec(selector) ?? [];
      if (start === undefined) return undefined;
      const isInside = start.split('(').length > start.split(')').length;
      const part = isInside ? selector : start + /^[^ >+~]*/.exec(end)[0];
      return part.replace(/::?(?:before|after|hover|focus-visible|focus-within|focus|target|marker|placeholder|visited|active|checked|disabled|open)\\b(?:\\([^)]*\\))?/g, '').trim() || '*';
    };
    const found = new Set();
    for (const element of document.querySelectorAll('body [class]')) {
      const isInLine = getComputedStyle(element).display === 'inline';
      for (const name of element.classList) {
        const isStyled = selectors.some((selector) => {
          const part = upTo(name, selector);
          return part !== undefined && (!isInLine || element.matches(part));
        });
        if (!isStyled) found.add(element.localName + '.' + name);
      }
    }
    return [...found];
  })()`);
}

/** Rules that can be violated by a change of colours alone. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Finds the violations that axe-core reports for a page as it is shown, or only for its colours. Each violation has the
 * rule and the element.
 */
export async function findAccessibilityViolations(
  page: Page,
  what: 'all' | 'colours' = 'all',
): Promise<readonly string[]> {
  const rules = what === 'all' ? { type: 'tag', values: AXE_TAGS } : { type: 'rule', values: COLOUR_RULES };
  if (!(await page.evaluate('"axe" in window'))) {
    await page.evaluate(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'));
  }
  return await page.evaluate(
    `axe.run({ runOnly: ${JSON.stringify(rules)}, resultTypes: ['violations'] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => id + ': ' + html.slice(0, ${EXCERPT_CHARACTERS}))))`,
  );
}
