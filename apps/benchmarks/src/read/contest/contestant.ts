import type pg from 'pg';
import { findPostmaster } from '../../ingest/measure.js';
import { readCpuMs, readServerCpuMs } from '../../ingest/process-use.js';
import { median } from '../../statistics.js';
import type { LoadResult } from './http-load.js';

export interface Contestant {
  readonly name: string;
  /** The process that answers, besides PostgreSQL. */
  readonly pid?: number;
  readonly run: () => Promise<LoadResult>;
}

/** Medians of the rounds. */
export interface Measured extends LoadResult {
  readonly contestant: string;
  /** CPU time of the process that answers, and of PostgreSQL with all its backends, in microseconds a request. */
  readonly serverMicroseconds: number | undefined;
  readonly postgresMicroseconds: number;
}

export interface ContestOptions {
  readonly rounds: number;
  readonly pool: pg.Pool;
  readonly say: (line: string) => void;
}

/** Runs every contestant once a round, in an order that moves on by one, and takes medians. */
export async function runContest(
  contestants: readonly Contestant[],
  { rounds, pool, say }: ContestOptions,
): Promise<readonly Measured[]> {
  const postmaster = await findPostmaster(pool);
  const results = new Map(contestants.map(({ name }) => [name, [] as Measured[]]));
  // What a process that has just started compiles and prepares belongs to no round.
  for (const { run } of contestants) await run();
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const contestant = contestants[(turn + round) % contestants.length];
      if (contestant === undefined) continue;
      const result = await runMeasured(contestant, postmaster);
      results.get(contestant.name)?.push(result);
      const { perSecond, p50Ms, p99Ms } = result;
      say(
        `round ${round + 1}: ${contestant.name}: ${perSecond.toFixed(0)}/s, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`,
      );
    }
  }
  return [...results].map(([contestant, measured]) => mediansOf(contestant, measured));
}

async function runMeasured({ name, pid, run }: Contestant, postmaster: number): Promise<Measured> {
  const postgresMs = () => readServerCpuMs(postmaster);
  const serverMs = () => (pid === undefined ? undefined : readCpuMs(pid));
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
