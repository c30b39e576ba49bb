import type { EventJob, EventQueue, EventWorker, QueueBackend, TaktEvent } from '@takt/events';
import type { Logger } from '@takt/runtime';
import { UnrecoverableError } from 'bullmq';
import type pg from 'pg';
import { applyReliably } from './apply-reliably.js';
import { createBatchCollector } from './batch-collector.js';
import { type EventOutcome, isRejection, type Rejection } from './event-outcome.js';
import type { EventStream } from './event-stream.js';
import { giveBack } from './give-back.js';
import { createJobLimit } from './job-limit.js';
import { listRejectedAlone } from './list-rejected-alone.js';
import { isBatch, readJob } from './read-job.js';
import { GivenUpError } from './unless-aborted.js';
import type { StreamMetrics } from './worker-metrics.js';

/** Batch jobs fill a transaction up to this. */
const MAX_EVENTS_PER_TRANSACTION = 1_000;
/**
 * Events held at once, claimed and not yet acknowledged: while some commit, the others are fetched or acknowledged.
 * More of them make larger transactions, but BullMQ keeps some 10 kB of objects alive for each job, which costs the
 * garbage collector more than PostgreSQL saves, and the worker its bound of 200 MB.
 */
const MAX_EVENTS_HELD = 700;
const LINGER_MS = 10;

/**
 * A claim lasts this long and is renewed at half of it; the jobs of a worker that was killed are taken up again one
 * claim and one check later. A batch commits in a small part of it.
 */
const CLAIM_MS = 15_000;
const STALLED_CHECK_MS = 5_000;

/** A job that was delivered this often may end its worker each time; it is put aside instead of tried for ever. */
const MAX_DELIVERIES = 100;

export interface Consumer {
  readonly queue: EventQueue;
  readonly worker: EventWorker;
  /** Jobs that are claimed and not yet acknowledged. */
  heldJobs(): number;
  /** When the last job was claimed, in ms since the epoch. */
  lastClaimAt(): number;
}

export interface ConsumptionContext {
  readonly backend: QueueBackend;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly metrics: StreamMetrics;
  /** Aborted when the worker closes and can wait no longer for the database. */
  readonly signal: AbortSignal;
}

/**
 * Takes the jobs of a stream's queue and acknowledges each only after the transaction that holds its effect has
 * committed. Events of many jobs share a transaction.
 */
export function consumeQueue<Event extends TaktEvent>(
  stream: EventStream<Event>,
  { backend, pool, logger, metrics, signal }: ConsumptionContext,
): Consumer {
  const queue = backend.openQueue(stream.queue);
  const collector = createBatchCollector<Event, EventOutcome>({
    handle: applyReliably((events) => metrics.timeCommit(events.length, () => stream.apply(pool, events)), {
      logger,
      signal,
      onFailedAttempt: metrics.countFailedAttempt,
    }),
    maxItems: MAX_EVENTS_PER_TRANSACTION,
    lingerMs: LINGER_MS,
    maxConcurrentBatches: 1,
  });
  const limit = createJobLimit(MAX_EVENTS_HELD);
  let heldJobs = 0;
  let lastClaimAt = Date.now();

  const process = async (job: EventJob) => {
    heldJobs += 1;
    lastClaimAt = Date.now();
    try {
      await handle(job);
    } catch (error) {
      if (error instanceof GivenUpError) await giveBack(job);
      throw error;
    } finally {
      heldJobs -= 1;
    }
  };

  const handle = async (job: EventJob) => {
    // Whatever its producer asked for: a rejected event is never lost.
    job.opts.removeOnFail = false;
    if (job.attemptsStarted > MAX_DELIVERIES) return endDeliveries(job);
    const content = readJob(job, stream);
    // Read, and still in the queue: hundreds of events that wait for a commit are better not held twice.
    if (!content.isBatch) job.data = undefined;
    worker.concurrency = limit.observe(content.accepted.length + content.rejected.size);
    const outcomes = await collector.submit(content.accepted);
    const rejected = new Map(content.rejected);
    for (const [index, outcome] of outcomes.entries()) {
      if (isRejection(outcome)) rejected.set(content.positions[index] ?? 0, outcome);
    }
    metrics.countOutcomes(outcomes, content.rejected.size);
    if (rejected.size > 0) await putAside(job, content.isBatch, rejected);
  };

  const putAside = async (job: EventJob, isOfBatch: boolean, rejected: ReadonlyMap<number, Rejection>) => {
    for (const { rejected: reason } of rejected.values())
      logger.warn({ jobId: job.id, reason }, 'event rejected');
    if (!isOfBatch) throw new UnrecoverableError(rejected.get(0)?.rejected ?? 'rejected');
    await listRejectedAlone(queue, job, rejected.keys(), signal);
  };

  /** One event of a batch may be at fault: alone, each is delivered as often again, and the others count. */
  const endDeliveries = async (job: EventJob) => {
    const reason = `the job was delivered ${job.attemptsStarted} times without a result: it may end the worker that takes it`;
    logger.error({ jobId: job.id }, reason);
    if (!isBatch(job)) throw new UnrecoverableError(reason);
    await listRejectedAlone(queue, job, job.data.keys(), signal);
  };

  const worker = backend.openWorker(stream.queue, process, {
    concurrency: limit.initial,
    lockDuration: CLAIM_MS,
    stalledInterval: STALLED_CHECK_MS,
    removeOnComplete: { count: 0 },
  });
  return { queue, worker, heldJobs: () => heldJobs, lastClaimAt: () => lastClaimAt };
}
