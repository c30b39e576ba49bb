import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import {
  type Closeable,
  createLogger,
  type Logger,
  resolveSettings,
  runUntilSignal,
  type Settings,
} from '@takt/run';
import { type QueueTelemetry, startTraces } from '@takt/run/monitoring';
import { type AppName, keptLoginUrl } from './logins.js';
import type { Pooler } from './open-database.js';

export interface AppOptions {
  readonly databaseUrl: string;
  /** A pooler in front of PostgreSQL. */
  readonly pooler?: Pooler | undefined;
  readonly queueUrl: string;
  /** Starts with a log-in that has more rights than the app's role. */
  readonly allowOwner?: boolean;
  /** Worker and intake start with a Redis that may lose acknowledged writes. */
  readonly allowVolatileQueue?: boolean;
  readonly host: string;
  /** Addresses and ranges of proxies whose forwarding headers are trusted. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** For the queues; undefined: no tracing. */
  readonly telemetry?: QueueTelemetry | undefined;
  readonly logger: Logger;
  /** Aborted when the app should end: a start that still waits for database or queue then rejects. */
  readonly stopping?: AbortSignal;
}

interface AppProgram {
  readonly settings: Settings;
  readonly options: Required<AppOptions>;
  /** Call it when the app cannot continue and should be restarted. */
  readonly failed: (reason: Error) => void;
}

/**
 * Runs an app as a program, from the environment's settings to a signal: calls `start` with its options, and closes the
 * result. Tracing starts first. Without DATABASE_URL it leases the embedded server.
 */
export async function runApp(
  app: AppName,
  start: (program: AppProgram) => Promise<Closeable>,
): Promise<void> {
  const settings = resolveSettings(process.env);
  const logger = createLogger({ app, level: settings.logLevel, isTerminal: process.stdout.isTTY });
  await runUntilSignal(async ({ failed, stopping }) => {
    const traces = await startTraces(app, process.env);
    const embedded =
      settings.databaseUrl === undefined ? await leaseEmbeddedServer({ home: settings.home }) : undefined;
    const databaseUrl = settings.databaseUrl ?? (await keptLoginUrl(settings.home, app, embedded?.url ?? ''));
    const { allowOwner, allowVolatileQueue, host, trustedProxies } = settings;
    const started = await start({
      settings,
      options: {
        ...{ databaseUrl, queueUrl: settings.queueUrl ?? databaseUrl, pooler: settings.databasePooler },
        ...{ allowOwner, allowVolatileQueue, host, trustedProxies, logger, stopping },
        telemetry: traces?.telemetry,
      },
      failed,
    });
    return {
      close: async () => {
        await started.close();
        await traces?.close();
        await embedded?.close();
      },
    };
  }, logger);
}
