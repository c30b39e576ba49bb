import { chown, mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { EmbeddedServerError, type Home } from './home.js';
import { type Programs, runProgram, type ServerUser, visiblePath } from './programs.js';

/** Name of the superuser and of the database in each embedded server. */
export const EMBEDDED_NAME = 'takt';

const ABANDONED_AFTER_MS = 600_000;

const INITDB_PARAMETERS = [
  `--username=${EMBEDDED_NAME}`,
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
  '--auth-local=reject',
  '--auth-host=scram-sha-256',
  '--no-sync',
  '--no-instructions',
];

interface DataOptions {
  readonly programs: Programs;
  readonly user: ServerUser | undefined;
  readonly password: string;
  /** If false, data are not flushed to disk, which is enough for temporary servers. */
  readonly isDurable: boolean;
  readonly signal: AbortSignal;
}

/**
 * Creates the data directory of a home if it is missing. PostgreSQL itself refuses one that it cannot use, such as one of
 * another version.
 */
export async function prepareData(home: Home, options: DataOptions): Promise<void> {
  if (!(await readdir(home.directory)).includes(basename(home.data))) await createData(home, options);
}

/**
 * Creates the data with superuser, password and database, completely or not at all: they are made in a directory beside
 * and then renamed. If several processes try this, one succeeds and the others discard what they made.
 */
async function createData(
  home: Home,
  { programs, user, password, isDurable, signal }: DataOptions,
): Promise<void> {
  await removeAbandoned(home);
  const room = await mkdtemp(`${home.data}.new-`);
  try {
    const [directory, passwordFile] = [join(room, 'data'), join(room, 'password')];
    await mkdir(directory, { mode: 0o700 });
    await writeFile(passwordFile, password, { mode: 0o600 });
    for (const path of user ? [directory, passwordFile, room] : [])
      await chown(path, user?.uid ?? 0, user?.gid ?? 0);
    const data = await visiblePath(directory, user);
    const run = async (file: string, parameters: readonly string[], input = '') => {
      const { isDone, output } = await runProgram(file, parameters, user, { directory, input, signal });
      if (!isDone) throw failedStep(file, output);
    };
    await run(programs.initdb, ['-D', data, `--pwfile=${data}/../password`, ...INITDB_PARAMETERS]);
    const single = ['--single', '-D', data, '-c', 'fsync=off', 'postgres'];
    await run(programs.postgres, single, `CREATE DATABASE ${EMBEDDED_NAME};\n`);
    if (isDurable) await run(programs.initdb, ['--sync-only', '-D', data]);
    await rename(directory, home.data).catch((error) => {
      if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
    });
    if (isDurable) await syncDirectory(home.directory);
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}

function failedStep(file: string, output: string): EmbeddedServerError {
  const advice = /could not look up effective user/.test(output)
    ? 'The user that runs Takt has no account: add it to /etc/passwd, or run Takt as root or another user.'
    : 'Free disk space and write permission are the usual causes.';
  const lines = output.trim().split('\n').slice(-15).join('\n');
  return new EmbeddedServerError(
    `${basename(file)} could not create the database. ${advice} It said:\n${lines}`,
  );
}

/** Removes what processes have left that were killed while they created the data. */
async function removeAbandoned({ directory, data }: Home): Promise<void> {
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    if (!path.startsWith(`${data}.new-`)) continue;
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > ABANDONED_AFTER_MS) await rm(path, { recursive: true, force: true });
  }
}

/** Flushes the entries of a directory to disk, so that the renamed directory is there after a power failure. */
async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  await handle.sync().finally(() => handle.close());
}
