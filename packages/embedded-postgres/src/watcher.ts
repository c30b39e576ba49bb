import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HomeLayout, makeDirectory, systemErrorCode } from './home.js';
import { commandLineOf, findServer, IDENTITY_SETTING } from './server.js';
import { spawnOptionsFor } from './server-user.js';

/** The watcher of a lease. It is a process that ends the lease when the holder of the lease ends. */
export interface Watcher {
  isRunning(): boolean;
  /**
   * Ends the lease. If it was the last lease, resolves after the server has stopped. Resolves to false if the watcher
   * had already been killed.
   */
  end(): Promise<boolean>;
}

const NAME = 'takt-watcher';
const RETRY_MS = 25;

/**
 * Script of the watcher. It waits on a pipe, which the system closes when the holder of the lease ends, even by kill
 * -9. A directory can only be removed while it is empty. So a watcher that succeeds in removing the directory of leases
 * had the last lease, and it stops the server. A server that a killed holder has just started may take two seconds to
 * write its process id, so the watcher waits for the id. If another process recreates the directory meanwhile, the
 * server belongs to that process.
 */
const SCRIPT = `
trap '' INT TERM HUP
directory=$1
patience=0
if [ "$2" = lease ]; then
  read -r word
  [ "$word" = closed ] || patience=40
  rm -f "$directory/leases/$$"
  rmdir "$directory/leases" || exit 0
fi
find_server() {
  read -r pid < "$directory/data/postmaster.pid" && [ "$pid" -gt 0 ] || return 1
  data=$(cd "$directory/data" && pwd -P)
  command=$(tr '\\0' ' ' < "/proc/$pid/cmdline" || ps -ww -o command= -p "$pid")
  case $command in *"${IDENTITY_SETTING}=$data"*) return 0 ;; esac
  return 1
}
attempts=0
while [ ! -d "$directory/leases" ]; do
  if find_server; then
    # With a checkpoint, then without one, then by force.
    signal=INT
    [ $attempts -ge 200 ] && signal=QUIT
    [ $attempts -ge 300 ] && signal=KILL
    kill -s $signal "$pid"
  elif [ $attempts -ge $patience ]; then
    exit 0
  fi
  attempts=$((attempts + 1))
  sleep 0.05
done
exit 0
`;

/**
 * Takes a lease, but never on a server that is about to stop. If there is no directory of leases, a server that still
 * runs is stopped first, because the watcher that should stop this server may have been killed.
 */
export async function takeLease(layout: HomeLayout, giveUp: AbortSignal): Promise<Watcher> {
  const child = spawnWatcher(layout, 'lease');
  const watcher = watcherOf(child);
  try {
    for (;;) {
      const server = await findServer(layout.data);
      if (await addLease(layout, child)) break;
      giveUp.throwIfAborted();
      await (server === undefined
        ? makeDirectory(layout.leases, 0o700)
        : once(spawnWatcher(layout, 'end'), 'exit', { signal: giveUp }));
      await sleep(RETRY_MS);
    }
    await removeEndedLeases(layout);
    return watcher;
  } catch (error) {
    await watcher.end();
    throw error;
  }
}

/** Removes the leases whose watchers were killed. Returns the number of the remaining leases. */
export async function removeEndedLeases(layout: HomeLayout): Promise<number> {
  const names = await readdir(layout.leases).catch(() => []);
  const ended = await Promise.all(
    names.map(async (name) => !(await commandLineOf(Number(name))).includes(` ${NAME} ${layout.directory} `)),
  );
  const left = names.filter((_name, index) => ended[index] === true);
  await Promise.all(left.map((name) => rm(join(layout.leases, name), { force: true })));
  return names.length - left.length;
}

/** Adds a lease. Returns false if there is no directory of leases. */
async function addLease(layout: HomeLayout, { pid }: ChildProcess): Promise<boolean> {
  if (pid === undefined) throw new Error('/bin/sh cannot be started');
  try {
    await writeFile(join(layout.leases, String(pid)), '', { mode: 0o600 });
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function spawnWatcher(layout: HomeLayout, task: 'lease' | 'end'): ChildProcess {
  return spawn('/bin/sh', ['-c', SCRIPT, NAME, layout.directory, task], {
    ...spawnOptionsFor(undefined),
    // The watcher has a process group of its own, so that signals to the group of the holder do not reach the watcher.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

function watcherOf(child: ChildProcess): Watcher {
  const ended = new Promise<boolean>((resolve) => {
    child.once('exit', (code) => resolve(code === 0));
    child.once('error', () => resolve(false));
  });
  child.stdin?.on('error', () => undefined);
  // A holder that has nothing else to do may exit, which ends the lease.
  child.unref();
  if (child.stdin instanceof Socket) child.stdin.unref();
  return {
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    end() {
      child.ref();
      child.stdin?.end('closed\n');
      return ended;
    },
  };
}
