import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';

/** Reads the text of a file. Returns undefined if the file does not exist; rejects for other failures. */
export async function readIfPresent(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/**
 * Returns the secret at `path`. The first call invents and stores it, and concurrent calls all get the same secret. Only
 * the current user can read it.
 */
export async function readOrCreateSecret(path: string, invent: () => string): Promise<string> {
  const existing = await readIfPresent(path);
  if (existing !== undefined) return existing;
  const temporary = await writeTemporary(path, invent());
  // Unlike a rename, a link never replaces a secret that another process has just created.
  await link(temporary, path)
    .catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    })
    .finally(() => rm(temporary, { force: true }));
  return readFile(path, 'utf8');
}

/** Replaces a file that only the current user can read. Readers see either the old or the new text, never a part. */
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
