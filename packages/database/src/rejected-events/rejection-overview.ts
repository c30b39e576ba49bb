import { type EventQueue, type FailedJobKey, type FailedJobsView, ruleOf } from '@takt/events';
import { shareReading } from '@takt/run/waiting';
import type pg from 'pg';
import { type EventIdentity, factsOf } from './event-text.js';
import { askQueue } from './stored-job.js';

/** A rejected event as far as a list of many needs it. */
export interface RejectionFacts extends EventIdentity {
  /** QUEUE/JOB. */
  readonly id: string;
  readonly queue: string;
  /** What the event names as its company; null where it holds no text there, or is not looked into. */
  readonly company: string | null;
  /** In ms since 1970; NaN where that is not known. */
  readonly rejectedAtMs: number;
  readonly deliveries: number;
  readonly reason: string;
  /** The reason without the values that differ from event to event. */
  readonly rule: string;
  readonly isExported: boolean;
  /** What a search looks through, in lower case: ids, reason and the begin of the data. */
  readonly searched: string;
}

export interface RejectionSnapshot {
  /** The newest first. */
  readonly events: readonly RejectionFacts[];
  /** There are more, older ones that are left out. */
  readonly isCut: boolean;
  /** By the clock of this process, in ms since 1970. */
  readonly takenAtMs: number;
}

export interface RejectionOverview {
  /** What is rejected, as of `maxAgeMs` ago at most. Rejects where queue or database do not answer. */
  read(options?: { readonly maxAgeMs?: number }): Promise<RejectionSnapshot>;
  /** Something was changed: who reads from now on is to see it. */
  expire(): void;
}

export interface RejectionOverviewOptions {
  readonly pool: pg.Pool;
  readonly queues: readonly EventQueue[];
  readonly failedJobs: FailedJobsView;
  /** Of each place; what is older is left out, so that the memory is bounded. Default 20,000. */
  readonly maxEvents?: number;
}

const DEFAULT_MAX_EVENTS = 20_000;
const DEFAULT_MAX_AGE_MS = 1_000;
const CHUNK = 500;
/** Hardly an event is larger; what is, is not looked into, so nobody is told whose it is. */
const MAX_TEXT_BYTES = 65_536;
const SEARCHED_CHARACTERS = 1_000;

/**
 * What is rejected, kept in mind so that lists, groups and filters of ten thousand cost one question for the keys of all
 * and one for each that is new. Nothing is asked while nobody reads; who reads at once shares the answer.
 */
export function openRejectionOverview(options: RejectionOverviewOptions): RejectionOverview {
  const { pool, queues, failedJobs, maxEvents = DEFAULT_MAX_EVENTS } = options;
  const places = [
    ...queues.map((queue) => jobsOf(queue, failedJobs)),
    // After the queues: what is moved meanwhile is met in the table.
    rowsOf(pool),
  ].map((place) => remember(place, maxEvents));
  const snapshots = shareReading(async (): Promise<RejectionSnapshot> => {
    const takenAtMs = Date.now();
    const found: PlaceContent[] = [];
    for (const read of places) found.push(await read());
    const events = withoutCopies(found.flatMap(({ facts }) => facts)).sort(newestFirst);
    return {
      events: events.slice(0, maxEvents),
      isCut: events.length > maxEvents || found.some(({ isCut }) => isCut),
      takenAtMs,
    };
  });
  return {
    read: ({ maxAgeMs = DEFAULT_MAX_AGE_MS } = {}) => snapshots.read(maxAgeMs),
    expire: snapshots.expire,
  };
}

interface PlaceContent {
  readonly facts: readonly RejectionFacts[];
  readonly isCut: boolean;
}

/** Where rejected events are kept. A key is never that of other content. */
interface RejectionStore {
  /** The keys of the newest. */
  list(limit: number): Promise<readonly string[]>;
  read(keys: readonly string[]): Promise<readonly (readonly [key: string, facts: RejectionFacts])[]>;
}

/** Gives what a place holds at this moment, and reads only what it has not read before. */
function remember({ list, read }: RejectionStore, maxEvents: number): () => Promise<PlaceContent> {
  let known: ReadonlyMap<string, RejectionFacts> = new Map();
  return async () => {
    const listed = await list(maxEvents + 1);
    const kept = listed.slice(0, maxEvents);
    const keptSet = new Set(kept);
    const next = new Map([...known].filter(([key]) => keptSet.has(key)));
    const unknown = kept.filter((key) => !next.has(key));
    for (let start = 0; start < unknown.length; start += CHUNK) {
      for (const [key, facts] of await read(unknown.slice(start, start + CHUNK))) next.set(key, facts);
    }
    known = next;
    return { facts: [...next.values()], isCut: listed.length > maxEvents };
  };
}

function jobsOf(queue: EventQueue, view: FailedJobsView): RejectionStore {
  const keyOf = ({ jobId, failedAtMs }: FailedJobKey) => `${failedAtMs} ${jobId}`;
  const idOf = (key: string) => key.slice(key.indexOf(' ') + 1);
  return {
    list: async (limit) => {
      const listed = view.listFailedJobs(queue.name, limit);
      return (await askQueue(queue, 'listing the rejected events', listed)).map(keyOf);
    },
    read: async (keys) => {
      const asked = view.readFailedJobs(queue.name, keys.map(idOf), MAX_TEXT_BYTES);
      const jobs = await askQueue(queue, 'reading rejected events', asked);
      return jobs.map((job) => {
        const { failedAtMs: rejectedAtMs, deliveries, reason, text } = job;
        const place = { queue: queue.name, jobId: job.jobId, isExported: false };
        return [keyOf(job), toFacts({ ...place, rejectedAtMs, deliveries, reason, text })];
      });
    },
  };
}

function rowsOf(pool: pg.Pool): RejectionStore {
  return {
    list: async (limit) => {
      const { rows } = await pool.query<{ key: string }>(
        `SELECT rejected_event_id AS key FROM takt.rejected_events
         ORDER BY rejected_at DESC, rejected_event_id DESC LIMIT $1`,
        [limit],
      );
      return rows.map(({ key }) => key);
    },
    read: async (keys) => {
      const { rows } = await pool.query<{ key: string; rejectedAt: Date } & Omit<StoredEvent, 'isExported'>>(
        `SELECT rejected_event_id AS key, queue, job_id AS "jobId", rejected_at AS "rejectedAt", deliveries, reason,
           CASE WHEN octet_length(data) <= $2 THEN data ELSE '' END AS text
         FROM takt.rejected_events WHERE rejected_event_id = ANY($1::bigint[])`,
        [keys, MAX_TEXT_BYTES],
      );
      return rows.map(({ key, rejectedAt, ...row }) => [
        key,
        toFacts({ ...row, rejectedAtMs: rejectedAt.getTime(), isExported: true }),
      ]);
    },
  };
}

interface StoredEvent
  extends Pick<RejectionFacts, 'queue' | 'rejectedAtMs' | 'deliveries' | 'reason' | 'isExported'> {
  readonly jobId: string;
  readonly text: string;
}

function toFacts({ text, jobId, ...told }: StoredEvent): RejectionFacts {
  const id = `${told.queue}/${jobId}`;
  return {
    id,
    ...told,
    ...factsOf(text),
    rule: ruleOf(told.reason),
    searched: `${id}\n${told.reason}\n${text.slice(0, SEARCHED_CHARACTERS)}`.toLowerCase(),
  };
}

/** A job that was moved and not yet removed stands in both places, with the same id and the same time. */
function withoutCopies(events: readonly RejectionFacts[]): RejectionFacts[] {
  const inQueues = new Map(events.filter(({ isExported }) => !isExported).map((one) => [one.id, one]));
  return events.filter((one) => {
    const job = one.isExported ? inQueues.get(one.id) : undefined;
    return job === undefined || job.rejectedAtMs !== one.rejectedAtMs || job.searched !== one.searched;
  });
}

function newestFirst(one: RejectionFacts, other: RejectionFacts): number {
  const ofOther = Number.isNaN(other.rejectedAtMs) ? 0 : other.rejectedAtMs;
  const ofOne = Number.isNaN(one.rejectedAtMs) ? 0 : one.rejectedAtMs;
  return ofOther - ofOne || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);
}
