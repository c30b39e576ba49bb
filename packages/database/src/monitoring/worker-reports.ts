import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { TAKT_VERSION } from '@takt/run/version';
import { repeat, withDeadline } from '@takt/run/waiting';
import type pg from 'pg';

interface WorkerReportsOptions {
  /** The worker's pool; uses one connection at a time. */
  readonly pool: pg.Pool;
  readonly queues: readonly string[];
  /** Waiting jobs of a queue. The report leaves out an answer that fails or takes longer than 2 s. */
  readonly countWaiting: (queue: string) => Promise<number>;
  /** Receives the first failure after a success, not each one. */
  readonly onError: (error: unknown) => void;
  /** Default 5,000. */
  readonly everyMs?: number;
}

export interface WorkerReports {
  /** Records events of a queue in memory. Costs no round trip and never fails. */
  of(queue: string): QueueProgress;
  /** Stops reporting; a running report is left alone. */
  close(): void;
}

const REPORT_EVERY_MS = 5_000;
const COUNT_DEADLINE_MS = 2_000;
/** A worker unseen for longer has ended or cannot reach the database. */
const SEEN_WITHIN_SECONDS = 30;

/**
 * Reports the worker's progress to the database every 5 s, first at once. Events are only counted in memory, and a
 * failed report is dropped, so reporting never delays events.
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
    progress.takeReports().map(async (reported) => {
      const waiting = withDeadline<number | undefined>(
        countWaiting(reported.queue),
        COUNT_DEADLINE_MS,
        () => undefined,
      );
      return { ...reported, waiting_jobs: await waiting.catch(() => undefined) };
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

/** The outcomes of a valid event. */
type TakenOutcome = 'applied' | 'duplicate' | 'stale';

/** A committed event. */
export interface TakenEvent {
  readonly outcome: TakenOutcome;
  /** Code of its company. */
  readonly database: string;
  readonly source: string;
  readonly id: string;
  /** When its job was added to the queue, in ms since 1970. */
  readonly publishedAtMs: number;
  /** Seconds from the completion until now; undefined if the event has no time of completion or was not applied. */
  readonly completionLagSeconds: number | undefined;
  /** Seconds from adding the job until now. */
  readonly publishingLagSeconds: number;
}

export interface QueueProgress {
  note(event: TakenEvent): void;
  /** An event has been moved to the failed set. */
  noteRejection(): void;
}

/** A report in the format of takt.note_worker_report. */
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

/** The data of the next report. */
interface WorkerProgress {
  of(queue: string): QueueProgress;
  /** Takes totals since the start, and lags since the previous call. */
  takeReports(): readonly QueueReport[];
  heardSources(): readonly HeardSource[];
  /** Removes reported sources, unless they have had newer events. */
  forgetSources(reported: readonly HeardSource[]): void;
}

/** Maximum of new sources per report, since a producer may invent any number; others wait for their next event. */
const MAX_SOURCES = 200;

function createWorkerProgress(): WorkerProgress {
  const queues = new Map<string, ReturnType<typeof createQueueTotals>>();
  // The newest event by company and source. A nested Map, because this runs for each event and a report only every 5 s.
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
    forgetSources: (reported) => {
      for (const { database, source, last_event_id, last_event_at } of reported) {
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
      // Events with another outcome have not changed figures.
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
 * Collects any number of values and returns their median, from a random sample if there are many. A mean would be
 * misleading: a correction of last year's operation would turn a lag of seconds into hours.
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

/** The possible outcomes of an event. */
export const OUTCOMES = ['applied', 'duplicate', 'stale', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];
export type Outcomes = Readonly<Record<Outcome, number>>;

/** The latest report of a worker about one queue. */
export interface WorkerReport extends Outcomes {
  /** Identifies this run of the worker. */
  readonly workerId: string;
  readonly queue: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Events between its last two reports; 0 without two recent ones. */
  readonly perSecond: Outcomes;
  /**
   * Seconds from a completion (`completedAt`) to the update of the figures: median of the completions applied in the
   * previous 5 s; null without any.
   */
  readonly completionLagSeconds: number | null;
  /** Seconds from adding the job to the update of the figures; null without any. */
  readonly publishingLagSeconds: number | null;
  readonly lastCommitAt: Date | null;
}

/**
 * The workers seen within 30 s, one row per queue, oldest worker first. Events are counted from the worker's start. The
 * role takt_dashboard is enough.
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
