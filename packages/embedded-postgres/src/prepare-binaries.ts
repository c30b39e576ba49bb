import { randomBytes } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readlink, rename, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type BinaryPackage, linkLibraries } from './binary-package.js';
import { EmbeddedServerError, messageOf } from './embedded-server-error.js';
import { type ProgramResult, runProgram, type ServerUser } from './run-program.js';

/** Programs of PostgreSQL that the server's user can run. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Such as 18; data of another one cannot be opened. */
  readonly majorVersion: number;
}

/**
 * Makes the package's programs run under `user`: in place where possible, else from a copy in
 * `copiesDirectory/VERSION`, made once (the package may lie in a directory that only root may enter, or that is
 * read-only and without the links).
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
  const copied = await usableBinaries(await copyOnce(directory, copiesDirectory, version), user);
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
  // A real run asks everything at once: path, permissions, loader and libraries.
  const result = await runProgram(postgres, ['--version'], { user, deadlineMs: 30_000 });
  const majorVersion = /PostgreSQL\) (\d+)/.exec(result.output)?.[1];
  if (result.code !== 0 || majorVersion === undefined) return result;
  return { initdb: join(bin, 'initdb'), postgres, majorVersion: Number(majorVersion) };
}

async function copyOnce(packageDirectory: string, copiesDirectory: string, version: string): Promise<string> {
  const copy = join(copiesDirectory, version);
  if ((await stat(copy).catch(() => undefined)) !== undefined) return copy;
  const temporary = `${copy}.${randomBytes(6).toString('hex')}`;
  try {
    await mkdir(copiesDirectory, { recursive: true, mode: 0o755 });
    await copyReadable(join(packageDirectory, 'native'), join(temporary, 'native'));
    await linkLibraries(temporary);
    await chmod(temporary, 0o755);
    await rename(temporary, copy);
  } catch (error) {
    await rm(temporary, { recursive: true, force: true });
    // Another process was quicker with the same copy.
    if ((await stat(copy).catch(() => undefined)) !== undefined) return copy;
    throw new EmbeddedServerError(
      `The programs of PostgreSQL cannot be copied to ${copy} (${messageOf(error)}): make room or give ` +
        'permission there, or install Takt where every user may read it.',
    );
  }
  return copy;
}

/** Copies a tree so that every user may read it, whatever the umask and the modes of the original. */
async function copyReadable(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  await chmod(to, 0o755);
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await copyReadable(source, target);
    } else if (entry.isSymbolicLink()) {
      await symlink(await readlink(source), target);
    } else {
      await copyFile(source, target);
      await chmod(target, (await stat(source)).mode & 0o100 ? 0o755 : 0o644);
    }
  }
}
