import { createHmac, randomBytes } from 'node:crypto';
import { type EventQueue, type FailedJobKey, type FailedJobsView, ruleOf } from '@takt/events/internal';
import { shareReading } from '@takt/run/waiting';
import type pg from 'pg';
import { type EventIdentity, factsOf } from './event-text.js';
import { askQueue } from './stored-job.js';

/** A rejected event with the values that lists show. */
export interface RejectionFacts extends EventIdentity {
  /** Id of the form QUEUE/JOB. */
  readonly id: string;
  readonly queue: string;
  /** The company in the event. Null if the company is missing or not text, or if the event was not parsed. */
  readonly company: string | null;
  /** Time of the rejection, in ms since 1970; NaN if unknown. */
  readonly rejectedAtMs: number;
  readonly deliveries: number;
  readonly reason: string;
  /** The reason of the rejection without the values of the single event. */
  readonly rule: string;
  readonly isExported: boolean;
  /** The text in which searches look: ids, reason and the start of the data, in lower case. */
  readonly searched: string;
  /** Its place among events of the same millisecond, as text. It tells nothing about the event. */
  readonly order: string;
  /** True if `searched` lacks a part of the event. */
  readonly isCut: boolean;
}

export interface RejectionSnapshot {
  /** The rejected events, newest first. */
  readonly events: readonly RejectionFacts[];
  /** True if older events were left out. */
  readonly isCut: boolean;
  /** Time of the snapshot by the clock of this process, in ms since 1970. */
  readonly takenAtMs: number;
}

export interface RejectionOverview {
  /**
   * Returns the rejected events. The result may be up to `maxAgeMs` old. Rejects if a queue or the database does not
   * answer.
   */
  read(options?: { readonly maxAgeMs?: number }): Promise<RejectionSnapshot>;
  /** Discards the cached events. To be called after a change. */
  expire(): void;
}

export interface RejectionOverviewOptions {
  readonly pool: pg.Pool;
  readonly queues: readonly EventQueue[];
  readonly failedJobs: FailedJobsView;
  /**
   * Maximum number of events from each queue and from the table. Older events are left out to bound the memory. Default
   * 20,000.
   */
  readonly maxEvents?: number;
}

const DEFAULT_MAX_EVENTS = 20_000;
const DEFAULT_MAX_AGE_MS = 1_000;
const CHUNK = 500;
/** Events with more bytes than this are not parsed, so their company is unknown. Such events are rare. */
const MAX_TEXT_BYTES = 65_536;
const SEARCHED_CHARACTERS = 1_000;

/**
 * Caches the rejected events. So lists, groups and filters of ten thousand events need only one query for all keys and
 * one query for the new events. The events are read only on demand, and concurrent readers share the result.
 */
export function openRejectionOverview(options: RejectionOverviewOptions): RejectionOverview {
  const { pool, queues, failedJobs, maxEvents = DEFAULT_MAX_EVENTS } = options;
  const places = [
    ...queues.map((queue) => jobsOf(queue, failedJobs)),
    // The table is read after the queues, so that events which are moved in the meantime are found in the table.
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

/** A place that stores rejected events: a queue or the table. A key identifies an event together with its content. */
interface RejectionStore {
  /** Returns the keys of the newest events. */
  list(limit: number): Promise<readonly string[]>;
  read(keys: readonly string[]): Promise<readonly (readonly [key: string, facts: RejectionFacts])[]>;
}

/**
 * Returns a function that reads the present content of a place. The function reads only the events that are new since
 * its previous call.
 */
function remember({ list, read }: RejectionStore, maxEvents: number): () => Promise<PlaceContent> {
  let known: ReadonlyMap<string, RejectionFacts> = new Map();
  return async () => {
    const listed = await list(maxEvents + 1);
    const newest = listed.slice(0, maxEvents);
    const newestSet = new Set(newest);
    const next = new Map([...known].filter(([key]) => newestSet.has(key)));
    const unknown = newest.filter((key) => !next.has(key));
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
      const reading = view.readFailedJobs(queue.name, keys.map(idOf), MAX_TEXT_BYTES);
      const jobs = await askQueue(queue, 'reading rejected events', reading);
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

function toFacts({ text, jobId, ...stored }: StoredEvent): RejectionFacts {
  const id = `${stored.queue}/${jobId}`;
  return {
    id,
    ...stored,
    ...factsOf(text),
    rule: ruleOf(stored.reason),
    searched: `${id}\n${stored.reason}\n${text.slice(0, SEARCHED_CHARACTERS)}`.toLowerCase(),
    isCut: text === '' || text.length > SEARCHED_CHARACTERS,
    order: orderOf(id),
  };
}

/**
 * Removes copies. A job that has been moved to the table and is not yet removed from its queue is in both places, with
 * the same id and time.
 */
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
  return ofOther - ofOne || (one.order < other.order ? -1 : one.order > other.order ? 1 : 0);
}

/** A key of this process. By the order of ids themselves, which are hashes of events, guesses at hidden values could be tried out. */
const ORDER_KEY = randomBytes(32);

/** Returns the place of an event among those of the same millisecond. */
function orderOf(id: string): string {
  return createHmac('sha256', ORDER_KEY).update(id).digest('base64url');
}
