import { basename, join, relative } from 'node:path';
import {
  CODE_LIFETIME_MS,
  createOpeningCode,
  createSetUpCode,
  listUsers,
  setUserCompanies,
  type UserSummary,
} from '@takt/access/administration';
import type { Database } from '@takt/database';
import { writePrivateFile } from '@takt/embedded-postgres/files';
import { listCompanies } from '@takt/figures/master-data';
import { firstDemoProduct } from './demo.js';
import { type DemoAccess, obtainDemoAccess } from './demo-access.js';
import { findDemoProduct, publishingLine, quoted } from './demo-event.js';
import type { RunningTakt } from './running-takt.js';

interface PanelFacts {
  readonly running: RunningTakt;
  readonly opening: Opening;
  /** A person who can sign in to the dashboard, and the file with the password. */
  readonly operator: { readonly pid: number; readonly secretsPath: string } | undefined;
  /** Path of a script that publishes an operation of the demo. */
  readonly scriptPath: string | undefined;
  /** TAKT_HOME, which commands in other terminals need as well; undefined if it is the default. */
  readonly chosenHome: string | undefined;
}

/** Reads the facts for the panel, and creates the sign-in code and the script. */
export async function readPanelFacts(
  database: Database,
  running: RunningTakt,
  { home, chosenHome }: { readonly home: string; readonly chosenHome: string | undefined },
): Promise<PanelFacts> {
  const demo = await obtainDemoAccess(database, home);
  const operator = demo?.people.find(({ who }) => who === 'operator')?.pid;
  return {
    running,
    opening: await makeOpening(database, running),
    operator: demo && operator !== undefined ? { pid: operator, secretsPath: demo.secretsPath } : undefined,
    scriptPath: demo && (await writeScript(database, running, demo, home)),
    chosenHome,
  };
}

export type Addresses = Pick<RunningTakt, 'pagesUrl' | 'dashboardUrl'>;

/** The first page to open: for the first person to register, for the owner signed in, or for anybody to sign in. */
export interface Opening {
  readonly page: 'set-up' | 'signed-in' | 'sign-in';
  readonly url: string;
  /** Time at which the code in the address expires. Undefined for an address without a code. */
  readonly until?: Date;
}

/**
 * Finds the first page to open, and creates the code in its address. Gives the owner the companies that were registered
 * since.
 */
export async function makeOpening(
  database: Database,
  { pagesUrl, dashboardUrl }: Addresses,
): Promise<Opening> {
  const [people, companies] = [await listUsers(database), await listCompanies(database)];
  const until = new Date(Date.now() + CODE_LIFETIME_MS);
  if (people.length === 0) {
    return { page: 'set-up', url: `${dashboardUrl}/set-up?code=${await createSetUpCode(database)}`, until };
  }
  const codes = companies.filter(({ disabledAt }) => disabledAt === null).map(({ code }) => code);
  const owner = people.find((person) => isOwner(person, codes));
  if (owner === undefined) return { page: 'sign-in', url: `${pagesUrl}/` };
  if (!hasAll(owner, codes)) await setUserCompanies(database, owner.pid, 'all');
  return {
    page: 'signed-in',
    url: `${pagesUrl}/open?code=${await createOpeningCode(database, owner.pid)}`,
    until,
  };
}

/** Returns true for somebody who sees everything of all companies. */
function isOwner(person: UserSummary, codes: readonly string[]): boolean {
  const { heldDuties, disabledAt } = person;
  const ofAll = heldDuties.includes('operate-all-companies') || hasAll(person, codes);
  return disabledAt === null && heldDuties.includes('read-planned-times') && ofAll;
}

function hasAll({ companyCodes }: UserSummary, codes: readonly string[]): boolean {
  return codes.every((code) => companyCodes.includes(code));
}

/** Writes the command to a script file, because the command is several times as long as a line of the panel. */
async function writeScript(
  database: Database,
  { intakeUrl }: RunningTakt,
  { publishing }: DemoAccess,
  home: string,
): Promise<string> {
  const path = join(home, 'demo-publish.sh');
  const [code = ''] = publishing.companyCodes;
  // While the demo loads, the product may not be stored yet.
  const product = (await findDemoProduct(database, code)) ?? firstDemoProduct(code);
  await writePrivateFile(path, `${publishingLine(intakeUrl, product, publishing.path)}\n`);
  return path;
}

const LABEL_COLUMNS = 14;
const DEFAULT_COLUMNS = 80;
/**
 * Describes the panel in ten lines, so that the last messages of the start also fit on the screen. The panel fits into
 * the columns of the terminal, unless an address of the settings is wider.
 */
export function describePanel(
  facts: PanelFacts,
  stopping: string,
  columns = DEFAULT_COLUMNS,
): readonly string[] {
  const { running, opening, chosenHome } = facts;
  const entry = (label: string, variants: readonly string[]) => lineOf(label, variants, columns);
  return [
    '',
    `Takt is running. ${stopping}`,
    entry(opening.page === 'set-up' ? 'first steps' : "planner's page", [opening.url]),
    entry('', [opening.until === undefined ? 'sign in there' : untilNote(opening.until)]),
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

/** Returns the prefix for commands in other terminals, which need the same TAKT_HOME. */
function againOf(chosenHome: string | undefined): readonly string[] {
  if (chosenHome === undefined) return ['npx takt info'];
  return [`TAKT_HOME=${shellWord(chosenHome)} npx takt info`, 'npx takt info  (with the same TAKT_HOME)'];
}

function publishingOf({ scriptPath, chosenHome }: PanelFacts): readonly string[] {
  if (scriptPath === undefined) return ['npx takt publish FILE'];
  const path = shortPath(scriptPath, chosenHome);
  const run = `sh ${path.startsWith('$') ? `"${path}"` : shellWord(path)}`;
  return [`${run}  (one operation of the demo, with curl)`, run, 'npx takt publish FILE'];
}

/**
 * Returns a line of the panel. It uses the first variant that fits next to the label, or the last variant if none fits.
 */
function lineOf(label: string, variants: readonly string[], columns: number): string {
  const room = columns - LABEL_COLUMNS - 4;
  const text = variants.find(({ length }) => length <= room) ?? variants.at(-1) ?? '';
  return `  ${label.padEnd(LABEL_COLUMNS)}  ${text}`;
}

/** Writes a text so that a shell reads it as one word. */
export function shellWord(text: string): string {
  return /^[\w./~:@%+-]+$/.test(text) ? text : quoted(text);
}

const SHORT_PATH = 30;

/**
 * Shortens a path. A file in the current folder is shown relative to it. Otherwise, a long path starts with TAKT_HOME.
 */
function shortPath(path: string, chosenHome: string | undefined): string {
  const fromHere = relative('.', path);
  const short = fromHere.startsWith('..') ? path : fromHere;
  return short.length > SHORT_PATH && chosenHome !== undefined ? `$TAKT_HOME/${basename(path)}` : short;
}
