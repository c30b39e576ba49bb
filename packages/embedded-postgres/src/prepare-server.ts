import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaryPackage } from './binary-package.js';
import { type ClusterOptions, createCluster } from './create-cluster.js';
import { EmbeddedServerError } from './embedded-server-error.js';
import type { HomeLayout } from './open-home.js';
import { type Binaries, prepareBinaries } from './prepare-binaries.js';
import { readIfPresent, readOrCreateSecret } from './private-files.js';
import type { ServerUser } from './run-program.js';
import { chooseServerUser, type DataDirectory, dataDirectoryFor } from './server-user.js';

/** Where a server keeps its data and what it runs with; stays the same over restarts. */
export interface ServerSetup {
  readonly data: DataDirectory;
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly settings: Readonly<Record<string, string>>;
}

/** Where root puts copies of the programs that the server's user can reach. */
const SHARED_COPIES_DIRECTORY = '/var/lib/takt/binaries';

/** Finds or makes all that a server needs before it can be started: its user, its programs, its data. */
export async function prepareServer(
  layout: HomeLayout,
  settings: Readonly<Record<string, string>>,
): Promise<ServerSetup> {
  const user = await chooseServerUser(layout);
  const copies = user === undefined ? layout.binaries : SHARED_COPIES_DIRECTORY;
  const binaries = await prepareBinaries(await findBinaryPackage(), copies, user);
  const durable = settings['fsync'] !== 'off';
  const data = await prepareDataDirectory(layout, { binaries, user, durable });
  return { data, binaries, user, settings };
}

/** The home's data directory, which is created if there is none and checked if there is. */
async function prepareDataDirectory(
  layout: HomeLayout,
  options: Omit<ClusterOptions, 'password'>,
): Promise<DataDirectory> {
  const present = await lstat(layout.data).catch(() => undefined);
  if (present !== undefined) {
    await refuseWithoutPassword(layout);
  } else {
    await createCluster(layout.data, { ...options, password: await readOrCreateSecret(layout.password) });
  }
  const directory = await realpath(layout.data).catch((error: unknown) => {
    throw new EmbeddedServerError(
      `${layout.data} is a link to a data directory that cannot be found: bring it back, ` +
        `or remove ${layout.directory} to begin with an empty database.`,
      { cause: error },
    );
  });
  await checkVersion(directory, options.binaries.majorVersion);
  return dataDirectoryFor(directory, options.user);
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
