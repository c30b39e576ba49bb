import {
  type Contestant,
  figureOf,
  goal,
  type Results,
  type Row,
  report,
  runRounds,
  toRows,
  withCleanup,
} from '../harness.js';
import { copyAndGroup, sqlAlone } from './contestants/database-contestants.js';
import { doNothing, naive, posting, publishing, takt } from './contestants/queue-contestants.js';
import { measureFreshness } from './freshness.js';
import { checkRows, type IngestContestant } from './measure.js';
import { openPosting, openPublishing } from './producers.js';
import { makeWorkload, type Servers, startServers } from './servers.js';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 60_000);
const STRUCTURES = Number(process.env['BENCH_STRUCTURES'] ?? 300);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
/**
 * Selects the contestants to measure by parts of their names, separated by commas. The default is an empty part, which
 * selects all contestants.
 */
const WANTED = (process.env['BENCH_CONTESTANTS'] ?? '').split(',');
const FRESHNESS_SECONDS = 15;

const doNothings = [50, 100, 200].map(doNothing);
const naives = [1, 4, 8, 16].map(naive);
const sqlAlones = [1, 2].map(sqlAlone);
const contestants: readonly IngestContestant[] = [
  takt(1),
  takt(500),
  publishing(1),
  publishing(500),
  posting(1),
  posting(500),
  ...doNothings,
  ...naives,
  ...sqlAlones,
  copyAndGroup,
].filter(({ name }) => WANTED.some((part) => name.includes(part)));

const workload = makeWorkload(EVENTS, STRUCTURES, SEED);
await withCleanup(async (defer) => {
  const servers = await startServers(defer, workload.masterData);
  const results = await runRounds(
    contestants.map((contestant) => toContestant(servers, contestant)),
    ROUNDS,
  );
  const freshnesses = await measureFreshnesses(servers, results);
  await report(
    'ingest',
    { events: EVENTS, structures: STRUCTURES, rounds: ROUNDS, seed: SEED },
    {
      'CPU time and write-ahead log per event': toRows(results),
      'Freshness of single events at half load': freshnesses,
      'Goals for events': toGoals(results, freshnesses),
    },
  );
});

function toContestant(servers: Servers, contestant: IngestContestant): Contestant {
  const count = Math.ceil(workload.completions.length * contestant.share);
  const share = {
    masterData: workload.masterData,
    completions: workload.completions.slice(0, count),
    parsed: workload.parsed.slice(0, count),
  };
  return {
    name: contestant.name,
    run: () =>
      withCleanup(async (defer) => {
        const fresh = await servers.makeDatabase(defer);
        const context = { workload: share, fresh, redisUrl: servers.redisUrl, defer };
        const figures = await contestant.run(context);
        await checkRows(context, contestant);
        return figures;
      }),
  };
}

/**
 * Measures the freshness of the publisher and of the intake, if they took part. Events are sent at half of the rate
 * that was measured before.
 */
async function measureFreshnesses(servers: Servers, results: Results): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [{ name }, open] of [
    [takt(1), openPublishing],
    [posting(1), openPosting],
  ] as const) {
    const half = figureOf(results, name, 'events/s') / 2;
    if (Number.isNaN(half)) continue;
    const ofFreshness = makeWorkload(Math.ceil(half * FRESHNESS_SECONDS), STRUCTURES, SEED);
    const figures = await withCleanup(async (defer) => {
      const fresh = await servers.makeDatabase(defer);
      const context = { workload: ofFreshness, fresh, redisUrl: servers.redisUrl, defer };
      return measureFreshness(context, half, (given) => open(given, 1));
    });
    rows.push({ contestant: name, ...figures });
  }
  return rows;
}

function toGoals(results: Results, freshnesses: readonly Row[]): readonly Row[] {
  const of = (title: string) => (contestant: IngestContestant) => figureOf(results, contestant.name, title);
  const speed = of('events/s');
  const [workerCpu, postgresCpu, redisCpu] = [
    of('worker CPU µs'),
    of('PostgreSQL CPU µs'),
    of('Redis CPU µs'),
  ];
  const best = (candidates: readonly IngestContestant[]) => Math.max(...candidates.map(speed));
  const batch = takt(500);
  const batchCpu = workerCpu(batch) + postgresCpu(batch) + redisCpu(batch);
  return [
    goal('CPU µs of all processes per event, 500 events a job', batchCpu, '<= 55'),
    goal('CPU µs of PostgreSQL per event, 500 events a job', postgresCpu(batch), '<= 30'),
    goal('500 events a job / SQL alone', speed(batch) / best(sqlAlones), '>= 0.7'),
    goal('500 events a job / naive at its best', speed(batch) / best(naives), '>= 30'),
    goal('one event a job / naive at concurrency 1', speed(takt(1)) / speed(naive(1)), '>= 10'),
    goal('one event a job / naive at its best', speed(takt(1)) / best(naives), '>= 4'),
    goal('one event a job / do nothing', speed(takt(1)) / best(doNothings), '>= 0.48'),
    goal(
      'intake, 1 event a request / publisher, 1 event a job',
      speed(posting(1)) / speed(publishing(1)),
      '>= 1',
    ),
    goal(
      'intake, 500 events a request / publisher, 500 events a job',
      speed(posting(500)) / speed(publishing(500)),
      '>= 0.7',
    ),
    ...freshnesses.map(({ contestant, 'p99 ms': p99 }) =>
      goal(`freshness at half load, p99 ms: ${contestant}`, Number(p99), '<= 60'),
    ),
  ].filter(({ reached }) => Number.isFinite(reached));
}
