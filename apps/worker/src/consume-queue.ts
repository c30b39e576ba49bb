import type { QueueProgress, TakenEvent } from '@takt/database/monitoring';
import {
  bytesOf,
  type EventJob,
  type EventProcessor,
  type EventQueue,
  type EventsByQueue,
  type QueueBackend,
  type QueueName,
} from '@takt/events';
import type { Logger } from '@takt/run';
import { createSharedSpan, type SharedSpan } from '@takt/run/monitoring';
import { UnrecoverableError } from 'bullmq';
import type pg from 'pg';
import { applyReliably, GivenUpError, type PersistenceOptions } from './apply-reliably.js';
import { type BatchCollector, createBatchCollector } from './batch-collector.js';
import { giveBack, postpone, rejectEvents } from './end-job.js';
import { type EventOutcome, type EventStream, isPostponed, isRejection } from './event-stream.js';
import { createJobLimit, weigh } from './job-limit.js';
import { isBatch, type JobContent, readJob } from './read-job.js';
import type { StreamMetrics } from './worker-metrics.js';

/** Batch jobs fill a transaction up to this size. */
const MAX_EVENTS_PER_TRANSACTION = 1_000;
/** Enough for the jobs of one answer of the queue; a lone job is committed at once. */
const LINGER_MS = 3;
/**
 * Each transaction writes a structure version once for all its events: at 3,500 events a second over HTTP, waiting 20
 * ms saves PostgreSQL a third of the cost per event.
 */
const PACE_MS = 20;

/**
 * Duration of a claim, renewed at half of it. After a kill, a worker's jobs are redelivered one claim and one check
 * later. A batch commits in a small part of it.
 */
const CLAIM_MS = 15_000;
const STALLED_CHECK_MS = 5_000;

/**
 * A job that this many workers did not survive may be the cause; it is rejected instead of retried for ever. An
 * operator's retry resets the count of deliveries, never that of lost workers; a job that waits for a node is delivered
 * often without losing one.
 */
const MAX_LOST_WORKERS = 100;

export interface Consumer {
  readonly queue: Pick<EventQueue, 'name' | 'isPaused' | 'getWaitingCount'>;
  /** Jobs that are claimed and not yet acknowledged. */
  heldJobs(): number;
  /**
   * Time of the last progress (`performance.now()`): a job was claimed or completed, or an attempt to commit or reject
   * ended, even without success. Initially the start of claiming.
   */
  lastProgressAtMs(): number;
  /** False while claims wait for clocks to agree. */
  mayClaim(): boolean;
}

export interface ConsumptionContext {
  readonly backend: QueueBackend;
  readonly pool: pg.Pool;
  readonly logger: Logger;
  readonly metrics: StreamMetrics;
  /** Counts committed events for the worker's reports. */
  readonly progress: QueueProgress;
  /** Aborted when the worker closes and must stop waiting for the database. */
  readonly signal: AbortSignal;
}

/**
 * Processes the jobs of a stream's queue, and acknowledges each only after its transaction has committed. Events of
 * many jobs share a transaction.
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
  const handle = createHandler(stream, queue, { ...context, noteProgress });

  const process: EventProcessor = async (job) => {
    heldJobs += 1;
    noteProgress();
    try {
      await handle(job);
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
  // At the claim rather than at the start of work: by then all jobs of the previous limit have been fetched.
  worker.on('active', (job) => {
    worker.concurrency = limit.observe(weigh(job.data, bytesOf(job)));
  });
  // Counted here rather than at the decision: a redelivered job is decided again, and a batch's rejected events once
  // more as jobs of their own. Each enters the failed set once.
  worker.on('failed', (job, error) => {
    if (!(error instanceof UnrecoverableError)) return;
    context.metrics.countRejection(job?.name);
    context.progress.noteRejection();
    context.logger.warn({ jobId: job?.id, reason: error.message }, 'event rejected');
  });
  return {
    queue,
    heldJobs: () => heldJobs,
    lastProgressAtMs: () => lastProgressAtMs,
    mayClaim: () => context.backend.clockState()?.agrees !== false,
  };
}

interface HandlingContext extends ConsumptionContext {
  /** Called after each attempt. */
  readonly noteProgress: () => void;
}

/** Handles a job: read, collect, apply, answer. Resolves if it should be acknowledged. */
function createHandler<Queue extends QueueName>(
  stream: EventStream<Queue>,
  queue: EventQueue,
  context: HandlingContext,
): (job: EventJob) => Promise<void> {
  const { logger, signal, noteProgress } = context;
  const commits = createSharedSpan<EventsByQueue[Queue]>('commit');
  const collector = openCollector(stream, commits, context);
  const persistence: PersistenceOptions = {
    signal,
    onError: (error, failures) => {
      noteProgress();
      logger.warn(
        { error, failures },
        'the queue did not take rejected events as jobs of their own, trying again',
      );
    },
  };
  const endDeliveries = (job: EventJob) => {
    const reason = `${job.stalledCounter} workers ended while they had the job: it may be the cause`;
    logger.error({ jobId: job.id }, reason);
    // One event of the batch may be the cause: each becomes a job that is delivered as often again, and the others
    // count.
    return rejectEvents(queue, job, isBatch(job) ? job.data.keys() : [0], reason, persistence);
  };
  return async (job) => {
    // Overrides the producer's option: a rejected event is never lost.
    job.opts.removeOnFail = false;
    if (Math.min(job.stalledCounter, job.attemptsStarted) > MAX_LOST_WORKERS) return endDeliveries(job);
    const content = readJob(job, stream.queue);
    // The job is parsed and still in the queue: hundreds of waiting events should not be in memory twice.
    if (!isBatch(job)) job.data = undefined;
    commits.bring(content.accepted);
    const outcomes = await collector.submit(content.accepted);
    noteTaken(job, content, outcomes, context);
    // The job's other events get the same outcome when it is redelivered.
    if (outcomes.some(isPostponed)) return postpone(job);
    for (const [index, outcome] of outcomes.entries()) {
      if (isRejection(outcome)) content.rejected.set(content.positions[index] ?? 0, outcome);
    }
    const [first] = content.rejected.values();
    if (first !== undefined) {
      await rejectEvents(queue, job, content.rejected.keys(), first.rejected, persistence);
    }
  };
}

/** Sampled, because parsing an event's time costs more than all other notes. */
const COMPLETION_LAG_EVERY = 16;

/**
 * The publishing time is when the job was added to the queue, which each event has. An event's own `time` is its
 * producer's. Neither counts as later than now.
 */
function noteTaken<Queue extends QueueName>(
  { timestamp }: EventJob,
  { accepted, origins }: JobContent<EventsByQueue[Queue]>,
  outcomes: readonly EventOutcome[],
  { progress, metrics }: ConsumptionContext,
): void {
  const nowMs = Date.now();
  const publishedAtMs = Number.isFinite(timestamp) ? Math.min(timestamp, nowMs) : nowMs;
  for (const [index, outcome] of outcomes.entries()) {
    const [event, origin] = [accepted[index], origins[index]];
    if (typeof outcome === 'object' || event === undefined || origin === undefined) continue;
    const taken: TakenEvent = {
      ...origin,
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

/** An unavailable node fails each batch; interval of the warning. */
const POSTPONED_WARNING_MS = 10_000;

function openCollector<Queue extends QueueName>(
  stream: EventStream<Queue>,
  commits: SharedSpan<EventsByQueue[Queue]>,
  { pool, logger, metrics, signal, noteProgress }: HandlingContext,
): BatchCollector<EventsByQueue[Queue], EventOutcome> {
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
  const apply = async (events: readonly EventsByQueue[Queue][]) => {
    try {
      const outcomes = await commits.run(events, () =>
        metrics.timeCommit(events.length, () => stream.apply(pool, events)),
      );
      warnOfPostponed(outcomes);
      return outcomes;
    } finally {
      noteProgress();
    }
  };
  return createBatchCollector({
    handle: applyReliably(apply, { logger, signal, onFailedAttempt: metrics.countFailedAttempt }),
    maxItems: MAX_EVENTS_PER_TRANSACTION,
    lingerMs: LINGER_MS,
    paceMs: PACE_MS,
  });
}
