import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pause } from '@takt/run/waiting';

const POLL_MS = 2_000;
const TABLE = /\.(csv|tsv|txt|xlsx)$/i;

/**
 * Takes each new file of a folder once, in order of name, and moves it to `done` or `failed` in that folder. A file is taken when
 * its size did not change between two looks, so that an export is not read while it is written. Ends by the signal.
 * @param take imports a file; returns false if it failed
 */
export async function watchFolder(
  folder: string,
  signal: AbortSignal,
  take: (path: string) => Promise<boolean>,
): Promise<void> {
  for (const name of ['done', 'failed']) await mkdir(join(folder, name), { recursive: true });
  let seen = new Map<string, string>();
  while (!signal.aborted) {
    const now = new Map<string, string>();
    const tables = (await readdir(folder)).filter(
      (entry) => TABLE.test(entry) && !entry.includes('.faulty.'),
    );
    for (const name of tables.sort()) {
      const path = join(folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile() !== true) continue;
      const state = `${found.size} ${found.mtimeMs}`;
      now.set(name, state);
      if (seen.get(name) !== state || signal.aborted) continue;
      const target = (await take(path)) ? 'done' : 'failed';
      await rename(path, join(folder, target, `${stamp()}-${name}`));
      now.delete(name);
    }
    seen = now;
    await pause(POLL_MS, signal);
  }
}

/** A time for names of files, so that two exports of the same name both stay. */
const stamp = () => new Date().toISOString().replaceAll(/[:.]/g, '');
