import type { ListResource } from '@takt/catalogue/resources';
import { opened, shareOf, someOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { askList } from '../support/ask.js';
import { insertStructureVersions, replaceErrorMessages } from '../support/insert-rows.js';
import type { ModelRow } from '../support/model-filter.js';
import { OTHER_COMPANY, openTestApi, type TestApi } from '../support/open-test-api.js';
import {
  compareRows,
  DIRECTIONS,
  type ModelOrder,
  orderArbitrary,
  printOrder,
} from '../support/order-rows.js';
import { errorMessageFields, productionTimeFields } from '../support/queried-fields.js';
import { readErrorMessages, readProductionTimes } from '../support/read-model-rows.js';
import { errorMessages, productionTimes } from '../support/resources.js';
import { variedErrorMessage, variedStructureVersion } from '../support/varied-rows.js';
import { identifiersOf, walk } from '../support/walk.js';

const ROWS = 43;
const PAGE_SIZES = someOf([1, 7, 80]);
const seed = testSeed();

const mixedOrders = fc.sample(
  orderArbitrary(fc.shuffledSubarray(Object.keys(productionTimeFields), { minLength: 2, maxLength: 4 })),
  { seed, numRuns: shareOf(20, 4) },
);

describe(`following NextPage or PreviousPage returns every row of the list once and in order (seed ${seed}):`, () => {
  const api = opened(openTestApi);
  let rows: readonly ModelRow[];
  before(async () => {
    const indexes = Array.from({ length: ROWS }, (_, index) => index);
    await insertStructureVersions(api.owner, [
      ...indexes.map(variedStructureVersion),
      ...indexes.map((index) => ({ ...variedStructureVersion(index), companyId: OTHER_COMPANY })),
      { id: 9_999, isListed: false, planned: { run: '1.5' } },
    ]);
    await replaceErrorMessages(api.owner, indexes.map(variedErrorMessage));
    rows = await readProductionTimes(api.owner);
    expect(rows).to.have.lengthOf(ROWS);
  });

  for (const field of Object.keys(productionTimeFields)) {
    it(`production times by ${field}`, async () => {
      for (const direction of DIRECTIONS) {
        await expectWholeList(api, productionTimes, rows, [{ field, direction }]);
      }
    });
  }

  for (const order of mixedOrders) {
    it(`production times by ${printOrder(order)}`, () => expectWholeList(api, productionTimes, rows, order));
  }

  it('production times in the default order, by ascending identifier', async () => {
    const pages = await walk(api, productionTimes, { $top: 7 }, 'next');
    expect(identifiersOf(pages, 'next')).to.deep.equal(rows.map(({ id }) => id).sort((a, b) => a - b));
  });

  for (const field of Object.keys(errorMessageFields)) {
    it(`error messages by ${field}`, async () => {
      const messages = await readErrorMessages(api.owner);
      for (const direction of DIRECTIONS) {
        await expectWholeList(api, errorMessages, messages, [{ field, direction }]);
      }
    });
  }

  it('production times that match a filter', async () => {
    const $filter = "RunTime ne null and contains(ProductName, 'a')";
    const parameters = { $filter, $orderby: 'RunTime desc, ProductName', $top: 2 };
    const all = await askList(api, productionTimes, { ...parameters, $top: '$max' });
    expect(all.rows).to.have.lengthOf.greaterThan(4);
    const pages = await walk(api, productionTimes, parameters, 'next');
    expect(pages.flatMap((page) => page.rows)).to.deep.equal(all.rows);
  });
});

/**
 * Reads the whole list forward from the first page and backward from the last page, in pages of each of the PAGE_SIZES.
 */
async function expectWholeList(
  api: TestApi,
  resource: ListResource,
  rows: readonly ModelRow[],
  order: readonly ModelOrder[],
): Promise<void> {
  const key = resource.key.name;
  const parameters = { $orderby: printOrder(order), $select: key };
  const byId = new Map(rows.map((row) => [row.id, row]));
  const walks: (readonly number[])[] = [];
  for (const $top of PAGE_SIZES) {
    walks.push(identifiersOf(await walk(api, resource, { ...parameters, $top }, 'next'), 'next'));
    const { paging } = await askList(api, resource, { ...parameters, $top });
    const last = { ...parameters, $top, $pageKey: paging.last.key };
    walks.push(identifiersOf(await walk(api, resource, last, 'previous'), 'previous'));
  }
  const [first = []] = walks;
  expect([...first].sort()).to.deep.equal([...byId.keys()].sort());
  for (const met of walks) expect(met).to.deep.equal(first);
  first.forEach((id, index) => {
    const [one, other] = [byId.get(first[index - 1] ?? id), byId.get(id)];
    if (one === undefined || other === undefined) throw new Error(`${id} is no row of the list`);
    expect(compareRows(order, one, other), `${one.id} before ${other.id}`).to.be.at.most(0);
  });
}
