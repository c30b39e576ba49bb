import { withDeadline } from '@takt/runtime';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { type ObservedPool, observePool } from './observe-pool.js';
import { TAKT_VERSION } from './version.js';

/** Gauges of prom-client that are named like counters, which Prometheus' own linter refuses, and that tell nothing more. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/** The registry of an app, and what it has in common with those of the others. */
export interface AppMetrics {
  readonly registry: Registry;
  observePool(name: string, pool: ObservedPool): void;
}

/** A registry with what Node.js tells of the process (event loop, memory, CPU, garbage) and the version of Takt. */
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

/** Tells from now on, whenever the registry is asked, what `read` gives: the number of the newest migration. */
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
