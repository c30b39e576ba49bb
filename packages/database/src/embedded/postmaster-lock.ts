import { constants } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemErrorCode } from './embedded-server-error.js';
import { runProgram } from './run-program.js';
import { readIfPresent } from './secret-file.js';
import { IDENTITY_SETTING } from './server-settings.js';

/** What `postmaster.pid` says, by which PostgreSQL lets one server only into a data directory. */
export interface PostmasterLock {
  readonly pid: number;
  /** True once that server accepts connections. */
  readonly ready: boolean;
}

/** Larger than any process id: the lock of a server that is certainly gone. */
const NO_PROCESS_ID = 2_147_483_647;

export async function readPostmasterLock(dataDirectory: string): Promise<PostmasterLock | undefined> {
  const lines = (await readIfPresent(join(dataDirectory, 'postmaster.pid')))?.split('\n');
  const pid = Number(lines?.[0]);
  if (lines === undefined || !Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, ready: lines[7]?.trim() === 'ready' };
}

/** Whether a process of this id runs, of whatever program and user. One that only waits to be reaped does not. */
export async function processRuns(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemErrorCode(error) !== 'EPERM') return false;
  }
  if (process.platform !== 'linux') return true;
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) [ZX] /.test(status);
}

/** Whether the process is a server of this data directory, and not another one that got the same id later. */
export async function isPostmasterOf(pid: number, dataDirectory: string): Promise<boolean> {
  const identity = `${IDENTITY_SETTING}=${dataDirectory}`;
  if (process.platform === 'linux') {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const [program = '', ...programArguments] = commandLine.split('\0');
    return basename(program) === 'postgres' && programArguments.includes(identity);
  }
  const listed = await runProgram('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
    user: undefined,
    deadlineMs: 5_000,
  });
  return listed.output.includes('/postgres ') && listed.output.trim().endsWith(` ${identity}`);
}

/**
 * Makes PostgreSQL take the lock for one of a server that is gone, where the id in it belongs to an unrelated
 * process or to one that nobody reaps. The file is not deleted, for it names the shared memory by which PostgreSQL still refuses to start
 * beside children of the old server.
 */
export async function disarmLock(dataDirectory: string, pid: number): Promise<void> {
  const path = join(dataDirectory, 'postmaster.pid');
  const text = await readIfPresent(path);
  if (!text?.startsWith(`${pid}\n`)) return;
  // Root must not follow a link that the server's user could have put there.
  const flag = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
  await writeFile(path, text.replace(/^\d+/, String(NO_PROCESS_ID)), { flag });
}
