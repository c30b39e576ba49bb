import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Memory that Linux shows as a folder. */
const IN_MEMORY = '/dev/shm';
/** Four times what a run of three lanes held at most. */
const NEEDED_BYTES = 2 * 2 ** 30;

/**
 * Makes the folder for all that a test run and what it starts keep in files, and lets `tmpdir()` give it here and in the
 * lanes of mocha. It is in memory where there is room: a new database is 700 files, of which ext4 makes 300 ms of system
 * time and memory 25.
 */
export async function openTestFolder(): Promise<{ readonly path: string; close(): Promise<void> }> {
  const path = (await openFolder(IN_MEMORY, NEEDED_BYTES)) ?? (await openFolder(tmpdir()));
  if (path === undefined) throw new Error(`nothing can be written to ${tmpdir()}`);
  process.env['TMPDIR'] = path;
  return { path, close: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}

/** Undefined where it has not so many bytes left, or programs cannot be run there, as in the memory of some containers. */
async function openFolder(parent: string, neededBytes = 0): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(parent);
    if (bavail * bsize < neededBytes) return undefined;
    const path = await mkdtemp(join(parent, 'takt-test-'));
    // PostgreSQL is another user where the tests are run by root.
    await chmod(path, 0o755);
    const program = join(path, 'program');
    await writeFile(program, '#!/bin/sh\n', { mode: 0o755 });
    try {
      execFileSync(program);
      return path;
    } catch {
      await rm(path, { recursive: true });
      return undefined;
    }
  } catch {
    return undefined;
  }
}
