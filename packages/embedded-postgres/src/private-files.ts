import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { systemErrorCode } from './embedded-server-error.js';

/** The text of a file, or undefined when there is none. Other failures reject. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/**
 * The secret kept at `path`, 256 random bits as hexadecimal digits unless told; made by the first who asks, also when
 * two ask at once. Only the current user may read it.
 */
export async function readOrCreateSecret(path: string, invent: () => string = inventSecret): Promise<string> {
  const existing = await readIfPresent(path);
  if (existing !== undefined) return existing;
  const temporary = await writeTemporary(path, invent());
  try {
    // Unlike a rename, a link never replaces the secret of somebody who was quicker.
    await link(temporary, path);
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(path, 'utf8');
}

function inventSecret(): string {
  return randomBytes(32).toString('hex');
}

/** Replaces a file that only the current user may read; readers see the old text or the new one, never a part. */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  await rename(await writeTemporary(path, text), path);
}

async function writeTemporary(path: string, text: string): Promise<string> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return temporary;
}
