import { spawn } from 'node:child_process';
import { type ServerUser, spawnOptionsFor } from './run-program.js';

/** A small process that outlives its maker for as long as it takes to stop the server. */
export interface Watchdog {
  /** To be called once the server has ended. */
  dismiss(): void;
}

/**
 * Waits on a pipe that the system closes however this process ends, kill -9 included, then ends the server:
 * so a server never runs without a guardian, even when nobody is left who could start a new one.
 */
const SCRIPT = `
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

/** Makes sure that the server with this process id ends when the current process does. */
export function watchOver(serverPid: number, user: ServerUser | undefined): Watchdog {
  const child = spawn('/bin/sh', ['-c', SCRIPT, 'takt-watchdog', String(serverPid)], {
    ...spawnOptionsFor(user),
    // A group of its own, so that a signal to the group of the guardian spares it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without a watchdog the server still runs, and the next start clears away what was left behind.
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  return { dismiss: () => void child.stdin.end('dismissed\n') };
}
