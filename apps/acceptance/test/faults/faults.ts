import { setTimeout as delay } from 'node:timers/promises';
import { type Random, waitUntil } from '@takt/test-support';
import { Redis } from 'ioredis';
import type pg from 'pg';
import type { QueueStoreKind } from '../support/test-system.js';
import type { FaultySystem } from './system.js';
import { takeAllConnections } from './take-all-connections.js';
import type { WorkerFleet } from './worker-fleet.js';

/** What a fault is inflicted on while events are under way. */
export interface Target extends FaultySystem {
  readonly fleet: WorkerFleet;
  readonly random: Random;
  /** So long after it fell silent, a worker's jobs have been taken up by another. */
  readonly claimMs: number;
}

/** Resolves when the fault is over, with what an operator does about it then. */
type Inflict = (target: Target) => Promise<void | (() => Promise<void>)>;

const LONGEST_DOWN_MS = 2_000;
const SHORTEST_HOLD_MS = 1_000;
const LONGEST_HOLD_MS = 4_000;
const CUT_DEADLINE_MS = 60_000;
/** Within it PostgreSQL notices that a client is gone whose statement waits for a lock. */
const NOTICE_MS = 500;
/** Past the deadlines after which producers and workers try again, some of the time. */
const LONGEST_SILENCE_MS = 7_000;
const HOUR_MS = 3_600_000;
const CLOCK_JUMPS_MS = [30_000, HOUR_MS, 400 * 24 * HOUR_MS].flatMap((ms) => [ms, -ms]);

/** Statements and keys by which a request is known that commits, or that acknowledges a job. */
const COMMIT = 'apply-work-order-operation-events';
const ACKNOWLEDGEMENT = { redis: ':completed', postgres: 'move_to_completed' } as const;

const hold = ({ random }: Target) =>
  delay(SHORTEST_HOLD_MS + random() * (LONGEST_HOLD_MS - SHORTEST_HOLD_MS));

const BLOCK_DEADLINE_MS = 2_000;

/**
 * Keeps everybody from writing figures, so that a batch gets into the ledger but cannot be committed; gives the
 * function that ends that.
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

/** Waits until so many workers have got as far as the lock; not for long, as they may have nothing to commit. */
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

/** Ends all connections to the database of this one but those of the tests; gives how many there were. */
export async function terminateWorkerConnections(connection: pg.Pool | pg.ClientBase): Promise<number> {
  const { rows } = await connection.query<{ terminated: number }>(
    `SELECT count(*) FILTER (WHERE pg_terminate_backend(pid))::integer AS terminated
     FROM pg_stat_activity
     WHERE datname = current_database() AND backend_type = 'client backend'
       AND application_name NOT LIKE 'takt test%'`,
  );
  return rows[0]?.terminated ?? 0;
}

/** Segments of the log that a server keeps for later take no room on the disk. */
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

/** Waits until all workers hold jobs that they cannot commit; gives the function that lets them. */
async function keepFromCommitting(target: Target): Promise<() => Promise<void>> {
  const unlock = await lockFigures(target);
  await waitForBlockedCommits(target, target.fleet.workers.length);
  return unlock;
}

const faults = {
  'kill -9 of a worker': ({ fleet, random }) => fleet.replace(random.pick(fleet.workers)),

  /**
   * On an idle server a commit takes so little time that a kill rarely falls into it. Every other time what the worker
   * has sent is committed after its end, and every other time never.
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

  /** What it has sent is committed meanwhile, and taken in by another once more. */
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

  /** Held up in between, so that it dies with claims in its hands. */
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
   * First the tables cannot grow; then the log needs a segment, and without it the server cannot even start. Where all
   * events went in before it fell, the queue is empty while it starts again, so the round waits for that too.
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
    return () => target.postgres().untilItAnswers();
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

/** All that can happen to workers on such a queue. */
export function faultsOn(queueKind: QueueStoreKind): readonly Fault[] {
  const all = Object.keys(faults) as Fault[];
  return queueKind === 'redis' ? all : all.filter((fault) => !ONLY_ON_REDIS.includes(fault));
}
