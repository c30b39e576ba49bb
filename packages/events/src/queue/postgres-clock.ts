import type { Pool } from 'pg';
import type { QueueDurabilityProblem } from './check-queue-durability.js';
import { closePool, createPool } from './postgres-pool.js';
import type { PostgresAddress } from './queue-url.js';
import { withDeadline } from './with-deadline.js';

/** BullMQ's PostgreSQL backend stamps with the client's clock; beyond this, stalled jobs may never be found. */
const MAX_DIFFERENCE_MS = 2_000;
const SAMPLES = 3;

/** Looks whether PostgreSQL's clock and ours agree. */
export async function checkPostgresClock(
  address: PostgresAddress,
  deadlineMs: number,
  now: () => number,
): Promise<QueueDurabilityProblem[]> {
  // What goes wrong on the connection also rejects the query that is under way.
  const onError = () => undefined;
  const pool = createPool(address, { maxConnections: 1, connectDeadlineMs: deadlineMs, onError });
  try {
    const aheadMs = await withDeadline('asking PostgreSQL for the time', deadlineMs, measure(pool, now));
    return Math.abs(aheadMs) <= MAX_DIFFERENCE_MS ? [] : [toProblem(aheadMs)];
  } finally {
    await closePool(pool, deadlineMs);
  }
}

/** How far the server's clock is ahead of ours, in milliseconds: the sample with the shortest way counts. */
async function measure(pool: Pool, now: () => number): Promise<number> {
  const samples: { roundTripMs: number; aheadMs: number }[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const sentAt = now();
    const { rows } = await pool.query<{ server_ms: string }>(
      'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS server_ms',
    );
    const receivedAt = now();
    const aheadMs = Number(rows[0]?.server_ms) - (sentAt + receivedAt) / 2;
    samples.push({ roundTripMs: receivedAt - sentAt, aheadMs });
  }
  samples.sort((one, other) => one.roundTripMs - other.roundTripMs);
  return samples[0]?.aheadMs ?? Number.NaN;
}

function toProblem(aheadMs: number): QueueDurabilityProblem {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  const got = `${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} PostgreSQL`;
  const message =
    `the clock of this machine is ${got}, so jobs of a worker that died might never be taken up again; ` +
    `let both follow a time server (at most ${MAX_DIFFERENCE_MS / 1_000} s apart)`;
  return { setting: 'clock', got, message };
}
