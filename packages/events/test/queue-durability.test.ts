import {
  createEmptyDatabase,
  findFreePort,
  needsProgram,
  opened,
  startTestRedis,
  waitUntil,
} from '@takt/test-support';
import { expect } from 'chai';
import { checkQueueDurability, migrateQueueSchema, openQueueBackend } from '../src/internal.js';
import { createPool } from '../src/queue/postgres-pool.js';
import { parseQueueUrl } from '../src/queue/queue-url.js';
import { rejectionOf } from './support/rejection-of.js';

const onError = () => undefined;

const END_OTHER_SESSIONS =
  'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()';

describe('the check that Redis stores jobs durably', () => {
  before(function () {
    needsProgram(this, 'redis-server');
  });

  it('finds no problem if Redis writes every change to disk and evicts no key', async () => {
    const redis = await startTestRedis();
    try {
      expect(await checkQueueDurability(redis.url)).to.deep.equal([]);
    } finally {
      await redis.close();
    }
  });

  it('reports each wrong setting with its value and the required value', async () => {
    const redis = await startTestRedis(['--appendonly', 'no', '--maxmemory-policy', 'volatile-lru']);
    try {
      const [appendOnly, policy, ...others] = await checkQueueDurability(redis.url);
      expect(others).to.deep.equal([]);
      expect(appendOnly).to.include({ setting: 'appendonly', got: 'no' });
      expect(appendOnly?.message).to.contain('"appendonly yes"');
      expect(policy).to.include({ setting: 'maxmemory-policy', got: 'volatile-lru' });
      expect(policy?.message).to.contain('"maxmemory-policy noeviction"');
    } finally {
      await redis.close();
    }
  });

  it('fails if no server answers', async () => {
    const error = await rejectionOf(
      checkQueueDurability(`redis://127.0.0.1:${await findFreePort()}`, { deadlineMs: 300 }),
    );
    expect(String(error)).to.contain('connecting to Redis took longer than 300 ms');
    expect(String(error.cause)).to.contain('ECONNREFUSED');
  });
});

describe('the queue on PostgreSQL', () => {
  const database = opened(createEmptyDatabase);

  it('cannot be opened before its schema was migrated', async () => {
    const error = await rejectionOf(openQueueBackend(database.url, { onError }));
    expect(String(error)).to.contain('is not initialized');
  });

  it('is migrated once, even if several processes migrate it at the same time', async () => {
    await Promise.all([1, 2, 3].map(() => migrateQueueSchema(database.url)));
    await migrateQueueSchema(database.url);
    const backend = await openQueueBackend(database.url, { onError });
    expect(await backend.openQueue('reference-data').count()).to.equal(0);
    await backend.close();
  });

  it('can be opened if the clocks of PostgreSQL and of the process agree', async () => {
    expect(await checkQueueDurability(database.url)).to.deep.equal([]);
  });

  it('cannot be opened if the clocks differ by more than two seconds', async () => {
    for (const [aheadMs, got] of [
      [3_000, '3.0 s ahead of PostgreSQL'],
      [-3_000, '3.0 s behind PostgreSQL'],
    ] as const) {
      const [problem] = await checkQueueDurability(database.url, { now: () => Date.now() + aheadMs });
      expect(problem).to.include({ setting: 'clock', got });
    }
    expect(await checkQueueDurability(database.url, { now: () => Date.now() + 1_500 })).to.deep.equal([]);
  });

  it('survives the termination of its sessions', async () => {
    const backend = await openQueueBackend(database.url, { onError });
    const queue = backend.openQueue('reference-data');
    const worker = backend.openWorker('reference-data', async () => undefined);
    await worker.waitUntilReady();
    await queue.count();
    await database.pool.query(END_OTHER_SESSIONS);
    // A query may get a session that is about to end.
    await waitUntil('questions are answered again', () =>
      queue.count().then(
        (count) => count === 0,
        () => false,
      ),
    );
    await backend.close();
  });

  it('reports the loss of a session in use, and does not end the process', async () => {
    const errors: Error[] = [];
    const address = parseQueueUrl(database.url);
    if (address.store !== 'postgres') {
      throw new Error('the database has a postgres:// URL');
    }
    const pool = createPool(address, {
      maxConnections: 1,
      connectDeadlineMs: 5_000,
      onError: (error) => errors.push(error),
    });
    const client = await pool.connect();
    await database.pool.query(END_OTHER_SESSIONS);
    await waitUntil('the loss is reported', () => errors.length > 0);
    client.release(true);
    await pool.end();
  });
});

describe('the migration of the queue schema', () => {
  it('does nothing if the queues are in Redis', async () => {
    await migrateQueueSchema('redis://127.0.0.1:1');
  });
});
