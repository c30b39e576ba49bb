import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerSetup } from './prepare-server.js';
import { type ServerUser, spawnOptionsFor } from './run-program.js';
import { findServer, identitySettings } from './running-server.js';
import type { ServerLog } from './server-log.js';

/** One server process, from its start to its end. */
export interface Postmaster {
  /** Aborted when the process has ended. */
  readonly ended: AbortSignal;
  /** Whether it ended by a signal, and not of its own accord: what it had to say is then no reason. */
  wasKilled(): boolean;
  /**
   * True when the server accepts connections, false when it ended before or `stopping` was aborted. Recovery after
   * a crash may take minutes.
   */
  untilReady(stopping: AbortSignal): Promise<boolean>;
  stop(): Promise<void>;
}

const READY_POLL_MS = 20;
const END_POLL_MS = 25;

/** Ways to end a server, from orderly to forcible, and how long each may take. */
const END_STEPS = [
  // Disconnects all clients and writes a checkpoint.
  { signal: 'SIGINT', deadlineMs: 10_000 },
  // Ends without a checkpoint; the next start recovers from the log.
  { signal: 'SIGQUIT', deadlineMs: 5_000 },
  { signal: 'SIGKILL', deadlineMs: 5_000 },
] as const;

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
  // The guardian starts a crashed server anew. One that does so itself, and finds the disk still full when it replays
  // its log, was seen (18.4) to stay for ever without a process that recovers, and to refuse all connections.
  restart_after_crash: 'off',
};

/**
 * Waits on a pipe that the system closes however the guardian ends, kill -9 included, then ends the server: so a
 * server does not run without a guardian, even when nobody is left who could start a new one.
 */
const WATCHDOG_SCRIPT = `
trap '' INT TERM HUP
read -r word
[ "$word" = dismissed ] && exit 0
kill -INT "$1"
attempts=0
while [ $attempts -lt 10 ]; do
  sleep 1
  kill -0 "$1" || exit 0
  attempts=$((attempts + 1))
done
kill -QUIT "$1"
`;

/** Starts the server process, watched over by a process that ends it when the current one is killed. */
export function startPostmaster(setup: ServerSetup, port: number, log: ServerLog): Postmaster {
  const { data, binaries, user } = setup;
  const child = spawn(binaries.postgres, serverArguments(setup, port), {
    ...spawnOptionsFor(user, data.directory),
    stdio: ['ignore', log.descriptor, log.descriptor],
  });
  const { pid } = child;
  const dismissWatchdog = pid === undefined ? undefined : watchOver(pid, user);
  const ending = new AbortController();
  const { signal: ended } = ending;
  const end = () => {
    dismissWatchdog?.();
    ending.abort();
  };
  child.once('exit', end);
  child.once('error', (error) => log.note(`${binaries.postgres}: ${error.message}`).then(end, end));
  return {
    ended,
    wasKilled: () => child.signalCode !== null,
    async untilReady(stopping) {
      const over = AbortSignal.any([ended, stopping]);
      while (!over.aborted) {
        const server = await findServer(data.directory);
        if (server?.pid === pid && server?.isReady === true) return true;
        await pause(READY_POLL_MS, over);
      }
      return false;
    },
    async stop() {
      if (pid !== undefined) await endPostmaster(pid, () => ended.aborted);
    },
  };
}

/** Ends a PostgreSQL server, at most within 20 s. */
export async function endPostmaster(pid: number, isGone: () => boolean | Promise<boolean>): Promise<void> {
  for (const { signal, deadlineMs } of END_STEPS) {
    if (await isGone()) return;
    sendSignal(pid, signal);
    const deadline = performance.now() + deadlineMs;
    while (performance.now() < deadline && !(await isGone())) await sleep(END_POLL_MS);
  }
}

/** Sends a signal to a process that may have gone since it was seen. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Whoever waits for its end sees it.
  }
}

/** Waits, at most until `over` is aborted. */
export async function pause(ms: number, over: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: over }).catch(() => undefined);
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
    ...identitySettings(data.directory, process.pid),
  });
  return ['-D', data.visibleAs, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Makes sure that the server ends when the current process does; gives what to call once it has ended. */
function watchOver(serverPid: number, user: ServerUser | undefined): () => void {
  const child = spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT, 'takt-watchdog', String(serverPid)], {
    ...spawnOptionsFor(user),
    // A group of its own, so that a signal to the group of the guardian spares it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a watchdog the server still runs, and the next start clears away what was left behind.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  return () => void child.stdin.end('dismissed\n');
}
