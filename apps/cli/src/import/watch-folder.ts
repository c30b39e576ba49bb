import { mkdir, readdir, rename, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
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
  let seen: ReadonlyMap<string, string> = new Map();
  while (!signal.aborted) {
    const now = await readStates(folder);
    for (const [path, state] of now) {
      if (seen.get(path) !== state || signal.aborted) continue;
      const isTaken = await take(path);
      // A file that grew meanwhile is taken again, and one that was interrupted stays.
      if (signal.aborted || (await stateOf(path)) !== state) continue;
      await rename(path, join(folder, isTaken ? 'done' : 'failed', `${stamp()}-${basename(path)}`));
    }
    seen = now;
    await pause(POLL_MS, signal);
  }
}

/** Returns the size and the time of each table in a folder, by path, in order of name. */
async function readStates(folder: string): Promise<ReadonlyMap<string, string>> {
  const tables = (await readdir(folder)).filter((entry) => TABLE.test(entry) && !entry.includes('.faulty.'));
  const states = new Map<string, string>();
  for (const path of tables.sort().map((name) => join(folder, name))) {
    const state = await stateOf(path);
    if (state !== undefined) states.set(path, state);
  }
  return states;
}

async function stateOf(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() === true ? `${found.size} ${found.mtimeMs}` : undefined;
}

/** A time for names of files, so that two exports of the same name both stay. */
const stamp = () => new Date().toISOString().replaceAll(/[:.]/g, '');
