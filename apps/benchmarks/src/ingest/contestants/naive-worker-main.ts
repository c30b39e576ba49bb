import { parseEvent, QUEUE_PREFIX } from '@takt/events';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { QUEUE, READY } from '../queue-run.js';
import { applyNaively } from './naive-transaction.js';

/**
 * What one writes first: one job, one transaction, read, modify, write. It locks what it reads, so its figures are
 * right, and it uses the same tables, indexes and generated columns as Takt.
 */

const concurrency = Number(process.env['CONCURRENCY']);
const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: concurrency,
  options: '-c search_path=takt',
});
const connection = new Redis(process.env['QUEUE_URL'] ?? '', { maxRetriesPerRequest: null });

async function handle(data: unknown): Promise<void> {
  const result = parseEvent(data);
  if (!result.ok) throw new Error('the event breaks the contract');
  const { event } = result;
  if (
    event.type === 'work-order-operation.completed.v1' ||
    event.type === 'work-order-operation.reopened.v1'
  ) {
    await applyNaively(pool, event);
  }
}

const worker = new Worker(QUEUE, (job) => handle(job.data), {
  connection,
  prefix: QUEUE_PREFIX,
  concurrency,
  removeOnComplete: { count: 0 },
});
await worker.waitUntilReady();
process.stdout.write(`${READY}\n`);
process.once('SIGTERM', async () => {
  await worker.close();
  await pool.end();
  process.exit(0);
});
