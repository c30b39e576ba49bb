import { basename, join, relative } from 'node:path';
import { CODE_LIFETIME_MS, createOpeningCode } from '@takt/access/administration';
import type { Database } from '@takt/database';
import { writePrivateFile } from '@takt/embedded-postgres';
import { firstDemoProduct } from './demo.js';
import { type DemoAccess, obtainDemoAccess } from './demo-access.js';
import { findDemoProduct, publishingLine } from './demo-event.js';
import type { RunningTakt } from './running-takt.js';

/** All that the panel says. */
interface PanelFacts {
  readonly running: RunningTakt;
  /** The address of the planner's page with a code, and until when it works; undefined: there is no demo planner. */
  readonly opening: { readonly url: string; readonly until: Date } | undefined;
  /** A person who signs in at the dashboard, and the file with the password. */
  readonly operator: { readonly pid: number; readonly secretsPath: string } | undefined;
  /** Publishes an operation of the demo. */
  readonly scriptPath: string | undefined;
  /** Other terminals need it as well; undefined: it is the default. */
  readonly chosenHome: string | undefined;
}

/** Reads what the panel says, and makes what it names: a code, and the script that publishes. */
export async function readPanelFacts(
  database: Database,
  running: RunningTakt,
  { home, chosenHome }: { readonly home: string; readonly chosenHome: string | undefined },
): Promise<PanelFacts> {
  const demo = await obtainDemoAccess(database, home);
  const pidOf = (who: 'planner' | 'operator') => demo?.people.find((person) => person.who === who)?.pid;
  const [planner, operator] = [pidOf('planner'), pidOf('operator')];
  return {
    running,
    opening: planner === undefined ? undefined : await makeOpening(database, running, planner),
    operator: demo && operator !== undefined ? { pid: operator, secretsPath: demo.secretsPath } : undefined,
    scriptPath: demo && (await writeScript(database, running, demo, home)),
    chosenHome,
  };
}

/** The address that opens the planner's page as the demo's planner, or as whoever signs in there. */
export async function openingUrl(database: Database, running: RunningTakt, home: string): Promise<string> {
  const people = (await obtainDemoAccess(database, home))?.people;
  const planner = people?.find(({ who }) => who === 'planner');
  if (planner === undefined) return `${running.pagesUrl}/`;
  return (await makeOpening(database, running, planner.pid)).url;
}

async function makeOpening(database: Database, { pagesUrl }: RunningTakt, pid: number) {
  const until = new Date(Date.now() + CODE_LIFETIME_MS);
  return { url: `${pagesUrl}/open?code=${await createOpeningCode(database, pid)}`, until };
}

/** A line for a shell is several times as long as one of the panel. */
async function writeScript(
  database: Database,
  { intakeUrl }: RunningTakt,
  { publishing }: DemoAccess,
  home: string,
): Promise<string> {
  const path = join(home, 'demo-publish.sh');
  const [code = ''] = publishing.companyCodes;
  // While the demo is loaded, nothing of it may be there yet.
  const product = (await findDemoProduct(database, code)) ?? firstDemoProduct(code);
  await writePrivateFile(path, `${publishingLine(intakeUrl, product, publishing.path)}\n`);
  return path;
}

const LABEL_COLUMNS = 14;
const COLUMNS = 80;
/** Ten lines, so that what the start says at its end stands in a screen with them. None is wider than 80 columns, unless an address of the settings is. */
export function describePanel(facts: PanelFacts, stopping: string): readonly string[] {
  const { running, opening, chosenHome } = facts;
  return [
    '',
    `Takt is running. ${stopping}`,
    entry("planner's page", [opening?.url ?? `${running.pagesUrl}/`]),
    entry('', [opening === undefined ? 'sign in there' : untilNote(opening.until)]),
    entry('dashboard', dashboardOf(facts)),
    entry('API', [`${running.pagesUrl}/`]),
    entry('docs', [`${running.pagesUrl}/docs`]),
    entry('publish', publishingOf(facts)),
    entry('your own data', ['npx takt company add CODE NAME, then: npx takt publish FILE']),
    entry('this again', againOf(chosenHome)),
  ];
}

function untilNote(until: Date): string {
  const time = until.toTimeString().slice(0, 5);
  return `(opens once, until ${time}; npx takt open makes another one)`;
}

function dashboardOf({ running, operator, chosenHome }: PanelFacts): readonly string[] {
  const url = `${running.dashboardUrl}/`;
  if (operator === undefined) return [url];
  const who = `PID ${operator.pid}`;
  const path = shortPath(operator.secretsPath, chosenHome);
  return [`${url}  ${who}, password in ${path}`, `${url}  ${who} (${path})`, url];
}

/** Other terminals need the TAKT_HOME too. */
function againOf(chosenHome: string | undefined): readonly string[] {
  if (chosenHome === undefined) return ['npx takt info'];
  return [`TAKT_HOME=${chosenHome} npx takt info`, 'npx takt info  (with the same TAKT_HOME)'];
}

function publishingOf({ scriptPath, chosenHome }: PanelFacts): readonly string[] {
  if (scriptPath === undefined) return ['npx takt publish FILE'];
  const run = `sh ${shortPath(scriptPath, chosenHome)}`;
  return [`${run}  (one operation of the demo, with curl)`, run, 'npx takt publish FILE'];
}

/** The first of the variants that fits beside the label, else the last. */
function entry(label: string, variants: readonly string[]): string {
  const room = COLUMNS - LABEL_COLUMNS - 4;
  const text = variants.find(({ length }) => length <= room) ?? variants.at(-1) ?? '';
  return `  ${label.padEnd(LABEL_COLUMNS)}  ${text}`;
}

const SHORT_PATH = 30;

/** From the folder that a person is in where the file is below it; a long one from the TAKT_HOME. */
function shortPath(path: string, chosenHome: string | undefined): string {
  const fromHere = relative('.', path);
  const short = fromHere.startsWith('..') ? path : fromHere;
  return short.length > SHORT_PATH && chosenHome !== undefined ? `$TAKT_HOME/${basename(path)}` : short;
}
