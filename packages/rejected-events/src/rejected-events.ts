import { createHash } from 'node:crypto';
import { type EventQueue, isCarriedBy, parseEvent, QUEUE_NAMES } from '@takt/events';
import type pg from 'pg';
import { contentHash, type EventIdentity, eventOf, identityOf } from './event-text.js';
import { NotRejectedError, UnreadableJobError } from './rejection-errors.js';
import { askQueue, type JobKey, listFailedJobs, readJob, type StoredJob } from './stored-job.js';
import { createTable, type Row } from './table.js';
import { whileNothingMoves } from './with-rejection-lock.js';

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
  /** Runs changes while no worker moves events from one place to the other. */
  changing<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Puts what has this id back among the waiting jobs, as if it had never been delivered; gives how many. */
  retry(id: string): Promise<number>;
  /**
   * Puts an event that parseEvent takes into the queue of its type, in the place of the rejected one, which is gone
   * then. Throws a NotRejectedError also where several events share the id.
   */
  correct(id: string, event: unknown): Promise<void>;
  /** Removes what has this id for good; gives how many. */
  discard(id: string): Promise<number>;
}

const PAGE = 100;

/** The rejected events of these queues, in them and in the database. Opens nothing that would have to be closed. */
export function openRejectedEvents(pool: pg.Pool, queues: readonly EventQueue[]): RejectedEvents {
  const table = createTable(pool);

  const findPlaces = async (id: string): Promise<Places> => {
    const key = parseId(id, queues);
    const state = await askQueue(key.queue, 'the state of a job', key.queue.getJobState(key.jobId));
    const job = state === 'failed' ? await readJob(key) : undefined;
    const rows = await table.find(key.queue.name, key.jobId);
    const own = job === undefined ? undefined : hashOf(job);
    const copies = rows.filter(({ contentSha256 }) => own?.equals(contentSha256));
    const places = { key, job, copies, rows: rows.filter((row) => !copies.includes(row)) };
    if (job === undefined && places.rows.length === 0) throw new NotRejectedError(id);
    return places;
  };

  return {
    list: () => listBoth(table, queues),
    listIds: async () => {
      const keys = await Promise.all(queues.map((queue) => listFailedJobs(queue)));
      const exported = await table.listIds();
      return [...new Set([...exported, ...keys.flat().map(formatId)])];
    },
    find: async (id) => {
      const { job, rows } = await findPlaces(id);
      return [...rows.map(fromRow), ...(job === undefined ? [] : [fromJob(job)])];
    },
    changing: (work) => whileNothingMoves(pool, work),
    retry: async (id) => {
      const { key, job, copies, rows } = await findPlaces(id);
      if (job !== undefined) await retryJob(job);
      for (const row of rows)
        await addInPlaceOf(key.queue, row.contentSha256, row.jobName, eventOf(row.data));
      await table.remove([...copies, ...rows]);
      return rows.length + (job === undefined ? 0 : 1);
    },
    correct: async (id, event) => {
      const { job, copies, rows } = await findPlaces(id);
      const [contentSha256, ...others] = [
        ...rows.map((row) => row.contentSha256),
        ...(job === undefined ? [] : [hashOf(job)]),
      ];
      if (contentSha256 === undefined || others.length > 0) throw new NotRejectedError(id, others.length + 1);
      const { queue, type } = targetOf(event, queues);
      await addInPlaceOf(queue, contentSha256, type, event);
      await table.remove([...copies, ...rows]);
      if (job !== undefined) await removeJob(job.key);
    },
    discard: async (id) => {
      const { job, copies, rows } = await findPlaces(id);
      await table.remove([...copies, ...rows]);
      const removed = job === undefined ? 0 : await removeJob(job.key);
      return rows.length + removed;
    },
  };
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

/**
 * What is in the queues is asked for first: an event that is moved meanwhile is then met in the table, or not found in
 * its queue any more and looked up among the rows that came since.
 */
async function* listBoth(
  table: ReturnType<typeof createTable>,
  queues: readonly EventQueue[],
): AsyncGenerator<readonly RejectedEvent[]> {
  const keys = (await Promise.all(queues.map((queue) => listFailedJobs(queue)))).flat();
  const newest = await table.newestId();
  for await (const rows of table.list(newest)) yield rows.map(fromRow);
  for (let start = 0; start < keys.length; start += PAGE) {
    const page = keys.slice(start, start + PAGE);
    const jobs = await Promise.all(page.map(readJob));
    const known = await table.findKnown(
      jobs.flatMap((job) => (job === undefined ? [] : [hashOf(job)])),
      newest,
    );
    const events: RejectedEvent[] = [];
    for (const [index, job] of jobs.entries()) {
      const key = page[index];
      if (job !== undefined && !known.has(hashOf(job).toString('hex'))) events.push(fromJob(job));
      if (job === undefined && key !== undefined) {
        events.push(...(await table.find(key.queue.name, key.jobId, newest)).map(fromRow));
      }
    }
    yield events;
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

/**
 * Adds a job under an id that follows from what it replaces and what it holds. Done again after a crash it adds
 * nothing; and it is never taken for a job that stands rejected under the id which a producer gave it.
 */
async function addInPlaceOf(
  queue: EventQueue,
  replaced: Buffer,
  name: string,
  event: unknown,
): Promise<void> {
  const identity = createHash('sha256')
    .update(replaced)
    .update(JSON.stringify(event) ?? '');
  const options = {
    jobId: `retried-${identity.digest('hex').slice(0, 32)}`,
    attempts: 1,
    removeOnComplete: true,
    removeOnFail: false,
  };
  await askQueue(queue, 'adding a job', queue.add(name, event, options));
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
