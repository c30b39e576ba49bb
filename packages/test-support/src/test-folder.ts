import { execFileSync } from 'node:child_process';
import { chmod, mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Memory that Linux presents as a directory. */
const IN_MEMORY = '/dev/shm';
/** Space that must be free. It is four times the peak use of a run with three lanes. */
const NEEDED_BYTES = 2 * 2 ** 30;

/**
 * Creates the directory for all files of a test run and its child processes. Makes `tmpdir()` return this directory
 * here and in the lanes of mocha. The directory is in memory if there is room: a new database has 700 files, which take
 * 300 ms of system time on ext4 and 25 ms in memory.
 */
export async function openTestFolder(): Promise<{ readonly path: string; close(): Promise<void> }> {
  const path = (await openFolder(IN_MEMORY, NEEDED_BYTES)) ?? (await openFolder(tmpdir()));
  if (path === undefined) throw new Error(`nothing can be written to ${tmpdir()}`);
  process.env['TMPDIR'] = path;
  return { path, close: () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}

/**
 * Creates and returns a new directory. Returns undefined if less than `neededBytes` are free, or if programs cannot run
 * there, as in the memory of some containers.
 */
async function openFolder(parent: string, neededBytes = 0): Promise<string | undefined> {
  try {
    const { bavail, bsize } = await statfs(parent);
    if (bavail * bsize < neededBytes) return undefined;
    const path = await mkdtemp(join(parent, 'takt-test-'));
    // If root runs the tests, PostgreSQL runs as another user, who must be able to enter the directory.
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
