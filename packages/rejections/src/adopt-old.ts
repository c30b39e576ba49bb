import { inTransaction } from '@takt/database';
import { askQueue, type EventQueue, listFailedJobs, readJob, type StoredJob } from '@takt/events/internal';
import type pg from 'pg';
import { adoptRejections, type OldRejection } from './record-rejections.js';

const PAGE = 100;

/**
 * Moves the rejected events of programs of 1.0.0 to takt.rejections: those in its two tables. Safe to repeat, also
 * while such programs run: a row is moved in one transaction. Returns the number of moved rows.
 */
export function adoptOldTables(pool: pg.Pool): Promise<number> {
  return adoptTables((work) => inTransaction(pool, work));
}

/** The same for `migrate`, which has one session. */
export async function adoptOldTablesOn(session: pg.ClientBase): Promise<void> {
  await adoptTables(async (work) => {
    await session.query('BEGIN');
    const moved = await work(session);
    await session.query('COMMIT');
    return moved;
  });
}

async function adoptTables(
  transact: (work: (session: pg.ClientBase) => Promise<number>) => Promise<number>,
): Promise<number> {
  let moved = 0;
  for (const table of OLD_TABLES) {
    let page = PAGE;
    while (page === PAGE) {
      page = await transact((session) => adoptPage(session, table));
      moved += page;
    }
  }
  return moved;
}

async function adoptPage(
  session: pg.ClientBase,
  { name, key, columns }: (typeof OLD_TABLES)[number],
): Promise<number> {
  const { rows } = await session.query<OldRow>(
    `DELETE FROM takt.${name} WHERE ${key} IN (SELECT ${key} FROM takt.${name} ORDER BY ${key} LIMIT ${PAGE})
     RETURNING queue, data AS text, reason, rejected_at AS "rejectedAt", deliveries, ${columns}`,
  );
  await adoptRejections(session, rows.map(toOldRejection));
  return rows.length;
}

const OLD_TABLES = [
  { name: 'rejected_events', key: 'rejected_event_id', columns: 'NULL AS as' },
  {
    name: 'resolved_rejections',
    key: 'resolved_rejection_id',
    columns: `resolution AS as, resolved_at AS at, resolved_by AS by, run, replacement_queue AS "replacementQueue",
      replacement_job_id AS "replacementJobId"`,
  },
] as const;

type OldRow = Omit<OldRejection, 'resolved'> &
  ({ readonly as: null } | NonNullable<OldRejection['resolved']>);

function toOldRejection({ queue, text, reason, rejectedAt, deliveries, ...row }: OldRow): OldRejection {
  const old = { queue, text, reason, rejectedAt, deliveries };
  if (row.as === null) return old;
  const { as, at, by, run, replacementQueue, replacementJobId } = row;
  return { ...old, resolved: { as, at, by, run, replacementQueue, replacementJobId } };
}

/** Begins the reason of a job that stays a failed job: it cannot be rejected as an event. */
export const STAYS = 'the job stays in its queue: ';

/** Reasons of jobs that also a worker of 1.0.0 left in the queue because of the job, not of its event. */
const OF_THE_JOB = /^\d+ workers ended while they had the job|^job stalled more than/;

/**
 * Moves the failed jobs of a queue to takt.rejections: those that workers of 1.0.0 made of rejected events. The row is
 * committed before the job is removed, so a crash in between leaves both, and the next call removes the job. Returns
 * the number of moved jobs.
 */
export async function adoptFailedJobs(
  queue: EventQueue,
  pool: pg.Pool,
  signal: AbortSignal,
): Promise<number> {
  let moved = 0;
  let kept = 0;
  while (!signal.aborted) {
    const keys = await listFailedJobs(queue, { start: kept, limit: PAGE });
    if (keys.length === 0) break;
    for (const key of keys) {
      const job = await readJob(key);
      if (job !== undefined && staysFailed(job)) {
        kept += 1;
        continue;
      }
      if (job !== undefined) await inTransaction(pool, (session) => adoptRejections(session, [fromJob(job)]));
      moved += await askQueue(queue, 'removing a job', queue.remove(key.jobId));
    }
  }
  return moved;
}

function staysFailed({ isReadable, failedReason }: StoredJob): boolean {
  return !isReadable || failedReason.startsWith(STAYS) || OF_THE_JOB.test(failedReason);
}

function fromJob({ key, text, failedReason, finishedAtMs, deliveries }: StoredJob): OldRejection {
  const isKnown = finishedAtMs >= 0 && finishedAtMs < YEAR_10000_MS;
  return {
    queue: key.queue.name,
    text,
    reason: failedReason,
    rejectedAt: isKnown ? new Date(finishedAtMs) : null,
    deliveries,
  };
}

const YEAR_10000_MS = 253_402_300_800_000;
