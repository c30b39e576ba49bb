import { Counter, type Registry } from 'prom-client';

/** @param route template of its path; empty where the address is no resource */
export type CountBatched = (route: string, status: number) => void;

/** The HTTP layer sees a batch as one request: what is inside of it is counted here. */
export function createBatchMetrics(registry: Registry): CountBatched {
  const batched = new Counter({
    name: 'takt_batched_requests_total',
    help: 'Answers inside of batches, by template of the route (empty: none matched) and status',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  return (route, status) => batched.inc({ route, status });
}
