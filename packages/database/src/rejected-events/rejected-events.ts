import { randomUUID } from 'node:crypto';
import { parseEvent, QUEUE_NAMES } from '@takt/events';
import { type EventQueue, isCarriedBy } from '@takt/events/internal';
import type pg from 'pg';
import { inTransaction } from '../in-transaction.js';
import { contentHash, type EventIdentity, eventOf, identityOf } from './event-text.js';
import {
  forgetResolved,
  keepResolved,
  listResolved,
  listRun,
  type ResolvedEvent,
  type ResolvedQuery,
  type Resolver,
  type Undoer,
  type UndoOutcome,
  undo,
} from './resolved-events.js';
import { askQueue, type JobKey, listFailedJobs, readJob, type StoredJob } from './stored-job.js';
import { createTable, type Row, whileNothingMoves } from './table.js';

/** A rejected event. It is stored in its queue or in the table. */
export interface RejectedEvent extends EventIdentity {
  /** Id of the form QUEUE/JOB. Two events have the same id if their producer reused a job id. */
  readonly id: string;
  readonly queue: string;
  /** Time at which the job of the event was added, in ms since 1970; NaN if unknown. */
  readonly addedAtMs: number;
  /** Time of the rejection, in ms since 1970; NaN if unknown. */
  readonly rejectedAtMs: number;
  readonly deliveries: number;
  readonly reason: string;
  /** The event, or an array of events. If the data of the job are not JSON, their text. */
  readonly event: unknown;
  /** True if the event has been moved from its queue to takt.rejected_events. */
  readonly isExported: boolean;
}

/**
 * Presents the rejected events of the queues and of the table as one list. All methods reject if a queue or the
 * database does not answer.
 */
export interface RejectedEvents {
  /**
   * Yields all events that are rejected at the time of the call, in pages. Events in the table come first, oldest
   * first.
   */
  list(): AsyncGenerator<readonly RejectedEvent[]>;
  /** Returns the ids of all rejected events. Each id occurs once. */
  listIds(): Promise<readonly string[]>;
  /** Returns the events with the id. Throws a NotRejectedError if there are none. */
  find(id: string): Promise<readonly RejectedEvent[]>;
  /**
   * Runs `work`, which changes rejected events. Meanwhile workers move no rejected events, and nobody else changes any.
   * Waits for changes that began earlier, at most 30 s.
   */
  changing<Result>(work: () => Promise<Result>): Promise<Result>;
  /**
   * Returns the events with this id to the waiting jobs, as if they had never been delivered. Returns the number of
   * these events.
   */
  retry(id: string, by?: Pick<Resolver, 'note'>): Promise<number>;
  /**
   * Replaces a rejected event by a corrected event in the queue of its type; `undo` can restore the rejected event.
   * `edit` makes the corrected event from the rejected event, and parseEvent must accept the result. Throws a
   * NotRejectedError if there is no event with the id, or if several events have the id.
   */
  correct(id: string, edit: (event: unknown) => unknown, by: Resolver): Promise<void>;
  /** Removes the events with this id and returns their number. `undo` can restore them. */
  discard(id: string, by: Resolver): Promise<number>;
  /** Returns the corrections and discards of the last 30 days, newest first. */
  listResolved(query: ResolvedQuery): Promise<readonly ResolvedEvent[]>;
  /** Yields all corrections and discards of one run, in pages. */
  listRun(run: string): AsyncGenerator<readonly ResolvedEvent[]>;
  /**
   * Restores a corrected or discarded event as a rejected event, unless a worker has already taken the correction.
   * `mayTouch` is called with the company of the event and with the company of the correction. If it returns false, the
   * outcome is `gone`.
   */
  undo(resolvedId: number, by?: Undoer): Promise<UndoOutcome>;
}

const PAGE = 100;

/** Opens the rejected events of these queues, both in the queues and in the database. The result needs no closing. */
export function openRejectedEvents(pool: pg.Pool, queues: readonly EventQueue[]): RejectedEvents {
  const stores: Stores = { pool, table: createTable(pool), queues };
  return {
    list: () => listBoth(stores),
    listIds: async () => {
      const keys = await Promise.all(queues.map((queue) => listFailedJobs(queue)));
      const exported = await stores.table.listIds();
      return [...new Set([...exported, ...keys.flat().map(formatId)])];
    },
    find: async (id) => {
      const { job, rows } = await findPlaces(stores, id);
      return [...rows.map(fromRow), ...(job === undefined ? [] : [fromJob(job)])];
    },
    changing: takeTurns((work) => whileNothingMoves(pool, work)),
    retry: (id, by = {}) => retry(stores, id, by),
    correct: (id, edit, by) => correct(stores, id, edit, by),
    discard: (id, by) => discard(stores, id, by),
    listResolved: (query) => listResolved(pool, query),
    listRun: (run) => listRun(pool, run),
    undo: (resolvedId, by = {}) => undo(stores, resolvedId, by),
  };
}

interface Stores {
  readonly pool: pg.Pool;
  readonly table: ReturnType<typeof createTable>;
  readonly queues: readonly EventQueue[];
}

const MAX_TURN_WAIT_MS = 30_000;

/**
 * Runs one change after the other. Each change that waits for the database's lock holds a connection, so a few of them
 * would leave none to the change that has the lock.
 */
function takeTurns(run: RejectedEvents['changing']): RejectedEvents['changing'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const askedAtMs = performance.now();
    const turn = last.then(() => {
      if (performance.now() - askedAtMs > MAX_TURN_WAIT_MS) throw new Error('other changes take too long');
      return run(work);
    });
    last = turn.catch(() => undefined);
    return turn;
  };
}

async function retry(stores: Stores, id: string, by: Pick<Resolver, 'note'>): Promise<number> {
  const { key, job, copies, rows } = await findPlaces(stores, id);
  if (job !== undefined) await retryJob(job);
  for (const row of rows) {
    await addJob({ queue: key.queue, jobId: newJobId() }, row.jobName, eventOf(row.data));
  }
  await inTransaction(stores.pool, async (session) => {
    await by.note?.(session);
    await stores.table.remove(session, [...copies, ...rows]);
  });
  return rows.length + (job === undefined ? 0 : 1);
}

async function correct(
  stores: Stores,
  id: string,
  edit: (event: unknown) => unknown,
  by: Resolver,
): Promise<void> {
  const { job, copies, rows } = await findPlaces(stores, id);
  const [row, ...others] = rows;
  if (others.length > 0 || (row !== undefined && job !== undefined)) {
    throw new NotRejectedError(id, rows.length + (job === undefined ? 0 : 1));
  }
  const event = edit(eventOf(row?.data ?? job?.text ?? 'null'));
  const { queue, type } = targetOf(event, stores.queues);
  const replacement = { queue, jobId: newJobId() };
  await addJob(replacement, type, event);
  await resolve(stores, { copies, rows, job }, { ...by, replacement });
}

async function discard(stores: Stores, id: string, by: Resolver): Promise<number> {
  const { job, copies, rows } = await findPlaces(stores, id);
  return resolve(stores, { copies, rows, job }, by);
}

/**
 * Keeps rejected events as resolved, and then removes them. Returns their number. The entry of the audit log, the
 * resolved event and the removal from the table are one transaction. A failed job is removed after it, because a crash
 * in between must not lose the event; if its queue does not answer, the event stays rejected.
 */
async function resolve(
  { pool, table }: Stores,
  { copies, rows, job }: Pick<Places, 'copies' | 'rows' | 'job'>,
  by: Resolver & { readonly replacement?: JobKey },
): Promise<number> {
  const kept = await inTransaction(pool, async (session) => {
    await by.note?.(session);
    await table.remove(session, copies);
    const ids = await keepResolved(session, { rows, job }, by);
    await table.remove(session, rows);
    return ids;
  });
  if (job === undefined) return rows.length;
  const removed = await removeJob(job.key).catch(async (error: unknown) => {
    if (rows.length === 0) await forgetResolved(pool, kept);
    throw error;
  });
  return rows.length + removed;
}

interface Places {
  readonly key: JobKey;
  readonly job: StoredJob | undefined;
  /**
   * Rows of the table with the same content as the job. They exist if the worker ended before it could remove the job
   * from its queue.
   */
  readonly copies: readonly Row[];
  /** Rows of the table with other content. They come from other jobs with the same id. */
  readonly rows: readonly Row[];
}

async function findPlaces({ table, queues }: Stores, id: string): Promise<Places> {
  const key = parseId(id, queues);
  const state = await askQueue(key.queue, 'the state of a job', key.queue.getJobState(key.jobId));
  const job = state === 'failed' ? await readJob(key) : undefined;
  const own = job === undefined ? undefined : hashOf(job);
  const found = await table.find(key.queue.name, key.jobId);
  const copies = found.filter(({ contentSha256 }) => own?.equals(contentSha256));
  const rows = found.filter((row) => !copies.includes(row));
  if (job === undefined && rows.length === 0) throw new NotRejectedError(id);
  return { key, job, copies, rows };
}

/**
 * Lists the events of the queues and of the table. The queues are read first: an event that is moved in the meantime is
 * then found in the table, or among the rows that were added since.
 */
async function* listBoth({ table, queues }: Stores): AsyncGenerator<readonly RejectedEvent[]> {
  const keys = (await Promise.all(queues.map((queue) => listFailedJobs(queue)))).flat();
  const newest = await table.newestId();
  for await (const rows of table.list(newest)) yield rows.map(fromRow);
  for (let start = 0; start < keys.length; start += PAGE) {
    const page = keys.slice(start, start + PAGE);
    const jobs = (await Promise.all(page.map(readJob))).filter((job) => job !== undefined);
    const known = await table.findKnown(jobs.map(hashOf), newest);
    yield jobs.filter((job) => !known.has(hashOf(job).toString('hex'))).map(fromJob);
    const found = new Set(jobs.map(({ key }) => key));
    for (const { queue, jobId } of page.filter((key) => !found.has(key))) {
      yield (await table.find(queue.name, jobId, newest)).map(fromRow);
    }
  }
}

async function retryJob({ key: { queue, jobId }, isReadable }: StoredJob): Promise<void> {
  const id = formatId({ queue, jobId });
  if (!isReadable) throw new UnreadableJobError(id);
  const job = await askQueue(queue, 'reading a job', queue.getJob(jobId)).catch((error: unknown) => {
    throw error instanceof SyntaxError ? new UnreadableJobError(id) : error;
  });
  if (job === undefined) throw new NotRejectedError(id);
  const retried = job.retry('failed', { resetAttemptsMade: true, resetAttemptsStarted: true });
  await askQueue(queue, 'retrying a job', retried).catch(async (error: unknown) => {
    // The state is checked, because another change may have been faster.
    const state = await askQueue(queue, 'the state of a job', queue.getJobState(jobId));
    throw state === 'failed' ? error : new NotRejectedError(id);
  });
}

/** Removes the job. Returns 1, or 0 if another change was faster. */
function removeJob({ queue, jobId }: JobKey): Promise<number> {
  return askQueue(queue, 'removing a job', queue.remove(jobId));
}

async function addJob({ queue, jobId }: JobKey, name: string, event: unknown): Promise<void> {
  const options = { jobId, attempts: 1, removeOnComplete: true, removeOnFail: false };
  await askQueue(queue, 'adding a job', queue.add(name, event, options));
}

/**
 * Returns the id of a job that replaces an event. It is random: an id derived from the content would let people who may not
 * read all values try out guesses. A repetition after a crash adds the event again, and the worker then ignores the
 * duplicate.
 */
function newJobId(): string {
  return `retried-${randomUUID()}`;
}

/** Returns the queue for the type of the event. Throws a TypeError if the event does not follow the contract. */
function targetOf(value: unknown, queues: readonly EventQueue[]): { queue: EventQueue; type: string } {
  const result = parseEvent(value);
  const queue = result.ok
    ? queues.find(({ name }) => name === QUEUE_NAMES.find((one) => isCarriedBy(one, result.event)))
    : undefined;
  if (!result.ok || queue === undefined) throw new TypeError('only an event of the contract can replace one');
  return { queue, type: result.event.type };
}

function hashOf({ key, text }: StoredJob): Buffer {
  return contentHash(key.queue.name, key.jobId, text);
}

function fromJob(job: StoredJob): RejectedEvent {
  return {
    id: formatId(job.key),
    queue: job.key.queue.name,
    ...identityOf(job.text),
    addedAtMs: job.addedAtMs,
    rejectedAtMs: job.finishedAtMs,
    deliveries: job.deliveries,
    reason: job.failedReason,
    event: eventOf(job.text),
    isExported: false,
  };
}

function fromRow(row: Row): RejectedEvent {
  return {
    id: `${row.queue}/${row.jobId}`,
    queue: row.queue,
    source: row.eventSource,
    eventId: row.eventId,
    type: row.eventType,
    addedAtMs: row.addedAt?.getTime() ?? Number.NaN,
    rejectedAtMs: row.rejectedAt.getTime(),
    deliveries: row.deliveries,
    reason: row.reason,
    event: eventOf(row.data),
    isExported: true,
  };
}

function formatId({ queue, jobId }: JobKey): string {
  return `${queue.name}/${jobId}`;
}

/** Parses an id that a person has entered. Throws a NotRejectedError if the queue in the id is unknown. */
function parseId(id: string, queues: readonly EventQueue[]): JobKey {
  const slash = id.indexOf('/');
  const queue = queues.find(({ name }) => name === id.slice(0, Math.max(slash, 0)));
  const jobId = id.slice(slash + 1);
  if (queue === undefined || jobId === '') throw new NotRejectedError(id);
  return { queue, jobId };
}

/** Thrown if no rejected event has this id, or if several events have the id although only one is allowed. */
export class NotRejectedError extends Error {
  override readonly name = 'NotRejectedError';

  constructor(id: string, sharedBy = 0) {
    super(
      sharedBy > 1
        ? `${sharedBy} rejected events share the id ${id}, so none of them can be corrected by it: ` +
            'retry or discard them'
        : `${id} is not rejected, or no longer: takt rejected list shows the rejected events`,
    );
  }
}

/** Thrown for a job that BullMQ cannot read, because another client wrote it. */
export class UnreadableJobError extends Error {
  override readonly name = 'UnreadableJobError';

  constructor(id: string) {
    super(`${id} is unreadable, so it cannot be retried: discard it`);
  }
}
