import type pg from 'pg';

/** "takt" in ASCII, and one of possible others. */
const LOCK = '1952541556, 2';
const WAIT_MS = 30_000;

/**
 * Runs work while nobody moves rejected events from a queue into the table. Several may at once; who moves them is
 * alone. Without it, an event that is put back among the waiting ones could be removed from there by a move that
 * has just seen it among the rejected. Rejects where the lock is not to be had within 30 s.
 */
export function whileNothingMoves<Result>(pool: pg.Pool, work: () => Promise<Result>): Promise<Result> {
  return withSession(pool, async (session) => {
    await session.query('BEGIN');
    await session.query(`SET LOCAL lock_timeout = ${WAIT_MS}`);
    await session.query(`SELECT pg_advisory_lock_shared(${LOCK})`);
    await session.query('COMMIT');
    return work();
  });
}

/** Runs work that moves rejected events, if nobody else does and nobody changes them; otherwise gives undefined. */
export function tryToMove<Result>(
  pool: pg.Pool,
  work: (session: pg.PoolClient) => Promise<Result>,
): Promise<Result | undefined> {
  return withSession(pool, async (session) => {
    const { rows } = await session.query<{ is_free: boolean }>(
      `SELECT pg_try_advisory_lock(${LOCK}) AS is_free`,
    );
    return rows[0]?.is_free === true ? work(session) : undefined;
  });
}

async function withSession<Result>(
  pool: pg.Pool,
  work: (session: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const session = await pool.connect();
  let mustEnd = true;
  try {
    const result = await work(session);
    await session.query('SELECT pg_advisory_unlock_all()');
    mustEnd = false;
    return result;
  } finally {
    // The lock ends with its session, whatever happened.
    session.release(mustEnd);
  }
}
