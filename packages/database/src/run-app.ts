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

/** The options that the settings give every app. */
export interface AppOptions {
  readonly databaseUrl: string;
  /** Stands before PostgreSQL. */
  readonly pooler?: Pooler | undefined;
  readonly queueUrl: string;
  /** Goes on with a log-in that could do more than hold the role of the app. */
  readonly allowOwner?: boolean;
  /** Worker and intake go on with a Redis that may lose acknowledged writes. */
  readonly allowVolatileQueue?: boolean;
  readonly host: string;
  /** Addresses and ranges of proxies that tell the address of a client. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** For the queues; undefined: no traces are sent. */
  readonly telemetry?: QueueTelemetry | undefined;
  readonly logger: Logger;
  /** Aborted when the app is to end: a start that still waits for database or queue then rejects. */
  readonly stopping?: AbortSignal;
}

/** The program of an app, as it starts. */
interface AppProgram {
  readonly settings: Settings;
  readonly options: Required<AppOptions>;
  /** To be called when the app cannot go on and should be ended and started anew. */
  readonly failed: (reason: Error) => void;
}

/**
 * Runs an app as a program, from the environment's settings to a signal: `start` gets its options, and what it gives is
 * closed. Traces start before it. Without DATABASE_URL the embedded server is leased.
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
