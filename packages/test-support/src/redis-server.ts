import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './observed-process.js';
import { waitUntil } from './wait-until.js';

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  /** Stops the server with kill -9, and restarts it after `downMs` with the same data and port. */
  crash(downMs?: number): Promise<void>;
  /** Stops the server with kill -9 and does not restart it. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a redis-server on a free loopback port. It is as durable as production must be: AOF is on, and nothing is
 * evicted.
 */
export async function startTestRedis(extraArguments: readonly string[] = []): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'takt-redis-'));
  const port = await findFreePort();
  const start = () => launch(folder, port, extraArguments);
  let server = await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    crash: async (downMs = 0) => {
      await end(server, 'SIGKILL');
      await new Promise((resolve) => setTimeout(resolve, downMs));
      server = await start();
    },
    kill: () => end(server, 'SIGKILL'),
    close: async () => {
      await end(server, 'SIGTERM');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function launch(
  folder: string,
  port: number,
  extraArguments: readonly string[],
): Promise<ChildProcess> {
  const child = spawn(
    'redis-server',
    [
      '--bind',
      '127.0.0.1',
      '--port',
      String(port),
      '--dir',
      folder,
      '--save',
      '',
      '--appendonly',
      'yes',
      '--maxmemory-policy',
      'noeviction',
      '--loglevel',
      'warning',
      ...extraArguments,
    ],
    { stdio: 'ignore' },
  );
  await waitUntil('redis-server answers', () => child.exitCode !== null || answersPing(port));
  if (child.exitCode !== null) throw new Error(`redis-server ended with code ${child.exitCode}`);
  return child;
}

/** Resolves to true once the server answers PONG. While the server loads its data, it answers LOADING instead. */
function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'));
    const finish = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => finish(false));
    socket.on('error', () => finish(false));
    socket.on('data', (data) => finish(data.toString().startsWith('+PONG')));
  });
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
