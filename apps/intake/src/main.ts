import { keptLoginUrl } from '@takt/database';
import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import { createLogger, resolveSettings, runUntilSignal } from '@takt/run';
import { startTraces } from '@takt/run/monitoring';
import { startIntake } from './start-intake.js';

const settings = resolveSettings(process.env);
const logger = createLogger({ app: 'intake', level: settings.logLevel, isTerminal: process.stdout.isTTY });

await runUntilSignal(async ({ stopping }) => {
  const traces = await startTraces('intake', process.env);
  const embedded =
    settings.databaseUrl === undefined ? await leaseEmbeddedServer({ home: settings.home }) : undefined;
  const databaseUrl =
    settings.databaseUrl ?? (await keptLoginUrl(settings.home, 'intake', embedded?.url ?? ''));
  const intake = await startIntake({
    databaseUrl,
    queueUrl: settings.queueUrl ?? databaseUrl,
    pooler: settings.databasePooler,
    allowOwner: settings.allowOwner,
    allowVolatileQueue: settings.allowVolatileQueue,
    host: settings.host,
    port: settings.intakePort,
    apiUrl: settings.baseUrl,
    requestsPerMinute: settings.requestsPerMinute,
    limits: { maxConnectionsPerAddress: settings.connectionsPerAddress },
    trustedProxies: settings.trustedProxies,
    telemetry: traces?.telemetry,
    logger,
    stopping,
  });
  return {
    close: async () => {
      await intake.close();
      await traces?.close();
      await embedded?.close();
    },
  };
}, logger);
