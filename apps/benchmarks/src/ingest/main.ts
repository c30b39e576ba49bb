import {
  type Contestant,
  figureOf,
  type Results,
  type Row,
  ratio,
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
  ...[takt(1), takt(500), publishing(1), publishing(500), posting(1), posting(500)],
  ...[...doNothings, ...naives, ...sqlAlones, copyAndGroup],
].filter(({ name }) => WANTED.some((part) => name.includes(part)));

const workload = makeWorkload(EVENTS, STRUCTURES, SEED);
await withCleanup(async (defer) => {
  const servers = await startServers(defer, workload.masterData);
  const results = await runRounds(
    contestants.map((contestant) => toContestant(servers, contestant)),
    ROUNDS,
  );
  await report(
    'ingest',
    { events: EVENTS, structures: STRUCTURES, rounds: ROUNDS, seed: SEED },
    {
      'CPU time and write-ahead log per event': toRows(results),
      Ratios: toRatios(results),
      'Freshness of single events at half load': await measureFreshnesses(servers, results),
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

function toRatios(results: Results): readonly Row[] {
  const speed = ({ name }: IngestContestant) => figureOf(results, name, 'events/s');
  const best = (candidates: readonly IngestContestant[]) => Math.max(...candidates.map(speed));
  return [
    ratio('one event a job / naive at concurrency 1', speed(takt(1)) / speed(naive(1)), '>= 10'),
    ratio('one event a job / naive at its best', speed(takt(1)) / best(naives), '>= 4'),
    ratio('one event a job / do nothing', speed(takt(1)) / best(doNothings), '>= 0.48'),
    ratio('500 events a job / SQL alone', speed(takt(500)) / best(sqlAlones), '>= 0.7'),
    ratio('500 events a job / naive at its best', speed(takt(500)) / best(naives), '>= 30'),
    ratio(
      'intake, 1 event a request / publisher, 1 event a job',
      speed(posting(1)) / speed(publishing(1)),
      '>= 1.2',
    ),
    ratio(
      'intake, 500 events a request / publisher, 500 events a job',
      speed(posting(500)) / speed(publishing(500)),
      '>= 0.7',
    ),
  ].filter(({ reached }) => Number.isFinite(reached));
}
