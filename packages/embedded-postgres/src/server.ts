import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent } from './home.js';
import type { ServerSetup } from './prepare-server.js';
import { runProgram, spawnOptionsFor } from './server-user.js';

/** The server that runs on a data directory, as described by `postmaster.pid`. */
export interface RunningServer {
  readonly pid: number;
  /** Port on 127.0.0.1. */
  readonly port: number;
  /** True while the server accepts connections. */
  readonly isReady: boolean;
}

/** A number that is larger than any process id. */
const NO_PROCESS_ID = 2_147_483_647;

/** Name of a custom setting by which our servers are recognised. It comes last on the command line. */
export const IDENTITY_SETTING = 'takt.data_directory';

/**
 * Default settings of the server. They are modest because the machine does other work too. Committed data are durable.
 */
const DEFAULT_SETTINGS = {
  shared_buffers: '256MB',
  max_connections: '100',
  max_wal_size: '2GB',
  // This makes the time of the last commit available.
  track_commit_timestamp: 'on',
  // Vacuum runs often, because rows that change with each event leave dead entries in each index until they are
  // vacuumed.
  autovacuum_naptime: '15s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The users of the server restart it after a crash. If the server restarted itself while the disk is still full, it
  // could hang without a recovering process and refuse all connections (seen with 18.4).
  restart_after_crash: 'off',
};

/** Starts a server that outlives this process. If the start fails, the log of the server has the reason. */
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
    // A program that cannot be started has no process id and counts as ended.
    child.on('error', () => undefined);
    return child;
  } finally {
    await log.close();
  }
}

/**
 * Returns the arguments of `postgres`: first the defaults, then the settings of the caller, then the settings on which
 * this package relies.
 */
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

/**
 * Returns the server that runs on a data directory. Returns undefined if none is running, even if there is a stale lock
 * file.
 */
export async function findServer(dataDirectory: string): Promise<RunningServer | undefined> {
  const directory = await realpath(dataDirectory).catch(() => undefined);
  if (directory === undefined) return undefined;
  const lines = (await readIfPresent(join(directory, 'postmaster.pid')))?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  // A negative process id belongs to a single-user server.
  if (!(pid > 0) || !(port > 0)) return undefined;
  // Another program may have the process id now, so the command line of the process is checked.
  if (!(await commandLineOf(pid)).endsWith(` -c ${IDENTITY_SETTING}=${directory}`)) return undefined;
  return { pid, port, isReady: lines[7]?.trim() === 'ready' };
}

/**
 * Returns the arguments of a process, separated by blanks. Returns empty text if the process has ended, even if it is
 * still a zombie.
 */
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
 * Invalidates the lock file of a dead server. The process id of a dead server is missing, or belongs to a zombie or an
 * unrelated process. The file is not deleted, because it names the shared memory: by that memory PostgreSQL refuses to
 * start while children of the old server still run.
 */
export async function disarmLock(dataDirectory: string): Promise<void> {
  const path = join(dataDirectory, 'postmaster.pid');
  const text = await readIfPresent(path);
  if (text === undefined) return;
  // Root must not follow a link that the user of the server has made.
  const flag = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
  await writeFile(path, text.replace(/^\d*/, String(NO_PROCESS_ID)), { flag });
}
