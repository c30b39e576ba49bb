import type { EventQueue } from '@takt/events/internal';
import type pg from 'pg';
import { inTransaction } from '../in-transaction.js';
import { factsOf } from './event-text.js';
import { EVENT_COLUMNS, JOBS_AS_ROWS, rowsOf } from './job-rows.js';
import { askQueue, type JobKey, readJob, type StoredJob } from './stored-job.js';
import type { Row } from './table.js';

/** Number of days for which resolved events are kept and can be restored. */
export const RESOLVED_DAYS = 30;

/** The person or program that resolves rejected events. */
export interface Resolver {
  /** Name of the person or program. */
  readonly by: string;
  /** Identifies a run. All events that are resolved together have the same run. */
  readonly run?: string;
  /** Records the change of one event in the audit log, in the transaction that commits the change. */
  readonly note?: (session: pg.ClientBase) => Promise<void>;
}

/** A rejected event that was discarded or corrected. */
export interface ResolvedEvent {
  readonly resolvedId: number;
  readonly resolution: 'discarded' | 'corrected';
  readonly resolvedAt: Date;
  readonly by: string;
  readonly run: string | null;
  /** Id of the rejected event, of the form QUEUE/JOB. */
  readonly id: string;
  readonly eventId: string | null;
  readonly source: string | null;
  readonly type: string | null;
  /** Null if the event has no company, or if the event is larger than 64 KB. */
  readonly company: string | null;
  readonly reason: string;
  /** The data of the rejected event; empty if they are larger than 64 KB. */
  readonly data: string;
}

export interface ResolvedQuery {
  readonly limit: number;
  /** Returns only entries that are older than the entry with this id. */
  readonly beforeId?: number;
  /** Returns only entries of this run. */
  readonly run?: string;
}

/**
 * The result of an undo. `restored`: the event is rejected again. `taken`: a worker has taken the correction, so the
 * correction stays. `gone`: the event is not stored, or no longer stored.
 */
export type UndoOutcome = 'restored' | 'taken' | 'gone';

/** Larger data are not listed, because pages of events must fit into memory. Events are rarely larger. */
const MAX_LISTED_BYTES = 65_536;
const RUN_PAGE = 200;
const KEPT = `resolved_at > now() - interval '${RESOLVED_DAYS} days'`;
/** SQL that adds resolved events. It also deletes expired rows. */
const ADD = `WITH old AS (
    DELETE FROM takt.resolved_rejections WHERE resolved_rejection_id IN (
      SELECT resolved_rejection_id FROM takt.resolved_rejections WHERE NOT ${KEPT} LIMIT 1000)
  )
  INSERT INTO takt.resolved_rejections
  (resolution, resolved_by, run, replacement_queue, replacement_job_id, ${EVENT_COLUMNS})`;

/**
 * Stores rejected events, from the table or a queue, that are discarded or replaced. Also deletes expired events.
 * Returns the ids of the stored events.
 */
export async function keepResolved(
  session: pg.ClientBase,
  { rows, job }: { readonly rows: readonly Row[]; readonly job: StoredJob | undefined },
  {
    by,
    run = null,
    replacement,
  }: Omit<Resolver, 'run'> & { readonly run?: string | null; readonly replacement?: JobKey },
): Promise<readonly string[]> {
  const how = [
    ...[replacement === undefined ? 'discarded' : 'corrected', by, run],
    ...[replacement?.queue.name ?? null, replacement?.jobId ?? null],
  ];
  const stored: string[] = [];
  const add = async (text: string, values: readonly unknown[]) => {
    const added = await session.query<{ id: string }>(
      `${ADD} ${text} RETURNING resolved_rejection_id AS id`,
      [...values],
    );
    stored.push(...added.rows.map(({ id }) => id));
  };
  if (rows.length > 0) {
    const ids = rows.map(({ rejectedEventId }) => rejectedEventId);
    await add(
      `SELECT $2, $3, $4, $5, $6, ${EVENT_COLUMNS} FROM takt.rejected_events WHERE rejected_event_id = ANY($1::bigint[])`,
      [ids, ...how],
    );
  }
  // If a job is too large or unreadable, its data are unknown and cannot be stored.
  if (job?.isWhole === true && job.isReadable) {
    await add(`SELECT $13, $14, $15, $16, $17, job.* FROM ${JOBS_AS_ROWS} AS job`, [
      ...rowsOf([job]),
      ...how,
    ]);
  }
  return stored;
}

/** Removes events that were stored by keepResolved, because they stay rejected. */
export async function forgetResolved(pool: pg.Pool, ids: readonly string[]): Promise<void> {
  await pool.query('DELETE FROM takt.resolved_rejections WHERE resolved_rejection_id = ANY($1::bigint[])', [
    ids,
  ]);
}

/** Returns discards and corrections, newest first. */
export async function listResolved(
  pool: pg.Pool,
  { limit, beforeId, run }: ResolvedQuery,
): Promise<readonly ResolvedEvent[]> {
  const { rows } = await pool.query<Omit<ResolvedEvent, 'company'>>(
    `SELECT resolved_rejection_id::float8 AS "resolvedId", resolution, resolved_at AS "resolvedAt", resolved_by AS by, run,
       queue || '/' || job_id AS id, event_id AS "eventId", event_source AS source,
       event_type AS type, reason,
       CASE WHEN octet_length(data) <= ${MAX_LISTED_BYTES} THEN data ELSE '' END AS data
     FROM takt.resolved_rejections
     WHERE ${KEPT} AND resolved_rejection_id < coalesce($2::bigint, resolved_rejection_id + 1) AND run IS NOT DISTINCT FROM coalesce($3, run)
     ORDER BY resolved_rejection_id DESC LIMIT $1`,
    [limit, beforeId ?? null, run ?? null],
  );
  return rows.map((row) => ({ ...row, company: factsOf(row.data).company }));
}

/** Yields all discards and corrections of a run. They come in pages, to bound the memory. */
export async function* listRun(pool: pg.Pool, run: string): AsyncGenerator<readonly ResolvedEvent[]> {
  let page = await listResolved(pool, { limit: RUN_PAGE, run });
  while (page.length > 0) {
    yield page;
    page = await listResolved(pool, { limit: RUN_PAGE, run, beforeId: page.at(-1)?.resolvedId ?? 0 });
  }
}

/** The person or program that undoes a change. By default they may touch the events of all companies. */
export interface Undoer extends Pick<Resolver, 'note'> {
  readonly mayTouch?: (company: string | null) => boolean;
}

interface KeptRow {
  readonly replacementQueue: string | null;
  readonly replacementJobId: string | null;
  /** The rejected event as JSON text. */
  readonly data: string;
}

interface UndoDependencies {
  readonly pool: pg.Pool;
  readonly queues: readonly EventQueue[];
}

/**
 * Restores a rejected event. Call this while nobody else changes rejected events. If the correction is still waiting,
 * it is removed from its queue; if a worker has taken the correction, nothing changes. The event is restored before the
 * correction is removed, because a crash between the two steps must leave both of them rather than neither. On Redis
 * this does not notice a worker that takes and completes the job between the last check of its state and its removal.
 */
export async function undo(
  { pool, queues }: UndoDependencies,
  resolvedId: number,
  { mayTouch = () => true, note }: Undoer,
): Promise<UndoOutcome> {
  const { rows } = await pool.query<KeptRow>(
    `SELECT replacement_queue AS "replacementQueue", replacement_job_id AS "replacementJobId", data
     FROM takt.resolved_rejections WHERE resolved_rejection_id = $1 AND ${KEPT}`,
    [resolvedId],
  );
  const [stored] = rows;
  if (stored === undefined || !mayTouch(factsOf(stored.data).company)) return 'gone';
  const queue = queues.find(({ name }) => name === stored.replacementQueue);
  const jobId = stored.replacementJobId;
  if (jobId === null) return restore(pool, resolvedId, { note });
  const key = queue && { queue, jobId };
  if (key === undefined || !(await isUntaken(key))) return 'taken';
  const correction = await readJob(key);
  if (correction !== undefined && !mayTouch(factsOf(correction.text).company)) return 'gone';
  const takeBack = async () => (await isUntaken(key)) && removeJob(key);
  return restore(pool, resolvedId, { takeBack, note });
}

/** Restores an event. If `takeBack` cannot remove the correction, removes the restored event again. */
async function restore(
  pool: pg.Pool,
  resolvedId: number,
  {
    takeBack = async () => true,
    note,
  }: { readonly takeBack?: () => Promise<boolean>; readonly note: Resolver['note'] },
): Promise<UndoOutcome> {
  const { rows } = await pool.query<{ id: string }>(
    `INSERT INTO takt.rejected_events (${EVENT_COLUMNS})
     SELECT ${EVENT_COLUMNS} FROM takt.resolved_rejections WHERE resolved_rejection_id = $1
     ON CONFLICT DO NOTHING RETURNING rejected_event_id AS id`,
    [resolvedId],
  );
  if (!(await takeBack())) {
    await pool.query('DELETE FROM takt.rejected_events WHERE rejected_event_id = ANY($1::bigint[])', [
      rows.map(({ id }) => id),
    ]);
    return 'taken';
  }
  await inTransaction(pool, async (session) => {
    await note?.(session);
    await session.query('DELETE FROM takt.resolved_rejections WHERE resolved_rejection_id = $1', [
      resolvedId,
    ]);
  });
  return 'restored';
}

const UNTAKEN = ['waiting', 'paused', 'delayed', 'prioritized'];

async function isUntaken({ queue, jobId }: JobKey): Promise<boolean> {
  return UNTAKEN.includes(await askQueue(queue, 'the state of a job', queue.getJobState(jobId)));
}

/** Removes the job. Returns false if a worker has taken the job and holds its lock. */
async function removeJob({ queue, jobId }: JobKey): Promise<boolean> {
  return (await askQueue(queue, 'removing a job', queue.remove(jobId))) === 1;
}
