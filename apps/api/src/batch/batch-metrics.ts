import { Counter, type Registry } from 'prom-client';

/** @param route template of the address's path; empty if the address does not belong to a resource */
export type CountBatched = (route: string, status: number) => void;

/** Creates the metric that counts the addresses inside batches. The HTTP layer counts a whole batch as one request. */
export function createBatchMetrics(registry: Registry): CountBatched {
  const batched = new Counter({
    name: 'takt_batched_requests_total',
    help: 'Answers inside batches, by route template (empty: none matched) and status',
    labelNames: ['route', 'status'],
    registers: [registry],
  });
  return (route, status) => batched.inc({ route, status });
}
