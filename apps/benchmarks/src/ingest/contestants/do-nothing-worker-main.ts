import { QUEUE_PREFIX } from '@takt/events';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { QUEUE, READY } from '../queue-run.js';

/** The queue's ceiling: a BullMQ worker that acknowledges every job and does nothing else. */

const connection = new Redis(process.env['QUEUE_URL'] ?? '', { maxRetriesPerRequest: null });
const worker = new Worker(QUEUE, async () => undefined, {
  connection,
  prefix: QUEUE_PREFIX,
  concurrency: Number(process.env['CONCURRENCY']),
  removeOnComplete: { count: 0 },
});
await worker.waitUntilReady();
process.stdout.write(`${READY}\n`);
process.once('SIGTERM', async () => {
  await worker.close();
  process.exit(0);
});
