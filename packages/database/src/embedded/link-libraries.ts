import { randomBytes } from 'node:crypto';
import { readFile, rename, stat, symlink } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/**
 * Makes the links between the libraries that npm cannot pack and that the package's install script would make,
 * which many set-ups do not run. Links already there are left alone; two processes may do it at once.
 */
export async function linkLibraries(packageDirectory: string): Promise<void> {
  const list: unknown = JSON.parse(await readFile(join(packageDirectory, 'native/pg-symlinks.json'), 'utf8'));
  for (const { source, target } of Array.isArray(list) ? list.filter(isLink) : []) {
    await link(join(packageDirectory, source), join(packageDirectory, target));
  }
}

interface Link {
  /** The file, and the link to it, relative to the package. */
  readonly source: string;
  readonly target: string;
}

function isLink(entry: unknown): entry is Link {
  if (typeof entry !== 'object' || entry === null || !('source' in entry && 'target' in entry)) return false;
  return typeof entry.source === 'string' && typeof entry.target === 'string';
}

async function link(source: string, target: string): Promise<void> {
  const present = await stat(target).catch(() => undefined);
  if (present !== undefined) return;
  // Renamed into place, so that a link which points nowhere is replaced and nobody sees a moment without one.
  const temporary = `${target}.${randomBytes(6).toString('hex')}`;
  await symlink(relative(dirname(target), source), temporary);
  await rename(temporary, target);
}
