import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const TAKT_WORKER = fileURLToPath(new URL('../../../../worker/bin/takt-worker.js', import.meta.url));
const START_DEADLINE_MS = 30_000;
const STOP_DEADLINE_MS = 15_000;

/** The line with which a contestant says that it takes jobs. */
export const READY = 'taking events';

export interface ContestantProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts apps/worker as production does. */
export function startTaktWorker(databaseUrl: string, queueUrl: string): Promise<ContestantProcess> {
  return startProcess(TAKT_WORKER, { DATABASE_URL: databaseUrl, QUEUE_URL: queueUrl, WORKER_PORT: '0' });
}

/** Starts one of the contestants beside this file. */
export function startContestant(
  file: 'do-nothing-worker-main.js' | 'naive-worker-main.js',
  environment: Readonly<Record<string, string>>,
): Promise<ContestantProcess> {
  return startProcess(fileURLToPath(new URL(`./contestants/${file}`, import.meta.url)), environment);
}

async function startProcess(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<ContestantProcess> {
  const child = spawn(process.execPath, [file], {
    env: { ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await waitUntilReady(child);
  return {
    pid: child.pid ?? 0,
    stop: () =>
      new Promise((resolve) => {
        const overdue = setTimeout(() => child.kill('SIGKILL'), STOP_DEADLINE_MS);
        child.once('exit', () => {
          clearTimeout(overdue);
          resolve();
        });
        child.kill('SIGTERM');
      }),
  };
}

function waitUntilReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const overdue = setTimeout(
      () => reject(new Error('a contestant did not start in time')),
      START_DEADLINE_MS,
    );
    child.once('exit', (code) => reject(new Error(`a contestant ended with code ${code}`)));
    let output = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      if (output.length < 100_000) output += text;
      if (!output.includes(READY)) return;
      clearTimeout(overdue);
      resolve();
    });
  });
}
