import { randomBytes } from 'node:crypto';
import { chown, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type Binaries, findBinaryPackage, prepareBinaries } from './binaries.js';
import {
  EmbeddedServerError,
  type HomeLayout,
  readIfPresent,
  readOrCreateSecret,
  systemErrorCode,
} from './home.js';
import {
  chooseServerUser,
  type DataDirectory,
  dataDirectoryFor,
  runProgram,
  type ServerUser,
} from './server-user.js';

/** The data and the programs of a server. They stay the same when the server is restarted. */
export interface ServerSetup {
  readonly data: DataDirectory;
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly settings: Readonly<Record<string, string>>;
}

/** Directory for the copies of the programs that root makes, so that the user of the server can reach them. */
const SHARED_COPIES_DIRECTORY = '/var/lib/takt/binaries';

/** Prepares the user, the programs and the data of a server before the server is started. */
export async function prepareServer(
  layout: HomeLayout,
  settings: Readonly<Record<string, string>>,
  giveUp: AbortSignal,
): Promise<ServerSetup> {
  const user = await chooseServerUser(layout);
  const copies = user === undefined ? layout.binaries : SHARED_COPIES_DIRECTORY;
  const binaries = await prepareBinaries(await findBinaryPackage(), copies, user);
  const durable = settings['fsync'] !== 'off';
  const data = await prepareDataDirectory(layout, { binaries, user, durable, giveUp });
  return { data, binaries, user, settings };
}

/** Creates or checks the data directory of the home, and returns it. */
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

/** Name of the superuser and of the database in each embedded server. */
export const EMBEDDED_NAME = 'takt';

interface ClusterOptions {
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly password: string;
  /** If false, data are not flushed to disk, which is enough for temporary servers. */
  readonly durable: boolean;
  readonly giveUp: AbortSignal;
}

const STEP_DEADLINE_MS = 120_000;
const ABANDONED_AFTER_MS = 600_000;

const ACCESS_RULES = 'host all all 127.0.0.1/32 scram-sha-256\n';

const INITDB_ARGUMENTS = [
  `--username=${EMBEDDED_NAME}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  // The server rejects all connections until the rules below are written.
  '--auth=reject',
  '--no-sync',
  '--no-instructions',
];

/**
 * Creates a data directory with superuser, password and database. It is created completely or not at all: the directory
 * is made next to `directory` and then renamed. If several processes try this, one process succeeds and the others
 * discard their directories.
 */
async function createCluster(directory: string, options: ClusterOptions): Promise<void> {
  await removeAbandoned(directory);
  const temporary = `${directory}.new-${randomBytes(6).toString('hex')}`;
  await mkdir(temporary, { mode: 0o700 });
  try {
    if (options.user) await chown(temporary, options.user.uid, options.user.gid);
    await fill(await dataDirectoryFor(temporary, options.user), options);
    await rename(temporary, directory);
    if (options.durable) await syncDirectory(dirname(directory));
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    if (!['ENOTEMPTY', 'EEXIST'].includes(systemErrorCode(error) ?? '')) throw error;
  }
}

async function fill(
  data: DataDirectory,
  { binaries, user, password, durable, giveUp }: ClusterOptions,
): Promise<void> {
  const { directory, visibleAs } = data;
  const step = async (file: string, programArguments: string[], input = '') => {
    const result = await runProgram(file, programArguments, {
      user,
      input,
      directory,
      giveUp,
      deadlineMs: STEP_DEADLINE_MS,
    });
    if (result.code !== 0) throw failedStep(file, result.output);
  };
  await step(binaries.initdb, ['-D', visibleAs, ...INITDB_ARGUMENTS]);
  // This runs as the user of the server, because root must not write through a link of another user.
  await step('/bin/sh', ['-c', 'cat > "$1"', 'sh', join(visibleAs, 'pg_hba.conf')], ACCESS_RULES);
  // The password is passed through a pipe. If it were in a password file for initdb, the user of the server would have
  // to be able to read that file.
  await step(
    binaries.postgres,
    ['--single', '-D', visibleAs, '-c', 'fsync=off', 'postgres'],
    `ALTER ROLE ${EMBEDDED_NAME} PASSWORD '${password}';\nCREATE DATABASE ${EMBEDDED_NAME};\n`,
  );
  if (durable) await step(binaries.initdb, ['--sync-only', '-D', visibleAs]);
}

function failedStep(file: string, output: string): EmbeddedServerError {
  const lines = output.trim().split('\n').slice(-15).join('\n');
  const advice = /could not look up effective user/.test(output)
    ? ' The user that runs Takt has no account: add it to /etc/passwd, or run Takt as root or another user.'
    : ' Free disk space and write permission are the usual causes.';
  return new EmbeddedServerError(
    `${basename(file)} could not create the database.${advice} It said:\n${lines}`,
  );
}

/** Removes what is left of a process that was killed while it created a data directory. */
async function removeAbandoned(directory: string): Promise<void> {
  const parent = dirname(directory);
  const prefix = `${basename(directory)}.new-`;
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const changed = await stat(join(parent, name)).catch(() => undefined);
    const abandoned = changed !== undefined && Date.now() - changed.mtimeMs > ABANDONED_AFTER_MS;
    if (abandoned) await rm(join(parent, name), { recursive: true, force: true });
  }
}

async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
