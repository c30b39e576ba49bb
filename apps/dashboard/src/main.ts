import { keptLoginUrl } from '@takt/database';
import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import { createLogger, resolveSettings, runUntilSignal } from '@takt/run';
import { startDashboard } from './start-dashboard.js';

const settings = resolveSettings(process.env);
const logger = createLogger({ app: 'dashboard', level: settings.logLevel, isTerminal: process.stdout.isTTY });

await runUntilSignal(async ({ stopping }) => {
  const embedded =
    settings.databaseUrl === undefined ? await leaseEmbeddedServer({ home: settings.home }) : undefined;
  const databaseUrl =
    settings.databaseUrl ?? (await keptLoginUrl(settings.home, 'dashboard', embedded?.url ?? ''));
  const dashboard = await startDashboard({
    databaseUrl,
    queueUrl: settings.queueUrl ?? databaseUrl,
    pooler: settings.databasePooler,
    allowOwner: settings.allowOwner,
    host: settings.host,
    port: settings.dashboardPort,
    baseUrl: settings.dashboardUrl,
    trustedProxies: settings.trustedProxies,
    alarms: { rejectedPercent: settings.alarmRejectedPercent },
    webhook:
      settings.alarmWebhookUrl === undefined
        ? undefined
        : { url: settings.alarmWebhookUrl, secret: settings.alarmWebhookSecret },
    logger,
    stopping,
  });
  return {
    close: async () => {
      await dashboard.close();
      await embedded?.close();
    },
  };
}, logger);
