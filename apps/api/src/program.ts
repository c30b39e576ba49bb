import type { StartApp } from '@takt/database/app';
import { startApi } from './start-api.js';

/** Starts the API with the settings of the environment. */
export const startProgram: StartApp = ({ settings, options }) =>
  startApi({
    ...options,
    replicaUrl: settings.databaseReplicaUrl,
    maxReplicaLagMs: settings.maxReplicaLagMs,
    port: settings.port,
    baseUrl: settings.baseUrl,
    dashboardUrl: settings.dashboardUrl,
    requestsPerMinute: settings.requestsPerMinute,
    keptAnswersBytes: settings.keptAnswersBytes,
  });
