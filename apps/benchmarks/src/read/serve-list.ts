import { createAccessToken } from '@takt/access';
import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { type Database, migrate, openDatabase } from '@takt/database';
import { type AppProcess, startApp } from '@takt/database/testing';
import { type BenchServer, type Defer, say, withCleanup } from '../harness.js';
import { COMPANY, fillDatabase } from './fill-database.js';

/** A filled database, and everything that a client needs to read the list in it. */
export interface FilledDatabase {
  readonly url: string;
  readonly database: Database;
  readonly token: string;
  readonly company: { readonly id: number; readonly key: string };
}

/** A filled database with an API that serves its list. */
export interface ServedList extends FilledDatabase {
  readonly rows: number;
  readonly api: AppProcess;
}

const TOKEN_LIFETIME_MS = 86_400_000;

/** Opens a filled database. A database from an earlier run is migrated first. */
export async function openFilled(defer: Defer, url: string): Promise<FilledDatabase> {
  await migrate(url, { synchronise: synchroniseServedTexts });
  const database = openDatabase({ url, applicationName: 'takt bench', statementTimeoutMs: 900_000 });
  defer(database.close);
  const { token } = await createAccessToken(database, {
    companyCodes: [COMPANY],
    expiresInMs: TOKEN_LIFETIME_MS,
  });
  const { rows } = await database.pool.query<{ readonly id: number; readonly key: string }>(
    'SELECT company_id AS id, access_key AS key FROM takt.companies',
  );
  const [company] = rows;
  if (company === undefined) throw new Error('there is no company');
  return { url, database, token, company };
}

/** Starts an API in production mode. Its cache is off, because the benchmark repeats requests. */
export async function startMeasuredApi(
  defer: Defer,
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<AppProcess> {
  const environment = { NODE_ENV: 'production', TAKT_KEPT_ANSWERS_MB: '0', ...settings };
  const api = await startApp('api', { databaseUrl, environment });
  defer(() => api.stop());
  return api;
}

/** Settings of the PostgreSQL server for `withList`. Filling is faster without checkpoints. */
export const LIST_SERVER = { max_wal_size: '8GB' };

/** Runs `work` with an API that serves a list of this size. Fills the database first, unless the server has kept it. */
export async function withList<Result>(
  server: BenchServer,
  size: { readonly structureVersions: number; readonly operations: number },
  work: (list: ServedList) => Promise<Result>,
): Promise<Result> {
  const name = `bench_${size.structureVersions}_${size.operations}`;
  const found = await server.admin.query('SELECT FROM pg_database WHERE datname = $1', [name]);
  if (found.rowCount === 0) {
    say(`filling ${size.structureVersions} rows`);
    // The database gets its final name only when it is complete.
    await server.admin.query('DROP DATABASE IF EXISTS bench_unfinished WITH (FORCE)');
    await fillDatabase(await server.createDatabase('bench_unfinished'), size);
    await server.admin.query(`ALTER DATABASE bench_unfinished RENAME TO ${name}`);
  }
  const result = await withCleanup(async (defer) => {
    const filled = await openFilled(defer, server.urlOf(name));
    const api = await startMeasuredApi(defer, filled.url);
    return await work({ ...filled, rows: size.structureVersions, api });
  });
  if (!server.keepsData) await server.admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
  return result;
}
