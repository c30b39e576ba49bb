import { type ChildProcess, spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareData } from './data-directory.js';
import { readIfPresent } from './files.js';
import { type Home, passwordOf } from './home.js';
import {
  chooseUser,
  findPackage,
  preparePrograms,
  runProgram,
  spawnOptions,
  visiblePath,
} from './programs.js';

const MAX_LOG_BYTES = 10 * 2 ** 20;

/** Name of a custom setting by which our servers are recognised. It comes last on the command line. */
const IDENTITY_SETTING = 'takt.data_directory';

/**
 * Default settings of the server. They are modest because the machine does other work too. Committed data are durable.
 */
const DEFAULT_SETTINGS = {
  shared_buffers: '256MB',
  max_connections: '100',
  max_wal_size: '2GB',
  // This makes the time of the last commit available.
  track_commit_timestamp: 'on',
  // Vacuum runs often, because rows that change with each event leave dead entries in each index until then.
  autovacuum_naptime: '15s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A server that restarts itself while the disk is full can hang and refuse all connections (seen with 18.4).
  restart_after_crash: 'off',
};

/** Prepares programs and data of a home. Returns a function that starts a server, which outlives this process. */
export async function prepareServer(
  home: Home,
  settings: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<(port: number) => Promise<ChildProcess>> {
  const user = await chooseUser(home);
  const programs = await preparePrograms(await findPackage(), user);
  const isDurable = settings['fsync'] !== 'off';
  const password = await passwordOf(home);
  await prepareData(home, { programs, user, password, isDurable, signal });
  const directory = await realpath(home.data);
  const data = await visiblePath(directory, user);
  if ((await logLength(home)) > MAX_LOG_BYTES) await rename(home.log, `${home.log}.1`);
  return async (port) => {
    const all = {
      ...DEFAULT_SETTINGS,
      ...settings,
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      logging_collector: 'off',
      log_destination: 'stderr',
      lc_messages: 'C',
      [IDENTITY_SETTING]: directory,
    };
    const parameters = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = await open(home.log, 'a', 0o600);
    try {
      const child = spawn(programs.postgres, ['-D', data, ...parameters], {
        ...spawnOptions(user, directory),
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
  };
}

/** A server that runs on the data of a home, by its `postmaster.pid`. It may not accept connections yet. */
export interface RunningServer {
  readonly pid: number;
  /** Port on 127.0.0.1. */
  readonly port: number;
}

/** Returns the server that runs on the data of a home; undefined if there is none. */
export async function findServer(home: Pick<Home, 'data'>): Promise<RunningServer | undefined> {
  const lines = (await readIfPresent(join(home.data, 'postmaster.pid')))?.split('\n') ?? [];
  const [pid, port] = [Number(lines[0]), Number(lines[3])];
  // A negative process id belongs to a server in single-user mode.
  if (!(pid > 0) || !(port > 0)) return undefined;
  // After a crash of the machine, another program may have the process id.
  return (await isServer(home, pid)) ? { pid, port } : undefined;
}

/** Returns true if a process is a server on the data of a home. */
export async function isServer({ data }: Pick<Home, 'data'>, pid: number): Promise<boolean> {
  return (await commandLineOf(pid)).endsWith(` -c ${IDENTITY_SETTING}=${await realpath(data)}`);
}

/** Returns the arguments of a process, separated by blanks; empty text if it has ended, even if it is still a zombie. */
export async function commandLineOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return text.replace(/\0$/, '').replaceAll('\0', ' ');
  }
  const { isDone, output } = await runProgram('ps', ['-ww', '-o', 'command=', '-p', `${pid}`], undefined);
  return isDone ? output.trimEnd() : '';
}

/** A number that is larger than any process id. */
const NO_PROCESS_ID = 2_147_483_647;

/**
 * Invalidates the lock file of a dead server whose process id belongs to a zombie or to another program. The file is not
 * deleted, because by the shared memory that it names PostgreSQL sees whether children of the dead server still run.
 */
export async function disarmLock({ data }: Home): Promise<void> {
  const path = join(data, 'postmaster.pid');
  const text = await readIfPresent(path);
  // Root must not follow a link that the user of the server has made.
  const flag = constants.O_WRONLY | constants.O_TRUNC | constants.O_NOFOLLOW;
  if (text !== undefined) await writeFile(path, text.replace(/^\d*/, `${NO_PROCESS_ID}`), { flag });
}

/** Returns the length of the log in bytes; 0 if there is none. */
export async function logLength({ log }: Home): Promise<number> {
  return (await stat(log).catch(() => undefined))?.size ?? 0;
}

/** Returns the last lines of the log after the first `offset` bytes. */
export async function lastLinesOf({ log }: Home, offset = 0): Promise<string> {
  const bytes = await readFile(log).catch(() => Buffer.alloc(0));
  return bytes.subarray(offset).toString().trim().split('\n').slice(-15).join('\n');
}
