import { once } from 'node:events';
import { listCompanies } from '@takt/master-data';
import { resolveSettings } from '@takt/runtime';
import type { Command } from 'commander';
import { type Context, withContext } from '../context.js';
import { createDemoToken, type DemoToken, loadDemoData } from '../demo.js';
import { readFiguresSummary } from '../figures-summary.js';
import { startProgress } from '../progress.js';
import { type Page, type RunningApps, startApps } from '../start-apps.js';
import type { Terminal } from '../terminal.js';

const HELP = `
Without DATABASE_URL it starts an embedded PostgreSQL with its data in TAKT_HOME. Ctrl-C stops all of it.`;

export function addCommand(program: Command, terminal: Terminal): void {
  program
    .command('start')
    .description(
      'start everything: database, migrations, worker, API; demo data where no company is registered',
    )
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
      const hasDemo = withDemo && !stop.aborted && (await offerDemoData(context, stop, terminal));
      if (stop.aborted) return;
      await printSummary(context, apps, {
        terminal,
        seconds: (performance.now() - startedAt) / 1_000,
        // A database of the site's own gets no token that nobody asked for.
        withToken: hasDemo || context.isEmbedded,
      });
      if (!stop.aborted) await once(stop, 'abort');
    } finally {
      terminal.say('takt: stopping');
      await apps.close();
    }
  });
}

/** Gives true where demo data was loaded. */
async function offerDemoData(context: Context, signal: AbortSignal, terminal: Terminal): Promise<boolean> {
  const database = await context.openDatabase();
  if ((await listCompanies(database)).length > 0) return false;
  terminal.say('takt: no company is registered, loading demo data');
  const publisher = await context.openPublisher();
  const queues = (await context.openQueues()).all;
  const progress = startProgress(terminal, 'demo data, jobs left:');
  await loadDemoData({ database, publisher, queues, signal, onProgress: progress.update }).finally(
    progress.stop,
  );
  return true;
}

interface SummaryOptions {
  readonly terminal: Terminal;
  readonly seconds: number;
  readonly withToken: boolean;
}

async function printSummary(
  context: Context,
  apps: RunningApps,
  { terminal, seconds, withToken }: SummaryOptions,
): Promise<void> {
  const database = await context.openDatabase();
  const { structureVersions, completedOperations } = await readFiguresSummary(database);
  const demoToken = withToken ? await createDemoToken(database) : undefined;
  const lines = [
    '',
    `Takt is running. Figures of ${structureVersions} structure versions from ${completedOperations} operations are ready,`,
    `${seconds.toFixed(1)} s after the start.`,
    '',
    ...formatPages(apps.pages),
    '',
    ...(demoToken === undefined ? [] : describeDemoToken(demoToken, apps.examples)),
    '  npx takt audit     checks every figure against the stored operations',
    '  npx takt status    shows queues, rate and lag',
    '',
    'Ctrl-C stops all of it.',
  ];
  for (const line of lines) await terminal.print(line);
}

/** What to say of a token: the token, and addresses that hold it and so can be opened as they are. */
export function describeDemoToken(
  { token, validDays, companyCodes }: DemoToken,
  examples: readonly Page[],
): readonly string[] {
  return [
    `Demo token, valid for ${validDays} days, for ${companyCodes.join(', ')}:`,
    '',
    `  ${token}`,
    '',
    'The production times with it, as',
    '',
    ...formatPages(examples.map(({ url, what }) => ({ what, url: `${url}&$access_token=${token}` }))),
    '',
  ];
}

/** One line for each page: what it is and where. */
function formatPages(pages: readonly Page[]): readonly string[] {
  return pages.map(({ url, what }) => `  ${what.padEnd(16)} ${url}`);
}
