import type { ListResource } from '@takt/resources';
import { testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { askList, columnOf } from '../harness/ask.js';
import { type FilteredList, filterArbitrary } from '../harness/filter-arbitrary.js';
import { insertStructureVersions, replaceErrorMessages } from '../harness/insert-rows.js';
import { meetsFilter } from '../harness/meets-filter.js';
import type { ModelRow } from '../harness/model-filter.js';
import { OTHER_COMPANY, openTestApi, type TestApi } from '../harness/open-test-api.js';
import { printModelFilter } from '../harness/print-model-filter.js';
import { readErrorMessages, readProductionTimes } from '../harness/read-model-rows.js';
import { errorMessages, productionTimes } from '../harness/resources.js';
import { variedErrorMessage, variedStructureVersion } from '../harness/varied-rows.js';

const ROWS = 60;
const seed = testSeed();

interface Filtered {
  readonly resource: ListResource;
  /** What a row shows so that it can be told from others. */
  readonly key: string;
  readonly rows: readonly ModelRow[];
  readonly filters: number;
  /** The share of the filters that some rows meet and others do not: the rest shows less. */
  readonly parting: number;
}

describe(`$filter gives the rows that the decisions say (seed ${seed})`, () => {
  let api: TestApi;
  before(async () => {
    api = await openTestApi();
    const indexes = Array.from({ length: ROWS }, (_, index) => index);
    await insertStructureVersions(api.owner, indexes.map(variedStructureVersion));
    await insertStructureVersions(api.owner, [
      ...indexes.map((index) => ({ ...variedStructureVersion(index), companyId: OTHER_COMPANY })),
      { id: 999, isListed: false, planned: { run: '1.5' } },
    ]);
    await replaceErrorMessages(api.owner, indexes.map(variedErrorMessage));
  });
  after(() => api.close());

  it('of 2,200 filters of production times', async function () {
    this.timeout(60_000);
    await expectSameRows(api, {
      resource: productionTimes,
      key: 'ProductStructureVersionId',
      rows: await readProductionTimes(api.owner),
      filters: 2_200,
      parting: 0.7,
    });
  });

  it('of 800 filters of error messages', async function () {
    this.timeout(60_000);
    await expectSameRows(api, {
      resource: errorMessages,
      key: 'ErrorMessageId',
      rows: await readErrorMessages(api.owner),
      filters: 800,
      parting: 0.5,
    });
  });
});

async function expectSameRows(api: TestApi, filtered: Filtered): Promise<void> {
  const { resource, rows, key } = filtered;
  const arbitrary = fc.tuple(filterArbitrary(describeRows(rows)), fc.nat());
  const wrong: { readonly filter: string; readonly missing: number[]; readonly surplus: number[] }[] = [];
  let parting = 0;
  for (const [filter, style] of fc.sample(arbitrary, { seed, numRuns: filtered.filters })) {
    const text = printModelFilter(filter, style);
    const expected = rows.filter((row) => meetsFilter(filter, row)).map(({ id }) => id);
    if (expected.length > 0 && expected.length < rows.length) parting++;
    const page = await askList(api, resource, { $filter: text, $select: key, $top: '$max' });
    const found = columnOf(page).map(Number);
    const missing = expected.filter((id) => !found.includes(id));
    const surplus = found.filter((id) => !expected.includes(id));
    if (missing.length + surplus.length > 0 || new Set(found).size < found.length) {
      wrong.push({ filter: text, missing, surplus });
    }
  }
  // The shortest says most.
  wrong.sort((one, other) => one.filter.length - other.filter.length);
  expect(wrong.slice(0, 5), `${wrong.length} filters`).to.deep.equal([]);
  expect(parting / filtered.filters).to.be.at.least(filtered.parting);
}

/** The fields of the rows by type, each with its values as literals. */
function describeRows(rows: readonly ModelRow[]): FilteredList {
  const numbers: Record<string, string[]> = {};
  const texts: Record<string, string[]> = {};
  const add = (lists: Record<string, string[]>, name: string, literal: string) => {
    lists[name] = [...(lists[name] ?? []), literal];
  };
  for (const [name, value] of rows.flatMap(({ values }) => Object.entries(values))) {
    if (typeof value === 'bigint') add(numbers, name, written(value));
    if (typeof value === 'string') add(texts, name, value);
  }
  return { numbers, texts };
}

const SCALE = 20;

/** A scaled number as a client would write it. */
function written(value: bigint): string {
  const digits = String(value).padStart(SCALE + 1, '0');
  return `${digits.slice(0, -SCALE)}.${digits.slice(-SCALE)}`.replace(/\.?0+$/, '');
}
