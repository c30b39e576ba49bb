import type { QueueProgress, TakenEvent } from '@takt/database/monitoring';
import { describeProblems, type QueueName } from '@takt/events';
import {
  bytesOf,
  type EventJob,
  type EventProcessor,
  type EventQueue,
  type EventsByQueue,
  type QueueBackend,
  REJECTED,
} from '@takt/events/internal';
import { STAYS } from '@takt/rejections';
import type { Logger } from '@takt/run';
import { createSharedSpan, type SharedSpan } from '@takt/run/monitoring';
import { UnrecoverableError } from 'bullmq';
import type pg from 'pg';
import { createApply } from './apply-batch.js';
import { applyReliably, GivenUpError } from './apply-reliably.js';
import { type BatchCollector, createBatchCollector } from './batch-collector.js';
import { giveBack, postpone } from './end-job.js';
import { type EventOutcome, type EventStream, isPostponed, isRejection } from './event-stream.js';
import { createJobLimit, weigh } from './job-limit.js';
import { isAccepted, type JobEvent, readJob } from './read-job.js';
import type { StreamMetrics } from './worker-metrics.js';

/** Maximum number of events in a transaction that is filled with batch jobs. */
const MAX_EVENTS_PER_TRANSACTION = 1_000;
/**
 * Time that a batch waits for further events. It is long enough to collect the jobs of one answer of the queue. A
 * single job is committed at once.
 */
const LINGER_MS = 3;
/**
 * Minimum interval between transactions that are not full. A transaction writes each structure version only once for
 * all its events. At 3,500 events per second over HTTP, waiting 20 ms saves PostgreSQL a third of the cost per event.
 */
const PACE_MS = 20;

/**
 * Duration of a claim. The claim is renewed after half of it. When a worker is killed, its jobs are redelivered after
 * one claim and one check at the latest. Committing a batch takes a small part of this duration.
 */
const CLAIM_MS = 15_000;
const STALLED_CHECK_MS = 5_000;

/**
 * Number of workers that may end while they process a job. After that many, the job fails instead of being retried for
 * ever, because the job may be the cause, and stays in its queue. When an operator retries a job, the count of
 * deliveries is reset, but never the count of lost workers. A job that waits for a node is delivered often without
 * losing a worker.
 */
const MAX_LOST_WORKERS = 100;

export interface Consumer {
  readonly queue: Pick<EventQueue, 'name' | 'isPaused' | 'getWaitingCount'>;
  /** Returns the number of jobs that are claimed and not yet acknowledged. */
  heldJobs(): number;
  /**
   * Returns the time of the last progress, by `performance.now()`. Progress means that a job was claimed or completed,
   * or that an attempt to commit or reject has ended, even with an error. Before any progress, it is the time at which
   * claiming started.
   */
  lastProgressAtMs(): number;
  /** Returns false while claims wait until the clocks agree. */
  mayClaim(): boolean;
}

export interface ConsumptionContext {
  readonly backend: QueueBackend;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly metrics: StreamMetrics;
  /** Counts committed events for the reports of the worker. */
  readonly progress: QueueProgress;
  /** Aborted when the worker closes and must no longer wait for the database. */
  readonly signal: AbortSignal;
}

/**
 * Processes the jobs of a stream's queue. Events of many jobs share a transaction, and a job is acknowledged only after
 * its transaction has committed.
 */
export function consumeQueue<Queue extends QueueName>(
  stream: EventStream<Queue>,
  context: ConsumptionContext,
): Consumer & { readonly queue: EventQueue } {
  const queue = context.backend.openQueue(stream.queue);
  const limit = createJobLimit();
  let heldJobs = 0;
  let lastProgressAtMs = performance.now();
  const noteProgress = () => {
    lastProgressAtMs = performance.now();
  };
  const handle = createHandler(stream, { ...context, noteProgress });

  const process: EventProcessor = async (job) => {
    heldJobs += 1;
    noteProgress();
    try {
      return await handle(job);
    } catch (error) {
      if (error instanceof GivenUpError) await giveBack(job);
      throw error;
    } finally {
      heldJobs -= 1;
      noteProgress();
    }
  };
  const worker = context.backend.openWorker(stream.queue, process, {
    concurrency: limit.initial,
    lockDuration: CLAIM_MS,
    stalledInterval: STALLED_CHECK_MS,
    removeOnComplete: { count: 0 },
  });
  // The job is counted when it is claimed, not when work on it starts. By then BullMQ has already fetched all jobs that
  // the previous limit allowed.
  worker.on('active', (job) => {
    worker.concurrency = limit.observe(weigh(job.data, bytesOf(job)));
  });
  worker.on('failed', (job, error) => {
    context.logger.error({ jobId: job?.id, reason: error.message }, 'a job failed and stays in its queue');
  });
  return {
    queue,
    heldJobs: () => heldJobs,
    lastProgressAtMs: () => lastProgressAtMs,
    mayClaim: () => context.backend.clockState()?.agrees !== false,
  };
}

interface HandlingContext extends ConsumptionContext {
  /** Called after each attempt to commit. */
  readonly noteProgress: () => void;
}

/**
 * Creates the function that handles a job: it reads the job, collects its events into a batch, and waits until they are
 * applied or recorded as rejected. It resolves if the job should be acknowledged.
 */
function createHandler<Queue extends QueueName>(
  stream: EventStream<Queue>,
  context: HandlingContext,
): (job: EventJob) => Promise<unknown> {
  const commits = createSharedSpan<JobEvent<EventsByQueue[Queue]>>('commit');
  const collector = openCollector(stream, commits, context);
  return async (job) => {
    // This overrides the option of the producer, so that a job that fails is never lost.
    job.opts.removeOnFail = false;
    if (Math.min(job.stalledCounter, job.attemptsStarted) > MAX_LOST_WORKERS) {
      throw new UnrecoverableError(
        `${STAYS}${job.stalledCounter} workers ended while they had it, so it may be the cause`,
      );
    }
    const events = readJob(job, stream.queue);
    // The job has been parsed. The data of a single event are dropped here, because hundreds of waiting events should
    // not be in memory twice.
    if (!Array.isArray(job.data)) job.data = undefined;
    commits.bring(events);
    const outcomes = await collector.submit(events).catch((error: unknown) => {
      throw error instanceof GivenUpError ? error : new UnrecoverableError(`${STAYS}${String(error)}`);
    });
    noteTaken(job, events, outcomes, context);
    // When the job is redelivered, its other events have the same outcome again.
    if (outcomes.some(isPostponed)) return postpone(job);
    return outcomes.length === 1 && outcomes.every(isRejection) ? REJECTED : undefined;
  };
}

/**
 * The lag of only every 16th event is measured, because parsing the time of an event costs more than all other metrics.
 */
const COMPLETION_LAG_EVERY = 16;

/**
 * Counts an event that was processed. An event counts as published when its job was added to the queue. That time is
 * known for every event, whereas the producer sets the event's own `time`. A time in the future counts as now.
 */
function noteTaken<Queue extends QueueName>(
  { id: jobId, timestamp }: EventJob,
  events: readonly JobEvent<EventsByQueue[Queue]>[],
  outcomes: readonly EventOutcome[],
  { progress, metrics, logger }: ConsumptionContext,
): void {
  const nowMs = Date.now();
  const publishedAtMs = Number.isFinite(timestamp) ? Math.min(timestamp, nowMs) : nowMs;
  for (const [index, outcome] of outcomes.entries()) {
    const item = events[index];
    if (isRejection(outcome)) {
      metrics.countRejection(item?.type);
      progress.noteRejection();
      logger.warn({ jobId, reason: describeProblems(outcome.rejected) }, 'event rejected');
    }
    if (typeof outcome === 'object' || item === undefined || !isAccepted(item)) continue;
    const { event } = item;
    const { source, id } = event.origin;
    const taken: TakenEvent = {
      source,
      id,
      outcome,
      database: event.database,
      publishedAtMs,
      publishingLagSeconds: (nowMs - publishedAtMs) / 1_000,
      completionLagSeconds:
        index % COMPLETION_LAG_EVERY === 0 && 'completedAt' in event
          ? Math.max(0, nowMs - Date.parse(event.completedAt)) / 1_000
          : undefined,
    };
    progress.note(taken);
    metrics.countTaken(event.type, taken);
  }
}

/**
 * Interval between warnings about an unavailable node. Without it there would be a warning for each batch, because the
 * node makes each batch fail.
 */
const POSTPONED_WARNING_MS = 10_000;

function openCollector<Queue extends QueueName>(
  stream: EventStream<Queue>,
  commits: SharedSpan<JobEvent<EventsByQueue[Queue]>>,
  { pool, logger, metrics, signal, noteProgress }: HandlingContext,
): BatchCollector<JobEvent<EventsByQueue[Queue]>, EventOutcome> {
  const applyAll = createApply(stream, pool);
  let warnedAtMs = Number.NEGATIVE_INFINITY;
  const warnOfPostponed = (outcomes: readonly EventOutcome[]) => {
    const postponed = outcomes.filter(isPostponed);
    if (postponed[0] === undefined || performance.now() - warnedAtMs < POSTPONED_WARNING_MS) return;
    warnedAtMs = performance.now();
    logger.warn(
      { reason: postponed[0].postponed, events: postponed.length },
      'a node did not take the events of its companies, trying them again later',
    );
  };
  const apply = async (events: readonly JobEvent<EventsByQueue[Queue]>[]) => {
    try {
      const outcomes = await commits.run(events, () =>
        metrics.timeCommit(events.length, () => applyAll(events)),
      );
      warnOfPostponed(outcomes);
      return outcomes;
    } finally {
      noteProgress();
    }
  };
  return createBatchCollector({
    handle: applyReliably(apply, {
      logger,
      signal,
      onFailedAttempt: metrics.countFailedAttempt,
      reject: ({ text }, problem) => ({ text, problems: [problem] }),
    }),
    maxItems: MAX_EVENTS_PER_TRANSACTION,
    lingerMs: LINGER_MS,
    paceMs: PACE_MS,
  });
}
