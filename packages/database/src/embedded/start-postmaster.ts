import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DataPlace } from './data-place.js';
import { endPostmaster } from './end-postmaster.js';
import { readPostmasterLock } from './postmaster-lock.js';
import type { Binaries } from './prepare-binaries.js';
import { type ServerUser, spawnOptionsFor } from './run-program.js';
import type { ServerLog } from './server-log.js';
import { serverArguments } from './server-settings.js';
import { type Watchdog, watchOver } from './watch-over.js';

/** Where a server keeps its data and what it runs with; stays the same over restarts. */
export interface ServerPlace {
  readonly data: DataPlace;
  readonly binaries: Binaries;
  readonly user: ServerUser | undefined;
  readonly settings: Readonly<Record<string, string>>;
}

/** One server process, from its start to its end. */
export interface Postmaster {
  readonly exited: Promise<void>;
  /**
   * Calls `onLocked` once the data directory belongs to this process, and resolves with true when it accepts
   * connections, with false when it ended before. Recovery after a crash may take minutes.
   */
  untilReady(onLocked: (pid: number) => Promise<void>): Promise<boolean>;
  stop(): Promise<void>;
}

const POLL_MS = 20;

/** Starts the server process, watched over by a process that ends it when the current one is killed. */
export function startPostmaster(place: ServerPlace, port: number, log: ServerLog): Postmaster {
  const { data, binaries, user, settings } = place;
  const child = spawn(binaries.postgres, serverArguments(data, port, settings), {
    ...spawnOptionsFor(user, data.directory),
    stdio: ['ignore', log.descriptor, log.descriptor],
  });
  const { pid } = child;
  const watchdog: Watchdog | undefined = pid === undefined ? undefined : watchOver(pid, user);
  let running = true;
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      running = false;
      watchdog?.dismiss();
      resolve();
    };
    child.once('exit', end);
    child.once('error', (error) => log.note(`${binaries.postgres}: ${error.message}`).then(end, end));
  });
  return {
    exited,
    async untilReady(onLocked) {
      let locked = false;
      while (running) {
        const lock = await readPostmasterLock(data.directory);
        const ours = lock !== undefined && lock.pid === pid;
        if (ours && !locked) {
          locked = true;
          await onLocked(lock.pid);
        }
        if (ours && lock.ready) return true;
        await Promise.race([exited, sleep(POLL_MS)]);
      }
      return false;
    },
    async stop() {
      if (pid !== undefined) await endPostmaster(pid, () => !running);
    },
  };
}
