import { type Closeable, waitUntilFit, withDeadline } from '@takt/run';
import { type AppMetrics, observeSchema } from '@takt/run/monitoring';
import { checkBeforeStartWithQueues, readSchemaVersion } from './guards.js';
import type { AppName } from './logins.js';
import { type Database, type DatabaseOptions, openDatabase } from './open-database.js';
import type { AppOptions } from './run-app.js';
import { appSessions } from './session-settings.js';

interface FoundationOptions extends Pick<DatabaseOptions, 'maxConnections' | 'connectDeadlineMs'> {
  readonly metrics: AppMetrics;
  /** Finds what may lose the jobs of a queue (checkQueueDurability); without it a Redis may be volatile. */
  readonly checkQueue?: (queueUrl: string) => Promise<readonly { readonly message: string }[]>;
}

/** The database of an app, opened and measured, and the address of its queues as connections are to use it. */
export interface OpenFoundation extends Closeable {
  readonly pool: Database['pool'];
  readonly queueUrl: string;
}

/**
 * Waits for database and queue, and opens the database once both are fit for `app`. Rejects with all that is wrong
 * where they are there and are not fit.
 */
export async function openFoundation(
  app: AppName,
  options: AppOptions,
  { metrics, checkQueue = async () => [], ...connections }: FoundationOptions,
): Promise<OpenFoundation> {
  const { databaseUrl, logger, pooler, allowOwner = false, allowVolatileQueue = false } = options;
  const check = async () => {
    const found = await checkBeforeStartWithQueues(databaseUrl, options.queueUrl, {
      app,
      allowOwner,
      pooler,
    });
    const messages = (await checkQueue(options.queueUrl)).map(({ message }) => message);
    return allowVolatileQueue
      ? { ...found, warnings: [...found.warnings, ...messages] }
      : { ...found, problems: [...found.problems, ...messages] };
  };
  const waiting = { check, what: 'database or queue', logger, stopping: options.stopping };
  const { role, queueUrl } = await waitUntilFit(waiting);
  const { pool, close } = openDatabase({
    ...{
      url: databaseUrl,
      role,
      applicationName: `takt ${app}`,
      pooler,
      ...connections,
      ...appSessions[app],
    },
    onError: (error) => logger.warn({ error: error.message }, 'the database failed a call'),
  });
  metrics.observePool('database', pool);
  observeSchema(metrics.registry, () => readSchemaVersion(pool));
  return { pool, queueUrl, close };
}

/** Below the 2.8 s after which the HTTP layer gives up on all checks. */
const READINESS_DEADLINE_MS = 2_500;

const SETTINGS = { database: 'DATABASE_URL', queue: 'QUEUE_URL' } as const;

/**
 * What keeps an app from its work at this moment, each as a sentence that says what to do. A check that is late or fails
 * is one problem.
 */
export async function checkReadiness(
  checks: Readonly<Partial<Record<keyof typeof SETTINGS, readonly Promise<readonly string[]>[]>>>,
): Promise<readonly string[]> {
  const inTime = (what: keyof typeof SETTINGS, check: Promise<readonly string[]>) =>
    withDeadline(check, READINESS_DEADLINE_MS, () => [`the ${what} did not answer in time`]).catch(() => [
      `the ${what} cannot be reached: check ${SETTINGS[what]} and that the server runs`,
    ]);
  const { database = [], queue = [] } = checks;
  const all = [
    ...database.map((one) => inTime('database', one)),
    ...queue.map((one) => inTime('queue', one)),
  ];
  return [...new Set((await Promise.all(all)).flat())];
}
