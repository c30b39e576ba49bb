import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@takt/test-support';

const API = fileURLToPath(new URL('../../../../api/bin/takt-api.js', import.meta.url));
const START_DEADLINE_MS = 30_000;
const POLL_MS = 50;

export interface ApiProcess {
  readonly pid: number;
  readonly url: string;
  close(): Promise<void>;
}

/** The API as an operator starts it, with its log at warn. */
export async function startApiProcess(databaseUrl: string): Promise<ApiProcess> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [API], {
    env: { DATABASE_URL: databaseUrl, PORT: String(port), BASE_URL: url, LOG_LEVEL: 'warn' },
    // Its log is talk: standard output is for the result.
    stdio: ['ignore', process.stderr, 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const deadline = Date.now() + START_DEADLINE_MS;
  while (!(await answers(`${url}/health/ready`))) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error('the API did not start');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return {
    pid: child.pid ?? 0,
    url,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
