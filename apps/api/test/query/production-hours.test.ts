import { opened, randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { type Parameters, queryText } from '../support/ask.js';
import { insertStructureVersions } from '../support/insert-rows.js';
import { COMPANY, OTHER_COMPANY } from '../support/open-test-api.js';
import { productionHours } from '../support/resources.js';
import { serveApi } from '../support/serve-api.js';

const seed = testSeed();
const random = randomFrom(seed);
const KINDS = ['run', 'setup', 'cleanup'] as const;
const MONTHS = ['2025-11', '2025-12', '2026-01', '2026-02'];

/** Microhours as the decimal hours of a plan. */
const hoursOf = (micro: number) => (micro / 1e6).toFixed(6);

const versions = Array.from({ length: 80 }, (_, index) => ({
  id: index + 1,
  productId: 1 + random.below(20),
  // Every fourth plan is missing.
  plans: KINDS.map(() => (random.below(4) === 0 ? null : random.below(5_000_000))),
  months: MONTHS.filter(() => random.below(3) > 0).map((month) => {
    const runs = 1 + random.below(6);
    const counts = [runs, random.below(runs + 1), random.below(runs + 1)];
    return { month, counts, sums: counts.map((count) => count * random.below(6_000_000)) };
  }),
}));

/** The sums of a month, computed from the months of the structure versions. Times are in microhours. */
function expectedMonth(wanted: string) {
  const rows = versions.flatMap(({ plans, months }) =>
    months.filter(({ month }) => month === wanted).map((month) => ({ ...month, plans })),
  );
  const planned = (of: (row: (typeof rows)[number], kind: number) => number) =>
    rows.reduce(
      (sum, row) =>
        sum + row.plans.reduce<number>((all, plan, kind) => all + (plan === null ? 0 : of(row, kind)), 0),
      0,
    );
  const plan = planned(({ plans, counts }, kind) => (plans[kind] ?? 0) * (counts[kind] ?? 0));
  const actual = planned(({ sums }, kind) => sums[kind] ?? 0);
  return {
    month: wanted,
    numberOfCompletedProductionWorkOrders: rows.reduce((sum, { counts }) => sum + (counts[0] ?? 0), 0),
    plannedHours: plan / 1e6,
    actualHours: actual / 1e6,
    hoursOverPlan: (actual - plan) / 1e6,
  };
}

describe(`the hours of a company by month (seed ${seed})`, () => {
  const api = opened(serveApi);
  let authorization: string;

  const insertMonth = (
    id: number,
    { month, counts, sums }: (typeof versions)[number]['months'][number],
    companyId = COMPANY,
  ) =>
    api.owner.query(
      `INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month, number_of_completed_operations,
         run_time_sum, setup_time_count, setup_time_sum, cleanup_time_count, cleanup_time_sum)
       VALUES ($1, $2, ($3 || '-01')::date, $4, $5::numeric / 1000000, $6, $7::numeric / 1000000, $8, $9::numeric / 1000000)`,
      [companyId, id, month, ...counts.flatMap((count, kind) => [count, sums[kind]])],
    );

  before(async () => {
    authorization = `Bearer ${await api.createToken('TEM-NO')}`;
    await insertStructureVersions(api.owner, [
      ...versions.map(({ id, productId, plans: [run, setup, cleanup] }) => ({
        ...{ id, productId },
        planned: Object.fromEntries(
          Object.entries({ run, setup, cleanup }).map(([kind, plan]) => [
            kind,
            plan == null ? null : hoursOf(plan),
          ]),
        ),
      })),
      { id: 900, productId: 1, isListed: false },
      { id: 901, productId: 1, companyId: OTHER_COMPANY, planned: { run: '1.000000' } },
      { id: 902, productId: 2 },
    ]);
    for (const { id, months } of versions) for (const month of months) await insertMonth(id, month);
    const one = { month: '2026-01', counts: [3, 0, 0], sums: [7_000_000, 0, 0] };
    await insertMonth(900, one);
    await insertMonth(901, one, OTHER_COMPANY);
    // A month whose operations all left, and a month in which nothing with a plan was made.
    await insertMonth(1, { month: '2026-03', counts: [0, 0, 0], sums: [0, 0, 0] });
    await insertMonth(902, { ...one, month: '2026-04' });
  });

  const ask = async (parameters: Parameters = {}) => {
    const query = queryText({ $inlinecount: 'allpages', $top: '$max', ...parameters });
    const { status, text } = await api.client.get(`${productionHours.path}?${query}`, { authorization });
    expect(status, text).to.equal(200);
    return JSON.parse(text);
  };

  const unplanned = {
    ...{ month: '2026-04', numberOfCompletedProductionWorkOrders: 3 },
    ...{ plannedHours: null, actualHours: null, hoursOverPlan: null },
  };

  it('are the sums over its listed structure versions, newest month first', async () => {
    const { productionMonths, paging } = await ask();
    expect(productionMonths).to.deep.equal([unplanned, ...MONTHS.toReversed().map(expectedMonth)]);
    expect(paging.size).to.equal(MONTHS.length + 1);
  });

  it('can be limited to a period, filtered and ordered', async () => {
    const period = { from: '2025-12', to: '2026-01' };
    expect((await ask(period)).productionMonths).to.deep.equal(['2026-01', '2025-12'].map(expectedMonth));
    const { productionMonths } = await ask({ $orderby: 'HoursOverPlan', $filter: "Month lt '2026-04'" });
    expect(productionMonths).to.deep.equal(
      MONTHS.map(expectedMonth).sort((one, other) => one.hoursOverPlan - other.hoursOverPlan),
    );
  });
});
