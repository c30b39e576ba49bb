import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { newDatabaseName, type TestServer, testServer, withDatabase } from '@takt/test-support';
import { addressOf, migrate } from '../src/index.js';
import { obtainLogins } from './app-logins.js';
import { openPatiently, type TestDatabase } from './open-patiently.js';
import { createClusterDatabase, testClusterUrl } from './test-cluster.js';

const TEMPLATE = 'migrated_template';
let template: Promise<string> | undefined;

/**
 * Creates a database for one suite. The database is a clone of a migrated database, or empty. It is on the server of
 * this process, or on the Citus cluster at TAKT_TEST_CITUS_URL if that is set. With `isSingle` it is never on the
 * cluster.
 */
export async function createTestDatabase(
  options: { readonly migrated?: boolean; readonly isSingle?: boolean } = {},
): Promise<TestDatabase> {
  const { isSingle = false } = options;
  if (testClusterUrl !== undefined && !isSingle) return createClusterDatabase(testClusterUrl, options);
  const server = await testServer();
  const { admin } = server;
  // Makes the template even if only an empty database is requested, because the app roles and their log-ins belong to
  // the server and come with the template.
  template ??= makeTemplate(server);
  const templateName = await template;
  const name = newDatabaseName();
  if (options.migrated === false) {
    await admin.query(`CREATE DATABASE ${name}`);
  } else {
    // Copying files takes two thirds of the time that copying through the log takes.
    await admin.query(`CREATE DATABASE ${name} TEMPLATE ${templateName} STRATEGY FILE_COPY`);
    // A clone does not inherit the database privileges of its template.
    await admin.query(`REVOKE TEMPORARY ON DATABASE ${name} FROM PUBLIC`);
  }
  const url = withDatabase(server.url, name);
  const logins = await obtainLogins(withDatabase(server.url, templateName));
  const database = openPatiently(url);
  return {
    url,
    appUrl: (app) => addressOf(url, logins[app]),
    database,
    close: async () => {
      await database.close();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function makeTemplate({ url, admin }: TestServer): Promise<string> {
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  await migrate(withDatabase(url, TEMPLATE), { synchronise: synchroniseServedTexts });
  return TEMPLATE;
}
