/** What became of an event that is not to blame. */
export type TakenOutcome = 'applied' | 'duplicate' | 'stale';

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
export interface WorkerProgress {
  of(queue: string): QueueProgress;
  /** Totals since the start, lags since this was asked last. */
  takeReports(): readonly QueueReport[];
  heardSources(): readonly HeardSource[];
  /** They were told: they are forgotten, but for those that were heard again meanwhile. */
  forgetSources(told: readonly HeardSource[]): void;
}

/** More new sources between two reports are left out until they are heard again: a producer may invent any number. */
const MAX_SOURCES = 200;

export function createWorkerProgress(): WorkerProgress {
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
      // What changed nothing was in the figures before.
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
