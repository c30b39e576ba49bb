import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { TAKT_VERSION } from '@takt/run/version';
import { repeat, withDeadline } from '@takt/run/waiting';
import type pg from 'pg';

interface WorkerReportsOptions {
  /** The pool of the worker. The reports use one connection at a time. */
  readonly pool: pg.Pool;
  readonly queues: readonly string[];
  /** Counts the waiting jobs of a queue. If counting fails or takes longer than 2 s, the report has no count. */
  readonly countWaiting: (queue: string) => Promise<number>;
  /** Receives the first failure after a success. Further failures in a row are not reported. */
  readonly onError: (error: unknown) => void;
  /** Interval between reports in milliseconds. Default 5,000. */
  readonly everyMs?: number;
}

export interface WorkerReports {
  /**
   * Returns the recorder for the events of a queue. Events are recorded in memory, so recording costs no round trip and
   * never fails.
   */
  of(queue: string): QueueProgress;
  /** Stops sending reports. A report that is being sent is not cancelled. */
  close(): void;
}

const REPORT_EVERY_MS = 5_000;
const COUNT_DEADLINE_MS = 2_000;
/** If a worker has not reported for longer than this, it has ended or cannot reach the database. */
const SEEN_WITHIN_SECONDS = 30;

/**
 * Reports the progress of the worker to the database at once, and then every 5 s. Events are only counted in memory,
 * and a failed report is dropped, so reporting never delays events.
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

/** The outcomes that a valid event can have. */
type TakenOutcome = 'applied' | 'duplicate' | 'stale';

/** An event whose processing has been committed. */
export interface TakenEvent {
  readonly outcome: TakenOutcome;
  readonly database: string;
  readonly source: string;
  readonly id: string;
  /** Time at which the job of the event was added to the queue, in ms since 1970. */
  readonly publishedAtMs: number;
  /**
   * Seconds from the completion of the operation until now. Undefined if the event has no time of completion or was not
   * applied.
   */
  readonly completionLagSeconds: number | undefined;
  /** Seconds from the addition of the job until now. */
  readonly publishingLagSeconds: number;
}

export interface QueueProgress {
  note(event: TakenEvent): void;
  noteRejection(): void;
}

/** The report about one queue, in the format of takt.note_worker_report. */
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

interface WorkerProgress {
  of(queue: string): QueueProgress;
  /** Returns the data for the reports. Totals count from the start of the worker, and lags from the previous call. */
  takeReports(): readonly QueueReport[];
  heardSources(): readonly HeardSource[];
  /** Removes the sources that have been reported. A source that has had a newer event in the meantime stays. */
  forgetSources(reported: readonly HeardSource[]): void;
}

/**
 * Maximum number of new sources in one report. A producer may invent any number of sources, so sources beyond this
 * limit are only recorded at their next event.
 */
const MAX_SOURCES = 200;

function createWorkerProgress(): WorkerProgress {
  const queues = new Map<string, ReturnType<typeof createQueueTotals>>();
  // The newest event of each source by company. The Map is nested, because this code runs for each event, whereas a
  // report is made only every 5 s.
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
      // An event with another outcome has not changed the figures.
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
 * Collects any number of values and returns their median; if there are many values, the median of a random sample. A
 * mean would be misleading: when an operation of last year is corrected, it would turn a lag of seconds into hours.
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

export const OUTCOMES = ['applied', 'duplicate', 'stale', 'rejected'] as const;
export type Outcome = (typeof OUTCOMES)[number];
export type Outcomes = Readonly<Record<Outcome, number>>;

/** The latest report of one worker about one queue. */
export interface WorkerReport extends Outcomes {
  /** Identifies one run of the worker. */
  readonly workerId: string;
  readonly queue: string;
  readonly host: string;
  readonly pid: number;
  readonly version: string;
  readonly startedAt: Date;
  readonly seenAt: Date;
  /** Events per second between the last two reports of the worker, by outcome; 0 if there are no two recent reports. */
  readonly perSecond: Outcomes;
  /**
   * Seconds from a completion (`completedAt`) to the update of the figures: the median of the completions that were
   * applied in the previous 5 s. Null if there were none.
   */
  readonly completionLagSeconds: number | null;
  /** Seconds from the addition of a job to the update of the figures. Null if no events were applied. */
  readonly publishingLagSeconds: number | null;
  readonly lastCommitAt: Date | null;
}

/**
 * Returns the workers that have reported within the last 30 s, with a row for each queue, oldest worker first. Events
 * are counted from the start of the worker. The role takt_dashboard is enough.
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
