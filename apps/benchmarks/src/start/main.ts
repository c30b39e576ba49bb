import { fileURLToPath } from 'node:url';
import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { migrate } from '@takt/database';
import { startApp, whenStarted } from '@takt/database/testing';
import { type ObservedProcess, readPeakMemoryMb, spawnObserved } from '@takt/test-support';
import {
  type Contestant,
  type Figures,
  figureOf,
  goal,
  type Results,
  type Row,
  readCpuMs,
  report,
  runRounds,
  toRows,
  withCleanup,
} from '../harness.js';
import { type FreshDatabase, type Servers, startServers } from '../ingest/servers.js';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const APPS = ['api', 'dashboard', 'intake', 'worker'] as const;
const TAKT = fileURLToPath(new URL('../../../../cli/bin/takt.js', import.meta.url));
/** The smallest web server of Node.js, which shows what starting Node.js itself costs. */
const NODE_ALONE = "require('http').createServer().listen(0, '127.0.0.1', () => console.log('ready'))";

await withCleanup(async (defer) => {
  const servers = await startServers(defer, []);
  const fresh = await servers.makeDatabase(defer);
  // A clone does not have the rights of its template, and the apps check them.
  await migrate(fresh.url, { synchronise: synchroniseServedTexts });
  const results = await runRounds(contestantsWith(servers, fresh), ROUNDS);
  await report(
    'start',
    { rounds: ROUNDS },
    {
      'Time until ready, CPU time and peak memory until then': toRows(results),
      'Goals for starts': toGoals(results),
    },
  );
});

function contestantsWith({ redisUrl }: Servers, { url }: FreshDatabase): readonly Contestant[] {
  const settings = { databaseUrl: url, queueUrl: redisUrl, environment: { NODE_ENV: 'production' } };
  const runTakt = (...args: readonly string[]): Contestant => ({
    name: `takt ${args.join(' ')}`,
    run: () =>
      measureStart(
        async () => spawnObserved([TAKT, ...args], { DATABASE_URL: url, QUEUE_URL: redisUrl }),
        'ended',
      ),
  });
  return [
    {
      name: 'Node.js alone',
      run: () =>
        measureStart(async () => {
          const started = spawnObserved(['-e', NODE_ALONE], {});
          await whenStarted('Node.js', started, () => started.output().includes('ready'));
          return started;
        }),
    },
    ...APPS.map((app) => ({ name: app, run: () => measureStart(() => startApp(app, settings)) })),
    runTakt('--help'),
    runTakt('company', 'list'),
  ];
}

/** Measures a start until the process is ready, or until it has ended. */
async function measureStart(
  start: () => Promise<ObservedProcess>,
  until: 'ready' | 'ended' = 'ready',
): Promise<Figures> {
  const startedAt = performance.now();
  const started = await start();
  if (until === 'ended') {
    const code = await started.ended;
    if (code !== 0) throw new Error(started.output());
    return { ms: performance.now() - startedAt };
  }
  const figures = {
    ms: performance.now() - startedAt,
    'CPU ms': readCpuMs(started.pid),
    MB: readPeakMemoryMb(started.pid),
  };
  await started.stop();
  return figures;
}

function toGoals(results: Results): readonly Row[] {
  const most = (title: string) => Math.max(...APPS.map((app) => figureOf(results, app, title)));
  return [
    goal('CPU ms of the slowest start of an app', most('CPU ms'), '<= 2000'),
    goal('MB of the largest app after its start', most('MB'), '<= 150'),
    goal('ms of takt company list', figureOf(results, 'takt company list', 'ms'), '<= 1000'),
  ];
}
