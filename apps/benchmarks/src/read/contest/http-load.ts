import { execFile, fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from '@takt/test-support';
import type pg from 'pg';
import { inTurns, median, readCpuMs, readServerCpuMs, say } from '../../harness.js';
import { findPostmaster } from '../../ingest/measure.js';
import type { RecordedStatement } from './statement-recorder.js';

/** What a contestant did. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were none: past the deadline of the API. They are among the requests and their times. */
  readonly failures: number;
}

interface HttpLoad {
  readonly origin: string;
  /** Asked for in turn. */
  readonly requests: readonly LoadRequest[];
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadRequest {
  /** With its query. */
  readonly path: string;
  /** That of an answer which the client has. */
  readonly etag?: string;
}

/** Of wrk, because it takes a twentieth of a core where a client in Node would take half of one from the contestant. */
export async function runHttpLoad(load: HttpLoad): Promise<LoadResult> {
  const wrk = findProgram('wrk');
  if (wrk === undefined) throw new Error('wrk makes the load and is not on the PATH: apt-get install wrk');
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
    return parseReport(stdout);
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

function parseReport(text: string): LoadResult {
  const found = /^RESULT (\d+) (\d+) (\d+) (\d+) (\d+)$/m.exec(text)?.slice(1).map(Number);
  if (found === undefined) throw new Error(`wrk reported nothing: ${text}`);
  const [requests = 0, microseconds = 0, p50 = 0, p99 = 0, failures = 0] = found;
  return {
    requests,
    perSecond: (requests * 1e6) / microseconds,
    p50Ms: p50 / 1_000,
    p99Ms: p99 / 1_000,
    failures,
  };
}

/** What the process that executes statements is told. */
export interface DirectLoad {
  /** For the log-in of the API, or of the worker where the API may not read what is executed. */
  readonly databaseUrl: string;
  /** Of the company whose rows the API sees. */
  readonly companyKey: string;
  /** What each request makes the API execute, one statement after the other. */
  readonly requests: readonly (readonly RecordedStatement[])[];
  readonly connections: number;
  readonly seconds: number;
}

const MAIN = fileURLToPath(new URL('./direct-load-main.js', import.meta.url));

/** Executes the requests' statements in turn on some connections and does nothing with what they give, in its own process. */
export function runDirectLoad(load: DirectLoad): Promise<LoadResult> {
  return new Promise((resolve, reject) => {
    const child = fork(MAIN);
    child.once('message', (result) => resolve(result as LoadResult));
    child.once('exit', (code) => reject(new Error(`executing statements ended with ${code}`)));
    child.send(load);
  });
}

export interface Contestant {
  readonly name: string;
  /** The process that answers, besides PostgreSQL. */
  readonly pid?: number;
  /** Between both; its CPU time counts as that of the process that answers. */
  readonly poolerPid?: number | undefined;
  readonly run: () => Promise<LoadResult>;
}

/** Medians of the rounds. */
export interface Measured extends LoadResult {
  readonly contestant: string;
  /** CPU time of the process that answers, and of PostgreSQL with all its backends, in microseconds a request. */
  readonly serverMicroseconds: number | undefined;
  readonly postgresMicroseconds: number;
}

interface ContestOptions {
  readonly rounds: number;
  readonly pool: pg.Pool;
}

/** Runs every contestant once a round, in an order that moves on by one, and takes medians. */
export async function runContest(
  contestants: readonly Contestant[],
  { rounds, pool }: ContestOptions,
): Promise<readonly Measured[]> {
  const postmaster = await findPostmaster(pool);
  const results = new Map(contestants.map(({ name }) => [name, [] as Measured[]]));
  // What a process that has just started compiles and prepares belongs to no round.
  for (const { run } of contestants) await run();
  await inTurns(contestants, rounds, async (contestant, round) => {
    const result = await runMeasured(contestant, postmaster);
    results.get(contestant.name)?.push(result);
    const { perSecond, p50Ms, p99Ms } = result;
    say(
      `round ${round}: ${contestant.name}: ${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`,
    );
  });
  return [...results].map(([contestant, measured]) => mediansOf(contestant, measured));
}

async function runMeasured({ name, pid, poolerPid, run }: Contestant, postmaster: number): Promise<Measured> {
  const postgresMs = () => readServerCpuMs(postmaster);
  const poolerMs = () => (poolerPid === undefined ? 0 : readCpuMs(poolerPid));
  const serverMs = () => (pid === undefined ? undefined : readCpuMs(pid) + poolerMs());
  const [postgresBefore, serverBefore] = [postgresMs(), serverMs()];
  const result = await run();
  const [postgresAfter, serverAfter] = [postgresMs(), serverMs()];
  const perRequest = (ms: number) => (ms * 1_000) / result.requests;
  return {
    contestant: name,
    ...result,
    serverMicroseconds:
      serverBefore === undefined || serverAfter === undefined
        ? undefined
        : perRequest(serverAfter - serverBefore),
    postgresMicroseconds: perRequest(postgresAfter - postgresBefore),
  };
}

function mediansOf(contestant: string, rounds: readonly Measured[]): Measured {
  const of = (value: (round: Measured) => number) => median(rounds.map(value));
  const hasServer = rounds.every(({ serverMicroseconds }) => serverMicroseconds !== undefined);
  return {
    contestant,
    requests: of(({ requests }) => requests),
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    failures: rounds.reduce((sum, { failures }) => sum + failures, 0),
    serverMicroseconds: hasServer ? of((round) => round.serverMicroseconds ?? Number.NaN) : undefined,
    postgresMicroseconds: of(({ postgresMicroseconds }) => postgresMicroseconds),
  };
}
