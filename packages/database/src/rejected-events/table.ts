import type pg from 'pg';

export interface Row {
  /** bigint arrives as text. */
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

/** Queries takt.rejected_events and deletes from it; only the worker inserts (export-rejected.ts). */
export function createTable(pool: pg.Pool) {
  return {
    /** The rows up to an id, by pages, oldest rejection first. */
    async *list(upToId: string): AsyncGenerator<readonly Row[]> {
      // Time as text, because a Date has no microseconds, so that the last row would be read again.
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
    /** The highest id. Moves are serialised, so later rows have higher ids. */
    async newestId(): Promise<string> {
      const { rows } = await pool.query<{ id: string }>(
        'SELECT coalesce(max(rejected_event_id), 0) AS id FROM takt.rejected_events',
      );
      return rows[0]?.id ?? '0';
    },
    /** The rows of a job with ids above `afterId`. */
    async find(queue: string, jobId: string, afterId = '0'): Promise<readonly Row[]> {
      const { rows } = await pool.query<Row>(
        `SELECT ${COLUMNS} FROM takt.rejected_events
         WHERE job_id = $2 AND queue = $1 AND rejected_event_id > $3 ORDER BY rejected_event_id`,
        [queue, jobId, afterId],
      );
      return rows;
    },
    /** Returns those contents that have a row with an id up to `upToId`; hexadecimal. */
    async findKnown(contents: readonly Buffer[], upToId: string): Promise<ReadonlySet<string>> {
      const { rows } = await pool.query<{ content: string }>(
        `SELECT encode(content_sha256, 'hex') AS content FROM takt.rejected_events
         WHERE content_sha256 = ANY($1::bytea[]) AND rejected_event_id <= $2`,
        [contents, upToId],
      );
      return new Set(rows.map(({ content }) => content));
    },
    async remove(rows: readonly Row[]): Promise<void> {
      if (rows.length === 0) return;
      await pool.query('DELETE FROM takt.rejected_events WHERE rejected_event_id = ANY($1::bigint[])', [
        rows.map(({ rejectedEventId }) => rejectedEventId),
      ]);
    },
  };
}

/** "takt" in ASCII, and a number for this lock. */
const LOCK = '1952541556, 2';
const CHANGES = '1952541556, 3';
const WAIT_MS = 30_000;

/**
 * Runs work while no rejected events move from a queue into the table and nobody else changes any. Otherwise two
 * concurrent corrections would send an event twice, and a move could remove an event that has just been returned to the
 * waiting ones. Rejects if the lock is not available within `waitMs`, default 30,000.
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
 * Runs work that moves rejected events. Returns undefined without running it if somebody else moves or changes some.
 * @param work receives the transaction with the lock, and commits on other connections
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

/**
 * Takes a lock for a transaction rather than a session, because a pooler keeps only a transaction in one session. The
 * transaction has no idle timeout, because it is idle while the work waits for queues.
 */
async function inTransaction<Result>(
  pool: pg.Pool,
  work: (session: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const session = await pool.connect();
  let mustEnd = true;
  try {
    await session.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0');
    const result = await work(session);
    await session.query('COMMIT');
    mustEnd = false;
    return result;
  } finally {
    // The lock ends with its session in any case.
    session.release(mustEnd);
  }
}
