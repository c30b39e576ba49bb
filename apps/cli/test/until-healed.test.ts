import { createTestDatabase } from '@takt/database/testing';
import { expect } from 'chai';
import { isOfLostConnection, untilHealed } from '../src/until-healed.js';

describe('untilHealed', () => {
  const lost = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

  it('repeats the work after a lost connection to the database, and reports the loss once', async () => {
    let attempts = 0;
    let waits = 0;
    const work = async () => {
      attempts += 1;
      if (attempts < 3) throw new Error('cannot be migrated', { cause: lost() });
      return 'done';
    };
    expect(await untilHealed(work, { onWait: () => (waits += 1) })).to.equal('done');
    expect([attempts, waits]).to.deep.equal([3, 1]);
  });

  it('passes other errors to its caller, and all errors after a request to stop', async () => {
    let attempts = 0;
    const wrong = async () => {
      attempts += 1;
      throw new Error('migration 0003 failed');
    };
    expect(await untilHealed(wrong).catch((error: Error) => error.message)).to.equal('migration 0003 failed');
    const stopped = untilHealed(() => Promise.reject(lost()), { signal: AbortSignal.abort() });
    expect(await stopped.catch((error: Error) => error.message)).to.equal('connect ECONNREFUSED');
    expect(attempts).to.equal(1);
  });

  it('recognizes a connection that the server ended, but not an error of a statement', async () => {
    const { database, close } = await createTestDatabase();
    try {
      const failureOf = (statement: string) =>
        database.pool.query(statement).then(
          () => undefined,
          (error: unknown) => error,
        );
      expect(isOfLostConnection(await failureOf('SELECT pg_terminate_backend(pg_backend_pid())'))).to.equal(
        true,
      );
      expect(isOfLostConnection(await failureOf('SELECT 1 / 0'))).to.equal(false);
      expect(isOfLostConnection(new AggregateError([lost()]))).to.equal(true);
      expect(isOfLostConnection('no error')).to.equal(false);
    } finally {
      await close();
    }
  });
});
