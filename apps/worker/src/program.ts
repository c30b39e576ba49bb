import type { StartApp } from '@takt/database/app';
import { setMaxAhead } from '@takt/events';
import { startWorker } from './start-worker.js';

/** Starts a worker with the settings of the environment. */
export const startProgram: StartApp = ({ settings, options, failed }) => {
  setMaxAhead(settings.maxAheadMs);
  return startWorker({
    ...options,
    port: settings.workerPort,
    onError: failed,
  });
};
