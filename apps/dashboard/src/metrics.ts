import type { Database } from '@takt/database';
import type { QueueBackend } from '@takt/events';
import { createAppMetrics } from '@takt/monitoring';
import { Counter, Histogram } from 'prom-client';

/** What /metrics tells of the dashboard itself; that of queues and events is the worker's to tell. */
export function createDashboardMetrics(pool: Database['pool'], backend: QueueBackend) {
  const { registry, observePool } = createAppMetrics();
  observePool('database', pool);
  observePool('queue', backend.pools);
  const registers = [registry];
  const requests = new Counter({
    name: 'takt_http_requests_total',
    help: 'Requests that were answered',
    labelNames: ['route', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'takt_http_request_seconds',
    help: 'From the headers of a request to the begin of its answer, in seconds',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5],
    registers,
  });
  return {
    registry,
    onAnswered: ({
      route,
      status,
      ms,
    }: {
      readonly route: string;
      readonly status: number;
      readonly ms: number;
    }) => {
      requests.inc({ route, status });
      seconds.observe({ route }, ms / 1_000);
    },
  };
}
