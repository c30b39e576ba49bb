import { keptLoginUrl } from '@takt/database';
import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import { createLogger, resolveSettings, runUntilSignal } from '@takt/run';
import { startTraces } from '@takt/run/monitoring';
import { startApi } from './start-api.js';

const settings = resolveSettings(process.env);
const logger = createLogger({ app: 'api', level: settings.logLevel, isTerminal: process.stdout.isTTY });

await runUntilSignal(async ({ stopping }) => {
  const traces = await startTraces('api', process.env);
  const embedded =
    settings.databaseUrl === undefined ? await leaseEmbeddedServer({ home: settings.home }) : undefined;
  const databaseUrl = settings.databaseUrl ?? (await keptLoginUrl(settings.home, 'api', embedded?.url ?? ''));
  const api = await startApi({
    databaseUrl,
    replicaUrl: settings.databaseReplicaUrl,
    maxReplicaLagMs: settings.maxReplicaLagMs,
    pooler: settings.databasePooler,
    allowOwner: settings.allowOwner,
    host: settings.host,
    port: settings.port,
    baseUrl: settings.baseUrl,
    requestsPerMinute: settings.requestsPerMinute,
    keptAnswersBytes: settings.keptAnswersBytes,
    limits: { maxConnectionsPerAddress: settings.connectionsPerAddress },
    trustedProxies: settings.trustedProxies,
    logger,
    stopping,
  });
  return {
    close: async () => {
      await api.close();
      await traces?.close();
      await embedded?.close();
    },
  };
}, logger);
