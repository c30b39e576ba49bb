import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type ClusterOptions, createCluster } from './create-cluster.js';
import { type DataPlace, dataPlace } from './data-place.js';
import { EmbeddedServerError } from './embedded-server-error.js';
import type { HomeLayout } from './home-layout.js';
import { readIfPresent, readOrCreateSecret } from './secret-file.js';

/** The home's data directory, which is created if there is none and checked if there is. */
export async function prepareDataDirectory(
  layout: HomeLayout,
  options: Omit<ClusterOptions, 'password'>,
): Promise<DataPlace> {
  if (await isPresent(layout.data)) await refuseWithoutPassword(layout);
  else await createCluster(layout.data, { ...options, password: await readOrCreateSecret(layout.password) });
  const directory = await realpath(layout.data).catch((error: unknown) => {
    throw new EmbeddedServerError(
      `${layout.data} is a link to a data directory that cannot be found: bring it back, ` +
        `or remove ${layout.directory} to begin with an empty database.`,
      { cause: error },
    );
  });
  await checkVersion(directory, options.binaries.majorVersion);
  return dataPlace(directory, options.user);
}

async function isPresent(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}

async function refuseWithoutPassword(layout: HomeLayout): Promise<void> {
  if ((await readIfPresent(layout.password)) !== undefined) return;
  throw new EmbeddedServerError(
    `The password file ${layout.password} is missing, although ${layout.data} exists: bring it back, ` +
      `or remove ${layout.directory} to begin with an empty database.`,
  );
}

async function checkVersion(directory: string, wanted: number): Promise<void> {
  const found = (await readIfPresent(join(directory, 'PG_VERSION')))?.trim();
  if (found === String(wanted)) return;
  if (found === undefined) {
    throw new EmbeddedServerError(
      `${directory} is not a data directory of PostgreSQL: remove it, or point TAKT_HOME to another directory.`,
    );
  }
  throw new EmbeddedServerError(
    `${directory} holds data of PostgreSQL ${found}, but this is PostgreSQL ${wanted}: move the data over with ` +
      `pg_dump of version ${wanted} and a server of version ${found}, or point TAKT_HOME to another directory.`,
  );
}
