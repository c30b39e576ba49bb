import type { EventQueue, FailedJobKey, FailedJobsView } from '@takt/events';
import type pg from 'pg';
import { type EventIdentity, factsOf } from './event-text.js';
import { ruleOf } from './rejection-rule.js';
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
    ...queues.map((queue) => rememberJobs(queue, failedJobs, maxEvents)),
    // After the queues: what is moved meanwhile is met in the table.
    rememberRows(pool, maxEvents),
  ];
  let known: RejectionSnapshot | undefined;
  let reading: Promise<RejectionSnapshot> | undefined;
  let changes = 0;

  const readAll = async (): Promise<RejectionSnapshot> => {
    const takenAtMs = Date.now();
    const changesBefore = changes;
    const found: PlaceContent[] = [];
    for (const read of places) found.push(await read());
    const events = withoutCopies(found.flatMap(({ facts }) => facts)).sort(newestFirst);
    const snapshot = {
      events: events.slice(0, maxEvents),
      isCut: events.length > maxEvents || found.some(({ isCut }) => isCut),
      takenAtMs,
    };
    if (changes === changesBefore) known = snapshot;
    return snapshot;
  };
  return {
    read: ({ maxAgeMs = DEFAULT_MAX_AGE_MS } = {}) => {
      const ageMs = known === undefined ? Number.POSITIVE_INFINITY : Date.now() - known.takenAtMs;
      if (known !== undefined && ageMs >= 0 && ageMs < maxAgeMs) return Promise.resolve(known);
      if (reading !== undefined) return reading;
      const own = readAll().finally(() => {
        if (reading === own) reading = undefined;
      });
      reading = own;
      return own;
    },
    expire: () => {
      changes += 1;
      known = undefined;
      // One that is under way may not show what was changed.
      reading = undefined;
    },
  };
}

interface PlaceContent {
  readonly facts: readonly RejectionFacts[];
  readonly isCut: boolean;
}

/** Gives what a place holds at this moment, and reads only what it has not read before. */
type ReadPlace = () => Promise<PlaceContent>;

function rememberJobs(queue: EventQueue, view: FailedJobsView, maxEvents: number): ReadPlace {
  let known = new Map<string, RejectionFacts>();
  return async () => {
    const listed = view.listFailedJobs(queue.name, maxEvents + 1);
    const keys = await askQueue(queue, 'listing the rejected events', listed);
    const kept = keys.slice(0, maxEvents);
    const next = new Map<string, RejectionFacts>();
    const unknown: string[] = [];
    for (const key of kept) {
      const facts = known.get(keyOf(key));
      if (facts === undefined) {
        unknown.push(key.jobId);
      } else {
        next.set(keyOf(key), facts);
      }
    }
    for (const jobIds of chunksOf(unknown)) {
      const asked = view.readFailedJobs(queue.name, jobIds, MAX_TEXT_BYTES);
      for (const job of await askQueue(queue, 'reading rejected events', asked)) {
        next.set(
          keyOf(job),
          toFacts({
            id: `${queue.name}/${job.jobId}`,
            queue: queue.name,
            rejectedAtMs: job.failedAtMs,
            deliveries: job.deliveries,
            reason: job.reason,
            text: job.text,
            isExported: false,
          }),
        );
      }
    }
    known = next;
    return { facts: [...next.values()], isCut: keys.length > maxEvents };
  };
}

function keyOf({ jobId, failedAtMs }: FailedJobKey): string {
  return `${failedAtMs} ${jobId}`;
}

interface TableRow {
  readonly row_id: string;
  readonly queue: string;
  readonly job_id: string;
  readonly rejected_at: Date;
  readonly deliveries: number;
  readonly reason: string;
  readonly text: string;
}

function rememberRows(pool: pg.Pool, maxEvents: number): ReadPlace {
  let known = new Map<string, RejectionFacts>();
  return async () => {
    const { rows: listed } = await pool.query<{ row_id: string }>(
      `SELECT rejected_event_id AS row_id FROM takt.rejected_events
       ORDER BY rejected_at DESC, rejected_event_id DESC LIMIT $1`,
      [maxEvents + 1],
    );
    const next = new Map<string, RejectionFacts>();
    const unknown: string[] = [];
    for (const { row_id } of listed.slice(0, maxEvents)) {
      const facts = known.get(row_id);
      if (facts === undefined) {
        unknown.push(row_id);
      } else {
        next.set(row_id, facts);
      }
    }
    for (const rowIds of chunksOf(unknown)) {
      const { rows } = await pool.query<TableRow>(
        `SELECT rejected_event_id AS row_id, queue, job_id, rejected_at, deliveries, reason,
           CASE WHEN octet_length(data) <= $2 THEN data ELSE '' END AS text
         FROM takt.rejected_events WHERE rejected_event_id = ANY($1::bigint[])`,
        [rowIds, MAX_TEXT_BYTES],
      );
      for (const row of rows) {
        const { queue, deliveries, reason, text } = row;
        const id = `${queue}/${row.job_id}`;
        const rejectedAtMs = row.rejected_at.getTime();
        next.set(
          row.row_id,
          toFacts({ id, queue, rejectedAtMs, deliveries, reason, text, isExported: true }),
        );
      }
    }
    known = next;
    return { facts: [...next.values()], isCut: listed.length > maxEvents };
  };
}

function toFacts({
  text,
  ...facts
}: Pick<RejectionFacts, 'id' | 'queue' | 'rejectedAtMs' | 'deliveries' | 'reason' | 'isExported'> & {
  readonly text: string;
}): RejectionFacts {
  return {
    ...facts,
    ...factsOf(text),
    rule: ruleOf(facts.reason),
    searched: `${facts.id}\n${facts.reason}\n${text.slice(0, SEARCHED_CHARACTERS)}`.toLowerCase(),
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

function* chunksOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += CHUNK) yield items.slice(start, start + CHUNK);
}
