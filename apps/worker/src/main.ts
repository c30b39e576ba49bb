import { runApp } from '@takt/database/app';
import { startWorker } from './start-worker.js';

await runApp('worker', ({ settings, options, failed }) =>
  startWorker({
    ...options,
    port: settings.workerPort,
    rejectionLimits: { maxCount: settings.rejectedMaxCount, maxAgeMs: settings.rejectedMaxAgeMs },
    onError: failed,
  }),
);
