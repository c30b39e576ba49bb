import { opened, randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import type { ListPage } from '../../src/sql/result.js';
import { askList, type Parameters, write } from '../support/ask.js';
import { faultOf } from '../support/fault-of.js';
import { insertOperations, insertStructureVersions, type Operation } from '../support/insert-rows.js';
import { BASE_URL, COMPANY, OTHER_COMPANY, openTestApi } from '../support/open-test-api.js';
import { workOrderOperations } from '../support/resources.js';

const seed = testSeed();
const random = randomFrom(seed);

/** Points in time around full seconds. Several rows have the same point in time. */
const INSTANTS = ['04.999999', '05.000000', '05.000001', '05.500000', '05.999999', '06.000000'].map(
  (second) => `2026-03-02T12:00:${second}Z`,
);
const TIMES = ['0.000000', '0.250000', '1.000001', '12.500000'];
const PLANNED = { run: '1.000000', setup: '0.250000', cleanup: null };

const rows = Array.from({ length: 60 }, (_, index) => ({
  ...{ id: index + 1, structureVersionId: 1, revision: 1 + random.below(3) },
  ...(random.below(3) === 0 ? {} : { workOrderId: 1 + random.below(4) }),
  completedAt: random.pick(INSTANTS),
  run: random.pick(TIMES),
  ...(random.below(3) === 0 ? {} : { setup: random.pick(TIMES) }),
  ...(random.below(3) === 0 ? {} : { cleanup: random.pick(TIMES) }),
})) satisfies readonly Operation[];
type Row = (typeof rows)[number];

const micro = (hours: string) => Number(hours.replace('.', ''));
const difference = (took: string | undefined, planned: string | null) =>
  took === undefined || planned === null ? null : (micro(took) - micro(planned)) / 1e6;

/** Returns the completion time as the API returns it: without fractions of a second. */
const secondOf = ({ completedAt }: Row) => `${completedAt.slice(0, 19)}Z`;

const served = (row: Row) => ({
  workOrderOperationId: row.id,
  workOrderId: row.workOrderId ?? null,
  revision: row.revision,
  completedAt: secondOf(row),
  runTime: Number(row.run),
  setupTime: row.setup === undefined ? null : Number(row.setup),
  cleanupTime: row.cleanup === undefined ? null : Number(row.cleanup),
  workOrderOperationLink: `${BASE_URL}/product/work-order-operations/${row.id}`,
  planComparison: {
    runTimeDifference: difference(row.run, PLANNED.run),
    setupTimeDifference: difference(row.setup, PLANNED.setup),
    cleanupTimeDifference: difference(row.cleanup, PLANNED.cleanup),
  },
});

const idsIn = ({ rows: found }: ListPage) => found.map(([id]) => Number(id));

const newestFirst = (one: Row, other: Row) =>
  other.completedAt.localeCompare(one.completedAt) || other.id - one.id;

describe(`the list of operations of a structure version (seed ${seed})`, () => {
  const api = opened(openTestApi);
  before(async () => {
    await insertStructureVersions(api.owner, [
      { id: 1, planned: PLANNED },
      ...[{ id: 2 }, { id: 3, isListed: false }, { id: 4, companyId: OTHER_COMPANY }],
    ]);
    await insertOperations(api.owner, [
      ...rows,
      { id: 100, structureVersionId: null, run: null },
      { id: 101, structureVersionId: 3 },
      { id: 102, structureVersionId: 4, companyId: OTHER_COMPANY },
    ]);
  });

  const ask = (parameters: Parameters = {}, identifier = '1') =>
    askList(api, workOrderOperations, { $top: '$max', ...parameters }, COMPANY, {
      productStructureVersionId: identifier,
    });
  const idsOf = async (parameters: Parameters) => idsIn(await ask(parameters));

  it('has the newest operation first, with its differences to the current plan', async () => {
    const page = await ask({ $expand: 'PlanComparison', $inlinecount: 'allpages' });
    const { workOrderOperations: items, paging } = JSON.parse(write(page, 'json', api));
    expect(items).to.deep.equal(rows.toSorted(newestFirst).map(served));
    expect(paging.size).to.equal(rows.length);
  });

  it('has only operations of this company and structure version', async () => {
    expect((await ask({}, '2')).rows).to.deep.equal([]);
    for (const absent of ['3', '4', '5']) {
      expect((await faultOf(ask({}, absent))).code).to.equal('structureVersionNotFound');
    }
  });

  it('returns each operation once on pages of any size, in any order and direction', async () => {
    for (const $orderby of [
      undefined,
      'CompletedAt',
      'CompletedAt,RunTime desc',
      'WorkOrderId desc',
      'SetupTime',
    ]) {
      const order = $orderby === undefined ? {} : { $orderby };
      const whole = await idsOf(order);
      expect(whole.toSorted((one, other) => one - other)).to.deep.equal(rows.map(({ id }) => id));
      for (const $top of ['7', '20']) {
        const walked: number[] = [];
        let page = await ask({ ...order, $top });
        walked.push(...idsIn(page));
        while (page.paging.next !== null) {
          page = await ask({ ...order, $top, $pageKey: page.paging.next.key });
          walked.push(...idsIn(page));
        }
        expect(walked, `${$orderby} by ${$top}`).to.deep.equal(whole);
        const back = [...idsIn(page)];
        while (page.paging.previous !== null) {
          page = await ask({ ...order, $top, $pageKey: page.paging.previous.key });
          back.unshift(...idsIn(page));
        }
        expect(back, `${$orderby} by ${$top}, back`).to.deep.equal(whole);
      }
    }
  });

  it('can be filtered by the shown completion time in whole seconds', async () => {
    const literals = [
      ...['2026-03-02T12:00:05Z', '2026-03-02T12:00:05.5Z', '2026-03-02T12:00:05', '2026-03-02'],
      ...['2026-03-02T13:00:05+01:00', '2026-03-02T12:00Z', '0001-01-01', '9999-12-31T23:59:59.9Z'],
      // JavaScript writes whole seconds in this way.
      '2026-03-02T12:00:05.000Z',
    ];
    for (const literal of literals) {
      const written = Date.parse(literal.includes('T') && !/Z|\+/.test(literal) ? `${literal}Z` : literal);
      for (const [operator, holds] of Object.entries({
        eq: (ms: number) => ms === written,
        ne: (ms: number) => ms !== written,
        lt: (ms: number) => ms < written,
        le: (ms: number) => ms <= written,
        gt: (ms: number) => ms > written,
        ge: (ms: number) => ms >= written,
      })) {
        const expected = rows.filter((row) => holds(Date.parse(secondOf(row)))).map(({ id }) => id);
        const $filter = `CompletedAt ${operator} '${literal}'`;
        expect(await idsOf({ $filter, $orderby: 'WorkOrderOperationId' }), $filter).to.deep.equal(expected);
      }
    }
    const mirrored =
      "'2026-03-02T12:00:05Z' lt CompletedAt and not (CompletedAt in ('2026-03-02T12:00:06Z', null))";
    expect(await idsOf({ $filter: mirrored })).to.deep.equal([]);
    expect(await idsOf({ $filter: 'CompletedAt ne null' })).to.have.lengthOf(rows.length);
  });

  it('can be filtered by each of its other fields', async () => {
    for (const [$filter, holds] of [
      ['WorkOrderOperationId gt 50', ({ id }) => id > 50],
      ['WorkOrderId eq 2', ({ workOrderId }) => workOrderId === 2],
      ['WorkOrderId eq null', ({ workOrderId }) => workOrderId === undefined],
      ['Revision ge 2', ({ revision }) => revision >= 2],
      ['RunTime gt 1', ({ run }) => Number(run) > 1],
      ['SetupTime eq null', ({ setup }) => setup === undefined],
      ['CleanupTime lt 0.3', ({ cleanup }) => cleanup !== undefined && Number(cleanup) < 0.3],
      ['RunTimeDifference gt 0', ({ run }) => micro(run) > 1_000_000],
      ['SetupTimeDifference le 0', ({ setup }) => setup !== undefined && micro(setup) <= 250_000],
      ['CleanupTimeDifference ne null', () => false],
    ] as const satisfies readonly (readonly [string, (row: Row) => boolean])[]) {
      const expected = rows.filter((row) => holds(row)).map(({ id }) => id);
      expect(await idsOf({ $filter, $orderby: 'WorkOrderOperationId' }), $filter).to.deep.equal(expected);
    }
  });

  it('cannot be filtered by an invalid point in time; the error shows the format', async () => {
    for (const wrong of [
      "'soon'",
      "'2026-02-30'",
      "'2026-3-1'",
      "'2026-03-01T25:00Z'",
      "'0000-01-01'",
      '5',
      'true',
    ]) {
      const { code, parameters } = await faultOf(ask({ $filter: `CompletedAt gt ${wrong}` }));
      expect([code, JSON.stringify(parameters)], wrong).to.satisfy(
        ([found, told]: readonly string[]) =>
          found === 'wrongType' && told?.includes('date or instant such as'),
      );
    }
    expect((await faultOf(ask({ $filter: "contains(CompletedAt, '2026')" }))).code).to.equal('wrongType');
  });
});
