import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent } from './home.js';
import type { ServerSetup } from './prepare-server.js';
import { runProgram, spawnOptionsFor } from './server-user.js';

/** The server that has a data directory, as PostgreSQL itself announces it in `postmaster.pid`. */
export interface RunningServer {
  readonly pid: number;
  /** On 127.0.0.1. */
  readonly port: number;
  /** True while it accepts connections. */
  readonly isReady: boolean;
}

/** Larger than any process id: the lock of a server that is certainly gone. */
const NO_PROCESS_ID = 2_147_483_647;

/** A setting of our own, the last on a server's command line, by which it is recognised. */
export const IDENTITY_SETTING = 'takt.data_directory';

/** Modest enough for a machine that does other work too; what is committed stays. */
const DEFAULT_SETTINGS = {
  shared_buffers: '256MB',
  max_connections: '100',
  max_wal_size: '2GB',
  // So that the time of the last commit can be asked for.
  track_commit_timestamp: 'on',
  // Rows that change with every event leave something behind in every index until they are vacuumed.
  autovacuum_naptime: '15s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The holders start a crashed server anew. One that does so itself, and finds the disk still full when it replays
  // its log, was seen (18.4) to stay for ever without a process that recovers, and to refuse all connections.
  restart_after_crash: 'off',
};

/** Starts a server that outlives this process. It says in the log why it does not start. */
export async function startServer(setup: ServerSetup, port: number, logPath: string): Promise<ChildProcess> {
  const { data, binaries, user } = setup;
  const log = await open(logPath, 'a', 0o600);
  try {
    const child = spawn(binaries.postgres, serverArguments(setup, port), {
      ...spawnOptionsFor(user, data.directory),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    child.unref();
    // A program that cannot be started has no process id and is seen to have ended.
    child.on('error', () => undefined);
    return child;
  } finally {
    await log.close();
  }
}

/** The arguments of `postgres`: defaults, then the caller's settings, then what this package relies on. */
function serverArguments({ data, settings }: ServerSetup, port: number): string[] {
  const all = Object.entries({
    ...DEFAULT_SETTINGS,
    ...settings,
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    lc_messages: 'C',
    [IDENTITY_SETTING]: data.directory,
  });
  return ['-D', data.visibleAs, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** The server that has the data directory; undefined when none has, whatever a lock that was left behind says. */
export async function findServer(dataDirectory: string): Promise<RunningServer | undefined> {
  const directory = await realpath(dataDirectory).catch(() => undefined);
  if (directory === undefined) return undefined;
  const lines = (await readIfPresent(join(directory, 'postmaster.pid')))?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  // A negative id is that of a single-user server.
  if (!(pid > 0) || !(port > 0)) return undefined;
  // A process id that was given away again deceives nobody.
  if (!(await commandLineOf(pid)).endsWith(` -c ${IDENTITY_SETTING}=${directory}`)) return undefined;
  return { pid, port, isReady: lines[7]?.trim() === 'ready' };
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
 * process or to one that nobody reaps, or where the server was killed before it wrote one. The file is not deleted, for it
 * names the shared memory by which PostgreSQL still refuses to start beside children of the old server.
 */
export async function disarmLock(dataDirectory: string): Promise<void> {
  const path = join(dataDirectory, 'postmaster.pid');
  const text = await readIfPresent(path);
  if (text === undefined) return;
  // Root must not follow a link that the server's user could have put there.
  const flag = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
  await writeFile(path, text.replace(/^\d*/, String(NO_PROCESS_ID)), { flag });
}
