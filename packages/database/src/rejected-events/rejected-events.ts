import { createHash } from 'node:crypto';
import { type EventQueue, isCarriedBy, parseEvent, QUEUE_NAMES } from '@takt/events';
import type pg from 'pg';
import { contentHash, type EventIdentity, eventOf, identityOf } from './event-text.js';
import {
  keepResolved,
  listResolved,
  listRun,
  type ResolvedEvent,
  type ResolvedQuery,
  type Resolver,
  type UndoOutcome,
  undo,
} from './resolved-events.js';
import { askQueue, type JobKey, listFailedJobs, readJob, type StoredJob } from './stored-job.js';
import { createTable, type Row, whileNothingMoves } from './table.js';

/** An event that was rejected, wherever it is kept. */
export interface RejectedEvent extends EventIdentity {
  /** QUEUE/JOB. Two events share it where their producer used a job id twice. */
  readonly id: string;
  readonly queue: string;
  /** When its job was added, in ms since 1970; NaN where that is not known. */
  readonly addedAtMs: number;
  /** In ms since 1970; NaN where that is not known. */
  readonly rejectedAtMs: number;
  readonly deliveries: number;
  readonly reason: string;
  /** The event, or events; text where the job's data are no JSON. */
  readonly event: unknown;
  /** It has left its queue and stands in takt.rejected_events. */
  readonly isExported: boolean;
}

/** Both places of rejected events as one list. Everything rejects where queue or database do not answer. */
export interface RejectedEvents {
  /** All that are rejected when it is called, page by page: those in the table first, each place the oldest first. */
  list(): AsyncGenerator<readonly RejectedEvent[]>;
  /** Their ids, each once. */
  listIds(): Promise<readonly string[]>;
  /** Those with an id; throws a NotRejectedError where there is none. */
  find(id: string): Promise<readonly RejectedEvent[]>;
  /** Runs changes while no worker moves events from one place to the other, and nobody else changes any. */
  changing<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Puts what has this id back among the waiting jobs, as if it had never been delivered; gives how many. */
  retry(id: string): Promise<number>;
  /**
   * Puts an event into the queue of its type, in the place of the rejected one, which `undo` can bring back. `edit` makes it of the
   * rejected one; parseEvent must take it. Throws a NotRejectedError also where several events share the id.
   */
  correct(id: string, edit: (event: unknown) => unknown, by: Resolver): Promise<void>;
  /** Removes what has this id; gives how many. `undo` can bring them back. */
  discard(id: string, by: Resolver): Promise<number>;
  /** Corrections and discards of the last 30 days, the newest first. */
  listResolved(query: ResolvedQuery): Promise<readonly ResolvedEvent[]>;
  /** The same of one run, all of it, page by page. */
  listRun(run: string): AsyncGenerator<readonly ResolvedEvent[]>;
  /**
   * Makes what was corrected or discarded rejected again, where nobody has taken the correction. `mayTouch` is asked of the
   * company of the event, and of that of its correction; where it says no, the outcome is `gone`.
   */
  undo(resolvedId: number, mayTouch?: (company: string | null) => boolean): Promise<UndoOutcome>;
}

const PAGE = 100;

/** The rejected events of these queues, in them and in the database. Opens nothing that would have to be closed. */
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
    changing: (work) => whileNothingMoves(pool, work),
    retry: (id) => retry(stores, id),
    correct: (id, edit, by) => correct(stores, id, edit, by),
    discard: (id, by) => discard(stores, id, by),
    listResolved: (query) => listResolved(pool, query),
    listRun: (run) => listRun(pool, run),
    undo: (resolvedId, mayTouch = () => true) => undo(stores, resolvedId, mayTouch),
  };
}

interface Stores {
  readonly pool: pg.Pool;
  readonly table: ReturnType<typeof createTable>;
  readonly queues: readonly EventQueue[];
}

async function retry(stores: Stores, id: string): Promise<number> {
  const { key, job, copies, rows } = await findPlaces(stores, id);
  if (job !== undefined) await retryJob(job);
  for (const row of rows) await addInPlaceOf(key.queue, row.contentSha256, row.jobName, eventOf(row.data));
  await stores.table.remove([...copies, ...rows]);
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
  const replaced = row?.contentSha256 ?? (job && hashOf(job));
  if (replaced === undefined) throw new NotRejectedError(id);
  const event = edit(eventOf(row?.data ?? job?.text ?? 'null'));
  const { queue, type } = targetOf(event, stores.queues);
  const replacement = { queue, jobId: idInPlaceOf(replaced, event) };
  const forget = await keepResolved(stores.pool, { rows, job }, { ...by, replacement });
  await addInPlaceOf(queue, replaced, type, event).catch(async (error: unknown) => {
    await forget();
    throw error;
  });
  await stores.table.remove([...copies, ...rows]);
  if (job !== undefined) await removeJob(job.key);
}

async function discard(stores: Stores, id: string, by: Resolver): Promise<number> {
  const { job, copies, rows } = await findPlaces(stores, id);
  await keepResolved(stores.pool, { rows, job }, by);
  await stores.table.remove([...copies, ...rows]);
  return rows.length + (job === undefined ? 0 : await removeJob(job.key));
}

/** Where what has one id is kept. */
interface Places {
  readonly key: JobKey;
  readonly job: StoredJob | undefined;
  /** Rows of that very job, which was not removed from its queue because the worker ended before it could. */
  readonly copies: readonly Row[];
  /** Rows of others. */
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
 * What is in the queues is asked for first: an event that is moved meanwhile is then met in the table, or not found in
 * its queue any more and looked up among the rows that came since.
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
    // Somebody else may have been faster.
    const state = await askQueue(queue, 'the state of a job', queue.getJobState(jobId));
    throw state === 'failed' ? error : new NotRejectedError(id);
  });
}

/** Gives 1, or 0 where somebody was faster. */
function removeJob({ queue, jobId }: JobKey): Promise<number> {
  return askQueue(queue, 'removing a job', queue.remove(jobId));
}

async function addInPlaceOf(
  queue: EventQueue,
  replaced: Buffer,
  name: string,
  event: unknown,
): Promise<void> {
  const options = {
    jobId: idInPlaceOf(replaced, event),
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: false,
  };
  await askQueue(queue, 'adding a job', queue.add(name, event, options));
}

/**
 * The id of a job follows from what it replaces and what it holds. Added again after a crash it adds nothing; and it is never taken
 * for a job that stands rejected under the id which a producer gave it.
 */
function idInPlaceOf(replaced: Buffer, event: unknown): string {
  const identity = createHash('sha256')
    .update(replaced)
    .update(JSON.stringify(event) ?? '');
  return `retried-${identity.digest('hex').slice(0, 32)}`;
}

/** The queue that carries the event's type. Throws a TypeError for what is no event of the contract. */
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

/** Reads an id that was pasted back. Throws a NotRejectedError where it names no queue. */
function parseId(id: string, queues: readonly EventQueue[]): JobKey {
  const slash = id.indexOf('/');
  const queue = queues.find(({ name }) => name === id.slice(0, Math.max(slash, 0)));
  const jobId = id.slice(slash + 1);
  if (queue === undefined || jobId === '') throw new NotRejectedError(id);
  return { queue, jobId };
}

/** An id under which nothing is rejected, or no longer; or more than one event where only one can be meant. */
export class NotRejectedError extends Error {
  override readonly name = 'NotRejectedError';

  constructor(id: string, sharedBy = 0) {
    super(
      sharedBy > 1
        ? `${sharedBy} rejected events share the id ${id}, so none of them can be corrected by it: ` +
            'retry or discard them'
        : `${id} is not rejected, or no longer: takt rejected list shows what is`,
    );
  }
}

/** Another client wrote a job that BullMQ cannot read. */
export class UnreadableJobError extends Error {
  override readonly name = 'UnreadableJobError';

  constructor(id: string) {
    super(`${id} cannot be read and so not be retried: discard it`);
  }
}
