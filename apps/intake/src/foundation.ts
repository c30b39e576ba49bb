import { type AccessGrant, findAccessToken } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import {
  type AppRole,
  appSessions,
  checkBeforeStartWithQueues,
  type Database,
  findStartupProblems,
  openDatabase,
  type Pooler,
  type StartCheckWithQueues,
} from '@takt/database';
import { checkQueueDurability } from '@takt/events';
import { type Logger, withDeadline } from '@takt/run';

/** What the intake stands on. */
export interface FoundationOptions {
  readonly databaseUrl: string;
  /** Before PostgreSQL. */
  readonly pooler?: Pooler | undefined;
  readonly queueUrl: string;
  /** Go on with a log-in that could do more than hold the role of the intake. */
  readonly allowOwner?: boolean;
  /** Go on with a Redis that may lose acknowledged writes, and with them what was answered with 202. */
  readonly allowVolatileQueue?: boolean;
  readonly logger: Logger;
}

const CONNECT_DEADLINE_MS = 800;
const MAX_CONNECTIONS = 4;

/** What keeps the intake from starting; rejects where database or queue cannot be reached. */
export async function checkFoundation(options: FoundationOptions): Promise<StartCheckWithQueues> {
  const { databaseUrl, queueUrl, allowOwner = false, pooler } = options;
  const found = await checkBeforeStartWithQueues(databaseUrl, queueUrl, {
    app: 'intake',
    allowOwner,
    pooler,
  });
  const messages = (await checkQueueDurability(queueUrl)).map(({ message }) => message);
  return options.allowVolatileQueue === true
    ? { ...found, warnings: [...found.warnings, ...messages] }
    : { ...found, problems: [...found.problems, ...messages] };
}

export function openIntakeDatabase(
  { databaseUrl, pooler, logger }: FoundationOptions,
  role: AppRole | undefined,
): Database {
  return openDatabase({
    url: databaseUrl,
    role,
    applicationName: 'takt intake',
    maxConnections: MAX_CONNECTIONS,
    connectDeadlineMs: CONNECT_DEADLINE_MS,
    ...appSessions.intake,
    pooler,
    onError: (error) => logger.warn({ error: error.message }, 'the database failed a call'),
  });
}

/** As findAccessToken; what it fails with is databaseUnavailable. */
export async function findToken(pool: Database['pool'], token: string): Promise<AccessGrant | undefined> {
  try {
    return await findAccessToken(pool, token);
  } catch (cause) {
    throw new ServiceError('databaseUnavailable', {}, { cause });
  }
}

/** Below the 2.8 s after which the HTTP layer gives up on the checks. */
const READINESS_DEADLINE_MS = 2_500;

/** Why events cannot be taken at this moment, each as a sentence that says what to do; empty when they can. */
export async function findProblems(
  pool: Database['pool'],
  { queueUrl, allowVolatileQueue = false }: Pick<FoundationOptions, 'queueUrl' | 'allowVolatileQueue'>,
): Promise<readonly string[]> {
  const ofQueue = checkQueueDurability(queueUrl, { deadlineMs: READINESS_DEADLINE_MS }).then((problems) =>
    problems.filter(() => !allowVolatileQueue).map(({ message }) => message),
  );
  const found = await Promise.all([
    inTime('database', 'DATABASE_URL', findStartupProblems(pool)),
    inTime('queue', 'QUEUE_URL', ofQueue),
  ]);
  return found.flat();
}

function inTime(what: string, setting: string, asked: Promise<readonly string[]>) {
  return withDeadline(asked, READINESS_DEADLINE_MS, () => [`the ${what} did not answer in time`]).catch(
    () => [`the ${what} cannot be reached: check ${setting} and that the server runs`],
  );
}
