import { runApp } from '@takt/database/app';
import { startApi } from './start-api.js';

await runApp('api', ({ settings, options }) =>
  startApi({
    ...options,
    replicaUrl: settings.databaseReplicaUrl,
    maxReplicaLagMs: settings.maxReplicaLagMs,
    port: settings.port,
    baseUrl: settings.baseUrl,
    requestsPerMinute: settings.requestsPerMinute,
    keptAnswersBytes: settings.keptAnswersBytes,
    limits: { maxConnectionsPerAddress: settings.connectionsPerAddress },
  }),
);
