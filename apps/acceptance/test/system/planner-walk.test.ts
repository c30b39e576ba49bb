import { createAccessToken, revokeAccessToken } from '@takt/access';
import { type AppProcess, startApp } from '@takt/database/testing';
import { openPublisher } from '@takt/events';
import { addCompany } from '@takt/figures/master-data';
import { needsProgram, openBrowser, someOf, toMicrohours, waitUntil } from '@takt/test-support';
import { languages } from '@takt/texts';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { pdfTexts } from '../support/pdf-texts.js';
import { expectDetails } from '../support/planner-details.js';
import { ALL_COLUMNS, type ComparedColumns, expectCsv, expectXlsx } from '../support/planner-exports.js';
import { inOrderOf, type PlannerRow, plannerRowsOf } from '../support/planner-figures.js';
import { download, follow, readRows, takePage } from '../support/planner-page.js';
import { type PlannerWords, plannerWords } from '../support/planner-words.js';
import { LIST } from '../support/production-times.js';
import { readProductionLog } from '../support/read-production-log.js';
import { signedText, tableText } from '../support/shown-numbers.js';
import { TOKEN_LIFETIME_MS } from '../support/test-api.js';
import { openTestSystem, type TestSystem } from '../support/test-system.js';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.js';

const COMPANY = { code: 'TEM-NO', name: 'Production log' };
const DRAIN_DEADLINE_MS = 60_000;
/** Lifetime of a short token in ms. It is longer than a sign-in, but so short that the test can wait for its end. */
const SHORT_LIFETIME_MS = 10_000;
/**
 * Maximum time in ms until a session has ended. The API rejects a revoked token within 5 s, and a short token at the
 * end of its lifetime.
 */
const END_DEADLINE_MS = 40_000;
const PAGE_ROWS = 20;
/** Maximum width in pixels at which a page shows rows as cards. */
const PHONE_WIDTH = 600;

/**
 * The walks through the pages. They cover every language, every width, and pages with and without script, but not all
 * combinations.
 */
const walks: readonly Walk[] = [
  { words: plannerWords.eng, width: 1280, hasScript: true },
  { words: plannerWords.deu, width: 390, hasScript: false },
  { words: plannerWords.pol, width: 1920, hasScript: true },
  { words: plannerWords.eng, width: 768, hasScript: false },
];

interface Walk {
  readonly words: PlannerWords;
  readonly width: number;
  readonly hasScript: boolean;
}

describe('a planner with the log of a real factory', function () {
  this.timeout(180_000);
  let rows: readonly PlannerRow[];
  let beyondPlan: readonly PlannerRow[];
  let system: TestSystem;
  let api: AppProcess;
  let browser: Browser;

  before(async function () {
    needsProgram(this, 'chromium');
    const log = readProductionLog(this);
    rows = plannerRowsOf(log);
    beyondPlan = inOrderOf(rows, ({ hoursOverPlan: hours }) => ((hours ?? 0n) > 0n ? hours : null), 'desc');
    system = await openTestSystem(this, 'postgres');
    await addCompany(system.database, COMPANY.code, COMPANY.name);
    await system.startWorkers(1);
    const publisher = await openPublisher(system.queueUrl);
    await publisher.publish(log.events, { batchSize: 500 });
    await publisher.close();
    await system.drain(DRAIN_DEADLINE_MS);
    api = await startApp('api', { databaseUrl: system.databaseUrl });
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    await api?.stop();
    await system?.close();
  });

  async function createToken(expiresInMs = TOKEN_LIFETIME_MS): Promise<string> {
    const { token } = await createAccessToken(system.database, { companyCodes: [COMPANY.code], expiresInMs });
    return token;
  }

  it('gets a page of 80 rows in at most 120 KB, or in 50 KB with compression', async () => {
    const headers = { accept: 'text/html', authorization: `Bearer ${await createToken()}` };
    for (const view of ['over-plan', 'all', 'run', 'setup', 'cleanup']) {
      for (const language of someOf(languages)) {
        const address = `${api.origin}${LIST}?$top=80&view=${view}&$orderby=RunTimeHoursOverPlan%20desc&$lang=${language}`;
        const { compressed, html } = await takePage(address, headers);
        const [, table] = html.split('<table class="list figures">');
        expect(table?.match(/<tr><th scope="row">/g), address).to.have.lengthOf(80);
        expect(Buffer.byteLength(html), address).to.be.at.most(120 * 1024);
        expect(compressed, address).to.be.at.most(50 * 1024);
      }
    }
  });

  it('can read the documentation without a token', async () => {
    const watched = await openWatchedPage(browser, api.origin);
    await watched.page.goto(`${api.origin}/docs`);
    await watched.inspect('docs');
    await watched.page.getByRole('link', { name: 'For planners' }).first().click();
    await watched.inspect('docs-planners');
    await watched.page.setViewportSize({ width: 390, height: 800 });
    expect(await watched.page.evaluate('document.documentElement.scrollWidth')).to.equal(390);
    await watched.close();
  });

  for (const { words, width, hasScript } of someOf(walks)) {
    describe(`in ${words.language} on a page of ${width} px ${hasScript ? 'with' : 'without'} script`, () => {
      let token: string;
      let watched: WatchedPage;
      let page: Page;
      const name = (what: string) => `walk-${words.tag}-${width}-${what}`;

      before(async () => {
        token = await createToken();
        watched = await openWatchedPage(browser, api.origin, {
          viewport: { width, height: 900 },
          javaScriptEnabled: hasScript,
        });
        page = watched.page;
      });
      after(() => watched?.close());

      const go = (action: () => Promise<unknown>) => follow(page, action);
      const link = (text: string) => page.getByRole('link', { name: text, exact: true }).first();
      const view = (title: string) =>
        page.getByRole('navigation', { name: words.views }).getByRole('link', { name: title, exact: true });
      const identifiers = async () => (await readRows(page)).map(({ identifier }) => identifier);
      const firstPageOf = (expected: readonly PlannerRow[]) =>
        expected.slice(0, PAGE_ROWS).map(({ identifier }) => identifier);
      const expectPlace = async (...place: Parameters<PlannerWords['pageOf']>) =>
        expect(await page.getByRole('main').textContent()).to.include(words.pageOf(...place));
      const expectFirstPage = async (expected: readonly PlannerRow[]) => {
        expect(expected).not.to.have.lengthOf(0);
        expect(await identifiers()).to.deep.equal(firstPageOf(expected));
        const pages = Math.ceil(expected.length / PAGE_ROWS);
        await expectPlace(1, pages, 1, Math.min(PAGE_ROWS, expected.length), expected.length);
      };

      async function signIn(access: string) {
        await page.locator('details:has(input[name="token"]) > summary').click();
        await page.getByRole('textbox', { name: words.token }).fill(access);
        return await go(() => page.getByRole('button', { name: words.open, exact: true }).click());
      }

      /** Orders the list by a column. On a phone, the links for the order are folded and must be opened first. */
      async function order(heading: string) {
        const isPhone = width <= PHONE_WIDTH;
        if (isPhone) await page.locator('summary', { hasText: words.order }).click();
        const headings = isPhone ? page.locator('.order') : page.getByRole('columnheader');
        await go(() => headings.getByRole('link', { name: heading, exact: true }).click());
      }

      it('signs in with a token, and sees the rows with the most lost hours first', async () => {
        await page.goto(`${api.origin}${LIST}`);
        await go(() => page.getByRole('navigation').getByRole('link', { name: words.language }).click());
        expect(await page.locator('html').getAttribute('lang')).to.equal(words.tag);
        await watched.inspect(name('sign-in'));
        expect((await signIn(token)).status()).to.equal(200);
        expect(page.url()).not.to.include(token);
        await go(() => view(words.beyondPlan).click());
        expect(await page.locator('.tabs [aria-current]').textContent()).to.equal(words.beyondPlan);
        await expectFirstPage(beyondPlan);
        const shown = await readRows(page);
        for (const [index, row] of beyondPlan.slice(0, PAGE_ROWS).entries()) {
          expect(shown[index]?.heading).to.include(row.product).and.to.include(row.name);
          expect(shown[index]?.cells[words.hoursOverPlan], String(row.identifier)).to.equal(
            signedText(row.hoursOverPlan ?? 0n, (hours) => tableText(hours, words.separator)),
          );
        }
        await watched.inspect(name('beyond-plan'));
      });

      it('finds rows by a part of the name of their step', async () => {
        await go(() => view(words.all).click());
        const wanted = rows.filter(({ product, name }) =>
          `${product}\n${name}`.toLowerCase().includes('flat gr'),
        );
        expect(wanted.length).to.be.within(2, rows.length / 4);
        await page.getByRole('searchbox').fill('flat gr');
        await go(() => page.getByRole('searchbox').press('Enter'));
        expect((await identifiers()).toSorted()).to.deep.equal(
          wanted.map(({ identifier }) => identifier).toSorted(),
        );
        await watched.inspect(name('found'));
      });

      it('filters by a minimum number of operations and by hours over plan', async () => {
        await go(() => link(words.clear).click());
        const field = page.getByRole('textbox', { name: words.madeAtLeast });
        const minimum = words.separator === ',' ? '19,5' : '20';
        await field.fill(minimum);
        await page.getByRole('checkbox', { name: words.beyondPlan }).check();
        await go(() => page.getByRole('button', { name: words.apply }).first().click());
        expect(await field.inputValue()).to.equal(minimum);
        await order(words.hoursOverPlan);
        await expectFirstPage(
          beyondPlan.filter(({ figures }) => figures.numberOfCompletedProductionWorkOrders >= 20),
        );
        await watched.inspect(name('narrowed'));
      });

      it('finds the setup times with the smallest deviation', async () => {
        await go(() => link(words.clear).click());
        await go(() => view(words.setupTime).click());
        await order(words.deviation);
        await order(words.deviation);
        await expectFirstPage(inOrderOf(rows, ({ figures }) => toMicrohours(figures.setup.deviation), 'asc'));
        const [first] = await readRows(page);
        expect(first?.cells[words.deviation]).to.match(/^\d+[.,]\d\d$/);
        await watched.inspect(name('steadiest-setup'));
      });

      it('goes to the last page, and back to the first page', async () => {
        await go(() => link(words.clear).click());
        await go(() => view(words.all).click());
        await order(words.hoursOverPlan);
        // Rows without a value come last in descending order.
        const valued = inOrderOf(rows, ({ hoursOverPlan }) => hoursOverPlan, 'desc');
        const others = rows.filter(({ hoursOverPlan }) => hoursOverPlan === null);
        const expected = [...valued, ...inOrderOf(others, () => 0n, 'desc')];
        await expectFirstPage(expected);
        await go(() => link(words.last).click());
        const pages = Math.ceil(rows.length / PAGE_ROWS);
        const from = (pages - 1) * PAGE_ROWS + 1;
        await expectPlace(pages, pages, from, rows.length, rows.length);
        expect(await identifiers()).to.deep.equal(
          expected.slice(from - 1).map(({ identifier }) => identifier),
        );
        await watched.inspect(name('last-page'));
        await go(() => link(words.first).click());
        await expectFirstPage(expected);
      });

      it('opens the details of the row with the most lost hours', async () => {
        await go(() => view(words.beyondPlan).click());
        const list = page.url();
        await go(() => page.locator('table.figures tbody th a:last-child').first().click());
        const [most] = beyondPlan;
        if (most === undefined) throw new Error('nothing is beyond plan');
        await expectDetails(page, most, words);
        await watched.inspect(name('details'));
        await page.goBack();
        expect(page.url()).to.equal(list);
      });

      it('downloads the list for a spreadsheet in the same language', async () => {
        const shown: ComparedColumns = { [words.hoursOverPlan]: 'hours' };
        for (const [suffix, columns] of [
          ['', shown],
          [` ${words.withAllColumns}`, ALL_COLUMNS],
        ] as const) {
          const csv = await download(page, () => link(`CSV${suffix}`).click());
          expectCsv(csv, beyondPlan, words.separator, columns);
          const xlsx = await download(page, () => link(`Excel (XLSX)${suffix}`).click());
          await expectXlsx(xlsx, beyondPlan, columns);
        }
      });

      it('prints the list with its title and filter', async () => {
        await go(() => link('80').click());
        const texts = pdfTexts(await page.pdf({ preferCSSPageSize: true }));
        expect(texts.length).to.be.within(2, 6);
        for (const text of texts) expect(text).to.have.length.greaterThan(100);
        const printed = texts.join('');
        for (const told of [words.title, COMPANY.name, words.beyondPlan, words.read, 'UTC']) {
          expect(printed).to.include(told.replaceAll(' ', ''));
        }
        const [most] = beyondPlan;
        expect(texts[0]).to.include(String(most?.name).replaceAll(' ', ''));
        // Every printed page with rows must also have the table heading.
        const rowsOn = texts.filter((text) =>
          beyondPlan.some(({ name }) => text.includes(name.replaceAll(' ', ''))),
        );
        for (const text of rowsOn) expect(text).to.include(words.hoursOverPlan.replaceAll(' ', ''));
        await go(() => link(String(PAGE_ROWS)).click());
      });

      it('sees an error next to the wrong filter, and corrects the filter', async () => {
        const box = page.getByRole('textbox', { name: words.filter, exact: true });
        await page.locator('summary', { hasText: words.advanced }).click();
        await box.fill('HoursOverPlan gt 1,5 an RunTime gt 0');
        const refused = await go(() => box.press('Enter'));
        expect(refused.status()).to.equal(400);
        expect(await box.inputValue()).to.equal('HoursOverPlan gt 1.5 an RunTime gt 0');
        expect(await page.getByRole('alert').textContent()).to.include('22');
        expect(await page.getByRole('alert').locator('mark').textContent()).to.equal('an');
        await watched.inspect(name('wrong-filter'));
        await box.fill('HoursOverPlan gt 1,5 and RunTime gt 0');
        expect((await go(() => box.press('Enter'))).status()).to.equal(200);
        await expectFirstPage(
          beyondPlan.filter(
            ({ hoursOverPlan, times }) =>
              (hoursOverPlan ?? 0n) > toMicrohours('1.5') && (times.run.planned ?? 0n) > 0n,
          ),
        );
      });

      it('signs in again after the end of the session, and continues on the same page', async () => {
        const [address, before] = [page.url(), await identifiers()];
        if (hasScript) {
          await revokeAccessToken(system.database, token);
        } else {
          await page.context().clearCookies();
          await page.reload();
          expect((await signIn(await createToken(SHORT_LIFETIME_MS))).status()).to.equal(200);
        }
        const heading = page.getByRole('heading', { level: 1 });
        const isEnded = async () => {
          await page.reload();
          return (await heading.textContent()) === words.sessionEnded;
        };
        await waitUntil('the session has ended', isEnded, END_DEADLINE_MS, 250);
        await watched.inspect(name('session-ended'));
        expect((await signIn(await createToken())).status()).to.equal(200);
        expect(page.url()).to.equal(address);
        expect(await identifiers()).to.deep.equal(before);
      });
    });
  }
});
