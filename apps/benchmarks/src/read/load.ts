import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '@takt/database';
import { findProgram } from '@takt/test-support';
import type pg from 'pg';
import { type Contestant, percentile, startCpuMeter } from '../harness.js';

export interface LoadOptions {
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly requests: number;
  readonly 'requests/s': number;
  readonly 'p50 ms': number;
  readonly 'p99 ms': number;
  /** Number of requests that took longer than the deadline. They are also counted as requests. */
  readonly 'past the deadline': number;
}

/** Makes a contestant whose figures include the CPU time per request, for its processes and for PostgreSQL. */
export function withCpu(
  name: string,
  pool: pg.Pool,
  pids: readonly (number | undefined)[],
  load: () => Promise<LoadResult>,
): Contestant {
  return {
    name,
    run: async () => {
      const cpuSince = await startCpuMeter(pool, { 'server CPU µs': pids });
      const { requests, ...figures } = await load();
      return { ...figures, ...cpuSince(requests) };
    },
  };
}

export interface LoadRequest {
  /** Path and query of the request. */
  readonly path: string;
  /** ETag of the answer that the client has cached. */
  readonly etag?: string;
}

interface HttpLoad extends LoadOptions {
  readonly origin: string;
  readonly token: string;
  /** The requests that are sent, in turn. */
  readonly requests: readonly LoadRequest[];
}

/**
 * Sends requests with wrk, because wrk takes a twentieth of a core, whereas a client in Node.js would take half a core.
 */
export async function runHttpLoad(load: HttpLoad): Promise<LoadResult> {
  const wrk = findProgram('wrk');
  if (wrk === undefined) throw new Error('wrk is not on the PATH: apt-get install wrk');
  const folder = await mkdtemp(join(tmpdir(), 'takt-bench-read-'));
  try {
    const script = join(folder, 'requests.lua');
    await writeFile(script, toLua(load));
    const { stdout } = await promisify(execFile)(wrk, [
      '-t1',
      `-c${load.connections}`,
      `-d${load.seconds}s`,
      '--timeout=10s',
      `--script=${script}`,
      load.origin,
    ]);
    const found = /^RESULT (.+)$/m.exec(stdout)?.[1]?.split(' ').map(Number);
    if (found === undefined) throw new Error(`wrk reported nothing: ${stdout}`);
    const [requests = 0, microseconds = 0, p50 = 0, p99 = 0, failures = 0] = found;
    return {
      requests,
      'requests/s': (requests * 1e6) / microseconds,
      'p50 ms': p50 / 1_000,
      'p99 ms': p99 / 1_000,
      'past the deadline': failures,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function toLua({ requests, token }: HttpLoad): string {
  const lines = requests.map(
    ({ path, etag }) => `{${JSON.stringify(path)}, ${etag === undefined ? 'nil' : JSON.stringify(etag)}}`,
  );
  return `
local requests = {${lines.join(',')}}
local next_request = 0
request = function()
  next_request = next_request % #requests + 1
  local asked = requests[next_request]
  return wrk.format("GET", asked[1], {["Authorization"] = "Bearer ${token}", ["If-None-Match"] = asked[2]})
end
done = function(summary, latency)
  io.write(string.format("RESULT %d %d %d %d %d\\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99),
    summary.errors.status + summary.errors.connect + summary.errors.read + summary.errors.timeout))
end
`;
}

export interface Statement {
  /** Name of the prepared statement. If it is absent, the statement is not prepared. */
  readonly name?: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

interface DirectLoad extends LoadOptions {
  /** URL with the log-in of the API, or with the log-in of the worker if the API may not read the tables. */
  readonly databaseUrl: string;
  /** Key of the company, by which the row security of the API selects the rows. */
  readonly companyKey: string;
  /** For each request, the statements that are executed one after the other. */
  readonly requests: readonly (readonly Statement[])[];
}

/**
 * Executes statements over connections like those of the API. The driver does as little work as possible; for example,
 * it decodes no value.
 */
export async function runDirectLoad(load: DirectLoad): Promise<LoadResult> {
  const { databaseUrl, companyKey, requests, connections, seconds } = load;
  const database = openDatabase({
    url: databaseUrl,
    applicationName: 'takt bench direct',
    maxConnections: connections,
    statementTimeoutMs: 60_000,
    settings: { jit: 'off', 'takt.company_key': companyKey },
  });
  const types = { getTypeParser: () => (text: string) => text };
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  let next = 0;
  const keepExecuting = async () => {
    while (performance.now() < startedAt + seconds * 1_000) {
      const sentAt = performance.now();
      for (const { values, ...statement } of requests[next++ % requests.length] ?? []) {
        await database.pool.query({ ...statement, values: [...values], types });
      }
      latenciesMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: connections }, keepExecuting));
  const elapsedSeconds = (performance.now() - startedAt) / 1_000;
  await database.close();
  return {
    requests: latenciesMs.length,
    'requests/s': latenciesMs.length / elapsedSeconds,
    'p50 ms': percentile(latenciesMs, 0.5),
    'p99 ms': percentile(latenciesMs, 0.99),
    'past the deadline': 0,
  };
}
