import { createTestDatabase, type TestDatabase, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { type Filled, fillDatabase, type ServedSize, serveSize } from '../../src/read/fill-database.js';
import { LIST_PATH, ORDER_FIELDS } from '../../src/read/make-requests.js';
import { makeFilters } from '../../src/read/questions/make-filters.js';
import {
  countWithinWalk,
  FILTERED_ORDERS,
  type Question,
  queryOf,
  textOf,
} from '../../src/read/questions/make-questions.js';
import { type Asker, openAsker } from '../../src/read/questions/measure-questions.js';

const ROWS = 700;
const FILTERS = 200;
const PAGE_SIZE = 80;

describe('the questions of the reading benchmark', function () {
  this.timeout(180_000);
  let test: TestDatabase;
  let filled: Filled;
  let size: ServedSize;
  let asker: Asker;

  before(async () => {
    test = await createTestDatabase();
    filled = await fillDatabase(test.url, { structureVersions: ROWS, operations: 0 });
    size = await serveSize(filled, ROWS);
    asker = openAsker(size.api.origin, size.token);
  });
  after(async () => {
    asker.close();
    await size.api.stop();
    await filled.database.close();
    await test.close();
  });

  it('order by every field of a column that can be ordered by', async () => {
    const { body } = await asker.ask(`/metadata?uri=${encodeURIComponent(LIST_PATH)}&verb=GET`);
    const { sortableFields }: { sortableFields: readonly { name: string }[] } = JSON.parse(body).metadata;
    // Bounds of means and verdicts are computed for each row: docs/decisions/how-sure-a-mean-is.md has their figures.
    const stored = sortableFields.filter(({ name }) => !/Mean(?:Low|High)$|Verdict$/.test(name));
    expect(stored).to.have.lengthOf(sortableFields.length - 9);
    expect(ORDER_FIELDS).to.have.members(stored.map(({ name }) => name));
  });

  it('mean the same to the API and to PostgreSQL, which tells what is filled', async () => {
    const questions = makeFilters(FILTERS, testSeed()).map((filter, index): Question => {
      const order = FILTERED_ORDERS[index % FILTERED_ORDERS.length] ?? [];
      return { family: 'filters by order', order, filter };
    });
    const matching = await countWithinWalk(filled.database, questions);
    for (const question of questions) {
      const { status, body } = await asker.ask(`${LIST_PATH}?${queryOf(question)}`);
      expect(status, `${textOf(question)}: ${body}`).to.equal(200);
      const found = JSON.parse(body).productStructureVersionAggregatedProductionTimes.length;
      expect(found, textOf(question)).to.equal(Math.min(matching.get(question) ?? 0, PAGE_SIZE));
    }
    const counts = [...matching.values()];
    expect(counts.some((count) => count === 0)).to.equal(true);
    expect(counts.some((count) => count > PAGE_SIZE)).to.equal(true);
  });
});
