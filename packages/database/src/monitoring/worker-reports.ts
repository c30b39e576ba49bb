import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { TAKT_VERSION } from '@takt/run/version';
import { repeat, withDeadline } from '@takt/run/waiting';
import type pg from 'pg';

interface WorkerReportsOptions {
  /** The worker's. Takes one of its connections at a time. */
  readonly pool: pg.Pool;
  readonly queues: readonly string[];
  /** Jobs of a queue that wait. An answer that takes longer than 2 s, or none, is left out of the report. */
  readonly countWaiting: (queue: string) => Promise<number>;
  /** Hears of the first failure after a success, not of each. */
  readonly onError: (error: unknown) => void;
  /** Default 5,000. */
  readonly everyMs?: number;
}

export interface WorkerReports {
  /** To be told of what the worker does with a queue. Costs no round trip and never fails. */
  of(queue: string): QueueProgress;
  /** Ends the reports; one that is under way is left alone. */
  close(): void;
}

const REPORT_EVERY_MS = 5_000;
const COUNT_DEADLINE_MS = 2_000;
/** A worker that was not seen for so long has ended, or cannot reach the database. */
const SEEN_WITHIN_SECONDS = 30;

/**
 * Tells the database every 5 s how this worker gets on, the first time at once. Beside the events, never in their way:
 * it is told of them in memory, and a report that fails is left out.
 */
export function startWorkerReports(options: WorkerReportsOptions): WorkerReports {
  const { queues, onError, everyMs = REPORT_EVERY_MS } = options;
  const progress = createWorkerProgress();
  for (const queue of queues) progress.of(queue);
  const workerId = randomUUID();
  const ending = new AbortController();
  let isFailing = false;
  void repeat(
    async () => {
      await report(options, workerId, progress);
      isFailing = false;
    },
    {
      everyMs,
      signal: ending.signal,
      onError: (error) => {
        if (!isFailing) onError(error);
        isFailing = true;
      },
    },
  );
  return { of: progress.of, close: () => ending.abort() };
}

async function report(
  { pool, countWaiting }: WorkerReportsOptions,
  workerId: string,
  progress: WorkerProgress,
): Promise<void> {
  const queues = await Promise.all(
    progress.takeReports().map(async (told) => {
      const waiting = withDeadline<number | undefined>(
        countWaiting(told.queue),
        COUNT_DEADLINE_MS,
        () => undefined,
      );
      return { ...told, waiting_jobs: await waiting.catch(() => undefined) };
    }),
  );
  const sources = progress.heardSources();
  const worker = {
    worker_id: workerId,
    host: hostname(),
    pid: process.pid,
    version: TAKT_VERSION,
    queues,
  };
  await pool.query('SELECT takt.note_worker_report($1, $2)', [
    JSON.stringify(worker),
    JSON.stringify(sources),
  ]);
  progress.forgetSources(sources);
}

/** The outcome of an event that is not to blame. */
type TakenOutcome = 'applied' | 'duplicate' | 'stale';

/** An event that a worker took in, once it was committed. */
export interface TakenEvent {
  readonly outcome: TakenOutcome;
  /** Code of its company. */
  readonly database: string;
  readonly source: string;
  readonly id: string;
  /** When its job came into the queue, in ms since 1970. */
  readonly publishedAtMs: number;
  /** From when the work was done to now, in seconds; undefined where the event tells of no such moment, or was not asked. */
  readonly completionLagSeconds: number | undefined;
  /** From when its job came into the queue to now, in seconds. */
  readonly publishingLagSeconds: number;
}

/** How a worker gets on with one queue. */
export interface QueueProgress {
  note(event: TakenEvent): void;
  /** An event has come to the failed set. */
  noteRejection(): void;
}

/** As takt.note_worker_report takes it. */
interface QueueReport {
  readonly queue: string;
  readonly applied: number;
  readonly duplicate: number;
  readonly stale: number;
  readonly rejected: number;
  readonly completion_lag_seconds: number | undefined;
  readonly publishing_lag_seconds: number | undefined;
  readonly last_commit_at: string | undefined;
}

interface HeardSource {
  readonly database: string;
  readonly source: string;
  readonly last_event_at: string;
  readonly last_event_id: string;
}

/** All that a worker keeps in mind for its next report. */
interface WorkerProgress {
  of(queue: string): QueueProgress;
  /** Totals since the start, lags since this was asked last. */
  takeReports(): readonly QueueReport[];
  heardSources(): readonly HeardSource[];
  /** They were told: they are forgotten, but for those that were heard again meanwhile. */
  forgetSources(told: readonly HeardSource[]): void;
}

/** More new sources between two reports are left out until they are heard again: a producer may invent any number. */
const MAX_SOURCES = 200;

function createWorkerProgress(): WorkerProgress {
  const queues = new Map<string, ReturnType<typeof createQueueTotals>>();
  // The newest event of each, by company and source. As it came: this is done for every event, a report every 5 s.
  const sources = new Map<string, Map<string, TakenEvent>>();
  let knownSources = 0;
  const hear = (event: TakenEvent) => {
    const ofCompany = sources.get(event.database) ?? new Map<string, TakenEvent>();
    const known = ofCompany.get(event.source);
    const isLeftOut =
      known === undefined ? knownSources >= MAX_SOURCES : known.publishedAtMs > event.publishedAtMs;
    if (isLeftOut) return;
    if (known === undefined) knownSources += 1;
    ofCompany.set(event.source, event);
    sources.set(event.database, ofCompany);
  };
  const totalsOf = (queue: string) => {
    const totals = queues.get(queue) ?? createQueueTotals(queue);
    queues.set(queue, totals);
    return totals;
  };
  return {
    of: (queue) => {
      const totals = totalsOf(queue);
      return {
        note: (event) => {
          totals.note(event);
          hear(event);
        },
        noteRejection: totals.noteRejection,
      };
    },
    takeReports: () => Array.from(queues.values(), ({ takeReport }) => takeReport()),
    heardSources: () => [...sources.values()].flatMap((ofCompany) => [...ofCompany.values()].map(tell)),
    forgetSources: (told) => {
      for (const { database, source, last_event_id, last_event_at } of told) {
        const known = sources.get(database)?.get(source);
        const isAsTold = known !== undefined && tell(known).last_event_at === last_event_at;
        if (!isAsTold || known.id !== last_event_id) continue;
        sources.get(database)?.delete(source);
        knownSources -= 1;
      }
    },
  };
}

function tell({ database, source, id, publishedAtMs }: TakenEvent): HeardSource {
  return { database, source, last_event_at: new Date(publishedAtMs).toISOString(), last_event_id: id };
}

function createQueueTotals(queue: string) {
  const counts = { applied: 0, duplicate: 0, stale: 0, rejected: 0 };
  const completion = createSample();
  const publishing = createSample();
  let lastCommitAtMs: number | undefined;
  return {
    note: ({ outcome, completionLagSeconds, publishingLagSeconds }: TakenEvent) => {
      counts[outcome] += 1;
      lastCommitAtMs = Date.now();
      // The others were in the figures before.
      if (outcome !== 'applied') return;
      publishing.add(publishingLagSeconds);
      if (completionLagSeconds !== undefined) completion.add(completionLagSeconds);
    },
    noteRejection: () => {
      counts.rejected += 1;
    },
    takeReport: (): QueueReport => ({
      queue,
      ...counts,
      completion_lag_seconds: completion.takeMedian(),
      publishing_lag_seconds: publishing.takeMedian(),
      last_commit_at: lastCommitAtMs === undefined ? undefined : new Date(lastCommitAtMs).toISOString(),
    }),
  };
}

const SAMPLE_SIZE = 500;

/**
 * The median of any number of values, from a random choice of them. Not the mean: one operation of last year that is
 * corrected would make a lag of hours out of seconds.
 */
function createSample() {
  let values: number[] = [];
  let seen = 0;
  return {
    add: (value: number) => {
      seen += 1;
      if (values.length < SAMPLE_SIZE) {
        values.push(value);
        return;
      }
      const place = Math.floor(Math.random() * seen);
      if (place < SAMPLE_SIZE) values[place] = value;
    },
    takeMedian: (): number | undefined => {
      const sorted = values.sort((a, b) => a - b);
      values = [];
      seen = 0;
      return sorted[Math.floor(sorted.length / 2)];
    },
  };
}

/** An event ends in one of these ways. */
export const OUTCOMES = ['applied', 'duplicate', 'stale', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];
export type Outcomes = Readonly<Record<Outcome, number>>;

/** How a worker stood with one queue when it was seen last. */
export interface WorkerReport extends Outcomes {
  /** Names this run of the worker; one that is started anew is another one. */
  readonly workerId: string;
  readonly queue: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Events between its last two reports; 0 without them, and where the last is older than two of them should be. */
  readonly perSecond: Outcomes;
  /**
   * From when the work was done (`completedAt`) to its figures, in seconds: median of the completions that were applied
   * in the 5 s before; null without any.
   */
  readonly completionLagSeconds: number | null;
  /** From when the events' jobs came into the queue to the figures, in seconds; null without any. */
  readonly publishingLagSeconds: number | null;
  readonly lastCommitAt: Date | null;
}

/**
 * The workers that were seen within 30 s, each with a row a queue, those that run longest first. Counts are
 * of events since the worker started. The role takt_dashboard is enough.
 */
export async function readWorkerReports(pool: pg.Pool): Promise<readonly WorkerReport[]> {
  const { rows } = await pool.query<WorkerReport>(
    `SELECT worker_id AS "workerId", queue, host, pid, version, started_at AS "startedAt", seen_at AS "seenAt",
       applied::float8 AS applied, duplicate::float8 AS duplicate, stale::float8 AS stale, rejected::float8 AS rejected,
       json_build_object(${OUTCOMES.map((outcome) => `'${outcome}', coalesce((${outcome} - ${outcome}_before) / recent.seconds, 0)`)}) AS "perSecond",
       completion_lag_seconds AS "completionLagSeconds", publishing_lag_seconds AS "publishingLagSeconds",
       last_commit_at AS "lastCommitAt"
     FROM takt.worker_reports
     CROSS JOIN LATERAL (SELECT CASE WHEN seen_at > now() - make_interval(secs => $2)
       THEN nullif(extract(epoch FROM seen_at - seen_before), 0)::float8 END AS seconds) AS recent
     WHERE seen_at > now() - make_interval(secs => $1)
     ORDER BY started_at, worker_id, queue`,
    [SEEN_WITHIN_SECONDS, (2 * REPORT_EVERY_MS) / 1_000],
  );
  return rows;
}
