import { type Closeable, waitUntilFit, withDeadline } from '@takt/run';
import { type AppMetrics, observeSchema } from '@takt/run/monitoring';
import { checkBeforeStartWithQueues } from './check-before-start.js';
import { readSchemaVersion } from './check-schema.js';
import type { AppName } from './logins.js';
import { type Database, type DatabaseOptions, openDatabase } from './open-database.js';
import type { AppOptions } from './run-app.js';
import { appSessions } from './session-settings.js';

interface FoundationOptions extends Pick<DatabaseOptions, 'maxConnections' | 'connectDeadlineMs'> {
  readonly metrics: AppMetrics;
  /**
   * Finds settings with which the store could lose jobs of a queue (checkQueueDurability). Without this function, a
   * volatile Redis is accepted.
   */
  readonly checkQueue?: (queueUrl: string) => Promise<readonly { readonly message: string }[]>;
}

/** The opened database of an app, whose metrics are collected, and the address for the queues of the app. */
export interface OpenFoundation extends Closeable {
  readonly pool: Database['pool'];
  readonly queueUrl: string;
}

/**
 * Waits until database and queue can be reached, and opens the database if both are fit for `app`. If they can be
 * reached but are unfit, rejects with all problems.
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

interface ReadinessCheck {
  readonly what: string;
  readonly setting: 'DATABASE_URL' | 'QUEUE_URL';
  readonly problems: Promise<readonly string[]>;
}

export const databaseCheck = (problems: ReadinessCheck['problems']): ReadinessCheck => ({
  ...{ what: 'database', setting: 'DATABASE_URL', problems },
});

/** @param name name of one queue; if absent, the check is about the store of all queues */
export const queueCheck = (problems: ReadinessCheck['problems'], name?: string): ReadinessCheck => ({
  ...{ what: name === undefined ? 'queue' : `queue ${name}`, setting: 'QUEUE_URL', problems },
});

interface ReadinessOptions {
  /**
   * Maximum time of each check in milliseconds. The default of 2,500 is below the 2.8 s that an answer of API and
   * intake may take.
   */
  readonly deadlineMs?: number;
  /**
   * If true, the result has the reason why a check failed. The reason may contain log-ins and addresses. Default:
   * false.
   */
  readonly givesReasons?: boolean;
}

/**
 * Returns the reasons why an app is not ready. Each is a sentence that says what to do. A check that is late or fails
 * counts as a problem.
 */
export async function checkReadiness(
  checks: readonly ReadinessCheck[],
  { deadlineMs = 2_500, givesReasons = false }: ReadinessOptions = {},
): Promise<readonly string[]> {
  const found = checks.map(({ what, setting, problems }) =>
    withDeadline(problems, deadlineMs, () => [`the ${what} did not answer in time`]).catch(
      (error: unknown) => {
        const reason = givesReasons ? ` (${error instanceof Error ? error.message : String(error)})` : '';
        return [`the ${what} cannot be reached${reason}: check ${setting} and that the server runs`];
      },
    ),
  );
  return (await Promise.all(found)).flat();
}
