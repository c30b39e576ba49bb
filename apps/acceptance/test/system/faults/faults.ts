import { setTimeout as delay } from 'node:timers/promises';
import { type Random, waitUntil } from '@takt/test-support';
import { Redis } from 'ioredis';
import type pg from 'pg';
import type { QueueStoreKind } from '../../support/test-system.js';
import type { FaultySystem } from './system.js';
import { takeAllConnections } from './take-all-connections.js';
import type { WorkerFleet } from './worker-fleet.js';

/** The system that a fault hits while events are being published and processed. */
export interface Target extends FaultySystem {
  readonly fleet: WorkerFleet;
  readonly random: Random;
  /** Time in ms until another worker has taken the jobs of a worker that does not respond. */
  readonly claimMs: number;
}

/**
 * Causes a fault, and resolves when the fault is over. If an operator would then make a repair, the result is a
 * function that makes this repair.
 */
type Inflict = (target: Target) => Promise<void | (() => Promise<void>)>;

const LONGEST_DOWN_MS = 2_000;
const SHORTEST_HOLD_MS = 1_000;
const LONGEST_HOLD_MS = 4_000;
const CUT_DEADLINE_MS = 60_000;
/** Maximum time in ms until PostgreSQL notices the end of a client whose statement waits for a lock. */
const NOTICE_MS = 500;
/**
 * Longest silence of a server in ms. Producers and workers therefore exceed their deadlines in some silences, and
 * retry.
 */
const LONGEST_SILENCE_MS = 7_000;
const HOUR_MS = 3_600_000;
const CLOCK_JUMPS_MS = [30_000, HOUR_MS, 400 * 24 * HOUR_MS].flatMap((ms) => [ms, -ms]);

/**
 * Texts by which the proxies recognise requests: COMMIT is in the statement that commits, ACKNOWLEDGEMENT in the
 * command that acknowledges a job.
 */
const COMMIT = 'apply-work-order-operation-events';
const ACKNOWLEDGEMENT = { redis: ':completed', postgres: 'move_to_completed' } as const;

const hold = ({ random }: Target) =>
  delay(SHORTEST_HOLD_MS + random() * (LONGEST_HOLD_MS - SHORTEST_HOLD_MS));

const BLOCK_DEADLINE_MS = 2_000;

/**
 * Locks the figures, so that a batch is written to the ledger but cannot be committed. Returns a function that releases
 * the lock.
 */
export async function lockFigures({ pool }: { readonly pool: pg.Pool }): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE takt.product_structure_versions IN EXCLUSIVE MODE');
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

/**
 * Waits until this number of workers wait for the lock. Gives up soon, because some workers may have nothing to commit.
 */
export async function waitForBlockedCommits(
  { pool }: { readonly pool: pg.Pool },
  workers: number,
): Promise<void> {
  await waitUntil(
    'statements wait for the figures',
    async () => {
      const { rows } = await pool.query(
        `SELECT DISTINCT pid FROM pg_locks
         WHERE NOT granted AND relation = 'takt.product_structure_versions'::regclass`,
      );
      return rows.length >= workers;
    },
    BLOCK_DEADLINE_MS,
  ).catch(() => undefined);
}

/**
 * Terminates all connections to the database of `connection` except connections of the tests. Returns the number of
 * terminated connections.
 */
export async function terminateWorkerConnections(connection: pg.Pool | pg.ClientBase): Promise<number> {
  const { rows } = await connection.query<{ terminated: number }>(
    `SELECT count(*) FILTER (WHERE pg_terminate_backend(pid))::integer AS terminated
     FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend'
       AND application_name NOT LIKE 'takt test%'`,
  );
  return rows[0]?.terminated ?? 0;
}

/**
 * Maximum number of WAL switches until the disk must be full. The server first uses its spare segments, which need no
 * new disk space.
 */
const MOST_SPARE_SEGMENTS = 200;

async function takesAnotherSegment(pool: pg.Pool): Promise<boolean> {
  return pool
    .query('SELECT pg_switch_wal()')
    .then(() => pool.query("SELECT pg_logical_emit_message(true, 'takt', 'room')"))
    .then(
      () => true,
      () => false,
    );
}

/**
 * Locks the figures and waits until all workers have jobs that they cannot commit. Returns a function that releases the
 * lock.
 */
async function keepFromCommitting(target: Target): Promise<() => Promise<void>> {
  const unlock = await lockFigures(target);
  await waitForBlockedCommits(target, target.fleet.workers.length);
  return unlock;
}

const faults = {
  'kill -9 of a worker': ({ fleet, random }) => fleet.replace(random.pick(fleet.workers)),

  /**
   * Without the lock, a worker would commit so fast that few kills would interrupt a commit. In half of the cases
   * PostgreSQL notices the end of the worker first, and never commits its statement. Otherwise PostgreSQL commits the
   * statement after the end of the worker.
   */
  'kill -9 of a worker that cannot commit': async (target) => {
    const unlock = await keepFromCommitting(target);
    const restart = await target.fleet.replace(target.random.pick(target.fleet.workers));
    if (target.random() < 0.5) await delay(NOTICE_MS);
    await unlock();
    return restart;
  },

  'worker stopped for longer than a claim': async ({ fleet, random, claimMs }) => {
    const { pid } = random.pick(fleet.workers);
    process.kill(pid, 'SIGSTOP');
    await delay(claimMs);
    process.kill(pid, 'SIGCONT');
  },

  /** The batch is committed while the worker is stopped. Another worker then processes the same batch again. */
  'worker stopped while its batch is committed': async (target) => {
    const { pid } = target.random.pick(target.fleet.workers);
    const unlock = await keepFromCommitting(target);
    process.kill(pid, 'SIGSTOP');
    await unlock();
    await delay(target.claimMs);
    process.kill(pid, 'SIGCONT');
  },

  'kill -9 of PostgreSQL': ({ postgres }) => postgres().crash(),

  'kill -9 of Redis': ({ redis, random }) => redis().crash(random() * LONGEST_DOWN_MS),

  'connections terminated': async ({ pool }) => {
    await terminateWorkerConnections(pool);
  },

  'commit whose answer is lost': ({ toDatabase }) => toDatabase.loseAnswer(COMMIT, CUT_DEADLINE_MS),

  'acknowledgement whose answer is lost': ({ toQueue, queueKind }) =>
    toQueue.loseAnswer(ACKNOWLEDGEMENT[queueKind], CUT_DEADLINE_MS),

  'silence of the database': ({ toDatabase, random }) => toDatabase.swallow(random() * LONGEST_SILENCE_MS),

  'silence of the queue': ({ toQueue, random }) => toQueue.swallow(random() * LONGEST_SILENCE_MS),

  'clock that jumps and comes back': async (target) => {
    const { pid } = target.random.pick(target.fleet.workers);
    await target.clocks.shift(pid, target.random.pick(CLOCK_JUMPS_MS));
    await hold(target);
    await target.clocks.shift(pid, 0);
  },

  /** Blocks commits before the kill, so that the worker still has claims when it dies. */
  'clock that jumps, then kill -9': async (target) => {
    const worker = target.random.pick(target.fleet.workers);
    await target.clocks.shift(worker.pid, target.random.pick(CLOCK_JUMPS_MS));
    await hold(target);
    const unlock = await keepFromCommitting(target);
    const restart = await target.fleet.replace(worker);
    await unlock();
    return restart;
  },

  /**
   * On the full disk, first the tables cannot grow. Then the WAL cannot get another segment, and the server cannot even
   * start: like a process supervisor, the repair starts it again.
   */
  'full disk': async (target) => {
    const free = await target.disk.fill();
    try {
      await hold(target);
      let segments = 0;
      while (await takesAnotherSegment(target.pool)) {
        segments += 1;
        if (segments > MOST_SPARE_SEGMENTS) throw new Error('the disk was not full');
      }
      await hold(target);
    } finally {
      await free();
    }
    return () => target.postgres().start();
  },

  'no connection left': async (target) => {
    const own = await target.pool.connect();
    try {
      const release = await takeAllConnections(target.ownDatabaseUrl, () => terminateWorkerConnections(own));
      await hold(target);
      await release();
    } finally {
      own.release();
    }
  },

  'Redis full': async (target) => {
    const client = new Redis(target.ownQueueUrl);
    try {
      await client.config('SET', 'maxmemory', '1mb');
      await hold(target);
      await client.config('SET', 'maxmemory', '0');
    } finally {
      client.disconnect();
    }
  },
} satisfies Record<string, Inflict>;

export type Fault = keyof typeof faults;

const ONLY_ON_REDIS: readonly Fault[] = ['kill -9 of Redis', 'Redis full'];

export function inflict(fault: Fault, target: Target): ReturnType<Inflict> {
  return faults[fault](target);
}

/** Returns all faults that are possible with a kind of queue. */
export function faultsOn(queueKind: QueueStoreKind): readonly Fault[] {
  const all = Object.keys(faults) as Fault[];
  return queueKind === 'redis' ? all : all.filter((fault) => !ONLY_ON_REDIS.includes(fault));
}
