import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@takt/test-support';
import { waitUntil } from './wait-until.js';

const API = fileURLToPath(new URL('../../../api/bin/takt-api.js', import.meta.url));
const START_DEADLINE_MS = 60_000;

export interface ApiProcessOptions {
  readonly databaseUrl: string;
  /** What links begin with, made from the address that it is reached at; by default that address itself. */
  readonly baseUrlOf?: (origin: string) => string;
  readonly logLevel?: string;
}

export interface ApiProcess {
  readonly pid: number;
  /** Where it listens, e.g. http://127.0.0.1:40123; links begin with `baseUrl`. */
  readonly origin: string;
  readonly baseUrl: string;
  /** All that it wrote to standard output and standard error. */
  output(): string;
  /** Resolves with the exit code, or null after a signal. */
  readonly ended: Promise<number | null>;
  /** True until the process has ended. */
  runs(): boolean;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** Starts apps/api as a process of its own, as an operator would, and waits until it is ready. */
export async function startApiProcess(options: ApiProcessOptions): Promise<ApiProcess> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const baseUrl = options.baseUrlOf?.(origin) ?? origin;
  const api = spawnApi({ ...options, port, baseUrl });
  await waitUntil('the API is ready', START_DEADLINE_MS, async () => {
    if (!api.runs()) return true;
    return await fetch(`${origin}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  }).catch(async (error: unknown) => {
    await api.stop('SIGKILL');
    throw error;
  });
  if (!api.runs()) throw new Error(`the API did not start:\n${api.output()}`);
  return { ...api, origin, baseUrl };
}

function spawnApi(options: ApiProcessOptions & { readonly port: number; readonly baseUrl: string }) {
  const child = spawn(process.execPath, [API], {
    env: {
      DATABASE_URL: options.databaseUrl,
      HOST: '127.0.0.1',
      PORT: String(options.port),
      BASE_URL: options.baseUrl,
      LOG_LEVEL: options.logLevel ?? 'warn',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  return {
    pid: child.pid ?? 0,
    output: () => output,
    ended,
    runs: () => child.exitCode === null && child.signalCode === null,
    stop: (signal: NodeJS.Signals = 'SIGTERM') => {
      child.kill(signal);
      return ended;
    },
  };
}
