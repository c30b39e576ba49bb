import { constants } from 'node:fs';
import { readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent } from './private-files.js';
import { runProgram } from './run-program.js';

/** The server that has a data directory, as PostgreSQL itself announces it in `postmaster.pid`. */
export interface RunningServer {
  /** The real path of its data. */
  readonly directory: string;
  readonly pid: number;
  /** On 127.0.0.1. */
  readonly port: number;
  /** True while it accepts connections. */
  readonly isReady: boolean;
  /** The process that started it and answers for its end. */
  readonly guardianPid: number;
}

/** Larger than any process id: the lock of a server that is certainly gone. */
const NO_PROCESS_ID = 2_147_483_647;

/** Settings of our own, the last on a server's command line, by which it and its guardian are recognised. */
export function identitySettings(directory: string, guardianPid: number): Readonly<Record<string, string>> {
  return { 'takt.data_directory': directory, 'takt.guardian_pid': String(guardianPid) };
}

/** The last argument of a guardian's command line. */
export function guardianArgument(home: string): string {
  return `takt.home=${home}`;
}

/** The server that has the data directory; undefined when none has, whatever a lock that was left behind says. */
export async function findServer(dataDirectory: string): Promise<RunningServer | undefined> {
  const directory = await realpath(dataDirectory).catch(() => undefined);
  if (directory === undefined) return undefined;
  const lines = (await readIfPresent(join(directory, 'postmaster.pid')))?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  // A negative id is that of a single-user server.
  if (!(pid > 0) || !(port > 0)) return undefined;
  const guardianPid = await guardianOf(pid, directory);
  if (guardianPid === undefined) return undefined;
  return { directory, pid, port, isReady: lines[7]?.trim() === 'ready', guardianPid };
}

/** Whether the server has not ended yet. */
export async function serverRuns({ pid, directory }: RunningServer): Promise<boolean> {
  return (await guardianOf(pid, directory)) !== undefined;
}

/** The guardian of the server with this process id; undefined when it is no server of the directory. */
async function guardianOf(pid: number, directory: string): Promise<number | undefined> {
  const [, before, guardianPid] = /^(.*) -c takt\.guardian_pid=(\d+)$/s.exec(await commandLineOf(pid)) ?? [];
  return before?.endsWith(` -c takt.data_directory=${directory}`) ? Number(guardianPid) : undefined;
}

/** Whether the process is a guardian of the home, and not another one that got the same id later. */
export async function isGuardian(pid: number, home: string): Promise<boolean> {
  return (await commandLineOf(pid)).endsWith(` ${guardianArgument(home)}`);
}

/** A process's arguments with blanks between them; empty when it has ended, even if nobody has reaped it. */
export async function commandLineOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return text.replace(/\0$/, '').replaceAll('\0', ' ');
  }
  const listed = await runProgram('ps', ['-ww', '-o', 'command=', '-p', String(pid)], {
    user: undefined,
    deadlineMs: 5_000,
  });
  return listed.code === 0 ? listed.output.trimEnd() : '';
}

/**
 * Makes PostgreSQL take the lock for one of a server that is gone, where the id in it belongs to an unrelated
 * process or to one that nobody reaps. The file is not deleted, for it names the shared memory by which PostgreSQL
 * still refuses to start beside children of the old server.
 */
export async function disarmLock(dataDirectory: string): Promise<void> {
  const path = join(dataDirectory, 'postmaster.pid');
  const text = await readIfPresent(path);
  if (text === undefined) return;
  // Root must not follow a link that the server's user could have put there.
  const flag = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
  await writeFile(path, text.replace(/^\d+/, String(NO_PROCESS_ID)), { flag });
}
