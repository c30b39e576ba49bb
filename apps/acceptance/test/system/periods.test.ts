import { createAccessToken } from '@takt/access';
import { applyWorkOrderOperationEvents, pruneOperations, type WorkOrderOperationEvent } from '@takt/figures';
import { addCompany, changeTimeZone } from '@takt/figures/master-data';
import {
  beginsOfMonth,
  monthIn,
  type Random,
  randomFrom,
  shareOf,
  TIME_ZONES,
  testSeed,
} from '@takt/test-support';
import { expect } from 'chai';
import { expectedComparison, flat, type Kind, type Row } from '../support/compared-rows.js';
import { storeMasterData, structureVersion } from '../support/master-data.js';
import { LIST } from '../support/production-times.js';
import { openApiClient, openTestApi, type TestApi, TOKEN_LIFETIME_MS } from '../support/test-api.js';

const HISTORIES = shareOf(60);
const PRODUCTS = '/product/products/aggregated-production-times';
const VERSIONS = [1, 2, 3, 4, 5, 6];
const OPERATIONS = 40;
const MONTHS = ['2024-11', '2024-12', '2025-01', '2025-02', '2025-03'];
/** Instants for completions: in the middle of each month and around its start. */
const INSTANTS = MONTHS.map((month) => [`${month}-17T11:12:13.000000Z`, ...beginsOfMonth(month)]);
/** Parameters of the list: filters and orders by figures, by text and by the key, and page sizes. */
const LIST_QUERIES = [
  '',
  '&$orderby=HoursOverPlan%20desc',
  '&$orderby=AverageRunTime,ProductName%20desc&$top=2',
  '&$orderby=ProductName&$filter=RunTimeVerdict%20ne%20null',
  '&$filter=DeviationSetupTime%20gt%200&$orderby=RunTimeOverPlanPercent',
  '&search=Bracket%203',
  '&search=Milling',
];
const PRODUCT_QUERIES = ['', '&$orderby=HoursOverPlan%20desc&$top=1', '&$filter=OverPlanPercent%20gt%200'];

/** The newest state of an operation, or undefined after a reopening. */
type State = Extract<WorkOrderOperationEvent, { type: 'work-order-operation.completed.v1' }> | undefined;

describe('the figures of a period', function () {
  this.timeout(600_000);
  let test: TestApi;
  let companies = 0;

  before(async () => {
    test = await openTestApi({ companies: ['FIRST'] });
  });
  after(() => test?.close());

  it(`equal the figures of a company with completions in that period only (${HISTORIES} histories)`, async () => {
    for (let history = 0; history < HISTORIES; history++)
      await checkHistory(randomFrom(testSeed() + history));
  });

  it('are an error if the period is invalid', async () => {
    for (const [query, parameter, expected] of [
      ['from=2025-13', 'from', 'month 0001-01..9999-12'],
      ['from=2025-04-01', 'from', 'month 0001-01..9999-12'],
      ['to=0000-12', 'to', 'month 0001-01..9999-12'],
      ['to=2025-03&from=2025-04', 'to', 'month 2025-04..9999-12'],
    ] as const) {
      const { status, text } = await test.client.get(`${LIST}?${query}`);
      expect([status, text], query).to.satisfy(
        ([code, body]: [number, string]) =>
          code === 400 && body.includes(parameter) && body.includes(expected),
      );
    }
  });

  it('state if the last month of the period is over in the time zone of the company', async () => {
    const { rows } = await test.database.pool.query<{ last: string; current: string }>(
      `SELECT to_char(local - interval '1 month', 'YYYY-MM') AS last, to_char(local, 'YYYY-MM') AS current
       FROM (SELECT date_trunc('month', now() AT TIME ZONE 'Pacific/Kiritimati') AS local) AS clock`,
    );
    const { last = '', current = '' } = rows[0] ?? {};
    await changeTimeZone(test.database.pool, { database: 'FIRST', timeZone: 'Pacific/Kiritimati' });
    for (const list of [LIST, PRODUCTS]) {
      const isOver = async (query: string) =>
        JSON.parse((await test.client.get(`${list}?$expand=Summary${query}`)).text).summary.lastMonthIsOver;
      expect(await isOver(`&to=${last}`), list).to.equal(true);
      expect(await isOver(`&to=${current}`), list).to.equal(false);
      expect(await isOver(`&from=2020-01`), list).to.equal(false);
      expect(await isOver(`&compareTo=2020-01&to=${last}`), list).to.equal(true);
      expect(await isOver(''), list).to.equal(undefined);
    }
  });

  it('come with the distribution of all times of the period, also far west and far east of UTC', async () => {
    for (const [timeZone, database] of [
      ['Pacific/Pago_Pago', 'WEST'],
      ['Pacific/Kiritimati', 'EAST'],
    ] as const) {
      await addCompany(test.database, database, database, { timeZone });
      const instants = ['2025-03', '2025-04'].flatMap(beginsOfMonth);
      const events = instants.map((completedAt, index) => completed(database, index + 1, completedAt));
      await applyWorkOrderOperationEvents(test.database.pool, events);
      await storeMasterData(test, [structureVersion(database, 1)]);
      const { token } = await createAccessToken(test.database, {
        companyCodes: [database],
        expiresInMs: TOKEN_LIFETIME_MS,
      });
      const client = openApiClient(test.api, token);
      const { text } = await client.get(
        '/product/structure-versions/1/aggregated-production-times/distribution?from=2025-03&to=2025-03',
      );
      client.close();
      const { count, countPruned } = JSON.parse(text).aggregatedProductionTimeDistribution;
      const inMarch = instants.filter((at) => monthIn(timeZone)(at) === '2025-03').length;
      expect([count, countPruned], timeZone).to.deep.equal([inMarch, 0]);
    }
  });

  it('accept a page key only together with the period of that key', async () => {
    const page = await test.client.get(`${LIST}?from=2025-01&$expand=PagingDetails`);
    const key = /"firstPageKey":"([^"]+)"/.exec(page.text)?.[1] ?? /pageKey=([^"&]+)/.exec(page.text)?.[1];
    expect(key, page.text).not.to.equal(undefined);
    expect((await test.client.get(`${LIST}?from=2025-01&$pageKey=${key}`)).status).to.equal(200);
    expect((await test.client.get(`${LIST}?to=2025-01&$pageKey=${key}`)).status).to.equal(400);
  });

  async function checkHistory(random: Random): Promise<void> {
    const [whole, part] = [`W${++companies}`, `P${companies}`];
    const timeZone = random.pick(TIME_ZONES);
    const monthOf = monthIn(timeZone);
    await addCompany(test.database, whole, whole, { timeZone: random.pick(TIME_ZONES) });
    await addCompany(test.database, part, part, { timeZone });
    const { token } = await createAccessToken(test.database, {
      companyCodes: [whole, part],
      expiresInMs: TOKEN_LIFETIME_MS,
    });
    const first = random.below(MONTHS.length);
    const [from, to] = [MONTHS[first] ?? '', MONTHS[first + random.below(MONTHS.length - first)] ?? ''];
    const newest = await apply(whole, random, timeZone);
    const inPeriod = [...newest.values()].filter(
      (state) =>
        state !== undefined && monthOf(state.completedAt) >= from && monthOf(state.completedAt) <= to,
    ) as NonNullable<State>[];
    const plans = plansOf(random);
    const versions = new Set(inPeriod.map(({ productStructureVersionId }) => productStructureVersionId));
    await applyPlans(whole, plans);
    await applyPlans(
      part,
      plans.filter(({ version }) => versions.has(version)),
    );
    await applyWorkOrderOperationEvents(
      test.database.pool,
      inPeriod.map((state) => ({ ...state, database: part, revision: 1 })),
    );
    const isPruned = random.below(3) === 0;
    const client = openApiClient(test.api, token);
    const compare = async (path: string, query: string) => {
      const answers = await Promise.all(
        [`${query}&$db=${whole}&from=${from}&to=${to}`, `${query}&$db=${part}`].map(async (asked) => {
          const { status, text } = await client.get(`${path}?${asked.replace(/^&/, '')}`);
          expect(status, `${path}?${asked}: ${text}`).to.equal(200);
          return withoutAddresses(JSON.parse(text));
        }),
      );
      const [of = '', alone = ''] = answers.map((answer) => JSON.stringify(answer, undefined, 1));
      expect(of, `${path}?${query} from ${from} to ${to}`).to.equal(alone);
    };
    if (!isPruned) {
      for (const version of versions) {
        const path = `/product/structure-versions/${version}`;
        await compare(
          `${path}/work-order-operations`,
          '$inlinecount=allpages&$select=WorkOrderOperationId,CompletedAt,RunTime',
        );
        for (const kind of ['run', 'setup', 'cleanup']) {
          await compare(`${path}/aggregated-production-times/distribution`, `kind=${kind}`);
        }
      }
    } else {
      await pruneOperations(test.database.pool, { database: whole, before: '2025-02-10' });
    }
    for (const query of LIST_QUERIES) {
      await compare(LIST, `$inlinecount=allpages&$expand=PlanComparison,Summary${query}`);
      await compare(LIST, `$count=true&$expand=PlanComparison${query}`);
      await compare(LIST, `$expand=PlanComparison${query}`);
    }
    for (const query of PRODUCT_QUERIES) {
      await compare(PRODUCTS, `$inlinecount=allpages&$expand=StructureVersions,Summary${query}`);
    }
    for (const version of versions) {
      const path = `/product/structure-versions/${version}/aggregated-production-times`;
      await compare(path, '$expand=PlanComparison,Months');
      await compare(`${path}/months`, '$inlinecount=allpages');
    }
    await checkComparison(client, whole, random, { from, to }, (id, kind, first, last) =>
      [...newest.values()].flatMap((state) => {
        if (state?.productStructureVersionId !== id) return [];
        const [month, hours] = [monthOf(state.completedAt), state[`${kind}Time`]];
        return hours === null || month < first || month > last ? [] : [BigInt(hours.replace('.', ''))];
      }),
    );
    client.close();
  }

  /**
   * Checks the comparison with a second period. Its figures must equal the figures of a request for that period alone.
   * The changes must compare exact means.
   */
  async function checkComparison(
    client: ReturnType<typeof openApiClient>,
    database: string,
    random: Random,
    period: { readonly from: string; readonly to: string },
    timesOf: (id: number, kind: Kind, first: string, last: string) => readonly bigint[],
  ): Promise<void> {
    const first = random.below(MONTHS.length);
    const [compareFrom = '', compareTo = ''] = [
      MONTHS[first],
      MONTHS[first + random.below(MONTHS.length - first)],
    ];
    const read = async (query: string): Promise<ReadonlyMap<number, Row>> => {
      const { status, text } = await client.get(
        `${LIST}?$db=${database}&$expand=PlanComparison,Summary&${query}`,
      );
      expect(status, `${query}: ${text}`).to.equal(200);
      const { productStructureVersionAggregatedProductionTimes: rows, summary } = JSON.parse(text);
      const byId = new Map<number, Row>(
        (rows as Row[]).map((row) => [row.productStructureVersion.productStructureVersionId, row]),
      );
      totals.set(byId, summary);
      return byId;
    };
    const totals = new Map<ReadonlyMap<number, Row>, Readonly<Record<string, number | null>>>();
    const both = `from=${period.from}&to=${period.to}&compareFrom=${compareFrom}&compareTo=${compareTo}`;
    const compared = await read(`${both}&$inlinecount=allpages`);
    const [now, before] = await Promise.all([
      read(`from=${period.from}&to=${period.to}`),
      read(`from=${compareFrom}&to=${compareTo}`),
    ]);
    expect([...compared.keys()]).to.deep.equal([...now.keys()]);
    let total: number | null = null;
    for (const [id, { comparedPeriod, ...row }] of compared) {
      expect(row, both).to.deep.equal(now.get(id));
      expect(flat(comparedPeriod), `${both}, structure version ${id}`).to.deep.equal(
        expectedComparison(now.get(id), before.get(id), (kind) => [
          timesOf(id, kind, period.from, period.to),
          timesOf(id, kind, compareFrom, compareTo),
        ]),
      );
      const hours = comparedPeriod?.['comparedHoursOverPlan'] as number | null;
      if (hours !== null) total = (total ?? 0) + hours;
    }
    const told = totals.get(compared)?.['comparedHoursOverPlan'] ?? null;
    expect(told === null ? null : Math.round(told * 1e6)).to.equal(
      total === null ? null : Math.round(total * 1e6),
    );
    const changed = await read(`${both}&$filter=RunTimeChange%20gt%200&$orderby=RunTimeChange%20desc`);
    const changes = (rows: ReadonlyMap<number, Row>) =>
      [...rows.values()].map(({ comparedPeriod }) => Number(flat(comparedPeriod)['runTimeChange']));
    expect(changes(changed), both).to.deep.equal(
      changes(compared)
        .filter((change) => change > 0)
        .sort((one, other) => other - one),
    );
  }

  /**
   * Completes, corrects, moves and reopens operations. Applies the events in batches and in random order, while the
   * time zone of the company changes. Returns the newest state of each operation.
   */
  async function apply(
    database: string,
    random: Random,
    timeZone: string,
  ): Promise<ReadonlyMap<number, State>> {
    const newest = new Map<number, State>();
    const events: WorkOrderOperationEvent[] = [];
    for (let operation = 1; operation <= OPERATIONS; operation++) {
      for (let revision = 1; revision <= 1 + random.below(3); revision++) {
        const event = eventOf(database, operation, revision, random);
        events.push(event);
        newest.set(operation, event.type === 'work-order-operation.completed.v1' ? event : undefined);
      }
    }
    const shuffled = random.shuffle(events);
    let changed: Promise<unknown> = Promise.resolve();
    for (let next = 0; next < shuffled.length; next += 15) {
      if (next === 30) changed = changeTimeZone(test.database.pool, { database, timeZone });
      await applyWorkOrderOperationEvents(test.database.pool, shuffled.slice(next, next + 15));
    }
    await changed;
    return newest;
  }

  interface PlannedVersion {
    readonly version: number;
    readonly fields: Readonly<Record<string, unknown>>;
  }

  async function applyPlans(database: string, plans: readonly PlannedVersion[]): Promise<void> {
    await storeMasterData(
      test,
      plans.map(({ version, fields }) => structureVersion(database, version, fields)),
    );
  }

  function plansOf(random: Random): readonly PlannedVersion[] {
    const hours = () => (random.below(3) === 0 ? null : (random.below(3_000_000) / 1e6).toFixed(6));
    return VERSIONS.map((version) => ({
      version,
      fields: {
        product: {
          productId: 1_000 + (version % 3),
          status: 4,
          name: `Bracket ${version % 3}`,
          type: 'K',
          description: '',
        },
        plannedProductionTimes: { runTime: hours(), setupTime: hours(), cleanupTime: hours() },
      },
    }));
  }
});

function completed(database: string, operation: number, completedAt: string): WorkOrderOperationEvent {
  return {
    ...{ type: 'work-order-operation.completed.v1', database, workOrderOperationId: operation, revision: 1 },
    ...{ productStructureVersionId: 1, workOrderId: null, completedAt },
    ...{ runTime: '1.000000', setupTime: null, cleanupTime: null },
  };
}

function eventOf(
  database: string,
  operation: number,
  revision: number,
  random: Random,
): WorkOrderOperationEvent {
  const common = { database, workOrderOperationId: operation, revision };
  const completedAt = random.pick(random.pick(INSTANTS));
  if (random.below(8) === 0) {
    return { ...common, type: 'work-order-operation.reopened.v1', reopenedAt: completedAt };
  }
  const time = () => (random.below(4) === 0 ? null : (random.below(4_000_000) / 1e6).toFixed(6));
  return {
    ...common,
    type: 'work-order-operation.completed.v1',
    productStructureVersionId: random.pick(VERSIONS),
    workOrderId: null,
    completedAt,
    runTime: time() ?? '1.000000',
    setupTime: time(),
    cleanupTime: time(),
  };
}

/**
 * Removes addresses and page keys, because they contain the company and the period. Also removes lastMonthIsOver,
 * because only answers for a period have this field.
 */
function withoutAddresses(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutAddresses);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !/(?:Link|Key|Page|^lastMonthIsOver)$/i.test(name))
      .map(([name, part]) => [name, withoutAddresses(part)]),
  );
}
