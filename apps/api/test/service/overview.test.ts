import type { Duty } from '@takt/catalogue/rights';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { insertMonths, insertStructureVersions, inTurn } from '../support/insert-rows.js';
import { serveApi } from '../support/serve-api.js';

const PRODUCTS = '/product/products/aggregated-production-times';
const OVERVIEW = `${PRODUCTS}?$filter=HoursOverPlan%20gt%200&$orderby=HoursOverPlan%20desc&view=overview&$top=10`;

interface ComparedProduct {
  readonly product: { readonly name: string };
  readonly comparedPeriod: { readonly hoursOverPlanChange: number | null };
}

describe('The overview of products', () => {
  const api = opened(serveApi);
  let token: string;
  before(async () => {
    const planned = { run: '1.000000' };
    await insertStructureVersions(api.owner, [
      { id: 1, productId: 1, productName: 'Steady', planned, actual: { run: inTurn('1.4', '1.6') } },
      { id: 2, productId: 2, productName: 'Scattered', planned, actual: { run: inTurn('0.1', '2.5') } },
      // From single operations, nobody knows how far they scatter.
      { id: 3, productId: 3, productName: 'Once', planned, actual: { run: ['3.0'] } },
      { id: 4, productId: 3, productName: 'Once', planned, actual: { run: ['3.1'] } },
      { id: 5, productId: 5, productName: 'Growing', planned: { run: '0.500000' } },
      // In each month another version of it was made.
      { id: 6, productId: 6, productName: 'Replaced', planned: { run: '0.500000' } },
      { id: 7, productId: 6, productName: 'Replaced', planned: { run: '0.500000' } },
      { id: 8, productId: 8, productName: 'Rare', planned: { run: '0.500000' } },
      { id: 9, productId: 9, productName: 'Gone', planned: { run: '0.500000' } },
      { id: 10, productId: 10, productName: 'Unplanned', planned: {} },
      { id: 12, productId: 12, productName: 'Falling', planned: { run: '0.500000' } },
      // More versions than a page of their list has.
      ...Array.from({ length: 90 }, (_, index) => ({
        ...{ id: 100 + index, productId: 11, productName: 'Versioned', planned: { run: '0.010000' } },
        actual: { run: inTurn('0.014', '0.016') },
      })),
    ]);
    await insertMonths(api.owner, [
      { structureVersionId: 5, month: '2026-01', completed: 2 },
      { structureVersionId: 5, month: '2026-02', completed: 6 },
      { structureVersionId: 1, month: '2026-02', completed: 3 },
      { structureVersionId: 6, month: '2026-01', completed: 8 },
      { structureVersionId: 7, month: '2026-02', completed: 2 },
      { structureVersionId: 5, month: '2021-07', completed: 4 },
      { structureVersionId: 8, month: '2021-07', completed: 2 },
      { structureVersionId: 5, month: '2021-06', completed: 2 },
      { structureVersionId: 8, month: '2021-06', completed: 1 },
      { structureVersionId: 12, month: '2021-07', completed: 2 },
      ...[9, 10, 12].map((structureVersionId) => ({ structureVersionId, month: '2021-06', completed: 6 })),
    ]);
    token = await api.createToken('TEM-NO');
  });

  const pageAt = async (target: string) => {
    const { status, text } = await api.client.get(target, {
      authorization: `Bearer ${token}`,
      accept: 'text/html',
    });
    expect(status, text.slice(0, 300)).to.equal(200);
    return text;
  };
  const rowOf = (html: string, name: string) =>
    html.split('<tr>').find((row) => row.includes(`>${name}<`) && row.includes('hours-bar')) ?? '';

  it('marks the hours over plan of a product only if chance cannot explain them', async () => {
    const html = await pageAt(OVERVIEW);
    expect(rowOf(html, 'Steady')).to.match(/class="over"[^>]*><svg/);
    expect(rowOf(html, 'Scattered')).to.match(/class="unsure"[^>]*><svg/);
    expect(rowOf(html, 'Once')).to.match(/class="unsure"[^>]*><svg/);
  });

  it('draws the interval of the hours beside the bar', async () => {
    const [, zero, width, from, to] =
      /<rect x="(\d+)" y="1" height="10" width="(\d+)"\/><path d="M(\d+) 6H(\d+)"/.exec(
        rowOf(await pageAt(OVERVIEW), 'Steady'),
      ) ?? [];
    const [bar, low, high] = [Number(zero) + Number(width), Number(from), Number(to)];
    expect(low).to.be.within(Number(zero) + 1, bar - 1);
    expect(high - bar).to.be.closeTo(bar - low, 1);
    // If chance can explain the hours, the interval reaches below zero.
    const [, lowest] = /<path d="M(\d+) 6H/.exec(rowOf(await pageAt(OVERVIEW), 'Scattered')) ?? [];
    expect(Number(lowest)).to.be.below(Number(zero));
  });

  it('shows hours by month, and what changed in the last month of a period', async () => {
    const html = await pageAt(`${OVERVIEW}&to=2026-02`);
    const [chart = ''] = /<svg class="bar-chart".*?<\/svg>/s.exec(html) ?? [];
    expect(chart).to.include('aria-label="Hours over plan by month, all products. Jan 26: +5, Feb: +4"');
    const [, changes = ''] = html.split('February 2026, compared with January 2026');
    expect(changes).to.include('+4 h over plan, +5 h before.');
    expect(changes).to.match(/>Growing<.*?\+1\.00<.*?\+3\.00<.*?\+2\.00</s);
    expect(changes.split('</section>')[1]).not.to.include('Steady');
  });

  it('marks a change only if chance cannot explain it, which is unknown for a single operation', async () => {
    const html = await pageAt(`${OVERVIEW}&to=2021-07`);
    const [, changes = ''] = html.split('July 2021, compared with June 2021');
    const changeOf = (name: string) =>
      new RegExp(`>${name}<.*?<td class="(\\w*)"[^>]*>([+.\\d]+)</td></tr>`, 's').exec(changes)?.slice(1);
    expect(changeOf('Growing')).to.deep.equal(['over', '+1.00']);
    expect(changeOf('Rare')).to.deep.equal(['unsure', '+0.50']);
  });

  it('marks hours and changes in lists of products too, also of those with many versions', async () => {
    const [list, compared] = [
      await pageAt(`${PRODUCTS}?$top=80`),
      await pageAt(`${PRODUCTS}?from=2021-07&to=2021-07&compareFrom=2021-06&compareTo=2021-06`),
    ];
    const marksOf = (html: string, name: string) => {
      const row = html.split('<tr').find((part) => part.includes(`>${name}<`)) ?? '';
      return [...row.matchAll(/<td class="(over|under|unsure)"[^>]*>([^<]*)</g)].map(([, mark, text]) => [
        mark,
        text,
      ]);
    };
    expect(marksOf(list, 'Steady')).to.deep.equal([['over', '+10.00']]);
    expect(marksOf(list, 'Scattered').map(([mark]) => mark)).to.deep.equal(['unsure']);
    expect(marksOf(list, 'Versioned').map(([mark]) => mark)).to.deep.equal(['over']);
    expect(marksOf(compared, 'Growing')).to.deep.equal([
      ['over', '+2.00'],
      ['over', '+1.00'],
    ]);
    expect(marksOf(compared, 'Falling').at(-1)).to.deep.equal(['under', '&minus;2.00']);
    // Chance has no part in it if nothing was made in one of the months.
    expect(marksOf(compared, 'Gone')).to.deep.equal([]);
    expect(list).to.include('A question mark beside hours');
  });

  it('says on the page of a product that it is about all months, and if chance can explain its hours', async () => {
    expect(await pageAt('/product/products/11')).to.match(/All months: 9 h more than planned in 90 [^<]*\.</);
    expect(await pageAt('/product/products/3')).to.match(
      /All months: 4 h more .*\. Chance can explain this\.</,
    );
  });

  it('names the months of its chart', async () => {
    const html = await pageAt(`${OVERVIEW}&to=2026-02`);
    expect(html).to.include('Hours over plan by month, all products: March 2025 to February 2026');
  });

  it('leads to what grew and what fell most', async () => {
    const html = await pageAt(`${OVERVIEW}&to=2021-07`);
    const [, address = ''] = /<a href="([^"]*)">Fell most</.exec(html) ?? [];
    const { pathname, search } = new URL(address.replaceAll('&amp;', '&'), 'http://takt.test');
    const names = [...(await pageAt(pathname + search)).matchAll(/aria-expanded="false"[^>]*>([^<]+)</g)];
    expect(names.map(([, name]) => name)).to.deep.equal(['Gone', 'Falling']);
  });

  it('sums up both periods, even if they are longer than the chart', async () => {
    const html = await pageAt(`${OVERVIEW}&from=2026-02&to=2028-10`);
    expect(html).to.include('+4 h over plan, +5 h before.');
    const [chart = ''] = /<svg class="bar-chart".*?<\/svg>/s.exec(html) ?? [];
    expect(chart.match(/class="emphasised"/g)).to.have.lengthOf(1);
    const long = await pageAt(`${OVERVIEW}&from=2022-02&to=2026-02`);
    expect(long).to.include('compared with').and.not.include('h before.');
  });

  it('leaves out the months and the changes if there is no time before its period', async () => {
    for (const period of ['from=0001-01', 'from=0001-01&to=9999-12', 'to=0001-01']) {
      expect(await pageAt(`${OVERVIEW}&${period}`), period).not.to.include('bar-chart');
    }
  });

  it('compares the hours of all structure versions of a product, also of those made in only one of the periods', async () => {
    const periods = 'from=2026-02&to=2026-02&compareFrom=2026-01&compareTo=2026-01';
    const { text } = await api.client.get(`${PRODUCTS}?${periods}&$filter=ProductId%20eq%206`, {
      authorization: `Bearer ${token}`,
    });
    const [product] = JSON.parse(text).productAggregatedProductionTimes;
    expect(product.aggregatedProductionTimes.hoursOverPlan).to.equal(1);
    expect(product.comparedPeriod).to.deep.equal({ comparedHoursOverPlan: 4, hoursOverPlanChange: -3 });
  });

  it('compares products that were made only in the second period, as if nothing was made of them in the first', async () => {
    const periods = 'from=2021-07&to=2021-07&compareFrom=2021-06&compareTo=2021-06';
    const { text } = await api.client.get(
      `${PRODUCTS}?${periods}&$orderby=HoursOverPlanChange&$expand=Summary`,
      {
        authorization: `Bearer ${token}`,
      },
    );
    const { productAggregatedProductionTimes: products, summary } = JSON.parse(text);
    const changes = Object.fromEntries(
      products.map((one: ComparedProduct) => [one.product.name, one.comparedPeriod.hoursOverPlanChange]),
    );
    expect(changes).to.deep.equal({ Unplanned: null, Gone: -3, Falling: -2, Rare: 0.5, Growing: 1 });
    expect(summary.comparedHoursOverPlan).to.equal(7.5);
    const gone = products.find((one: ComparedProduct) => one.product.name === 'Gone');
    expect(gone.aggregatedProductionTimes).to.include({
      ...{ numberOfCompletedProductionWorkOrders: 0, numberOfStructureVersions: 0 },
      ...{ plannedHours: 0, actualHours: 0, hoursOverPlan: 0 },
    });
  });

  it('keeps its view when the period changes, but a search leads to the list', async () => {
    const html = await pageAt(OVERVIEW);
    const [quick = '', period = ''] = html.match(/<form class="quick".*?<\/form>/gs) ?? [];
    expect(quick).to.include('name="search"').and.not.include('name="view"');
    expect(period).to.include('name="from"').and.include('name="view" value="overview"');
  });

  it('is the page to which the root leads, but not for readers who may not see plans', async () => {
    const ask = async (duties: readonly Duty[]) => {
      const { text } = await api.client.get(`${PRODUCTS}?view=overview`, {
        authorization: `Bearer ${await api.createToken('TEM-NO', { duties })}`,
        accept: 'text/html',
      });
      return text;
    };
    expect(await ask(['read-production-times']))
      .not.to.include('bar-chart')
      .and.not.include('>Overview<');
    expect(await ask(['read-production-times', 'read-planned-times'])).to.include('>Overview<');
  });
});
