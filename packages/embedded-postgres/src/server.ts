import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readFile, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent } from './home.js';
import type { ServerSetup } from './prepare-server.js';
import { runProgram, spawnOptionsFor } from './server-user.js';

/** The server of a data directory, from `postmaster.pid`. */
export interface RunningServer {
  readonly pid: number;
  /** On 127.0.0.1. */
  readonly port: number;
  /** True while it accepts connections. */
  readonly isReady: boolean;
}

/** Larger than any process id. */
const NO_PROCESS_ID = 2_147_483_647;

/** A custom setting that identifies our servers. It is last on the command line. */
export const IDENTITY_SETTING = 'takt.data_directory';

/** Modest settings, because the machine does other work too. Committed data are durable. */
const DEFAULT_SETTINGS = {
  shared_buffers: '256MB',
  max_connections: '100',
  max_wal_size: '2GB',
  // Makes the time of the last commit available.
  track_commit_timestamp: 'on',
  // Rows that change with each event leave dead entries in each index until they are vacuumed.
  autovacuum_naptime: '15s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The lease holders restart a crashed server. If the server restarted itself while the disk was still full, it could
  // hang without a recovering process and refuse all connections (seen with 18.4).
  restart_after_crash: 'off',
};

/** Starts a server that outlives this process. Its log has the reason of a failure. */
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
    // A program that cannot be started has no process id, and counts as ended.
    child.on('error', () => undefined);
    return child;
  } finally {
    await log.close();
  }
}

/**
 * The arguments of `postgres`: the defaults, then the caller's settings, then the settings that this package relies on.
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

/** The running server of a data directory; undefined if none is running, even if a stale lock file exists. */
export async function findServer(dataDirectory: string): Promise<RunningServer | undefined> {
  const directory = await realpath(dataDirectory).catch(() => undefined);
  if (directory === undefined) return undefined;
  const lines = (await readIfPresent(join(directory, 'postmaster.pid')))?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  // A negative id belongs to a single-user server.
  if (!(pid > 0) || !(port > 0)) return undefined;
  // Rejects a process id that another program uses now.
  if (!(await commandLineOf(pid)).endsWith(` -c ${IDENTITY_SETTING}=${directory}`)) return undefined;
  return { pid, port, isReady: lines[7]?.trim() === 'ready' };
}

/** The arguments of a process, separated by blanks; empty if it has ended, even as a zombie. */
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
 * Invalidates the lock file of a dead server, whose process id is missing or belongs to a zombie or an unrelated
 * process. The file is not deleted: it names the shared memory by which PostgreSQL refuses to start while children of
 * the old server still run.
 */
export async function disarmLock(dataDirectory: string): Promise<void> {
  const path = join(dataDirectory, 'postmaster.pid');
  const text = await readIfPresent(path);
  if (text === undefined) return;
  // Root must not follow a link of the server's user.
  const flag = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
  await writeFile(path, text.replace(/^\d*/, String(NO_PROCESS_ID)), { flag });
}
