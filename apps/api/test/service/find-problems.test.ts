import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { openedForEach } from '@takt/test-support';
import { expect } from 'chai';
import { findUnfitness, watchReadiness } from '../../src/service/find-problems.js';

describe('findUnfitness', () => {
  const test = openedForEach(createTestDatabase);

  it('returns no problem for a working database', async () => {
    expect(await findUnfitness(test.database.pool)).to.deep.equal([]);
  });

  it('lists error messages and domain values that are missing or different in the database', async () => {
    await test.database.pool.query(`
      DELETE FROM takt.error_messages WHERE error_message_id = 100204;
      UPDATE takt.error_messages SET message = 'old' WHERE error_message_id = 101015;
      DELETE FROM takt.domain_values WHERE object = 'Product' AND field = 'Status' AND key = '2';
      UPDATE takt.domain_values SET description = 'old' WHERE object = 'Application' AND key = 'GLOBAL'`);
    const found = await findUnfitness(test.database.pool);
    expect(found).to.have.lengthOf(2);
    expect(found[0]).to.match(/other error messages .*\(100204, 101015\): run takt migrate$/);
    expect(found[1]).to.match(/other domain values .*Product\.Status\.2.*: run takt migrate$/);
    expect(found[1]).to.match(/\w+\.Scope\.GLOBAL/);
  });

  it('reports another version of the schema than the program needs', async () => {
    await test.database.pool.query(
      'DELETE FROM takt.schema_migrations WHERE number = (SELECT max(number) FROM takt.schema_migrations)',
    );
    const [problem] = await findUnfitness(test.database.pool);
    expect(problem).to.match(/^the schema has version \d+, \d+ is needed: run takt migrate$/);
  });

  it('accepts additional texts of a newer program', async () => {
    await test.database.pool.query(
      `INSERT INTO takt.domain_values VALUES ('Product', 'Status', '99', 'new', '{}', 99)`,
    );
    expect(await findUnfitness(test.database.pool)).to.deep.equal([]);
  });

  it('accepts changed but not missing texts if the schema is newer', async () => {
    await test.database.pool.query(`
      INSERT INTO takt.schema_migrations (number, name, checksum) VALUES (9999, 'newer', 'newer');
      UPDATE takt.error_messages SET message = 'new' WHERE error_message_id = 101015`);
    expect(await findUnfitness(test.database.pool)).to.deep.equal([]);
    await test.database.pool.query('DELETE FROM takt.error_messages WHERE error_message_id = 100204');
    expect((await findUnfitness(test.database.pool)).join()).to.match(/\(100204\): run takt migrate$/);
  });
});

describe('watchReadiness', () => {
  const test = openedForEach(createTestDatabase);

  it('reports a database without an answer in less than 3 s', async () => {
    const blocker = await test.database.pool.connect();
    await blocker.query('BEGIN; LOCK TABLE takt.error_messages');
    // The shorter of the two timers ends first, even if this process is delayed.
    const first = await Promise.race([watchReadiness(() => test.database.pool)(), delay(3_000)]);
    expect(first).to.deep.equal(['the database did not answer in time']);
    await blocker.query('ROLLBACK');
    blocker.release();
  });

  it('reports a database that cannot be reached', async () => {
    const database = openDatabase({ url: test.url, applicationName: 'takt test' });
    await database.close();
    expect(await watchReadiness(() => database.pool)()).to.deep.equal([
      'the database cannot be reached: check DATABASE_URL and that the server runs',
    ]);
  });
});
