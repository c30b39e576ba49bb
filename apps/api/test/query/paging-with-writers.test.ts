import { testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { askList } from '../harness/ask.js';
import { createWriter, FIRST_MOVING } from '../harness/create-writer.js';
import { insertStructureVersions } from '../harness/insert-rows.js';
import { openTestApi, type TestApi } from '../harness/open-test-api.js';
import { productionTimes } from '../harness/resources.js';
import { variedStructureVersion } from '../harness/varied-rows.js';
import { identifiersOf, walk } from '../harness/walk.js';

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
  this.timeout(180_000);
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
          const write = createWriter(api, seed);
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
