import { createTestDatabase } from '@takt/database/testing';
import { opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { pino } from 'pino';
import { startApi } from '../../src/start-api.js';

describe('the start of the API', () => {
  const test = opened(createTestDatabase);

  const start = (log: string[]) =>
    startApi({
      ...{ databaseUrl: test.appUrl('api'), host: '127.0.0.1', port: 0, baseUrl: 'https://takt.example' },
      logger: pino({ level: 'warn' }, { write: (line: string) => void log.push(line) }),
    });

  it('waits for a database that stalls briefly after the first answers', async () => {
    const log: string[] = [];
    const locker = await test.database.pool.connect();
    await locker.query('BEGIN; LOCK TABLE takt.error_messages IN ACCESS EXCLUSIVE MODE');
    const starting = start(log);
    void starting.catch(() => undefined);
    await Promise.race([
      starting,
      waitUntil('it waits', () => log.join('').includes('the database cannot be reached yet')),
    ]);
    await locker.query('ROLLBACK');
    locker.release();
    await (await starting).close();
  });

  it('fails with an explanation if the texts of this program are missing in the database', async () => {
    await test.database.pool.query('DELETE FROM takt.error_messages WHERE error_message_id = 100204');
    const failure = await start([]).catch((error: unknown) => error);
    expect(String(failure)).to.match(/other error messages .*\(100204\): run takt migrate$/);
  });
});
