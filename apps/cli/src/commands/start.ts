import { once } from 'node:events';
import { totalmem } from 'node:os';
import { resolve } from 'node:path';
import type { Database } from '@takt/database';
import { listCompanies } from '@takt/figures/master-data';
import { type Closeable, withDeadline } from '@takt/run';
import { startTraces } from '@takt/run/monitoring';
import { resolveSettings } from '@takt/run/settings';
import type { Command } from 'commander';
import { type Context, withContext } from '../context.js';
import { isDemoUnfinished, loadDemoData, registerDemoCompanies } from '../demo.js';
import { type DemoAccess, obtainDemoAccess } from '../demo-access.js';
import { type DemoProduct, figuresUrlOf, findDemoProduct, publishingLine } from '../demo-event.js';
import { CommandError } from '../errors.js';
import { type FiguresSummary, readFiguresSummary } from '../figures-summary.js';
import { describePanel, readPanelFacts, shellWord } from '../panel.js';
import { startProgress } from '../progress.js';
import { findRunning, noteRunning, type RunningTakt } from '../running-takt.js';
import { choosePlaces, type Page, type Places, startApps } from '../start-apps.js';
import type { Terminal } from '../terminal.js';
import { sayWhatIsLeft } from './migrate.js';

const HELP = `
Without DATABASE_URL it starts an embedded PostgreSQL with its data in TAKT_HOME. Ctrl-C stops everything. Each app connects
with a log-in of its own, which is created if it is missing and kept in TAKT_HOME/logins. The demo's tokens are for its
companies alone: the one in TAKT_HOME/demo-token reads, the one in TAKT_HOME/demo-publish-token publishes. The passwords of
the demo's people and the secret of its client are in TAKT_HOME/demo-access.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .option('--no-demo', 'load no demo data')
    .addHelpText('after', HELP)
    .action(({ demo }: { readonly demo: boolean }) => start(demo, terminal));
}

async function start(withDemo: boolean, terminal: Terminal): Promise<void> {
  const startedAt = performance.now();
  refuseLittleMemory(Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY));
  const home = resolve(resolveSettings(terminal.environment).home);
  await refuseSecond(home);
  const places = await choosePlaces(terminal.environment);
  const requested = terminal.stopRequest();
  const failure = new AbortController();
  const stop = AbortSignal.any([requested, failure.signal]);
  const run = async (context: Context) => {
    if (context.isEmbedded) terminal.say('takt: starting the embedded database');
    sayWhatIsLeft(await context.migrate(), terminal);
    const addressesOf = await context.keepLogins();
    if (stop.aborted) return;
    const traces = await startTraces('start', terminal.environment);
    try {
      const apps = await startApps({
        settings: places.settings,
        addressesOf,
        telemetry: traces?.telemetry,
        stopping: stop,
        isTerminal: terminal.columns !== undefined,
        failed: (reason) => failure.abort(reason),
      });
      await offerUntilStopped(apps, context, { places, withDemo, startedAt, home, stop, terminal });
    } finally {
      await traces?.close();
    }
  };
  await withContext(terminal, run, (reason) => failure.abort(reason)).catch((error: unknown) => {
    // After the server has ended, everything fails because of it.
    throw failure.signal.aborted ? failure.signal.reason : error;
  });
  if (failure.signal.aborted) throw failure.signal.reason;
}

/** Offers the started apps until the start is stopped, and closes them. */
async function offerUntilStopped(
  apps: Closeable,
  context: Context,
  offer: Omit<Offer, 'running'>,
): Promise<void> {
  const { places, home, stop, terminal } = offer;
  let takeNoteAway: (() => Promise<void>) | undefined;
  try {
    const running = describeRunning(places, context.isEmbedded);
    takeNoteAway = await noteRunning(home, running);
    await offerTakt(context, { ...offer, running });
    if (!stop.aborted) await once(stop, 'abort');
  } finally {
    terminal.say('takt: stopping');
    await takeNoteAway?.();
    await withDeadline(apps.close(), CLOSE_DEADLINE_MS, () => {
      terminal.say(`takt: the apps did not close within ${CLOSE_DEADLINE_MS / 1_000} s; nothing is lost`);
      terminal.fail();
    });
  }
}

/** Maximum time for closing the apps. After it the process exits; events of unfinished jobs stay in the queue. */
const CLOSE_DEADLINE_MS = 10_000;

/** Throws a CommandError if a Takt is running with this TAKT_HOME. */
async function refuseSecond(home: string): Promise<void> {
  const running = await findRunning(home);
  if (running === undefined) return;
  throw new CommandError(
    `Takt is running already with its data in ${home}: ${running.pagesUrl}/ (Ctrl-C where it was started stops it)`,
  );
}

/**
 * The least memory in MB of 2^20 bytes with which everything starts: while the demo loads, apps and PostgreSQL use up
 * to 730 MB, cached files included. A machine of 1 GB reports some MB less.
 */
const LEAST_MEMORY_MB = 900;

/**
 * Throws if a machine or a container has too little memory. Linux would otherwise kill an app or PostgreSQL at some later
 * moment, without a word.
 */
export function refuseLittleMemory(bytes: number): void {
  const megabytes = Math.floor(bytes / 2 ** 20);
  if (megabytes >= LEAST_MEMORY_MB) return;
  throw new CommandError(
    `takt start needs 1 GB of memory, but only ${megabytes} MB are there: give it more, or run each app on a machine of its own`,
  );
}

function describeRunning({ settings, urlOf }: Places, isEmbedded: boolean): RunningTakt {
  return {
    pid: process.pid,
    isEmbedded,
    apiUrl: urlOf('api'),
    pagesUrl: settings.baseUrl,
    dashboardUrl: settings.dashboardUrl,
    intakeUrl: urlOf('intake'),
  };
}

interface Offer {
  readonly places: Places;
  readonly running: RunningTakt;
  readonly withDemo: boolean;
  /** Time at which the program started, by performance.now(). */
  readonly startedAt: number;
  readonly home: string;
  readonly stop: AbortSignal;
  readonly terminal: Terminal;
}

/**
 * Loads the demo into an empty database, and prints the addresses and the next steps. On a terminal they are printed at
 * once, so that the page can be opened while the demo loads. Otherwise they are printed when the demo is loaded.
 */
async function offerTakt(context: Context, offered: Offer): Promise<void> {
  const { places, withDemo, startedAt, home, stop, terminal } = offered;
  if (stop.aborted) return;
  const database = await context.openDatabase();
  const isFirst = (await listCompanies(database)).length === 0;
  const isUnfinished = !isFirst && (await isDemoUnfinished(database));
  const needsDemo = withDemo && (isFirst || isUnfinished);
  if (needsDemo) await registerDemoCompanies(database);
  const isRead = terminal.columns !== undefined;
  if (isRead) await printPanel(database, offered);
  if (needsDemo) await loadDemo(context, database, stop, terminal);
  if (stop.aborted) return;
  if (isRead) {
    const { structureVersions, completedOperations } = await readFiguresSummary(database);
    await terminal.print(
      `${structureVersions} structure versions, ${completedOperations} operations, ${secondsSince(startedAt)} s after the start.`,
    );
    return;
  }
  const summary = await readSummary(context, database, home);
  for (const line of describeSummary(summary, {
    places,
    seconds: secondsSince(startedAt),
    chosenHome: terminal.environment['TAKT_HOME'],
  })) {
    await terminal.print(line);
  }
  for (const line of describeNextSteps(isFirst, withDemo, summary.demo !== undefined)) terminal.say(line);
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1_000).toFixed(1);
}

async function printPanel(database: Database, { running, home, terminal }: Offer): Promise<void> {
  const chosenHome = terminal.environment['TAKT_HOME'];
  const facts = await readPanelFacts(database, running, { home, chosenHome });
  for (const line of describePanel(facts, 'Ctrl-C stops it.', terminal.columns)) await terminal.print(line);
}

async function loadDemo(
  context: Context,
  database: Database,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  // On a terminal this message is not needed: the panel replaces it, and the line below the panel shows the progress.
  if (terminal.columns === undefined) terminal.say('takt: no data are there yet, loading demo data');
  const progress = startProgress(terminal, 'loading demo data', 1);
  try {
    const publisher = await context.openPublisher();
    const queues = await context.askQueues();
    await loadDemoData({ database, publisher, queues, signal, onProgress: progress.update });
  } finally {
    progress.stop();
  }
}

interface Summary extends FiguresSummary {
  readonly demo: DemoAccess | undefined;
  readonly product: DemoProduct | undefined;
  /** True if the queues are in the database. Publishers then need a log-in for the database. */
  readonly hasQueuesInDatabase: boolean;
}

async function readSummary(context: Context, database: Database, home: string): Promise<Summary> {
  const demo = await obtainDemoAccess(database, home);
  const [code] = demo?.publishing.companyCodes ?? [];
  return {
    ...(await readFiguresSummary(database)),
    demo,
    product: code === undefined ? undefined : await findDemoProduct(database, code),
    hasQueuesInDatabase: await context.hasQueuesInDatabase(),
  };
}

interface SummaryOptions {
  readonly places: Places;
  /** Seconds since the start of the program. */
  readonly seconds: string;
  /** TAKT_HOME if it is not the default. Commands in other terminals then need the same value. */
  readonly chosenHome: string | undefined;
}

function describeSummary(
  { structureVersions, completedOperations, demo, product, hasQueuesInDatabase }: Summary,
  { places, seconds, chosenHome }: SummaryOptions,
): readonly string[] {
  return [
    '',
    `Takt is running. Figures of ${structureVersions} structure versions from ${completedOperations} operations are ready,`,
    `${seconds} s after the start.`,
    '',
    ...(demo === undefined ? [] : describeDemo(demo, places.examples)),
    ...(demo === undefined || product === undefined ? [] : describePublishing(demo, product, places)),
    ...formatPages(places.pages),
    '',
    ...(chosenHome === undefined
      ? []
      : [`In another terminal, set TAKT_HOME=${shellWord(chosenHome)} first.`, '']),
    '  npx takt audit     checks every figure against the stored operations',
    '  npx takt status    shows queues, rate and lag',
    ...(hasQueuesInDatabase
      ? ['  npx takt login create intake    prints a QUEUE_URL for a producer that adds to the queues itself']
      : []),
    '',
    'Ctrl-C stops everything.',
  ];
}

/**
 * Describes the demo: its pages, and the people who can sign in. The output may be a log that others read, so it has no
 * token and no code.
 */
export function describeDemo(
  { token, people, secretsPath }: Omit<DemoAccess, 'publishing'>,
  examples: readonly Page[],
): readonly string[] {
  const [first] = examples;
  if (first === undefined) return [];
  const signIn =
    people.length === 0
      ? []
      : [
          `Or sign in, at ${new URL('/', first.url).href} with a PID and its password from`,
          `${secretsPath} (which also has a client and its secret):`,
          '',
          ...people.map(({ pid, what }) => `  PID ${pid}  ${what}`),
          '',
        ];
  return [...(token === undefined ? [] : describeDemoToken(token, first, examples)), ...signIn];
}

function describeDemoToken(
  { expiresAt, companyCodes, path }: NonNullable<DemoAccess['token']>,
  first: Page,
  examples: readonly Page[],
): readonly string[] {
  const [, data] = examples;
  return [
    `Production times of ${companyCodes.join(', ')}. npx takt open signs you in as the demo's planner. For programs, a token is in`,
    `${path}, valid until ${expiresAt.toISOString()}:`,
    '',
    ...formatPages(examples.map(({ url, what }) => ({ what, url: `${url}&$db=${companyCodes[0]}` }))),
    '',
    `  curl -H "Authorization: Bearer $(cat '${path}')" '${(data ?? first).url.split('?')[0]}'`,
    '',
  ];
}

function describePublishing(
  { publishing }: DemoAccess,
  product: DemoProduct,
  { urlOf }: Places,
): readonly string[] {
  return [
    `Publish a completed operation of ${product.productName}, a new one each second:`,
    '',
    `  ${publishingLine(urlOf('intake'), product, publishing.path)}`,
    '',
    'and see its number of completed operations and its average change:',
    '',
    ...formatPages([{ what: 'its figures', url: figuresUrlOf(urlOf('api'), product) }]),
    '',
  ];
}

export function describeNextSteps(isFirst: boolean, withDemo: boolean, hasDemo: boolean): readonly string[] {
  const register = 'npx takt company add CODE NAME registers a company';
  const data = 'Import on the dashboard, or npx takt import FILE, takes files of your ERP';
  const token = 'npx takt token create --database CODE makes a token for the API';
  const open = 'npx takt open opens a page that registers you and your company';
  if (isFirst && !withDemo) {
    return [`takt: nobody is registered yet: ${open}; or ${register}, ${data}, ${token}`];
  }
  if (!hasDemo) return [`takt: ${token}`];
  return isFirst ? [`takt: for data of your own: ${register}, ${data}, ${token}`] : [];
}

/** Formats the pages, with one line for the name and address of each page. */
function formatPages(pages: readonly Page[]): readonly string[] {
  return pages.map(({ url, what }) => `  ${what.padEnd(16)} ${url}`);
}
