import { needsProgram, openBrowser, opened } from '@takt/test-support';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { storeDemoData } from '../support/demo-data.js';
import { follow } from '../support/planner-page.js';
import { openTestApi } from '../support/test-api.js';
import { openWatchedPage } from '../support/watched-page.js';

const COMPANY = 'TEM-NO';
const DEMO = { events: 3_000, structureVersions: 160, corrections: 0.03, companies: [COMPANY] };

/**
 * The walks through the pages, with the words of each language for the second quarter. They cover both widths, with and
 * without script.
 */
const walks = [
  {
    language: 'eng',
    width: 1280,
    hasScript: true,
    words: (year: string) => `April ${year} to June ${year}`,
    before: (year: string) => `Before, January ${year} to March ${year}: `,
    compare: ['The time before', 'No comparison'],
  },
  {
    language: 'deu',
    width: 390,
    hasScript: false,
    words: (year: string) => `April ${year} bis Juni ${year}`,
    before: (year: string) => `Davor, Januar ${year} bis März ${year}: `,
    compare: ['Zeit davor', 'Kein Vergleich'],
  },
  {
    language: 'nob',
    width: 1280,
    hasScript: false,
    words: (year: string) => `april ${year} til juni ${year}`,
    before: (year: string) => `Før, januar ${year} til mars ${year}: `,
    compare: ['Tiden før', 'Ingen sammenligning'],
  },
] as const;

/** Formats hours in the same way as a page. */
const inHours = (hours: number, language: string) =>
  hours.toFixed(2).replace('.', language === 'eng' ? '.' : ',');

const withoutSpaces = (text: string) => text.replace(/\s/g, '');

interface LostHours {
  readonly productName: string;
  readonly id: number;
  readonly name: string;
  readonly hours: number;
  readonly count: number;
}

/** Lost hours by structure version, computed from the operations that were completed from $1 on and before $2. */
const LOST_HOURS = `
  SELECT version.product_name AS "productName", version.product_structure_version_id::float8 AS id, version.name,
    sum(coalesce(done.run_time - version.run_time / 1e6, 0) + coalesce(done.setup_time - version.setup_time / 1e6, 0)
      + coalesce(done.cleanup_time - version.cleanup_time / 1e6, 0))::float8 AS hours, count(*)::float8 AS count
  FROM takt.work_order_operations AS done
  JOIN takt.product_structure_versions AS version USING (company_id, product_structure_version_id)
  WHERE done.changed_at >= $1 AND done.changed_at < $2
  GROUP BY version.product_name, version.product_structure_version_id, version.name
  ORDER BY hours DESC`;

describe('a planner who looks at the figures of the second quarter', function () {
  this.timeout(120_000);
  const service = opened(() => openTestApi({ companies: [COMPANY] }));
  let browser: Browser;
  let year: string;
  let most: readonly LostHours[];
  /** Average run time of the structure version with the most lost hours, in the previous quarter. */
  let averageBefore: number;
  /** Hours that all structure versions of the product lost in the previous quarter. */
  let lostBefore: number;

  before(async function () {
    needsProgram(this, 'chromium');
    const { pool } = service.database;
    await storeDemoData(service.database, DEMO);
    const years = await pool.query<{ year: string }>(
      `SELECT extract(year FROM changed_at)::text AS year FROM takt.work_order_operations
       WHERE extract(month FROM changed_at) BETWEEN 4 AND 6 GROUP BY 1 ORDER BY count(*) DESC LIMIT 1`,
    );
    year = years.rows[0]?.year ?? '';
    const { rows } = await pool.query<LostHours>(LOST_HOURS, [`${year}-04-01Z`, `${year}-07-01Z`]);
    const hoursOf = (product: string) =>
      rows.filter(({ productName }) => productName === product).reduce((sum, { hours }) => sum + hours, 0);
    const [first] = rows.toSorted((one, other) => hoursOf(other.productName) - hoursOf(one.productName));
    most = rows.filter(({ productName }) => productName === first?.productName);
    const averages = await pool.query<{ average: number }>(
      `SELECT avg(run_time)::float8 AS average FROM takt.work_order_operations
       WHERE product_structure_version_id = $1 AND changed_at >= $2 AND changed_at < $3`,
      [most[0]?.id, `${year}-01-01Z`, `${year}-04-01Z`],
    );
    averageBefore = averages.rows[0]?.average ?? Number.NaN;
    const lost = await pool.query<LostHours>(LOST_HOURS, [`${year}-01-01Z`, `${year}-04-01Z`]);
    lostBefore = lost.rows
      .filter(({ id }) => most.some((version) => version.id === id))
      .reduce((sum, { hours }) => sum + hours, 0);
    browser = await openBrowser();
  });
  after(async () => await browser?.close());

  for (const { language, width, hasScript, words, before, compare } of walks) {
    it(`finds the product with the most lost hours and the reason: ${language}, ${width} px, ${hasScript ? 'with' : 'without'} script`, async () => {
      const { page, inspect, close } = await openWatchedPage(browser, service.api.origin, {
        viewport: { width, height: 800 },
        javaScriptEnabled: hasScript,
      });
      await page.goto(`${service.api.origin}/?$format=html&$lang=${language}`);
      await page.locator('details:has(input[name="token"]) > summary').click();
      await page.locator('input[name="token"]').fill(service.token);
      await follow(page, () => page.locator('form.token button').click());

      await page.locator('.period summary').click();
      await page.locator('.period input[name="from"]').fill(`${year}-04`);
      await page.locator('.period input[name="to"]').fill(`${year}-06`);
      await follow(page, () => page.locator('.period button').click());
      expect(new URL(page.url()).searchParams.get('from')).to.equal(`${year}-04`);
      expect(await page.locator('.summary').textContent()).to.match(new RegExp(`^${words(year)}: `));
      const name = page.locator('.figures a.open').first();
      expect(await name.textContent()).to.equal(most[0]?.productName);
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
      await inspect(`period-${language}-${width}-list`);

      const listed = page.url();
      const [timeBefore, noComparison] = compare;
      await page.locator('.period summary').click();
      await follow(page, () => page.locator('.period a', { hasText: timeBefore }).click());
      expect(new URL(page.url()).searchParams.get('comparefrom')).to.equal(`${year}-01`);
      expect(await page.locator('.summary').textContent()).to.match(/: [+\u2212]?[\d\u202f]+ [ht] [^.]*\.$/);
      const first = page.locator('.figures tbody tr').first();
      expect((await first.locator('td').allTextContents()).map(withoutSpaces)).to.include(
        `${lostBefore < 0 ? '\u2212' : '+'}${inHours(Math.abs(lostBefore), language)}`,
      );
      await inspect(`compared-${language}-${width}-list`);
      // This order and this filter require two periods, so the page drops both together with the second period.
      const ordered = new URL(page.url());
      ordered.searchParams.set('$orderby', 'ComparedHoursOverPlan desc');
      ordered.searchParams.set('$filter', 'HoursOverPlan gt 0 and ComparedHoursOverPlan ne null');
      await page.goto(ordered.href);
      expect(await page.locator('.figures tbody tr').count()).to.be.above(0);
      await page.locator('.period summary').click();
      await follow(page, () => page.locator('.period a', { hasText: noComparison }).click());
      expect(page.url().toLowerCase()).not.to.include('compare');
      await page.goto(listed);

      await follow(page, () => name.click());
      const opened = await page.locator('.opened tbody th').allTextContents();
      const names = opened.map((text) => text.split(' · ')[0]);
      expect(names).to.have.members(most.map((version) => version.name));
      expect(names[0]).to.equal(most[0]?.name);
      const [made] = await page.locator('.opened tbody td').allTextContents();
      expect(made).to.equal(String(most[0]?.count));
      await follow(page, () => page.locator('.opened tbody th a').first().click());
      expect(await page.locator('h1').textContent()).to.include(most[0]?.name);
      expect(await page.locator('.lead').textContent()).to.include(words(year));
      expect(await page.locator('.times .summary').textContent()).to.match(
        new RegExp(`: ${most[0]?.count} · `),
      );
      const told = await page.locator('.times .hint').first().textContent();
      expect(told).to.include(before(year)).and.include(inHours(averageBefore, language));
      const [earlier] = await page.locator('.month-chart .earlier-label').allTextContents();
      expect(earlier).to.match(new RegExp(`${inHours(averageBefore, language).slice(0, -1)}`));
      await inspect(`period-${language}-${width}-version`);

      // Without a period, the page and its links cover all months.
      await page.locator('.period summary').click();
      await follow(page, () => page.locator('.period a').first().click());
      expect(page.url()).not.to.include('from=');
      expect(await page.locator('.lead').textContent()).not.to.include(words(year));
      expect(await page.locator('.earlier-line').count()).to.equal(0);
      await close();
    });
  }

  it('gets a file with the period in its name', async () => {
    const headers = { authorization: `Bearer ${service.token}` };
    const list = `${service.api.origin}/product/products/aggregated-production-times`;
    const file = await fetch(`${list}?$format=csv&from=${year}-04&to=${year}-06`, { headers });
    const today = new Date().toISOString().slice(0, 10);
    expect(file.headers.get('content-disposition')).to.equal(
      `attachment; filename="products-aggregated-production-times_${COMPANY}_from-${year}-04_to-${year}-06_${today}.csv"`,
    );
    const rows = (await file.text()).trim().split('\r\n');
    expect(rows).to.have.length.above(2);
    const refused = await fetch(`${list}?$format=html&from=${year}-05&to=${year}-04`, { headers });
    expect(refused.status).to.equal(400);
    expect(await refused.text()).to.include(`month ${year}-05..9999-12`);
  });

  it('sees a note if the last month is not over', async () => {
    const headers = { authorization: `Bearer ${service.token}`, accept: 'text/html' };
    const list = `${service.api.origin}/product/products/aggregated-production-times`;
    const askFor = async (period: string) => (await fetch(`${list}?${period}`, { headers })).text();
    const since = await askFor(`from=${year}-04`);
    expect(since).to.match(
      new RegExp(`Period: </span>since April ${year} \\(the month is not over\\)</summary>`),
    );
    // The page offers the present month, in the time zone of the company.
    const [, present] = /from=(\d{4}-\d{2})&amp;[^"]*to=\1">This month/.exec(since) ?? [];
    expect(await askFor(`from=${year}-04&to=${present}`)).to.include('(the month is not over)</summary>');
    expect(await askFor(`from=${year}-04&to=${year}-05`)).not.to.include('the month is not over');
  });
});
