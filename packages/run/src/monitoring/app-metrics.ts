import type pg from 'pg';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withDeadline } from '../index.js';
import { startStatementSpan } from './traces.js';
import { TAKT_VERSION } from './version.js';

/**
 * Gauges of prom-client that are left out, because the linter of Prometheus refuses their names, which end like the
 * names of counters. Other metrics have the same data.
 */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export interface AppMetrics {
  readonly registry: Registry;
  observePool(name: string, pool: ObservedPool): void;
}

/**
 * Creates a registry with the metrics of Node.js (event loop, memory, CPU, garbage collection) and the version of Takt.
 */
export function createAppMetrics(): AppMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  new Gauge({
    name: 'takt_build_info',
    help: 'Always 1; the label says which version of Takt this is',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: TAKT_VERSION }, 1);
  return { registry, observePool: (name, pool) => observePool(registry, name, pool) };
}

const ANSWER_DEADLINE_MS = 2_000;

/**
 * Adds a metric for the version of the schema, which is the number of the newest migration. `read` is called at each
 * scrape to get the version.
 */
export function observeSchema(registry: Registry, read: () => Promise<number>): void {
  new Gauge({
    name: 'takt_schema_version',
    help: 'Number of the newest migration of the database; 0 while it does not say',
    registers: [registry],
    async collect() {
      this.set(await withDeadline(read(), ANSWER_DEADLINE_MS, () => 0).catch(() => 0));
    },
  });
}

/** A single pool, or a function that returns the pools for one purpose. Their number may grow. */
type ObservedPool = pg.Pool | (() => readonly PoolUse[]);

interface PoolUse {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
  readonly options: { readonly max?: number | undefined };
}

/**
 * Adds metrics for the connections of a pool. If it is a single pool, also adds metrics for the duration of its
 * statements. `name` is the purpose of the pool: database, replica, queue. Call this before the pool is used.
 */
function observePool(registry: Registry, name: string, pool: ObservedPool): void {
  const metrics = metricsOf.get(registry) ?? createPoolMetrics(registry);
  if (typeof pool === 'function') {
    metrics.pools.set(name, pool);
    return;
  }
  metrics.pools.set(name, () => [pool]);
  const observe = metrics.statementSeconds.labels({ pool: name });
  pool.on('connect', (client) => timeStatements(client, (seconds) => observe.observe(seconds)));
}

interface PoolMetrics {
  readonly pools: Map<string, () => readonly PoolUse[]>;
  readonly statementSeconds: Histogram<'pool'>;
}

const metricsOf = new WeakMap<Registry, PoolMetrics>();

function createPoolMetrics(registry: Registry): PoolMetrics {
  const pools: PoolMetrics['pools'] = new Map();
  const registers = [registry];
  const sum = (all: readonly PoolUse[], figure: (pool: PoolUse) => number) =>
    all.reduce((total, pool) => total + figure(pool), 0);
  new Gauge({
    name: 'takt_pool_connections',
    help: 'Connections of a pool to the database: active are lent, idle are free',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, list] of pools) {
        const idle = sum(list(), ({ idleCount }) => idleCount);
        this.set({ pool, state: 'active' }, sum(list(), ({ totalCount }) => totalCount) - idle);
        this.set({ pool, state: 'idle' }, idle);
      }
    },
  });
  new Gauge({
    name: 'takt_pool_max_connections',
    help: 'Connections that a pool may open',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, list] of pools)
        this.set(
          { pool },
          sum(list(), ({ options }) => options.max ?? 0),
        );
    },
  });
  new Gauge({
    name: 'takt_pool_waiting',
    help: 'Statements that wait for a connection of a pool',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, list] of pools)
        this.set(
          { pool },
          sum(list(), ({ waitingCount }) => waitingCount),
        );
    },
  });
  const statementSeconds = new Histogram({
    name: 'takt_statement_seconds',
    help: 'Time of a statement from its start to its last row, without the wait for a connection',
    labelNames: ['pool'],
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 20],
    registers,
  });
  const metrics = { pools, statementSeconds };
  metricsOf.set(registry, metrics);
  return metrics;
}

/** Times statements that have a callback or a promise. A stream of rows is not timed. */
function timeStatements(client: pg.PoolClient, observe: (seconds: number) => void): void {
  const { query } = client;
  const timed = (...call: unknown[]): unknown => {
    const startedAtMs = performance.now();
    const span = startStatementSpan(call[0]);
    const ended = () => {
      observe((performance.now() - startedAtMs) / 1_000);
      span?.end();
    };
    const callback = call.at(-1);
    if (typeof callback === 'function') {
      const done = (...answer: unknown[]): unknown => {
        ended();
        return Reflect.apply(callback, undefined, answer);
      };
      return Reflect.apply(query, client, [...call.slice(0, -1), done]);
    }
    const result: unknown = Reflect.apply(query, client, call);
    if (result instanceof Promise) {
      void result.then(ended, ended);
    } else {
      span?.end();
    }
    return result;
  };
  Object.defineProperty(client, 'query', { value: timed, configurable: true });
}
