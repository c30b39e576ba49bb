import { fileURLToPath } from 'node:url';
import { findFreePort } from '@takt/test-support';
import { type ObservedProcess, spawnObserved } from './observed-process.js';
import { waitUntil } from './wait-until.js';

const API = fileURLToPath(new URL('../../../api/bin/takt-api.js', import.meta.url));
const START_DEADLINE_MS = 60_000;

export interface ApiProcessOptions {
  readonly databaseUrl: string;
  /** What links begin with, made from the address that it is reached at; by default that address itself. */
  readonly baseUrlOf?: (origin: string) => string;
  readonly logLevel?: string;
}

export interface ApiProcess extends ObservedProcess {
  /** Where it listens, e.g. http://127.0.0.1:40123; links begin with `baseUrl`. */
  readonly origin: string;
  readonly baseUrl: string;
}

/** Starts apps/api as a process of its own, as an operator would, and waits until it is ready. */
export async function startApiProcess(options: ApiProcessOptions): Promise<ApiProcess> {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const baseUrl = options.baseUrlOf?.(origin) ?? origin;
  const api = spawnObserved([API], {
    DATABASE_URL: options.databaseUrl,
    HOST: '127.0.0.1',
    PORT: String(port),
    BASE_URL: baseUrl,
    LOG_LEVEL: options.logLevel ?? 'warn',
  });
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
