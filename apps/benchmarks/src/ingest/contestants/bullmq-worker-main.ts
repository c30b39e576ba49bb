import { parseEvent } from '@takt/events';
import { QUEUE_PREFIX } from '@takt/events/internal';
import type { WorkOrderOperationEvent } from '@takt/figures';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { QUEUE } from '../queue.js';
import { applyNaively } from './naive-transaction.js';

/**
 * This program is the worker of two contestants. With a DATABASE_URL it is the naive worker; otherwise it only
 * acknowledges jobs.
 */

const databaseUrl = process.env['DATABASE_URL'];
const concurrency = Number(process.env['CONCURRENCY']);
const pool = new pg.Pool({
  connectionString: databaseUrl,
  max: concurrency,
  options: '-c search_path=takt',
});

async function apply(data: unknown): Promise<void> {
  const result = parseEvent(data);
  if (!result.ok) throw new Error('the event breaks the contract');
  await applyNaively(pool, result.event as WorkOrderOperationEvent);
}

const worker = new Worker(QUEUE, async (job) => (databaseUrl ? apply(job.data) : undefined), {
  connection: new Redis(process.env['QUEUE_URL'] ?? '', { maxRetriesPerRequest: null }),
  prefix: QUEUE_PREFIX,
  concurrency,
  removeOnComplete: { count: 0 },
});
await worker.waitUntilReady();
process.stdout.write('taking jobs\n');
process.once('SIGTERM', async () => {
  await worker.close();
  await pool.end();
  process.exit(0);
});
