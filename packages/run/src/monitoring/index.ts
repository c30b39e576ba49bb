export { type AppMetrics, createAppMetrics, observeSchema } from './app-metrics.js';
export { observeAlarms } from './observe-alarms.js';
export { observeQueues } from './observe-queues.js';
export {
  createSharedSpan,
  type QueueTelemetry,
  type SharedSpan,
  startRequestSpan,
  startTraces,
} from './traces.js';
