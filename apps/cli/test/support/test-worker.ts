import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TaktEnvironment } from './run-takt.js';

const WORKER = fileURLToPath(new URL('../../../../worker/bin/takt-worker.js', import.meta.url));

/** Runs the real worker; resolves when it takes events. Gives what ends it. */
export async function startTestWorker(environment: TaktEnvironment): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, [WORKER], {
    env: { PATH: process.env['PATH'], ...environment, WORKER_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    const lines: string[] = [];
    createInterface(child.stdout).on('line', (line) => {
      lines.push(line);
      if (line.includes('taking events')) resolve();
    });
    void ended.then(() => reject(new Error(`the worker ended: ${lines.join('\n')}`)));
  });
  return async () => {
    child.kill('SIGTERM');
    await ended;
  };
}
