import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram } from '@takt/test-support';

/** What a contestant did. */
export interface LoadResult {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Answers that were none: past the deadline of the API. They are among the requests and their times. */
  readonly failures: number;
}

export interface HttpLoad {
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
