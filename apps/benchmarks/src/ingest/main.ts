import { cpus } from 'node:os';
import { inTurns, report, say } from '../harness.js';
import { copyAndGroup, sqlOnly } from './contestants/database-contestants.js';
import {
  DO_NOTHING_CONCURRENCIES,
  doNothing,
  NAIVE_CONCURRENCIES,
  naive,
  posting,
  publishing,
  takt,
} from './contestants/queue-contestants.js';
import { type Freshness, measureFreshness } from './freshness.js';
import { type Contestant, findWrongRows, type Measurement, type RunContext } from './measure.js';
import { openPosting, type Producer } from './producers.js';
import { type ContestantResult, type Ratio, summarise, toMarkdown } from './report.js';
import { makeWorkload, type Servers, startServers, type Workload } from './servers.js';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 60_000);
const STRUCTURES = Number(process.env['BENCH_STRUCTURES'] ?? 300);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
const FRESHNESS_MS = 15_000;
/** Over which single events are posted while their freshness is measured. */
const CONNECTIONS = 50;

const all: readonly Contestant[] = [
  takt(1),
  takt(500),
  publishing(1),
  publishing(500),
  posting(1),
  posting(500),
  ...DO_NOTHING_CONCURRENCIES.map(doNothing),
  ...NAIVE_CONCURRENCIES.map(naive),
  sqlOnly(1),
  sqlOnly(2),
  copyAndGroup,
];
/** Those whose name holds one of the texts that BENCH_CONTESTANTS names, with commas between; by default all. */
const WANTED = (process.env['BENCH_CONTESTANTS'] ?? '').split(',');
const contestants = all.filter(({ name }) => WANTED.some((text) => name.includes(text)));

say(
  `${EVENTS} events of ${STRUCTURES} structure versions, ${ROUNDS} rounds, seed ${SEED}, ${cpus().length} cores`,
);
const workload = makeWorkload(EVENTS, STRUCTURES, SEED);
const servers = await startServers(workload);
try {
  const results = await runRounds(servers, workload);
  const freshness = await runFreshness(servers, results);
  const ratios = computeRatios(results);
  const run = { events: EVENTS, structures: STRUCTURES, rounds: ROUNDS, seed: SEED, cores: cpus().length };
  const medians = results.map((result) => ({ ...result, median: summarise(result) }));
  await report('ingest', toMarkdown(results, ratios, freshness), {
    run,
    contestants: medians,
    ratios,
    freshness,
  });
  if (results.some(({ voided }) => voided.length > 0)) process.exitCode = 1;
} finally {
  await servers.close();
}

async function runRounds(servers: Servers, workload: Workload): Promise<readonly ContestantResult[]> {
  const rounds = new Map(contestants.map(({ name }) => [name, [] as Measurement[]]));
  const voided = new Map(contestants.map(({ name }) => [name, [] as string[]]));
  await inTurns(contestants, ROUNDS, async (contestant, round) => {
    const { measurement, wrong } = await runOnce(contestant, servers, workload);
    say(
      `round ${round}: ${contestant.name}: ${(measurement.events / measurement.seconds).toFixed(0)} events/s`,
    );
    if (wrong === undefined) {
      rounds.get(contestant.name)?.push(measurement);
    } else {
      voided.get(contestant.name)?.push(`round ${round}: ${wrong}`);
    }
  });
  return contestants.map(({ name }) => ({
    name,
    rounds: rounds.get(name) ?? [],
    voided: voided.get(name) ?? [],
  }));
}

async function runOnce(contestant: Contestant, servers: Servers, workload: Workload) {
  const fresh = await servers.makeDatabase();
  try {
    const count = Math.ceil(workload.completions.length * contestant.share);
    const share = {
      ...workload,
      completions: workload.completions.slice(0, count),
      parsed: workload.parsed.slice(0, count),
    };
    const context = { workload: share, fresh, redisUrl: servers.redis.url };
    const measurement = await contestant.run(context);
    return { measurement, wrong: await findWrongRows(context, contestant) };
  } finally {
    await fresh.close();
  }
}

/** How single events arrive at half the rate that was measured, for those of the contestants that took part. */
async function runFreshness(servers: Servers, results: readonly ContestantResult[]) {
  const freshness: Record<string, Freshness> = {};
  for (const [{ name }, openProducer] of [
    [takt(1), undefined],
    [posting(1), (context: RunContext) => openPosting(context, CONNECTIONS)],
  ] as const) {
    const half = speedOf(results, name) / 2;
    if (half > 0) freshness[name] = await runFreshnessOnce(servers, half, openProducer);
  }
  return freshness;
}

async function runFreshnessOnce(
  servers: Servers,
  eventsPerSecond: number,
  openProducer: ((context: RunContext) => Promise<Producer>) | undefined,
): Promise<Freshness> {
  const fresh = await servers.makeDatabase();
  try {
    const events = Math.ceil((eventsPerSecond * FRESHNESS_MS) / 1000);
    const context = { workload: makeWorkload(events, STRUCTURES, SEED), fresh, redisUrl: servers.redis.url };
    return await measureFreshness(context, eventsPerSecond, openProducer);
  } finally {
    await fresh.close();
  }
}

function speedOf(results: readonly ContestantResult[], name: string): number {
  const result = results.find((candidate) => candidate.name === name);
  return result === undefined ? Number.NaN : summarise(result).eventsPerSecond;
}

function computeRatios(results: readonly ContestantResult[]): readonly Ratio[] {
  const best = (candidates: readonly Contestant[]) =>
    Math.max(...candidates.map(({ name }) => speedOf(results, name)));
  const one = speedOf(results, takt(1).name);
  const many = speedOf(results, takt(500).name);
  const naiveAtBest = best(NAIVE_CONCURRENCIES.map(naive));
  return [
    {
      name: 'one event a job / naive at concurrency 1',
      reached: one / speedOf(results, naive(1).name),
      target: 10,
    },
    { name: 'one event a job / naive at its best', reached: one / naiveAtBest, target: 4 },
    {
      name: 'one event a job / do nothing',
      reached: one / best(DO_NOTHING_CONCURRENCIES.map(doNothing)),
      target: 0.48,
    },
    { name: '500 events a job / SQL alone', reached: many / best([sqlOnly(1), sqlOnly(2)]), target: 0.7 },
    { name: '500 events a job / naive at its best', reached: many / naiveAtBest, target: 30 },
    {
      name: 'intake, 1 event a request / publisher, 1 event a job',
      reached: speedOf(results, posting(1).name) / speedOf(results, publishing(1).name),
      target: 1.2,
    },
    {
      name: 'intake, 500 events a request / publisher, 500 events a job',
      reached: speedOf(results, posting(500).name) / speedOf(results, publishing(500).name),
      target: 0.7,
    },
  ].filter(({ reached }) => Number.isFinite(reached));
}
