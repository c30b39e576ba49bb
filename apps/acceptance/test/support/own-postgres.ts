import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { migrate, openDatabase } from '@takt/database';
import { obtainLogins } from '@takt/database/testing';
import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import { waitUntil, withDatabase } from '@takt/test-support';
import pg from 'pg';

/** An embedded PostgreSQL server that a test may end in any way without harm to other tests. */
export interface OwnPostgres {
  /** Of the database that every server has, for its superuser. */
  readonly url: string;
  /** All that the server keeps. */
  readonly home: string;
  /** Makes a migrated database and gives its URL. */
  createDatabase(name: string): Promise<string>;
  /** Kills the server with kill -9, waits until a holder has started another and it answers. */
  crash(): Promise<void>;
  /** Waits until the server answers, where it has fallen by itself. */
  untilItAnswers(): Promise<void>;
  /** Stops the server in good order. */
  stop(): Promise<void>;
  /** Starts it again at the same address. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const ANSWER_DEADLINE_MS = 60_000;

export interface OwnPostgresOptions {
  /** Settings of PostgreSQL over the embedded server's. */
  readonly settings?: Readonly<Record<string, string>>;
  /** An empty directory to keep everything in; by default one that is made and removed. */
  readonly home?: string;
}

/** Starts a server of its own with the durability of production. */
export async function startOwnPostgres(options: OwnPostgresOptions = {}): Promise<OwnPostgres> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'takt-own-postgres-')));
  const { settings = {} } = options;
  let lease = await leaseEmbeddedServer({ home, settings });
  const { url } = lease;
  return {
    url,
    home,
    createDatabase: async (name) => {
      const admin = openDatabase({ url, applicationName: 'takt test administration' });
      await admin.pool.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
      await admin.close();
      const created = withDatabase(url, name);
      await migrate(created, { synchronise: synchroniseServedTexts });
      // Apps are also started while the server is away.
      await obtainLogins(created);
      return created;
    },
    crash: async () => {
      const killed = await readPostmasterPid(home);
      process.kill(killed, 'SIGKILL');
      await waitUntil(
        'another PostgreSQL server answers',
        async () => {
          const running = await readPostmasterPid(home).catch(() => killed);
          return running !== killed && (await answers(url));
        },
        ANSWER_DEADLINE_MS,
      );
    },
    untilItAnswers: () => waitUntil('the PostgreSQL server answers', () => answers(url), ANSWER_DEADLINE_MS),
    stop: () => lease.close(),
    start: async () => {
      lease = await leaseEmbeddedServer({ home, settings });
      if (lease.url !== url) throw new Error('the server came back at another address');
    },
    close: async () => {
      await lease.close();
      if (options.home === undefined) await rm(home, { recursive: true, force: true });
    },
  };
}

/** Process id of the server that has the data directory. */
async function readPostmasterPid(home: string): Promise<number> {
  const [line] = (await readFile(join(home, 'postgres', 'data', 'postmaster.pid'), 'utf8')).split('\n');
  const pid = Number(line);
  // kill(0) and kill(-1) would end far more than one server.
  if (!Number.isInteger(pid) || pid <= 1) throw new Error(`postmaster.pid begins with ${line}`);
  return pid;
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
