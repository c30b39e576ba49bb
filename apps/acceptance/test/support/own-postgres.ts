import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { migrate, openDatabase } from '@takt/database';
import { obtainLogins } from '@takt/database/testing';
import { openEmbeddedServer } from '@takt/embedded-postgres';
import { withDatabase } from '@takt/test-support';
import pg from 'pg';

/** An embedded PostgreSQL server for one test. The test may stop or kill it in any way without harm to other tests. */
export interface OwnPostgres {
  /** URL of the default database for the superuser. */
  readonly url: string;
  /** Directory of all data of the server. */
  readonly home: string;
  /** Creates a migrated database and returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** Kills the server with kill -9, and starts another one at the same address. */
  crash(): Promise<void>;
  /** Stops the server cleanly. */
  stop(): Promise<void>;
  /** Starts the server again at the same address, unless it still runs. */
  start(): Promise<void>;
  close(): Promise<void>;
}

export interface OwnPostgresOptions {
  /** Settings that replace those of the embedded server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** An empty directory for all data of the server. By default, a directory is created and later removed. */
  readonly home?: string;
}

/** Starts a PostgreSQL server for this test. It has the durability settings of production. */
export async function startOwnPostgres(options: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'takt-own-postgres-')));
  const { settings = {} } = options;
  let server = await openEmbeddedServer({ home, settings });
  const { url } = server;
  const start = async () => {
    const earlier = server;
    server = await openEmbeddedServer({ home, settings });
    if (server.url !== url) throw new Error('the server came back at another address');
    await earlier.close();
  };
  return {
    url,
    home,
    createDatabase: async (name) => {
      const admin = openDatabase({ url, applicationName: 'takt test administration' });
      await admin.pool.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
      await admin.close();
      const created = withDatabase(url, name);
      await migrate(created, { synchronise: synchroniseServedTexts });
      // Creates the log-ins of the apps now, because tests also start apps while the server is away.
      await obtainLogins(created);
      return created;
    },
    crash: async () => {
      process.kill(await readPostmasterPid(home), 'SIGKILL');
      await start();
    },
    stop: () => server.close(),
    start,
    close: async () => {
      await server.close();
      if (options.home === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

/** Returns the process id of the server that owns the data directory. */
async function readPostmasterPid(home: string): Promise<number> {
  const [line] = (await readFile(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n');
  const pid = Number(line);
  // process.kill with a pid of 0 or -1 would end far more than one server.
  if (!Number.isInteger(pid) || pid <= 1) throw new Error(`postmaster.pid begins with ${line}`);
  return pid;
}
