import { randomUUID } from 'node:crypto';
import { inTransaction } from '@takt/database';
import { parseEvent, QUEUE_NAMES } from '@takt/events';
import { askQueue, type EventQueue, isCarriedBy, SINGLE_EVENT_JOB_NAME } from '@takt/events/internal';
import type pg from 'pg';
import { RefusedCorrectionError } from './correct-field.js';
import { companyIn, eventOf } from './event-text.js';
import { RESOLVED_DAYS, type Rejection, WHOLE_COLUMNS } from './list-rejections.js';

/** The fate of a rejected event. A corrected event must follow the contract. A check changes nothing. */
export type Resolution = 'retry' | 'discard' | 'check' | { readonly corrected: object };

/** The person or program that resolves rejected events. */
export interface Resolver {
  /** Name of the person or program. */
  readonly by: string;
  /** Identifies a run. All events that are resolved together have the same run. */
  readonly run?: string;
  /** Records the change in the audit log, in the transaction that commits it. */
  readonly note?: (session: pg.ClientBase) => Promise<void>;
}

/**
 * The outcome for one event. `done`: it is resolved. `gone`: it is not rejected, or no longer. `refused`: its correction
 * would be rejected again.
 */
export type ResolutionOutcome =
  | { readonly id: number; readonly kind: 'done' | 'gone' }
  | { readonly id: number; readonly kind: 'refused'; readonly error: RefusedCorrectionError };

interface Stores {
  readonly pool: pg.Pool;
  readonly queues: readonly EventQueue[];
}

/**
 * Resolves rejected events. `decide` gets each event while nobody else can change it, and may throw a
 * RefusedCorrectionError. Retried and corrected events are published before the rows change, and the rows stay locked
 * meanwhile. A crash in between leaves both: the event is still rejected, and if it is resolved again, its second copy
 * is a duplicate. There is one transaction for each 4 MB of events.
 */
export async function resolveRejections(
  { pool, queues }: Stores,
  ids: readonly number[],
  decide: (rejection: Rejection) => Resolution | undefined,
  { by, run, note }: Resolver,
): Promise<readonly ResolutionOutcome[]> {
  const outcomes = new Map<number, ResolutionOutcome>(ids.map((id) => [id, { id, kind: 'gone' }]));
  for (const { ids: own } of await divide(pool, ids)) {
    await inTransaction(pool, async (session) => {
      await session.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const decided: Decided[] = [];
      for (const rejection of await lockOpen(session, own)) {
        const outcome = attempt(rejection, decide);
        if (outcome.kind === 'decided') {
          decided.push(outcome);
        } else {
          outcomes.set(rejection.id, outcome);
        }
      }
      await publish(queues, decided);
      await settle(session, decided, { by, run: run ?? null });
      if (decided.length > 0) await note?.(session);
      for (const { id } of decided) outcomes.set(id, { id, kind: 'done' });
    });
  }
  return [...outcomes.values()];
}

/** The events of a transaction have at most this size together, unless one alone is larger. */
const MAX_BYTES = 4_000_000;

interface Part {
  readonly ids: number[];
  bytes: number;
}

/** Divides rejections so that the events of a part fit into memory. */
async function divide(pool: pg.Pool, ids: readonly number[]): Promise<readonly Part[]> {
  const { rows } = await pool.query<{ id: number; bytes: number }>(
    `SELECT rejection_id::float8 AS id, octet_length(data) AS bytes FROM takt.rejections
     WHERE rejection_id = ANY ($1::bigint[]) ORDER BY rejection_id`,
    [ids],
  );
  const parts: Part[] = [];
  for (const { id, bytes } of rows) {
    const last = parts.at(-1);
    if (last === undefined || last.bytes + bytes > MAX_BYTES) {
      parts.push({ ids: [id], bytes });
    } else {
      last.ids.push(id);
      last.bytes += bytes;
    }
  }
  return parts;
}

/** A worker that rejects the same event again waits for a change, and a change waits for a worker. */
const LOCK_TIMEOUT_MS = 10_000;

/** Reads open rejections and locks them, in the order in which workers write them. */
async function lockOpen(session: pg.ClientBase, ids: readonly number[]): Promise<readonly Rejection[]> {
  const { rows } = await session.query<Rejection>(
    `SELECT ${WHOLE_COLUMNS} FROM takt.rejections
     WHERE rejection_id = ANY ($1::bigint[]) AND state = 'open'
     ORDER BY company_id, content_sha256 FOR UPDATE`,
    [ids],
  );
  return rows;
}

interface Decided {
  readonly kind: 'decided';
  readonly id: number;
  readonly resolution: Resolution;
  readonly job: PlannedJob | undefined;
}

interface PlannedJob {
  readonly queueName: string;
  readonly name: string;
  readonly data: unknown;
  /**
   * Random: an id derived from the content would let people who may not read all values try out guesses. Never an id
   * that a producer chose, because BullMQ ignores a new job whose id another job has.
   */
  readonly jobId: string;
}

function attempt(
  rejection: Rejection,
  decide: (rejection: Rejection) => Resolution | undefined,
): ResolutionOutcome | Decided {
  const { id } = rejection;
  try {
    const resolution = decide(rejection);
    if (resolution === undefined) return { id, kind: 'gone' };
    return { kind: 'decided', id, resolution, job: jobFor(rejection, resolution) };
  } catch (error) {
    if (!(error instanceof RefusedCorrectionError)) throw error;
    return { id, kind: 'refused', error };
  }
}

function jobFor({ queue, type, data }: Rejection, resolution: Resolution): PlannedJob | undefined {
  if (resolution === 'discard' || resolution === 'check') return undefined;
  const jobId = `retried-${randomUUID()}`;
  if (resolution === 'retry') {
    const name = type !== null && type.length > 0 && type.length <= 255 ? type : SINGLE_EVENT_JOB_NAME;
    const event = eventOf(data);
    return {
      queueName: queue,
      name: Array.isArray(event) ? SINGLE_EVENT_JOB_NAME : name,
      data: event,
      jobId,
    };
  }
  const { corrected } = resolution;
  const result = parseEvent(corrected);
  if (!result.ok) throw new TypeError('only an event of the contract can replace one');
  const queueName = QUEUE_NAMES.find((name) => isCarriedBy(name, result.event)) ?? queue;
  return { queueName, name: result.event.type, data: corrected, jobId };
}

async function publish(queues: readonly EventQueue[], decided: readonly Decided[]): Promise<void> {
  for (const queue of queues) {
    const jobs = decided.flatMap(({ job }) =>
      job?.queueName === queue.name
        ? [{ name: job.name, data: job.data, opts: { ...KEPT_UNTIL_DONE, jobId: job.jobId } }]
        : [],
    );
    if (jobs.length > 0) await askQueue(queue, 'adding jobs', queue.addBulk(jobs));
  }
}

const KEPT_UNTIL_DONE = { attempts: 1, removeOnComplete: true, removeOnFail: false };

/** Changes the rows, and deletes rows that were resolved long ago. */
async function settle(
  session: pg.ClientBase,
  decided: readonly Decided[],
  { by, run }: { readonly by: string; readonly run: string | null },
): Promise<void> {
  const retried = decided.filter(({ resolution }) => resolution === 'retry').map(({ id }) => id);
  if (retried.length > 0) {
    await session.query('DELETE FROM takt.rejections WHERE rejection_id = ANY ($1::bigint[])', [retried]);
  }
  const resolved = decided.filter(({ resolution }) => resolution !== 'retry' && resolution !== 'check');
  if (resolved.length === 0) return;
  await session.query(
    `UPDATE takt.rejections SET state = CASE WHEN added.job_id IS NULL THEN 'discarded' ELSE 'corrected' END,
       resolved_at = now(), resolved_by = $1, run = $2, replacement_queue = added.queue, replacement_job_id = added.job_id
     FROM unnest($3::bigint[], $4::text[], $5::text[]) AS added (id, queue, job_id)
     WHERE rejection_id = added.id`,
    [
      by,
      run,
      resolved.map(({ id }) => id),
      resolved.map(({ job }) => job?.queueName ?? null),
      resolved.map(({ job }) => job?.jobId ?? null),
    ],
  );
  await session.query(
    `DELETE FROM takt.rejections WHERE state <> 'open'
       AND resolved_at < now() - interval '${RESOLVED_DAYS} days'`,
  );
}

/**
 * The result of an undo. `restored`: the event is rejected again. `taken`: a worker has taken the correction, so the
 * correction stays. `gone`: there is nothing to undo, or no longer.
 */
export type UndoOutcome = 'restored' | 'taken' | 'gone';

/** The person or program that undoes a change. By default they may see the events of all companies. */
export interface Undoer extends Pick<Resolver, 'note'> {
  readonly maySee?: (company: string | null) => boolean;
}

/**
 * Opens a resolved rejection again. A correction is removed from its queue; if a worker has taken it, nothing changes.
 * The row is opened before the correction is removed, because a crash in between must leave both rather than neither.
 * On Redis this does not notice a worker that takes and completes the job between the last check of its state and its
 * removal.
 */
export async function undoResolution(
  { pool, queues }: Stores,
  id: number,
  { maySee = () => true, note }: Undoer = {},
): Promise<UndoOutcome> {
  const { rows } = await pool.query<Rejection>(
    `SELECT ${WHOLE_COLUMNS} FROM takt.rejections WHERE rejection_id = $1
       AND state <> 'open' AND resolved_at > now() - interval '${RESOLVED_DAYS} days'`,
    [id],
  );
  const [stored] = rows;
  if (stored === undefined || !maySee(stored.company)) return 'gone';
  const { replacementJobId: jobId } = stored;
  const queue = queues.find(({ name }) => name === stored.replacementQueue);
  if (jobId !== null) {
    if (queue === undefined || !(await isWaiting(queue, jobId))) return 'taken';
    const job = await askQueue(queue, 'reading a job', queue.getJob(jobId));
    if (job !== undefined && !maySee(companyIn(job.data))) return 'gone';
  }
  const opened = await pool.query(
    `UPDATE takt.rejections SET state = 'open', resolved_at = NULL, resolved_by = NULL, run = NULL,
       replacement_queue = NULL, replacement_job_id = NULL
     WHERE rejection_id = $1 AND state = $2`,
    [id, stored.state],
  );
  if (opened.rowCount === 0) return 'gone';
  if (jobId !== null && queue !== undefined && !(await removeWaiting(queue, jobId))) {
    await pool.query(
      `UPDATE takt.rejections SET state = 'corrected', resolved_at = $2, resolved_by = $3, run = $4, replacement_queue = $5,
         replacement_job_id = $6
       WHERE rejection_id = $1 AND state = 'open'`,
      [id, stored.resolvedAt, stored.resolvedBy, stored.run, queue.name, jobId],
    );
    return 'taken';
  }
  if (note !== undefined) await inTransaction(pool, note);
  return 'restored';
}

const WAITING = ['waiting', 'paused', 'delayed', 'prioritized'];

/** Returns true if no worker has taken the job. */
export async function isWaiting(queue: EventQueue, jobId: string): Promise<boolean> {
  return WAITING.includes(await askQueue(queue, 'the state of a job', queue.getJobState(jobId)));
}

/** Removes the job. Returns false if a worker has taken it. */
async function removeWaiting(queue: EventQueue, jobId: string): Promise<boolean> {
  return (
    (await isWaiting(queue, jobId)) && (await askQueue(queue, 'removing a job', queue.remove(jobId))) === 1
  );
}
