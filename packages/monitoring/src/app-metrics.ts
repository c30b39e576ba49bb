import type pg from 'pg';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { TAKT_VERSION } from './version.js';

/** The registry of an app, and what it has in common with those of the others. */
export interface AppMetrics {
  readonly registry: Registry;
  /** Tells from now on, whenever it is asked, how the connections of a pool are used; `name` says what it is for. */
  observePool(name: string, pool: pg.Pool): void;
}

/** A registry with what Node.js tells of the process (event loop, memory, CPU, garbage) and the version of Takt. */
export function createAppMetrics(): AppMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'takt_build_info',
    help: 'Always 1; the label says which version of Takt this is',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: TAKT_VERSION }, 1);
  return { registry, observePool: (name, pool) => observePool(registry, name, pool) };
}

/** Tells from now on, whenever the registry is asked, how the connections of a pool are used. */
export function observePool(registry: Registry, name: string, pool: pg.Pool): void {
  const pools = poolsOf.get(registry) ?? observePools(registry);
  pools.set(name, pool);
}

const poolsOf = new WeakMap<Registry, Map<string, pg.Pool>>();

function observePools(registry: Registry): Map<string, pg.Pool> {
  const pools = new Map<string, pg.Pool>();
  poolsOf.set(registry, pools);
  const registers = [registry];
  new Gauge({
    name: 'takt_pool_connections',
    help: 'Connections of a pool to the database: active are lent, idle are free',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount }] of pools) {
        this.set({ pool, state: 'active' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
      }
    },
  });
  new Gauge({
    name: 'takt_pool_max_connections',
    help: 'Connections that a pool may open',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { options }] of pools) this.set({ pool }, options.max ?? 0);
    },
  });
  new Gauge({
    name: 'takt_pool_waiting',
    help: 'Statements that wait for a connection of a pool',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { waitingCount }] of pools) this.set({ pool }, waitingCount);
    },
  });
  return pools;
}
