import { newestOf, queryFieldsOf, resourceFamilies } from '@takt/catalogue/resources';
import { createTestDatabase } from '@takt/database/testing';
import { testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { withCleanup } from '../../src/harness.js';
import { makeFilters } from '../../src/questions/filters.js';
import { countWithinWalk, FILTERED_ORDERS, pathOf } from '../../src/questions/questions.js';
import { fillDatabase } from '../../src/read/fill-database.js';
import { LIST_PATH, ORDER_FIELDS, PAGE_SIZE, UNINDEXED_FIELDS } from '../../src/read/requests.js';
import { openFilled, startMeasuredApi } from '../../src/read/serve-list.js';

const ROWS = 700;
const FILTERS = 200;

it('the reading benchmark sorts by every stored field, and its filters and its SQL match the same rows', () =>
  withCleanup(async (defer) => {
    const test = await createTestDatabase();
    defer(test.close);
    await fillDatabase(test.url, { structureVersions: ROWS });
    const { database, token } = await openFilled(defer, test.url);
    const { origin } = await startMeasuredApi(defer, test.url);
    const ask = async (path: string) => {
      const response = await fetch(origin + path, { headers: { Authorization: `Bearer ${token}` } });
      const body = await response.text();
      expect(response.status, `${path}: ${body}`).to.equal(200);
      return JSON.parse(body);
    };
    const { metadata } = await ask(`/metadata?uri=${encodeURIComponent(LIST_PATH)}&verb=GET`);
    const sortable: readonly string[] = metadata.sortableFields.map(({ name }: { name: string }) => name);
    // Bounds of means and verdicts are computed for each row. Their costs are in docs/decisions/how-sure-a-mean-is.md, those
    // of keys in docs/decisions/keys.md: the benchmark names objects by numbers. The numbers of reported times are sorted
    // like the number of operations.
    const stored = sortable.filter((name) => !/Mean(?:Low|High)$|Verdict$|Key$|TimeCount$/.test(name));
    expect(stored).to.have.lengthOf(sortable.length - 13);
    expect(ORDER_FIELDS).to.have.members(stored);
    const list = resourceFamilies.map(newestOf).find(({ path }) => path === LIST_PATH);
    if (list?.kind !== 'list') throw new Error(`there is no list ${LIST_PATH}`);
    const unindexed = [...queryFieldsOf(list).values()].flatMap(({ isUnindexed, queryName = '' }) =>
      isUnindexed && stored.includes(queryName) ? [queryName] : [],
    );
    expect(UNINDEXED_FIELDS).to.have.members(unindexed);

    const questions = makeFilters(FILTERS, testSeed()).map((filter, index) => ({
      family: 'filters by order',
      order: FILTERED_ORDERS[index % FILTERED_ORDERS.length] ?? [],
      filter,
    }));
    const matching = await countWithinWalk(database, questions);
    for (const question of questions) {
      const { productStructureVersionAggregatedProductionTimes: found } = await ask(pathOf(question));
      expect(found, question.filter).to.have.lengthOf(Math.min(matching.get(question) ?? 0, PAGE_SIZE));
    }
    const counts = [...matching.values()];
    expect(counts).to.include(0);
    expect(counts.some((count) => count > PAGE_SIZE)).to.equal(true);
  }));
