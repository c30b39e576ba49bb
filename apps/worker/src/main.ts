import { keptLoginUrl } from '@takt/database';
import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import { createLogger, resolveSettings, runUntilSignal } from '@takt/run';
import { startTraces } from '@takt/run/monitoring';
import { startWorker } from './start-worker.js';

const settings = resolveSettings(process.env);
const logger = createLogger({ app: 'worker', level: settings.logLevel, isTerminal: process.stdout.isTTY });

await runUntilSignal(async ({ failed, stopping }) => {
  const traces = await startTraces('worker', process.env);
  const embedded =
    settings.databaseUrl === undefined ? await leaseEmbeddedServer({ home: settings.home }) : undefined;
  const databaseUrl =
    settings.databaseUrl ?? (await keptLoginUrl(settings.home, 'worker', embedded?.url ?? ''));
  const worker = await startWorker({
    databaseUrl,
    queueUrl: settings.queueUrl ?? databaseUrl,
    host: settings.host,
    port: settings.workerPort,
    pooler: settings.databasePooler,
    allowOwner: settings.allowOwner,
    allowVolatileQueue: settings.allowVolatileQueue,
    rejectionLimits: { maxCount: settings.rejectedMaxCount, maxAgeMs: settings.rejectedMaxAgeMs },
    logger,
    telemetry: traces?.telemetry,
    onError: failed,
    stopping,
  });
  return {
    close: async () => {
      await worker.close();
      await traces?.close();
      await embedded?.close();
    },
  };
}, logger);
