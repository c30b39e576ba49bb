import {
  type AppName,
  type Database,
  findSchemaProblems,
  keepLogins,
  type MigrationReport,
  migrate,
  openDatabase,
} from '@takt/database';
import type { EmbeddedServer } from '@takt/embedded-postgres';
import type { Publisher } from '@takt/events';
import type { EventQueue } from '@takt/events/internal';
import { resolveSettings, type Settings } from '@takt/run/settings';
import { CommandError, describeError, UsageError } from './errors.js';
import type { QueuesToAsk } from './queues.js';
import type { Terminal } from './terminal.js';
import { userName } from './user-name.js';

/** The addresses of the database and of the queue for an app, with the log-in of that app. */
export interface AppAddresses {
  readonly databaseUrl: string;
  readonly queueUrl: string;
}

/**
 * Opens the database and the queues for a command. Everything that is opened here is closed together with the context.
 */
export interface Context {
  readonly isEmbedded: boolean;
  databaseUrl(): Promise<string>;
  queueUrl(): Promise<string>;
  /** Resolves to true if the queues are in the same database as the figures. */
  hasQueuesInDatabase(): Promise<boolean>;
  /** Migrates the database, including served texts, and the schema of the queues. */
  migrate(): Promise<MigrationReport>;
  /**
   * Creates the log-ins of the apps in the migrated database, with the passwords in TAKT_HOME. Rejects with a
   * CommandError if the owner may not create them.
   */
  keepLogins(): Promise<(app: AppName) => AppAddresses>;
  /** Opens the database. Rejects with a CommandError if the database does not answer or its schema is not current. */
  openDatabase(): Promise<Database>;
  /** Opens the queues for queries. Rejects with a CommandError if the queue does not answer or has no schema. */
  askQueues(): Promise<QueuesToAsk>;
  /** Opens the queues for changes. Rejects like askQueues. */
  openQueues(): Promise<readonly EventQueue[]>;
  openPublisher(): Promise<Publisher>;
  /** Closes everything in reverse order. The embedded server stops unless other programs use it. */
  close(): Promise<void>;
}

/**
 * Runs work with a context and closes the context in any case. Throws a SettingsError for wrong settings.
 *
 * @param onServerEnd called if the embedded server ends meanwhile
 */
export async function withContext<Result>(
  terminal: Terminal,
  work: (context: Context) => Promise<Result>,
  onServerEnd: (reason: Error) => void = () => undefined,
): Promise<Result> {
  const context = openContext(resolveSettings(terminal.environment), terminal, onServerEnd);
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}

/** Maximum time to connect. It is long because a busy machine may be slow to accept a connection. */
const CONNECT_DEADLINE_MS = 20_000;
/** Maximum time of a statement. It is long because audit and rebuild read much data. */
const STATEMENT_TIMEOUT_MS = 600_000;

/**
 * Creates a context without opening anything. So a command that needs only Redis does not start the embedded server.
 */
function openContext(settings: Settings, terminal: Terminal, onServerEnd: (reason: Error) => void): Context {
  const closers: (() => Promise<void>)[] = [];
  const isEmbedded = settings.databaseUrl === undefined;
  let opening: Promise<EmbeddedServer> | undefined;
  let embedded: Promise<Database> | undefined;
  const openServer = async (): Promise<EmbeddedServer> => {
    const { openEmbeddedServer } = await import('@takt/embedded-postgres');
    const taken = await openEmbeddedServer({
      home: settings.home,
      onEnd: (error) => onServerEnd(new CommandError(error.message)),
    }).catch((error: Error) => {
      throw new CommandError(error.message, { cause: error.cause });
    });
    closers.push(() => taken.close());
    closeOnSignal(taken);
    return taken;
  };
  const embeddedUrl = async () => {
    opening ??= openServer();
    return (await opening).url;
  };
  const migrateEmbedded = async () => {
    const url = await embeddedUrl();
    return migrateAll('the embedded database', url, settings.queueUrl ?? url);
  };
  const open = async <Resource extends { close(): Promise<void> }>(
    resource: Promise<Resource> | Resource,
  ) => {
    const opened = await resource;
    closers.push(() => opened.close());
    return opened;
  };
  const connect = (url: string) =>
    open(
      openDatabase({
        url,
        applicationName: 'takt cli',
        // The name under which the audit log records who made a change.
        settings: { 'takt.actor': `${userName()} at the command line` },
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
        connectDeadlineMs: CONNECT_DEADLINE_MS,
      }),
    );
  /** The database is migrated only if its schema is not current, because migrating takes longer than many commands. */
  const openEmbedded = async () => {
    const database = await connect(await embeddedUrl());
    const problems = await withAdvice('database', findSchemaProblems(database.pool));
    if (problems.length > 0) await migrateEmbedded();
    return database;
  };
  const currentEmbedded = () => {
    embedded ??= openEmbedded();
    return embedded;
  };
  const databaseUrl = async () => {
    if (settings.databaseUrl !== undefined) return settings.databaseUrl;
    await currentEmbedded();
    return embeddedUrl();
  };
  const queueUrl = async () => settings.queueUrl ?? (await databaseUrl());

  return {
    isEmbedded,
    databaseUrl,
    queueUrl,
    hasQueuesInDatabase: async () => isSameDatabase(await queueUrl(), await databaseUrl()),
    migrate: async () => {
      if (settings.databaseUrl === undefined) return migrateEmbedded();
      return migrateAll('the database of DATABASE_URL', settings.databaseUrl, await queueUrl());
    },
    keepLogins: async () => {
      const url = await databaseUrl();
      const urls = await withAdvice('database', keepLogins(settings.home, url));
      const queue = await queueUrl();
      return (app) => ({
        databaseUrl: urls[app],
        queueUrl: isSameDatabase(queue, url) ? urls[app] : queue,
      });
    },
    openDatabase: async () => {
      if (settings.databaseUrl === undefined) return currentEmbedded();
      const database = await connect(settings.databaseUrl);
      await withAdvice('database', assertSchemaIsCurrent(database.pool));
      return database;
    },
    askQueues: async () => {
      const { askQueues } = await import('./queues.js');
      const url = await queueUrl();
      return open(withAdvice('queue', askQueues(url)));
    },
    openQueues: async () => {
      const [{ QUEUE_NAMES, setMaxAhead }, { openQueueBackend }] = await Promise.all([
        import('@takt/events'),
        import('@takt/events/internal'),
      ]);
      setMaxAhead(settings.maxAheadMs);
      const url = await queueUrl();
      // An error of a connection that belongs to no call is also thrown by the next call.
      const opening = openQueueBackend(url, { onError: () => undefined });
      const backend = await open(withAdvice('queue', opening));
      return QUEUE_NAMES.map((name) => backend.openQueue(name));
    },
    openPublisher: async () => {
      const [{ openPublisher, setMaxAhead }, { startTraces }] = await Promise.all([
        import('@takt/events'),
        import('@takt/run/monitoring'),
      ]);
      setMaxAhead(settings.maxAheadMs);
      const url = await queueUrl();
      const traces = await startTraces('cli', terminal.environment);
      if (traces !== undefined) closers.push(traces.close);
      const options = traces === undefined ? {} : { telemetry: traces.telemetry };
      return open(withAdvice('queue', openPublisher(url, options)));
    },
    close: async () => {
      for (const close of closers.splice(0).reverse()) await close();
    },
  };
}

/**
 * Stops the server before a signal ends the process, if nothing else handles the signal. The server would otherwise run
 * on until the next command ends.
 */
function closeOnSignal(server: EmbeddedServer): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.prependOnceListener(signal, () => {
      if (process.listenerCount(signal) > 0) return;
      void server.close().finally(() => process.kill(process.pid, signal));
    });
  }
}

/**
 * Migrates a database and, if the queues are in PostgreSQL, the schema of the queues. In errors, the database is called
 * `name`.
 */
async function migrateAll(name: string, databaseUrl: string, queueUrl: string): Promise<MigrationReport> {
  const { synchroniseServedTexts } = await import('@takt/catalogue/served-texts');
  const { adoptOldTablesOn } = await import('@takt/rejections');
  const migrated = migrate(databaseUrl, { synchronise: [...synchroniseServedTexts, adoptOldTablesOn] });
  const report = await migrated.catch((error: unknown) => {
    throw new CommandError(`${name} cannot be migrated`, { cause: error });
  });
  const { migrateQueueSchema } = await import('@takt/events/internal');
  await withAdvice('queue', migrateQueueSchema(queueUrl));
  return report;
}

/** Returns true if two addresses lead to the same database. Their log-ins may differ. */
function isSameDatabase(one: string, other: string): boolean {
  const placeOf = (address: string) => {
    if (!/^postgres(ql)?:/i.test(address) || !URL.canParse(address)) return undefined;
    const { host, pathname, searchParams } = new URL(address);
    return [host, pathname, searchParams.get('host') ?? ''].join();
  };
  return placeOf(one) !== undefined && placeOf(one) === placeOf(other);
}

/** Throws a CommandError with advice if the tables or functions of the database differ from those of this program. */
async function assertSchemaIsCurrent(pool: Database['pool']): Promise<void> {
  const [problem] = await findSchemaProblems(pool);
  if (problem !== undefined) throw new CommandError(problem);
}

const ADVICE = {
  database: 'check DATABASE_URL and that the server runs',
  queue: 'check QUEUE_URL, or DATABASE_URL if it is not set, and that the server runs',
} as const;

/**
 * Name of the error for a wrong queue URL. The error is recognised by its name, because loading the queues' package for
 * its classes takes longer than many commands.
 */
const WRONG_URL = 'QueueUrlError';
const UNMIGRATED = 'SchemaMigrationRequiredError';
const NO_LOGIN = 'LoginError';

/** Awaits the first use of a database or queue. To an error, it adds advice that names the setting. */
export async function withAdvice<Result>(store: keyof typeof ADVICE, use: Promise<Result>): Promise<Result> {
  try {
    return await use;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const kind = error instanceof Error ? error.constructor.name : '';
    if (kind === NO_LOGIN) throw new CommandError(describeError(error), { cause: error });
    if (kind === WRONG_URL) throw new UsageError('QUEUE_URL cannot be read', { cause: error });
    if (kind === UNMIGRATED) {
      throw new CommandError('the database holds no queues yet: run takt migrate', { cause: error });
    }
    const message = `the ${store} cannot be used: ${describeError(error)} (${ADVICE[store]})`;
    throw new CommandError(message, { cause: error });
  }
}
