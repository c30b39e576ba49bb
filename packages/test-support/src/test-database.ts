import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { addressOf, type Database, migrate, openDatabase } from '@takt/database';
import { type EmbeddedServerLease, leaseEmbeddedServer } from '@takt/embedded-postgres';
import { obtainLogins } from './app-logins.js';
import { PATIENT, type TestDatabase, withDatabase } from './database-of-a-test.js';
import { lookForSecrets } from './shown-secrets.js';
import { createClusterDatabase, testClusterUrl } from './test-cluster.js';

interface TestServer {
  readonly lease: EmbeddedServerLease;
  readonly admin: Database;
}

const TEMPLATE = 'migrated_template';
/** In the environment: what stands in it is passed on to the lanes of mocha. */
const ROOM = 'TAKT_TEST_SERVERS';

/** One server for the whole process: made by the first database, ended after the last test. */
let server: Promise<TestServer> | undefined;
let template: Promise<string> | undefined;

/**
 * A database of its own, a clone of a migrated one (or empty), on the server of this process; on the cluster of
 * TAKT_TEST_CITUS_URL where that is set.
 */
export async function createTestDatabase(
  options: { readonly migrated?: boolean } = {},
): Promise<TestDatabase> {
  if (testClusterUrl !== undefined) return createClusterDatabase(testClusterUrl, options);
  server ??= startServer();
  const { lease, admin } = await server;
  // Also for an empty database: the roles of the apps and their log-ins belong to the server.
  template ??= makeTemplate(lease, admin);
  const templateName = await template;
  const name = `test_${randomBytes(6).toString('hex')}`;
  if (options.migrated === false) {
    await admin.pool.query(`CREATE DATABASE ${name}`);
  } else {
    // File by file, which takes two thirds of what it takes through the log.
    await admin.pool.query(`CREATE DATABASE ${name} TEMPLATE ${templateName} STRATEGY FILE_COPY`);
    // A clone does not have the rights that its template gives and takes as a database.
    await admin.pool.query(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  }
  const url = withDatabase(lease.url, name);
  const logins = await obtainLogins(withDatabase(lease.url, templateName));
  const database = openDatabase({ url, applicationName: 'takt test', maxConnections: 10, ...PATIENT });
  return {
    url,
    appUrl: (app) => addressOf(url, logins[app]),
    database,
    close: async () => {
      await database.close();
      await admin.pool.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** Ends the server of this process and removes its data. */
export async function closeTestServer(): Promise<void> {
  if (server === undefined) return;
  const { lease, admin } = await server;
  await admin.close();
  await lease.close();
  await removeHome(lease.home);
}

/** Makes the folder for the servers of all processes of this test run. */
export async function makeRoomForTestServers(folder: string): Promise<void> {
  const room = join(folder, 'servers');
  await mkdir(room);
  process.env[ROOM] = room;
}

/** Ends the servers of this test run, whose lanes have ended, and removes their data. */
export async function endTestServers(): Promise<void> {
  await closeTestServer();
  const room = process.env[ROOM] ?? '';
  for (const name of await readdir(room)) {
    // Who gives the last lease back ends the server.
    const lease = await leaseEmbeddedServer({ home: join(room, name) });
    await lease.close();
    await removeHome(lease.home);
  }
}

async function removeHome(home: string): Promise<void> {
  lookForSecrets('PostgreSQL', await readFile(join(home, 'postgres', 'server.log'), 'utf8'));
  await rm(home, { recursive: true, force: true });
}

async function startServer(): Promise<TestServer> {
  const home = await mkdtemp(join(process.env[ROOM] ?? tmpdir(), 'takt-test-'));
  // The machine does not lose power during a test; kill -9 loses nothing without fsync.
  const lease = await leaseEmbeddedServer({ home, settings: { fsync: 'off', max_connections: '200' } });
  const options = { url: lease.url, applicationName: 'takt test administration', ...PATIENT };
  return { lease, admin: openDatabase(options) };
}

async function makeTemplate(lease: EmbeddedServerLease, admin: Database): Promise<string> {
  await admin.pool.query(`CREATE DATABASE ${TEMPLATE}`);
  await migrate(withDatabase(lease.url, TEMPLATE), { synchronise: synchroniseServedTexts });
  return TEMPLATE;
}
