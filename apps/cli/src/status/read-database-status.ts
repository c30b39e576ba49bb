import type { Database } from '@takt/database';
import { pause } from '@takt/runtime';
import { type FiguresSummary, readFiguresSummary } from '../figures/read-figures-summary.js';

export interface DatabaseStatus extends FiguresSummary {
  /** Operations written a second, measured over `RATE_PERIOD_MS`; duplicates and stale events write none. */
  readonly operationsPerSecond: number;
  /** When figures or master data changed last; null where nothing has, or the server does not keep the time. */
  readonly lastCommitAt: string | null;
  /** False: the server's track_commit_timestamp is off. */
  readonly knowsCommitTimes: boolean;
}

/** Sessions tell the server what they wrote once a second; a shorter look would see all or nothing of it. */
const RATE_PERIOD_MS = 2_000;

export async function readDatabaseStatus(database: Database): Promise<DatabaseStatus> {
  const { pool } = database;
  const before = await countWrittenOperations(pool);
  await pause(RATE_PERIOD_MS);
  const after = await countWrittenOperations(pool);
  const operationsPerSecond = ((after.written - before.written) / (after.atMs - before.atMs)) * 1_000;
  const { rows } = await pool.query<{ is_on: boolean }>(
    `SELECT current_setting('track_commit_timestamp')::boolean AS is_on`,
  );
  const knowsCommitTimes = rows[0]?.is_on === true;
  return {
    ...(await readFiguresSummary(database)),
    // The server's statistics begin anew after a crash.
    operationsPerSecond: Math.max(0, operationsPerSecond),
    lastCommitAt: knowsCommitTimes ? await readLastCommit(pool) : null,
    knowsCommitTimes,
  };
}

/** Rows that were ever written to the ledger, as the server's statistics have it, and when that was read. */
async function countWrittenOperations(pool: Database['pool']) {
  const { rows } = await pool.query<{ written: string; at_ms: string }>(
    `SELECT n_tup_ins + n_tup_upd AS written, extract(epoch FROM clock_timestamp()) * 1000 AS at_ms
     FROM pg_stat_user_tables WHERE relid = 'takt.work_order_operations'::regclass`,
  );
  return { written: Number(rows[0]?.written ?? 0), atMs: Number(rows[0]?.at_ms) };
}

/** The figures' rows know who wrote them last, and there are few of them beside the operations. */
async function readLastCommit(pool: Database['pool']): Promise<string | null> {
  const { rows } = await pool.query<{ at: Date | null }>(
    'SELECT max(pg_xact_commit_timestamp(xmin)) AS at FROM takt.product_structure_versions',
  );
  return rows[0]?.at?.toISOString() ?? null;
}
