export { type AppMetrics, createAppMetrics, observeSchema } from './app-metrics.js';
export { type AuditRun, noteAudit, readLastAudit } from './audit-runs.js';
export { type DatabaseSize, readDatabaseSize, type TableSize } from './database-size.js';
export { type EventSource, readEventSources } from './event-sources.js';
export { type ObservedPool, observePool } from './observe-pool.js';
export { type ObservedQueues, observeQueues } from './observe-queues.js';
export { createSharedSpan, type RequestSpan, type SharedSpan, startRequestSpan } from './spans.js';
export { type QueueTelemetry, startTraces, type Traces } from './traces.js';
export { TAKT_VERSION } from './version.js';
export type { QueueProgress, TakenEvent, TakenOutcome } from './worker-progress.js';
export {
  readWorkerReports,
  startWorkerReports,
  type WorkerReport,
  type WorkerReports,
  type WorkerReportsOptions,
} from './worker-reports.js';
