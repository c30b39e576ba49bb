import { testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { askList } from '../harness/ask.js';
import { insertStructureVersions } from '../harness/insert-rows.js';
import { openTestApi, type TestApi } from '../harness/open-test-api.js';
import { productionTimes } from '../harness/resources.js';
import { variedStructureVersion } from '../harness/varied-rows.js';
import { identifiersOf, walk } from '../harness/walk.js';

/** Rows that nobody touches have identifiers below this, rows of the writer above. */
const FIRST_MOVING = 10_000;
const STABLE_ROWS = 40;
const seed = testSeed();

const ORDERS = [
  '',
  'RunTime',
  'RunTime desc',
  'ProductName',
  'ProductName desc',
  'AverageSetupTime',
  'NumberOfCompletedProductionWorkOrders desc',
  'RunTime, ProductName desc',
  'DeviationCleanupTime desc, AverageRunTime, ProductName desc',
];

describe(`while a writer inserts, changes and deletes rows between the pages (seed ${seed})`, function () {
  this.timeout(60_000);
  let api: TestApi;
  before(async () => {
    api = await openTestApi();
    const indexes = Array.from({ length: STABLE_ROWS }, (_, index) => index);
    await insertStructureVersions(api.owner, indexes.map(variedStructureVersion));
  });
  after(() => api.close());

  for (const $orderby of ORDERS) {
    for (const step of ['next', 'previous'] as const) {
      for (const $top of [1, 7]) {
        it(`rows that stay are met once by ${step} in pages of ${$top} by ${$orderby || 'the key'}`, async () => {
          const parameters = { $top, $orderby, $select: 'ProductStructureVersionId' };
          const write = createWriter(api);
          for (let turn = 0; turn < 10; turn++) await write();
          const { paging } = await askList(api, productionTimes, parameters);
          const $pageKey = step === 'next' ? undefined : paging.last.key;
          const pages = await walk(api, productionTimes, { ...parameters, $pageKey }, step, write);
          const met = identifiersOf(pages, step).filter((id) => id < FIRST_MOVING);
          expect(met).to.have.lengthOf(STABLE_ROWS);
          expect(new Set(met)).to.have.lengthOf(STABLE_ROWS);
        });
      }
    }
  }
});

/** Each call inserts a row, moves one to another place of every order, or deletes one. */
function createWriter({ owner }: TestApi): () => Promise<void> {
  const choices = fc.sample(fc.tuple(fc.nat(2), fc.nat(60), fc.nat(1_000)), { seed, numRuns: 200 });
  let turn = 0;
  return async () => {
    const [kind = 0, index = 0, change = 0] = choices[turn++ % choices.length] ?? [];
    const id = FIRST_MOVING + index;
    if (kind === 2) {
      await owner.query(
        'DELETE FROM takt.product_structure_versions WHERE product_structure_version_id = $1',
        [id],
      );
      return;
    }
    const { rowCount } = await owner.query(
      `UPDATE takt.product_structure_versions
       SET run_time = CASE WHEN $2::integer % 3 > 0 THEN $2::integer % 13 * 1000000 END, product_name = 'Moving ' || $2::text,
         number_of_completed_operations = $2::integer % 5, run_time_sum = 0, run_time_sum_of_squares = 0,
         setup_time_count = 1, setup_time_sum = $2, setup_time_sum_of_squares = $2::integer * $2::integer
       WHERE product_structure_version_id = $1`,
      [id, change],
    );
    if (rowCount === 0) {
      await insertStructureVersions(owner, [{ ...variedStructureVersion(change % 101), id, productId: id }]);
    }
  };
}
