import { runApp } from '@takt/database/app';
import { setMaxAhead } from '@takt/events';
import { startWorker } from './start-worker.js';

await runApp('worker', ({ settings, options, failed }) => {
  setMaxAhead(settings.maxAheadMs);
  return startWorker({
    ...options,
    port: settings.workerPort,
    rejectionLimits: { maxCount: settings.rejectedMaxCount, maxAgeMs: settings.rejectedMaxAgeMs },
    onError: failed,
  });
});
