import { opened, shareOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import type { PageStart } from '../../src/plan/page-key.js';
import type { ListPlan } from '../../src/plan/plan.js';
import { readPage } from '../../src/sql/read-page.js';
import { type FoundRow, foundPageOf } from '../../src/sql/result.js';
import { runStatement } from '../../src/sql/run-statement.js';
import { statementShapeOf } from '../../src/sql/statement-cache.js';
import { listPlanOf, startingAt } from '../support/ask.js';
import { createWriter, FIRST_MOVING } from '../support/create-writer.js';
import { insertStructureVersions } from '../support/insert-rows.js';
import { COMPANY, OTHER_COMPANY, openTestApi } from '../support/open-test-api.js';
import { orderArbitrary, printOrder } from '../support/order-rows.js';
import { productionTimeFields } from '../support/queried-fields.js';
import { productionTimes } from '../support/resources.js';
import { variedStructureVersion } from '../support/varied-rows.js';

const ROWS = 101;
/** Both directions through a list: from the first page to the next, and from the last page to the previous. */
const WAYS = [
  ['first', 'next'],
  ['last', 'previous'],
] as const;
const seed = testSeed();

/**
 * Filters with conditions that bound the range of the order, or with conditions on each row. They match all, few or no
 * rows.
 */
const FILTERS = [
  undefined,
  'RunTime ge 0.25',
  'RunTime gt 0 and RunTime le 2',
  'RunTime lt 1 and RunTime gt 2',
  'AverageRunTime gt 1 and SetupTime lt 2',
  'RunTime lt ShortestRunTime',
  'RunTime ge ShortestRunTime',
  'not (AverageSetupTime gt 1)',
  'AverageCleanupTime eq null',
  'SetupTimeDifference eq null and RunTime ge 0.25',
  'SetupTime ne null and CleanupTime ne null',
  "not contains(ProductName, 'a') or RunTime gt 1",
  "ProductStatus eq 4 and ProductType eq 'K'",
  "ProductName ge 'frame' and ProductName lt 'v'",
  'RunTime eq 1.5',
];

const anyFields = fc.shuffledSubarray(Object.keys(productionTimeFields), { minLength: 1, maxLength: 4 });

/**
 * Generates lists of fields that are missing together in the same rows. The first field of each list is missing often.
 */
const missingTogether = fc
  .constantFrom('Setup', 'Cleanup')
  .chain((kind) =>
    fc.shuffledSubarray(
      [
        ...['Average', 'Shortest', 'Longest', 'Deviation', ''].map((figure) => `${figure}${kind}Time`),
        ...['Difference', 'OverPlanPercent', 'HoursOverPlan'].map((figure) => `${kind}Time${figure}`),
      ],
      { minLength: 2, maxLength: 4 },
    ),
  );

/** Requests that need every kind of statement. The random requests may not need all of them. */
const certain = [
  { $orderby: 'CleanupTimeDifference,AverageRunTime desc', $filter: undefined, $top: 4, length: 7 },
  { $orderby: 'AverageCleanupTime desc,ShortestCleanupTime', $filter: undefined, $top: 4, length: 7 },
  { $orderby: 'AverageCleanupTime,CleanupTimeHoursOverPlan', $filter: undefined, $top: 4, length: 7 },
  { $orderby: 'ProductName,RunTime desc', $filter: undefined, $top: 1, length: 7 },
  {
    $orderby: 'AverageCleanupTime,RunTime desc',
    $filter: 'RunTime in (0, 0.25, 1.5, 2)',
    $top: 20,
    length: 50,
  },
  { $orderby: 'RunTime', $filter: 'RunTime eq 1.5', $top: 4, length: 7 },
  { $orderby: 'RunTime', $filter: 'RunTime lt 1 and RunTime gt 2', $top: 4, length: 7 },
  { $orderby: 'AverageRunTime,RunTime', $filter: 'RunTime lt ShortestRunTime', $top: 4, length: 1 },
];

const random = fc.sample(
  fc.record({
    $orderby: orderArbitrary(fc.oneof(anyFields, missingTogether)).map(printOrder),
    $filter: fc.constantFrom(...FILTERS),
    $top: fc.constantFrom(3, 8, 20),
    length: fc.constantFrom(1, 7, 50),
  }),
  { seed, numRuns: shareOf(14, 4) },
);
const asked = [...certain, ...random];

describe(`a page that is read in steps along an index (seed ${seed})`, () => {
  const api = opened(openTestApi);
  before(async () => {
    const versions = Array.from({ length: ROWS }, (_, index) => variedStructureVersion(index));
    await insertStructureVersions(api.owner, [
      ...versions,
      ...versions.map((version) => ({ ...version, companyId: OTHER_COMPANY })),
      { id: 9_999, isListed: false, planned: { run: '1.5' } },
    ]);
  });

  const run = async (plan: ListPlan): Promise<FoundRow | undefined> => {
    const statement = api.statementOf(statementShapeOf(plan));
    const company = { key: api.keys.get(COMPANY) ?? '' };
    const [found] = await runStatement<FoundRow>(api.pool, company, statement, plan.values);
    return found;
  };

  /** Reads all pages of a list with the function `read`. */
  const walkThrough = async (
    plan: ListPlan,
    [kind, step]: (typeof WAYS)[number],
    read: (page: ListPlan) => Promise<ReturnType<typeof foundPageOf>>,
  ) => {
    let start: PageStart | undefined = { kind };
    while (start !== undefined) start = (await read(startingAt(plan, start)))[step];
  };

  it('has the same rows, neighbours and count as a page from a single statement', async () => {
    const met = new Set<string>();
    for (const { length, ...parameters } of asked) {
      const plan = listPlanOf(productionTimes, { ...parameters, $select: 'ProductStructureVersionId' });
      for (const way of WAYS) {
        await walkThrough(plan, way, async (page) => {
          const walked = await readPage(
            page,
            (part) => {
              met.add(describeReading(part));
              return run(part);
            },
            length,
          );
          const expected = foundPageOf(page, await run(page));
          const asked = JSON.stringify({ ...parameters, length, start: page.question.start });
          expect(foundPageOf(page, walked), asked).to.deep.equal(expected);
          return expected;
        });
      }
    }
    // The test has used every kind of statement, including the one that the planner chooses for pages that no walk can
    // read.
    expect([...met]).to.include.members(['planned', 'walk', 'walk behind', 'ties', 'sorted']);
  });

  it('is counted only by the first statement', async () => {
    const $orderby = 'AverageCleanupTime, AverageRunTime, ProductName';
    const plan = listPlanOf(productionTimes, {
      $orderby,
      $filter: 'SetupTime ge 0',
      $inlinecount: 'allpages',
      $top: 20,
    });
    const counted: boolean[] = [];
    const found = await readPage(
      plan,
      (part) => {
        counted.push(part.shape.countsUpTo > 0);
        return run(part);
      },
      7,
    );
    expect(found?.size)
      .to.equal((await run(plan))?.size)
      .and.not.equal(null);
    expect(counted.length).to.be.above(1);
    expect(counted).to.deep.equal(counted.map((_, index) => index === 0));
  });

  it('returns unchanged rows exactly once during other changes between its statements', async () => {
    const write = createWriter(api, seed);
    for (const { length, $orderby } of asked.slice(0, 12)) {
      const plan = listPlanOf(productionTimes, { $orderby, $top: 20, $select: 'ProductStructureVersionId' });
      for (const way of WAYS) {
        const ids: number[] = [];
        await walkThrough(plan, way, async (page) => {
          const walked = await readPage(
            page,
            async (part) => {
              await write();
              return await run(part);
            },
            length,
          );
          const found = foundPageOf(page, walked);
          ids.push(...found.rows.map(([id]) => Number(id)));
          return found;
        });
        const stayed = ids.filter((id) => id < FIRST_MOVING).sort((one, other) => one - other);
        expect(stayed, `${$orderby} ${length}`).to.deep.equal(
          Array.from({ length: ROWS }, (_, index) => 100 + index),
        );
      }
    }
  });
});

function describeReading({ shape: { reading } }: ListPlan): string {
  switch (reading.kind) {
    case 'walk':
      return reading.continues ? 'walk behind' : 'walk';
    case 'sorted':
      return reading.isOfTies ? 'ties' : 'sorted';
    case 'planned':
      return 'planned';
  }
}
