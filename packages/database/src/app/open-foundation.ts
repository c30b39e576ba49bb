import { type Closeable, shareReading, waitUntilFit, withDeadline } from '@takt/run';
import { type AppMetrics, observeSchema } from '@takt/run/monitoring';
import { checkBeforeStartWithQueues } from '../check-before-start.js';
import { findStartupProblems, readSchemaVersion } from '../check-schema.js';
import type { AppName } from '../logins.js';
import { type Database, type DatabaseOptions, openDatabase } from '../open-database.js';
import { appSessions } from '../session-settings.js';
import type { AppOptions } from './run-app.js';

interface FoundationOptions extends Pick<DatabaseOptions, 'maxConnections' | 'connectDeadlineMs'> {
  readonly metrics: AppMetrics;
  /**
   * Finds settings with which the store could lose jobs of a queue (checkQueueDurability). Without this function, a
   * volatile Redis is accepted.
   */
  readonly checkQueue?: (queueUrl: string) => Promise<readonly { readonly message: string }[]>;
}

export interface OpenFoundation extends Closeable {
  readonly pool: Database['pool'];
  /** How the database is opened, for a thread that opens it too. It can be copied. */
  readonly connection: DatabaseOptions;
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
  const connection: DatabaseOptions = {
    url: databaseUrl,
    role,
    applicationName: `takt ${app}`,
    pooler,
    ...connections,
    ...appSessions[app],
  };
  const { pool, close } = openDatabase({
    ...connection,
    onError: (error) => logger.warn({ error: error.message }, 'the database failed a call'),
  });
  metrics.observePool('database', pool);
  observeSchema(metrics.registry, () => readSchemaVersion(pool));
  return { pool, connection, queueUrl, close };
}

export interface ReadinessCheck {
  readonly what: string;
  readonly setting: 'DATABASE_URL' | 'QUEUE_URL';
  readonly problems: Promise<readonly string[]>;
}

/** Minimum time between two checks of schema, functions, texts and clocks by a ready app. */
const FITNESS_EVERY_MS = 5_000;
/** Maximum time for which a probe waits for the result of such a check, if it knows an earlier result. */
const FITNESS_WAIT_MS = 1_000;

/**
 * Returns the check of the database for `/health/ready`. Each probe asks the database one question, so that a busy app
 * stays ready. `findProblems` asks several questions, so it runs at most every 5 s while it finds nothing, and a probe
 * uses the earlier result if the new one is late.
 */
export function watchDatabase(
  findPool: () => Database['pool'],
  findProblems: (pool: Database['pool']) => Promise<readonly string[]> = findStartupProblems,
): () => ReadinessCheck {
  let known: readonly string[] | undefined;
  const fitness = shareReading(async () => {
    known = await findProblems(findPool());
    return known;
  });
  const check = async () => {
    await findPool().query('SELECT');
    const latest = fitness.read(known?.length === 0 ? FITNESS_EVERY_MS : 0);
    const earlier = known;
    return earlier === undefined ? latest : withDeadline(latest, FITNESS_WAIT_MS, () => earlier);
  };
  return () => ({ what: 'database', setting: 'DATABASE_URL', problems: check() });
}

/** @param name name of one queue; if absent, the check is about the store of all queues */
export const queueCheck = (problems: ReadinessCheck['problems'], name?: string): ReadinessCheck => ({
  what: name === undefined ? 'queue' : `queue ${name}`,
  setting: 'QUEUE_URL',
  problems,
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
