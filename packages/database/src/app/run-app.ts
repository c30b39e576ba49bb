import { openEmbeddedServer } from '@takt/embedded-postgres';
import {
  type Closeable,
  createLogger,
  type Logger,
  resolveSettings,
  runUntilSignal,
  type Settings,
} from '@takt/run';
import { type QueueTelemetry, startTraces } from '@takt/run/monitoring';
import { type AppName, keptLoginUrl } from '../logins.js';
import type { Pooler } from '../open-database.js';

export interface AppOptions {
  readonly databaseUrl: string;
  /** The kind of pooler in front of PostgreSQL. */
  readonly pooler?: Pooler | undefined;
  readonly queueUrl: string;
  /** If true, the app also starts with a log-in that has more rights than the role of the app. */
  readonly allowOwner?: boolean;
  /** If true, worker and intake also start with a Redis that may lose acknowledged writes. */
  readonly allowVolatileQueue?: boolean;
  readonly host: string;
  /** Addresses and address ranges of the proxies whose forwarding headers are trusted. Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Traces the jobs of the queues. Undefined if nothing is traced. */
  readonly telemetry?: QueueTelemetry | undefined;
  readonly logger: Logger;
  /** Aborted when the app should end. A start that still waits for the database or a queue then rejects. */
  readonly stopping?: AbortSignal;
}

/** Starts an app with the settings of the environment. Each app has one as `startProgram` in program.ts. */
export type StartApp = (program: AppProgram) => Promise<Closeable>;

interface AppProgram {
  readonly settings: Settings;
  readonly options: Required<AppOptions>;
  /** To be called when the app cannot continue and should be restarted. */
  readonly failed: (reason: Error) => void;
}

/**
 * Runs an app as a program until a signal ends it. Tracing starts first. Then `start` is called with the options that
 * the environment sets; its result is closed at the end. Without DATABASE_URL, the app uses the embedded server.
 */
export async function runApp(app: AppName, start: StartApp): Promise<void> {
  const settings = resolveSettings(process.env);
  const logger = createLogger({ app, level: settings.logLevel, isTerminal: process.stdout.isTTY });
  await runUntilSignal(async ({ failed, stopping }) => {
    const traces = await startTraces(app, process.env);
    const embedded =
      settings.databaseUrl === undefined
        ? await openEmbeddedServer({ home: settings.home, onEnd: failed })
        : undefined;
    const databaseUrl = settings.databaseUrl ?? (await keptLoginUrl(settings.home, app, embedded?.url ?? ''));
    const place = { databaseUrl, queueUrl: settings.queueUrl ?? databaseUrl };
    const lifetime = { logger, stopping, telemetry: traces?.telemetry };
    const started = await start({
      settings,
      options: optionsOf(settings, { ...place, ...lifetime }),
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

type Place = Pick<Required<AppOptions>, 'databaseUrl' | 'queueUrl' | 'telemetry' | 'logger' | 'stopping'>;

export function optionsOf(settings: Settings, place: Place): Required<AppOptions> {
  const { allowOwner, allowVolatileQueue, host, trustedProxies, databasePooler: pooler } = settings;
  return { ...place, allowOwner, allowVolatileQueue, host, trustedProxies, pooler };
}
