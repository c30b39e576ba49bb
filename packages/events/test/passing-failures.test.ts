import { createEmptyDatabase, needsProgram, opened, startTestRedis } from '@takt/test-support';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { isTransientError } from '../src/queue/persist-outcomes.js';
import { rejectionOf } from './support/rejection-of.js';

describe('a failure of the store', () => {
  describe('on PostgreSQL', () => {
    const database = opened(createEmptyDatabase);

    const failureOf = (statement: string) => rejectionOf(database.pool.query(statement));
    const raise = (code: string) =>
      failureOf(`DO $$ BEGIN RAISE EXCEPTION 'no' USING ERRCODE = '${code}'; END $$`);

    it('is temporary if the server is down, ends the session or lacks resources', async () => {
      expect(isTransientError(await failureOf('SELECT pg_terminate_backend(pg_backend_pid())'))).to.equal(
        true,
      );
      for (const code of ['08006', '25006', '40P01', '53300', '55P03', '57P03', '58030']) {
        expect(isTransientError(await raise(code)), code).to.equal(true);
      }
    });

    it('is permanent if the server rejects the statement itself', async () => {
      expect(isTransientError(await failureOf('SELECT 1 / 0'))).to.equal(false);
      expect(isTransientError(await failureOf('SELECT * FROM nowhere'))).to.equal(false);
    });
  });

  it('on Redis is temporary if the server is busy, and permanent if the server rejects the command', async function () {
    needsProgram(this, 'redis-server');
    const server = await startTestRedis();
    const client = new Redis(server.url);
    try {
      expect(isTransientError(await rejectionOf(client.call('NONSENSE')))).to.equal(false);
      await client.config('SET', 'maxmemory', '1');
      expect(isTransientError(await rejectionOf(client.set('a', 'b')))).to.equal(true);
      // After a failover, the old master is a replica.
      await client.replicaof('127.0.0.1', 1);
      const readOnly = await rejectionOf(client.set('a', 'b'));
      expect(String(readOnly)).to.include('READONLY');
      expect(isTransientError(readOnly)).to.equal(true);
    } finally {
      client.disconnect();
      await server.close();
    }
  });

  it('is temporary if a connection is lost, and permanent if BullMQ rejects a call or the program has an error', () => {
    const withCode = (code: unknown) => Object.assign(new Error('no'), { code });
    for (const code of ['ECONNREFUSED', 'ECONNRESET', 'EPIPE']) {
      expect(isTransientError(withCode(code)), code).to.equal(true);
    }
    expect(isTransientError(new Error('Connection terminated unexpectedly'))).to.equal(true);
    for (const error of [withCode(-2), new TypeError('no'), new RangeError('no'), 'no']) {
      expect(isTransientError(error)).to.equal(false);
    }
  });
});
