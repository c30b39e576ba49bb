import {
  type Contestant,
  figureOf,
  goal,
  type Results,
  type Row,
  report,
  runRounds,
  startServer,
  toRows,
  withCleanup,
} from '../harness.js';
import { makeOurContestants, measureHtmlBytes } from './our-contestants.js';
import { makePeerContestants } from './peers.js';
import { LIST_SERVER, type ServedList, withList } from './serve-list.js';
import { measureWhileEvents } from './while-events.js';

const PARTS = new Set((process.env['BENCH_PARTS'] ?? 'pages,peers,events').split(','));
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const WARM_UPS = 4;
const size = { structureVersions: Number(process.env['BENCH_ROWS'] ?? 100_000), operations: 100_000 };
const options = {
  rounds: ROUNDS,
  seconds: Number(process.env['BENCH_SECONDS'] ?? 3),
  connections: Number(process.env['BENCH_CONNECTIONS'] ?? 8),
  seed: Number(process.env['BENCH_SEED'] ?? 1),
};

await withCleanup(async (defer) => {
  const server = await startServer(defer, LIST_SERVER, process.env['BENCH_HOME']);
  await report('read', options, await withList(server, size, measureContest));
});

/** Measures all selected contestants in turn. */
function measureContest(list: ServedList): Promise<Readonly<Record<string, readonly Row[]>>> {
  return withCleanup(async (defer) => {
    const peers = PARTS.has('peers') ? await makePeerContestants(list, defer, options) : [];
    const own = PARTS.has('pages') ? await makeOurContestants(list, defer, options) : [];
    // Both parts contain the first page of Takt. It is measured only once.
    const byName = new Map([...peers, ...own].map((contestant) => [contestant.name, contestant]));
    const contestants: readonly Contestant[] = [...byName.values()];
    // These runs warm up the contestants, because compiling, and planning statements, do not belong to a round: each
    // session plans a statement anew for its first five executions.
    for (let runs = 0; runs < WARM_UPS; runs++) {
      for (const { run } of contestants) await run();
    }
    const results = await runRounds(contestants, ROUNDS);
    const htmlBytes = PARTS.has('pages') ? await measureHtmlBytes(list) : Number.NaN;
    // This is measured last, because it changes the table.
    const whileEvents: Results = PARTS.has('events') ? await measureWhileEvents(list, options) : new Map();
    return {
      [`Pages at ${list.rows} rows, CPU time per request`]: toRows(results),
      'One client, one page after the other': toRows(whileEvents),
      'Goals for pages': toGoals(results, whileEvents, htmlBytes),
    };
  });
}

function toGoals(results: Results, whileEvents: Results, htmlBytes: number): readonly Row[] {
  const of = (name: string, title: string) => figureOf(results, name, title);
  // The contestant "SQL alone" has no server besides PostgreSQL.
  const cpu = (name: string) => (of(name, 'server CPU µs') || 0) + of(name, 'PostgreSQL CPU µs');
  // The ratio of the CPU times is judged, because it depends least on other load.
  const speeds = (one: string, other: string, target: `>= ${number}`) =>
    goal(`${one} / ${other}`, cpu(other) / cpu(one), target, {
      'by requests/s': of(one, 'requests/s') / of(other, 'requests/s'),
    });
  const first = 'takt, first page';
  const notModified = cpu(first) / cpu('takt, first page not modified');
  const [idle, busy] = ['idle', 'while events arrive'].map((name) => figureOf(whileEvents, name, 'p99 ms'));
  const slowdown = (busy ?? Number.NaN) / (idle ?? Number.NaN);
  const rate = figureOf(whileEvents, 'while events arrive', 'events/s').toFixed(0);
  return [
    speeds(first, 'by hand, first page', '>= 0.9'),
    ...['filtered page', 'deep page'].map((page) => speeds(`takt, ${page}`, `by hand, ${page}`, '>= 0.85')),
    speeds(first, 'CAP, first page', '>= 2'),
    speeds('takt, deep page', 'CAP, deep page', '>= 10'),
    goal('CPU of a first page / of one that is not modified', notModified, '>= 8'),
    speeds('takt, first page as HTML', first, '>= 0.5'),
    goal('bytes of a page of HTML', htmlBytes, '<= 120000'),
    goal(`p99 while ${rate} events/s are taken / at an idle table`, slowdown, '<= 2'),
    speeds('JSON, ordered', 'SQL alone, ordered', '>= 0.5'),
    speeds('JSON, by range', 'SQL alone, by range', '>= 0.5'),
    ...['ordered', 'by range'].map((kind) =>
      goal(
        `p99 of JSON / of SQL alone, ${kind}`,
        of(`JSON, ${kind}`, 'p99 ms') / of(`SQL alone, ${kind}`, 'p99 ms'),
        '<= 2',
      ),
    ),
    speeds('XML, ordered', 'JSON, ordered', '>= 0.5'),
    speeds(first, 'live GROUP BY, first page', '>= 50'),
  ].filter(({ reached }) => Number.isFinite(reached));
}
