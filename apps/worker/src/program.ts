import type { StartApp } from '@takt/database/app';
import { setMaxAhead } from '@takt/events';
import { startWorker } from './start-worker.js';

export const startProgram: StartApp = ({ settings, options, failed }) => {
  setMaxAhead(settings.maxAheadMs);
  return startWorker({
    ...options,
    port: settings.workerPort,
    onError: failed,
  });
};
