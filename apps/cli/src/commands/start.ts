import { once } from 'node:events';
import { listCompanies } from '@takt/master-data';
import { resolveSettings } from '@takt/settings';
import type { Command } from 'commander';
import type { Context } from '../context/open-context.js';
import { withContext } from '../context/with-context.js';
import { readFiguresSummary } from '../figures/read-figures-summary.js';
import { startProgress } from '../output/progress.js';
import { loadDemoData } from '../start/load-demo-data.js';
import { type RunningApps, startApps } from '../start/start-apps.js';
import type { Terminal } from '../terminal.js';

const HELP = `
Without DATABASE_URL it starts an embedded PostgreSQL with its data in TAKT_HOME. Ctrl-C stops all of it.`;

export function addCommand(program: Command, terminal: Terminal): void {
  program
    .command('start')
    .description('start everything: database, migrations, worker; demo data where no company is registered')
    .option('--no-demo', 'load no demo data')
    .addHelpText('after', HELP)
    .action(({ demo }: { readonly demo: boolean }) => start(demo, terminal));
}

async function start(withDemo: boolean, terminal: Terminal): Promise<void> {
  const startedAt = performance.now();
  const stop = terminal.stopRequest();
  await withContext(terminal, async (context) => {
    if (context.isEmbedded) terminal.say('takt: starting the embedded database');
    await context.migrate();
    if (stop.aborted) return;
    const apps = await startApps({
      settings: resolveSettings(terminal.environment),
      environment: terminal.environment,
      databaseUrl: await context.databaseUrl(),
      queueUrl: await context.queueUrl(),
      signal: stop,
      say: terminal.say,
    });
    try {
      await apps.ready;
      if (withDemo && !stop.aborted) await offerDemoData(context, stop, terminal);
      if (stop.aborted) return;
      await printSummary(context, apps, { terminal, seconds: (performance.now() - startedAt) / 1_000 });
      if (!stop.aborted) await once(stop, 'abort');
    } finally {
      terminal.say('takt: stopping');
      await apps.close();
    }
  });
}

async function offerDemoData(context: Context, signal: AbortSignal, terminal: Terminal): Promise<void> {
  const database = await context.openDatabase();
  if ((await listCompanies(database)).length > 0) return;
  terminal.say('takt: no company is registered, loading demo data');
  const publisher = await context.openPublisher();
  const queues = (await context.openQueues()).all;
  const progress = startProgress(terminal, 'demo data, jobs left:');
  await loadDemoData({ database, publisher, queues, signal, onProgress: progress.update }).finally(
    progress.stop,
  );
}

async function printSummary(
  context: Context,
  apps: RunningApps,
  { terminal, seconds }: { readonly terminal: Terminal; readonly seconds: number },
): Promise<void> {
  const { structureVersions, completedOperations } = await readFiguresSummary(await context.openDatabase());
  const lines = [
    '',
    `Takt is running. Figures of ${structureVersions} structure versions from ${completedOperations} operations are ready,`,
    `${seconds.toFixed(1)} s after the start.`,
    '',
    ...apps.pages.map(({ url, what }) => `  ${what.padEnd(16)} ${url}`),
    '',
    '  npx takt audit     checks every figure against the stored operations',
    '  npx takt status    shows queues, rate and lag',
    '',
    'Ctrl-C stops all of it.',
  ];
  for (const line of lines) await terminal.print(line);
}
