import { openDatabase } from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/test-support';
import { expect } from 'chai';
import { findProblems } from '../../src/service/find-problems.js';

describe('findProblems', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.close());

  it('finds none in a database that answers', async () => {
    expect(await findProblems(test.database.pool)).to.deep.equal([]);
  });

  it('says that the database does not answer in time, within 3 s', async () => {
    const blocker = await test.database.pool.connect();
    await blocker.query('BEGIN; LOCK TABLE takt.error_messages');
    const startedAt = performance.now();
    expect(await findProblems(test.database.pool)).to.deep.equal(['the database did not answer in time']);
    expect(performance.now() - startedAt).to.be.below(3_000);
    await blocker.query('ROLLBACK');
    blocker.release();
  });

  it('says that the database cannot be reached', async () => {
    const database = openDatabase({ url: test.url, applicationName: 'takt test' });
    await database.close();
    expect(await findProblems(database.pool)).to.deep.equal([
      'the database cannot be reached: check DATABASE_URL and that the server runs',
    ]);
  });
});
