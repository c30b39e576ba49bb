import type pg from 'pg';
import { inTransaction } from '../in-transaction.js';

export interface Row {
  /** A bigint column, which the driver returns as text. */
  readonly rejectedEventId: string;
  readonly contentSha256: Buffer;
  readonly queue: string;
  readonly jobId: string;
  readonly jobName: string;
  readonly eventSource: string | null;
  readonly eventId: string | null;
  readonly eventType: string | null;
  readonly reason: string;
  readonly deliveries: number;
  readonly data: string;
  readonly addedAt: Date | null;
  readonly rejectedAt: Date;
}

interface ListedRow extends Row {
  readonly listedAt: string;
}

const COLUMNS = `
  rejected_event_id AS "rejectedEventId", content_sha256 AS "contentSha256", queue, job_id AS "jobId",
  job_name AS "jobName", event_source AS "eventSource", event_id AS "eventId", event_type AS "eventType", reason,
  deliveries, data, added_at AS "addedAt", rejected_at AS "rejectedAt"`;
const PAGE = 50;

/** Queries takt.rejected_events and deletes rows from it. Only the worker inserts rows (export-rejected.ts). */
export function createTable(pool: pg.Pool) {
  return {
    /** Yields the rows with ids up to `upToId`, in pages, oldest rejection first. */
    async *list(upToId: string): AsyncGenerator<readonly Row[]> {
      // The time is kept as text, because a Date has no microseconds and the last row would be read again.
      let [lastAt, lastId]: readonly [string, string] = ['-infinity', '0'];
      for (;;) {
        const { rows }: pg.QueryResult<ListedRow> = await pool.query<ListedRow>(
          `SELECT ${COLUMNS}, rejected_at::text AS "listedAt" FROM takt.rejected_events
           WHERE rejected_event_id <= $1 AND (rejected_at, rejected_event_id) > ($2::timestamptz, $3)
           ORDER BY rejected_at, rejected_event_id LIMIT ${PAGE}`,
          [upToId, lastAt, lastId],
        );
        const last = rows.at(-1);
        if (last === undefined) return;
        yield rows;
        [lastAt, lastId] = [last.listedAt, last.rejectedEventId];
      }
    },
    async listIds(): Promise<readonly string[]> {
      const { rows } = await pool.query<{ id: string }>(
        `SELECT queue || '/' || job_id AS id FROM takt.rejected_events ORDER BY rejected_at, rejected_event_id`,
      );
      return rows.map(({ id }) => id);
    },
    /** Returns the highest id. Moves of events are serialised, so rows that are added later have higher ids. */
    async newestId(): Promise<string> {
      const { rows } = await pool.query<{ id: string }>(
        'SELECT coalesce(max(rejected_event_id), 0) AS id FROM takt.rejected_events',
      );
      return rows[0]?.id ?? '0';
    },
    /** Returns the rows of a job whose ids are above `afterId`. */
    async find(queue: string, jobId: string, afterId = '0'): Promise<readonly Row[]> {
      const { rows } = await pool.query<Row>(
        `SELECT ${COLUMNS} FROM takt.rejected_events
         WHERE job_id = $2 AND queue = $1 AND rejected_event_id > $3 ORDER BY rejected_event_id`,
        [queue, jobId, afterId],
      );
      return rows;
    },
    /** Returns which of the contents have a row with an id up to `upToId`. The contents are returned in hexadecimal. */
    async findKnown(contents: readonly Buffer[], upToId: string): Promise<ReadonlySet<string>> {
      const { rows } = await pool.query<{ content: string }>(
        `SELECT encode(content_sha256, 'hex') AS content FROM takt.rejected_events
         WHERE content_sha256 = ANY($1::bytea[]) AND rejected_event_id <= $2`,
        [contents, upToId],
      );
      return new Set(rows.map(({ content }) => content));
    },
    async remove(session: pg.ClientBase, rows: readonly Row[]): Promise<void> {
      if (rows.length === 0) return;
      await session.query('DELETE FROM takt.rejected_events WHERE rejected_event_id = ANY($1::bigint[])', [
        rows.map(({ rejectedEventId }) => rejectedEventId),
      ]);
    },
  };
}

/** The two keys of the advisory lock: "takt" in ASCII, and a number for this purpose. */
const LOCK = '1952541556, 2';
const CHANGES = '1952541556, 3';
const WAIT_MS = 30_000;

/**
 * Runs work while no rejected events are moved from a queue into the table and nobody else changes rejected events.
 * Without this lock, two concurrent corrections would send an event twice, and a move could remove an event that has
 * just been returned to the waiting jobs. Rejects if the lock is not available within `waitMs`, default 30,000.
 */
export function whileNothingMoves<Result>(
  pool: pg.Pool,
  work: () => Promise<Result>,
  waitMs = WAIT_MS,
): Promise<Result> {
  return inTransaction(pool, async (session) => {
    await session.query(`SET LOCAL lock_timeout = ${waitMs}`);
    await session.query(`SELECT pg_advisory_xact_lock_shared(${LOCK}), pg_advisory_xact_lock(${CHANGES})`);
    return work();
  });
}

/**
 * Runs work that moves rejected events. If somebody else is moving or changing rejected events, returns undefined and
 * does not run the work.
 * @param work receives the transaction that holds the lock, and commits its changes on other connections
 */
export function tryToMove<Result>(
  pool: pg.Pool,
  work: (session: pg.PoolClient) => Promise<Result>,
): Promise<Result | undefined> {
  return inTransaction(pool, async (session) => {
    const { rows } = await session.query<{ is_free: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${LOCK}) AS is_free`,
    );
    return rows[0]?.is_free === true ? work(session) : undefined;
  });
}
