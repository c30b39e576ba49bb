import { expandableIn, familyAt, newestOf, restrictFamily } from '@takt/catalogue/resources';
import { opened, randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { askList, columnOf, type Parameters, write } from '../support/ask.js';
import { insertStructureVersions, type StructureVersion } from '../support/insert-rows.js';
import { OTHER_COMPANY, openTestApi } from '../support/open-test-api.js';
import { productionTimes, productProductionTimes } from '../support/resources.js';

const seed = testSeed();
const random = randomFrom(seed);
const KINDS = ['run', 'setup', 'cleanup'] as const;
const STATUSES = [3, 4, 5];

const maybe = <Value>(value: () => Value): Value | null => (random.below(4) === 0 ? null : value());
const hours = () => (random.below(5_000_000) / 1_000_000).toFixed(6);
const some = (most: number) => Array.from({ length: random.below(most + 1) }, hours);

const rows: readonly StructureVersion[] = Array.from({ length: 300 }, (_, index) => {
  const productId = 1 + random.below(60);
  const run = some(4);
  return {
    ...{ id: index + 1, productId, productName: `Frame ${productId % 7}` },
    ...{ productStatus: STATUSES[productId % 3] ?? 4, productType: productId % 2 === 0 ? 'K' : 'P' },
    planned: { run: maybe(hours), setup: maybe(hours), cleanup: maybe(hours) },
    actual: { run, setup: some(run.length), cleanup: some(run.length) },
  };
});

/** Sums for a product. Times are in microhours. */
interface Sums {
  versions: number;
  operations: number;
  planned: bigint;
  actual: bigint;
  hasPlan: boolean;
}

const micro = (text: string) => BigInt(text.replace('.', ''));

/** Computes the sums for each product from the single operations. The product identifier is the key. */
function expectedSums(versions: readonly StructureVersion[]): ReadonlyMap<number, Sums> {
  const sums = new Map<number, Sums>();
  for (const { productId = 0, planned, actual } of versions) {
    const sum = sums.get(productId) ?? {
      versions: 0,
      operations: 0,
      planned: 0n,
      actual: 0n,
      hasPlan: false,
    };
    sums.set(productId, sum);
    sum.versions += 1;
    sum.operations += actual?.run?.length ?? 0;
    for (const kind of KINDS) {
      const plan = planned?.[kind];
      if (plan == null) continue;
      sum.hasPlan = true;
      for (const took of actual?.[kind] ?? []) {
        sum.planned += micro(plan);
        sum.actual += micro(took);
      }
    }
  }
  return sums;
}

/** Returns the quotient in percent. Rounds it to hundredths of a percent, half away from zero. */
function percentOf(over: bigint, planned: bigint): number | null {
  if (planned === 0n) return null;
  const sign = over < 0n ? -1n : 1n;
  return Number(sign * ((20_000n * sign * over + planned) / (2n * planned))) / 100;
}

describe(`the production times of products (seed ${seed})`, () => {
  const api = opened(openTestApi);
  before(async () => {
    await insertStructureVersions(api.owner, [
      ...rows,
      { id: 900, productId: 61, isListed: false, actual: { run: ['9.000000'] } },
      {
        id: 901,
        productId: 1,
        companyId: OTHER_COMPANY,
        planned: { run: '1.000000' },
        actual: { run: ['7.000000'] },
      },
    ]);
  });

  const ask = async (parameters: Parameters = {}) => {
    const page = await askList(api, productProductionTimes, {
      ...{ $inlinecount: 'allpages', $top: '$max' },
      ...parameters,
    });
    const { productAggregatedProductionTimes: items, paging, summary } = JSON.parse(write(page, 'json', api));
    return { items, summary, size: paging.size, ids: columnOf(page).map(Number) };
  };

  it('are the sums over the structure versions of a product in this company', async () => {
    const { items, size } = await ask();
    const sums = expectedSums(rows);
    expect(size).to.equal(sums.size);
    const expected = [...sums].sort(([one], [other]) => one - other);
    expect(items).to.deep.equal(
      expected.map(([productId, sum]) => ({
        product: {
          productId,
          name: `Frame ${productId % 7}`,
          status: STATUSES[productId % 3],
          type: productId % 2 === 0 ? 'K' : 'P',
          productLink: `${api.baseUrl}/product/products/${productId}`,
        },
        aggregatedProductionTimes: {
          numberOfStructureVersions: sum.versions,
          numberOfCompletedProductionWorkOrders: sum.operations,
          plannedHours: sum.hasPlan ? Number(sum.planned) / 1e6 : null,
          actualHours: sum.hasPlan ? Number(sum.actual) / 1e6 : null,
          hoursOverPlan: sum.hasPlan ? Number(sum.actual - sum.planned) / 1e6 : null,
          overPlanPercent: sum.hasPlan ? percentOf(sum.actual - sum.planned, sum.planned) : null,
        },
      })),
    );
  });

  it('can be filtered and ordered by each of their fields, and searched', async () => {
    const sums = [...expectedSums(rows)];
    const over = (sum: Sums) => sum.actual - sum.planned;
    const { ids } = await ask({ $orderby: 'HoursOverPlan desc', $filter: 'HoursOverPlan gt 0' });
    expect(ids).to.deep.equal(
      sums
        .filter(([, sum]) => sum.hasPlan && over(sum) > 0n)
        .sort(([one, sum], [other, next]) => Number(over(next) - over(sum)) || other - one)
        .map(([id]) => id),
    );
    for (const [name, holds] of [
      ['ProductId lt 9', ([id]: readonly [number, Sums]) => id < 9],
      ["ProductName eq 'FRAME 3'", ([id]) => id % 7 === 3],
      ['ProductStatus eq 4', ([id]) => id % 3 === 1],
      ["ProductType eq 'P'", ([id]) => id % 2 === 1],
      ['NumberOfStructureVersions ge 5', ([, { versions }]) => versions >= 5],
      ['NumberOfCompletedProductionWorkOrders gt 12', ([, { operations }]) => operations > 12],
      ['PlannedHours gt 20.5', ([, { planned, hasPlan }]) => hasPlan && planned > 20_500_000n],
      ['ActualHours le 20.5', ([, { actual, hasPlan }]) => hasPlan && actual <= 20_500_000n],
      ['OverPlanPercent lt 0', ([, sum]) => sum.hasPlan && (percentOf(over(sum), sum.planned) ?? 0) < 0],
    ] as const satisfies readonly (readonly [string, (row: readonly [number, Sums]) => boolean])[]) {
      const wanted = sums.filter(holds).map(([id]) => id);
      const [field = ''] = name.split(' ');
      const found = await ask({ $filter: name, $orderby: field });
      expect(
        found.ids.toSorted((one, other) => one - other),
        name,
      ).to.deep.equal(wanted.toSorted((one, other) => one - other));
      expect(found.size, name).to.equal(wanted.length);
    }
    const found = sums.filter(([id]) => id % 7 === 3 || String(id).includes('3'));
    expect((await ask({ search: '3 frame' })).size).to.equal(found.length);
  });

  it('have a summary of all rows that match filter and search', async () => {
    const sums = [...expectedSums(rows)];
    const totalsOf = (chosen: readonly Sums[], count: number) => {
      const planned = chosen.filter(({ hasPlan }) => hasPlan);
      const hours = (total: (sum: Sums) => bigint) =>
        planned.length === 0 ? null : Number(planned.reduce((sum, one) => sum + total(one), 0n)) / 1e6;
      return {
        numberOfRows: count,
        numberOfCompletedProductionWorkOrders: chosen.reduce((sum, { operations }) => sum + operations, 0),
        plannedHours: hours((sum) => sum.planned),
        actualHours: hours((sum) => sum.actual),
        hoursOverPlan: hours((sum) => sum.actual - sum.planned),
      };
    };
    const over = ({ actual, planned }: Sums) => actual - planned;
    const products = async (parameters: Parameters) =>
      (await ask({ $expand: 'Summary', $top: '1', ...parameters })).summary;
    const all = sums.map(([, sum]) => sum);
    expect(await products({})).to.deep.equal(totalsOf(all, all.length));
    const beyond = all.filter((sum) => sum.hasPlan && over(sum) > 0n);
    for (const $orderby of ['HoursOverPlan desc', 'ProductName', 'OverPlanPercent,ProductId desc']) {
      const found = await products({ $filter: 'HoursOverPlan gt 0', $orderby });
      expect(found).to.deep.equal(totalsOf(beyond, beyond.length));
    }
    expect(await products({ $filter: 'ProductId lt 0' })).to.deep.equal(totalsOf([], 0));

    const versions = async (parameters: Parameters) => {
      const page = await askList(api, productionTimes, {
        ...{ $expand: 'Summary', $top: '1' },
        ...parameters,
      });
      return JSON.parse(write(page, 'json', api)).summary;
    };
    const expected = (chosen: readonly StructureVersion[]) =>
      totalsOf([...expectedSums(chosen).values()], chosen.length);
    expect(await versions({})).to.deep.equal(expected(rows));
    const named = rows.filter(({ productId = 0 }) => productId % 7 === 3);
    // The first order lets the planner choose, the second needs a walk, and the third sorts all matches.
    for (const $orderby of ['ProductName', 'AverageRunTime desc', 'RunTime,SetupTime desc']) {
      const found = await versions({ $filter: "ProductName eq 'Frame 3'", $orderby });
      expect(found, $orderby).to.deep.equal(expected(named));
    }
    expect(await versions({ search: 'frame', $filter: "ProductName eq 'Frame 3'" })).to.deep.equal(
      expected(named),
    );
  });

  const expectedOrder = (versions: readonly StructureVersion[]) =>
    versions
      .map((version) => ({ id: version.id, sum: expectedSums([version]).get(version.productId ?? 0) }))
      .map(({ id, sum }) => ({ id, over: sum?.hasPlan ? sum.actual - sum.planned : undefined }))
      .sort(({ id, over }, other) => {
        if (over === other.over) return id - other.id;
        if (over === undefined || other.over === undefined) return over === undefined ? 1 : -1;
        return over > other.over ? -1 : 1;
      })
      .map(({ id }) => id);
  const ofProduct = (productId: number) => rows.filter((row) => row.productId === productId);
  const itemIds = (versions: readonly { productStructureVersion: { productStructureVersionId: number } }[]) =>
    versions.map(({ productStructureVersion }) => productStructureVersion.productStructureVersionId);

  it('can be expanded by their structure versions, with the most hours over plan first', async () => {
    const expand = { $expand: 'StructureVersions,PlanComparison', $showDomainDescriptions: 'true' };
    const { items } = await ask(expand);
    for (const { product, structureVersions } of items) {
      const page = await askList(api, productionTimes, {
        ...{ ...expand, $expand: 'PlanComparison', $top: '$max' },
        $filter: `ProductId eq ${product.productId}`,
      });
      const listed = JSON.parse(write(page, 'json', api)).productStructureVersionAggregatedProductionTimes;
      expect(structureVersions).to.have.deep.members(listed);
      expect(itemIds(structureVersions)).to.deep.equal(expectedOrder(ofProduct(product.productId)));
    }
    const selected = await ask({ $select: 'ProductId,StructureVersions', $top: '1' });
    expect(Object.keys(selected.items[0])).to.deep.equal(['product', 'structureVersions']);
    expect(selected.items[0].structureVersions[0]).not.to.have.property('planComparison');
    const page = await askList(api, productProductionTimes, { $expand: 'StructureVersions', $top: '1' });
    expect(write(page, 'xml', api)).to.match(
      /<StructureVersions><ProductStructureVersionAggregatedProductionTime><ProductStructureVersion>.*<\/StructureVersions>/,
    );
  });

  it('can be expanded without the fields for which a duty is missing', async () => {
    const family = familyAt(productProductionTimes.path);
    const shown = family && newestOf(restrictFamily(family, ['read-production-times']));
    if (shown?.kind !== 'list') throw new Error('it is a list');
    expect(new Set(expandableIn(shown).map(({ expandedBy }) => expandedBy))).to.deep.equal(
      new Set(['Keys', 'StructureVersions', 'Summary']),
    );
    const page = await askList(api, shown, { $expand: 'StructureVersions', $top: '$max' });
    const { productAggregatedProductionTimes: items } = JSON.parse(write(page, 'json', api));
    for (const { product, structureVersions } of items) {
      const ids = ofProduct(product.productId).map(({ id }) => id);
      expect(itemIds(structureVersions)).to.deep.equal(ids);
      for (const item of structureVersions) {
        expect(Object.keys(item)).to.deep.equal(['productStructureVersion', 'aggregatedProductionTimes']);
      }
    }
  });

  it('have a summary after the page in each format on request', async () => {
    const page = await askList(api, productProductionTimes, { $expand: 'Summary,PagingDetails' });
    expect(Object.keys(JSON.parse(write(page, 'json', api)))).to.deep.equal([
      'productAggregatedProductionTimes',
      'paging',
      'summary',
    ]);
    expect(write(page, 'xml', api)).to.match(
      /<\/Paging><Summary><NumberOfRows>\d+<.*<\/Summary><\/ProductAggregatedProductionTimes>$/,
    );
    expect(await ask({})).to.include({ summary: undefined });
  });

  it('stay exact for sums of planned microhours beyond a bigint', async () => {
    await api.owner.query(
      `UPDATE takt.product_structure_versions SET number_of_completed_operations = 2000000, run_time = 9999999999999,
         run_time_sum = 20000000000001, run_time_sum_of_squares = 2.1e20, setup_time = NULL, cleanup_time = NULL
       WHERE company_id = 1 AND product_structure_version_id = 1`,
    );
    const productId = rows[0]?.productId ?? 0;
    const others = expectedSums(rows.filter(({ id, productId: of }) => id !== 1 && of === productId)).get(
      productId,
    );
    const { items } = await ask({ $filter: `ProductId eq ${productId}` });
    const { plannedHours, hoursOverPlan } = items[0].aggregatedProductionTimes;
    const page = await askList(api, productionTimes, {
      $filter: 'ProductStructureVersionId eq 1',
      $expand: 'Summary',
    });
    expect(JSON.parse(write(page, 'json', api)).summary).to.include({
      numberOfCompletedProductionWorkOrders: 2_000_000,
      plannedHours: 9_000_000_000_000,
    });
    // The API limits a sum to 9 * 10^12 hours. The hours over plan are far below this limit.
    expect(plannedHours).to.equal(9_000_000_000_000);
    const own = 20_000_000_000_001n * 1_000_000n - 2_000_000n * 9_999_999_999_999n;
    expect(hoursOverPlan).to.equal(Number(own + (others?.actual ?? 0n) - (others?.planned ?? 0n)) / 1e6);
  });
});
