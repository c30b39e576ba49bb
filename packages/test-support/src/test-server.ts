import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedServer, openEmbeddedServer } from '@takt/embedded-postgres';
import pg from 'pg';
import { lookForSecrets } from './shown-secrets.js';

/** A PostgreSQL server on which test databases are created. */
export interface TestServer {
  /** URL of the database postgres for the superuser. */
  readonly url: string;
  readonly admin: pg.Pool;
}

/**
 * Name of the environment variable with the directory for the servers. It is an environment variable because the lanes
 * of mocha inherit the environment.
 */
const ROOM = 'TAKT_TEST_SERVERS';

interface Started extends TestServer {
  readonly server: EmbeddedServer;
}

let started: Promise<Started> | undefined;

/**
 * Returns the single server of this process. The server is started for the first database and stopped after the last
 * test.
 */
export function testServer(): Promise<TestServer> {
  started ??= startServer();
  return started;
}

async function startServer(): Promise<Started> {
  const home = await mkdtemp(join(process.env[ROOM] ?? tmpdir(), 'takt-test-'));
  // fsync is off, because the machine does not lose power during a test, and kill -9 loses nothing.
  const server = await openEmbeddedServer({ home, settings: { fsync: 'off', max_connections: '200' } });
  const admin = new pg.Pool({ connectionString: server.url, max: 4 });
  admin.on('error', () => undefined);
  return { server, url: server.url, admin };
}

/** A database without Takt's tables, on the server of this process. */
export interface EmptyDatabase {
  /** URL of the database for the superuser. */
  readonly url: string;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const { url: serverUrl, admin } = await testServer();
  const name = newDatabaseName();
  await admin.query(`CREATE DATABASE ${name}`);
  const url = withDatabase(serverUrl, name);
  const pool = new pg.Pool({ connectionString: url });
  pool.on('error', () => undefined);
  const close = async () => {
    await pool.end();
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { url, pool, close };
}

export function newDatabaseName(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

/** Returns the URL of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** Stops the server of this process and removes its data. */
export async function closeTestServer(): Promise<void> {
  if (started === undefined) return;
  const { server, admin } = await started;
  await admin.end();
  await server.close();
  await removeHome(server.home);
}

/** Creates the directory for the servers of all processes of this test run. */
export async function makeRoomForTestServers(folder: string): Promise<void> {
  const room = join(folder, 'servers');
  await mkdir(room);
  process.env[ROOM] = room;
}

/** Stops the servers of this test run after its lanes have ended, and removes the data of the servers. */
export async function endTestServers(): Promise<void> {
  await closeTestServer();
  const room = process.env[ROOM] ?? '';
  for (const name of await readdir(room)) {
    // The server stops when its last user closes it.
    const server = await openEmbeddedServer({ home: join(room, name) });
    await server.close();
    await removeHome(server.home);
  }
}

async function removeHome(home: string): Promise<void> {
  lookForSecrets('PostgreSQL', await readFile(join(home, 'postgres', 'server.log'), 'utf8'));
  await rm(home, { recursive: true, force: true });
}
