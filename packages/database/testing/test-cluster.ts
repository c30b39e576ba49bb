import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { newDatabaseName, withDatabase } from '@takt/test-support';
import { addressAt, addressOf, initCluster, migrate, type NodeAddress } from '../src/index.js';
import { obtainLogins } from './app-logins.js';
import { openPatiently, type TestDatabase } from './open-patiently.js';

/**
 * Address of the Citus cluster for tests, with the log-in of a superuser:
 * `postgres://postgres@127.0.0.1:5500/postgres?nodes=127.0.0.1:5501,127.0.0.1:5502`. If undefined, the tests start a
 * server of their own.
 */
export const testClusterUrl = process.env['TAKT_TEST_CITUS_URL'];

/** True if the test databases are clusters. */
export const isTestedOnCluster = testClusterUrl !== undefined;

/**
 * Returns the Citus cluster at TAKT_TEST_CITUS_URL. Call it in a `before` hook: if the variable is not set, the suite
 * is skipped with a message.
 */
export function needsCluster(context: Mocha.Context): {
  readonly coordinator: NodeAddress;
  readonly nodes: readonly NodeAddress[];
} {
  if (testClusterUrl === undefined) {
    console.warn('      LEFT OUT: TAKT_TEST_CITUS_URL names no Citus cluster');
    return context.skip();
  }
  const { coordinator, nodes } = readAddress(testClusterUrl);
  return { coordinator: addressIn(coordinator), nodes };
}

/** Skips a test or suite of what Citus does not offer or what is only measured on a single server. */
export function needsSingleServer(context: Mocha.Context): void {
  if (!isTestedOnCluster) return;
  console.warn('      LEFT OUT: it is not for a cluster');
  context.skip();
}

/**
 * Creates a database that is a cluster. If `migrated` is false, creates an empty database on the coordinator instead.
 */
export async function createClusterDatabase(
  clusterUrl: string,
  { migrated = true }: { readonly migrated?: boolean },
): Promise<TestDatabase> {
  const { coordinator, nodes } = readAddress(clusterUrl);
  const name = newDatabaseName();
  const url = withDatabase(coordinator, name);
  const logins = await alone(coordinator, async () => {
    await run(coordinator, `CREATE DATABASE ${name}`);
    if (!migrated) return undefined;
    await migrate(url, { synchronise: synchroniseServedTexts });
    const obtained = await obtainLogins(url);
    await initCluster({ url, nodes, coordinator: addressIn(coordinator) });
    return obtained;
  });
  const database = openPatiently(url);
  return {
    url,
    appUrl: (app) => (logins === undefined ? url : addressOf(url, logins[app])),
    database,
    close: async () => {
      await database.close();
      for (const server of [coordinator, ...nodes.map((node) => addressAt(coordinator, node))]) {
        await run(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      }
    },
  };
}

function readAddress(clusterUrl: string) {
  const url = new URL(clusterUrl);
  const nodes = (url.searchParams.get('nodes') ?? '')
    .split(',')
    .map((address) => addressIn(`pg://${address}`));
  url.searchParams.delete('nodes');
  return { coordinator: url.href, nodes };
}

function addressIn(url: string): NodeAddress {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: Number(port) };
}

async function run(url: string, statement: string): Promise<void> {
  const { pool, close } = openPatiently(url);
  try {
    await pool.query(statement);
  } finally {
    await close();
  }
}

/**
 * Runs a task while no other test makes a cluster. Roles belong to all databases of a server, and PostgreSQL lets only one
 * session change them at a time ("tuple concurrently updated").
 */
async function alone<Result>(coordinator: string, task: () => Promise<Result>): Promise<Result> {
  const { pool, close } = openPatiently(coordinator);
  const client = await pool.connect();
  try {
    await client.query("SELECT pg_advisory_lock(hashtext('takt makes a test cluster'))");
    return await task();
  } finally {
    client.release(true);
    await close();
  }
}
