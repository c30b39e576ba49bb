import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { revokeToken, signIn } from '@takt/access';
import {
  type AccessGrant,
  createAccessToken,
  createApiClient,
  createUser,
  findAccessToken,
  holds,
  listApiClients,
  listUsers,
  saveView,
} from '@takt/access/administration';
import type { Database } from '@takt/database';
import { readIfPresent, writePrivateFile } from '@takt/embedded-postgres/files';
import { listCompanies } from '@takt/figures/master-data';
import { inventPassword } from './secret-input.js';

export interface DemoAccess {
  /** The token of the planner; undefined if the planner is disabled. */
  readonly token: DemoToken | undefined;
  /** A token that can only publish events and cannot read anything. */
  readonly publishing: DemoToken;
  /** The people of the demo who are not disabled. */
  readonly people: readonly DemoPerson[];
  /** Path of the file with the passwords of the people and the secret of a client. */
  readonly secretsPath: string;
}

interface DemoToken {
  readonly token: string;
  readonly expiresAt: Date;
  /** Codes of the companies. The first company is the default. */
  readonly companyCodes: readonly string[];
  /** Path of the file with the token. */
  readonly path: string;
}

interface DemoPerson {
  readonly who: keyof typeof PEOPLE;
  readonly pid: number;
  readonly what: string;
}

const VALID_DAYS = 7;
const DAY_MS = 86_400_000;

const PEOPLE = {
  planner: {
    name: 'Demo planner',
    roles: ['planner', 'system-operator'],
    what: 'a planner, who sees everything of all companies',
  },
  operator: {
    name: 'Demo operator',
    roles: ['administrator'],
    what: 'an operator of all companies, who sees no planned times, changes queues and manages people',
  },
} as const;
const CLIENT = {
  name: 'Demo client without application versions',
  roles: ['integrator'],
  permissions: ['production-times', 'error-messages'],
} as const;
type Who = keyof typeof PEOPLE | 'client';

/**
 * The tokens of the demo by file name. The first token becomes part of a page's address. Browsers remember addresses
 * and people share them, so this token can only read. The token that publishes is never shown.
 */
const TOKENS = {
  'demo-token': { mayPublish: false, description: 'demo token of takt start' },
  'demo-publish-token': { mayPublish: true, description: 'demo token of takt start that only publishes' },
} as const;

/**
 * Obtains people, a client and tokens for the demo companies. Returns undefined if these companies do not exist.
 * People, client and tokens of the previous start are reused if they are still valid for exactly these companies. The
 * database stores only hashes, so the passwords and tokens are in files of `home` that only their owner can read.
 */
export async function obtainDemoAccess(database: Database, home: string): Promise<DemoAccess | undefined> {
  const companies = await listCompanies(database);
  const companyCodes = companies.filter(({ isDemo }) => isDemo).map(({ code }) => code);
  if (companyCodes.length === 0) return undefined;
  await mkdir(home, { recursive: true });
  const secretsPath = join(home, 'demo-access');
  const { stored, hasNewPlanner } = await obtainStored(database, companyCodes, secretsPath);
  const users = await listUsers(database);
  const isActive = (pid: number) => users.some((user) => user.pid === pid && user.disabledAt === null);
  const people = [
    { who: 'planner', pid: stored.planner.id, what: PEOPLE.planner.what } as const,
    { who: 'operator', pid: stored.operator.id, what: PEOPLE.operator.what } as const,
  ].filter(({ pid }) => isActive(pid));
  const obtain = (name: keyof typeof TOKENS, pid: number | null) =>
    obtainToken(database, { companyCodes, pid, path: join(home, name), ...TOKENS[name] });
  const token = isActive(stored.planner.id) ? await obtain('demo-token', stored.planner.id) : undefined;
  if (hasNewPlanner && token !== undefined) await saveViews(database, stored.planner, companyCodes);
  return {
    token,
    publishing: await obtain('demo-publish-token', null),
    people,
    secretsPath,
  };
}

/**
 * A person or client in the file. The time of creation distinguishes it from a later person or client that has the same
 * number.
 */
interface StoredEntry {
  readonly id: number;
  readonly secret: string;
  readonly createdAt: string;
}

const HEADING = '# who, PID or id of the client, password or secret, when it was made';
const LINE = /^(\w+) (\d+) (\S+) (\S+)$/gm;

/** Returns the entries of the file that still exist in the database. Missing entries are created and stored. */
async function obtainStored(
  database: Database,
  companyCodes: readonly string[],
  path: string,
): Promise<{ readonly stored: Readonly<Record<Who, StoredEntry>>; readonly hasNewPlanner: boolean }> {
  const before = new Map<string, StoredEntry>();
  for (const [, who = '', id, secret = '', createdAt = ''] of ((await readIfPresent(path)) ?? '').matchAll(
    LINE,
  )) {
    before.set(who, { id: Number(id), secret, createdAt });
  }
  let hasChanged = false;
  const obtain = async (who: Who): Promise<StoredEntry> => {
    const known = before.get(who);
    if (known !== undefined && (await isThere(database, who, known, companyCodes))) return known;
    hasChanged = true;
    return make(database, who, companyCodes);
  };
  const stored = {
    planner: await obtain('planner'),
    operator: await obtain('operator'),
    client: await obtain('client'),
  };
  const lines = Object.entries(stored).map(
    ([who, { id, secret, createdAt }]) => `${who} ${id} ${secret} ${createdAt}`,
  );
  if (hasChanged) await writePrivateFile(path, [HEADING, ...lines, ''].join('\n'));
  return { stored, hasNewPlanner: stored.planner !== before.get('planner') };
}

/** Saves a view of the planner as an example, and shares it with each company. Only the session of a page may do so. */
async function saveViews(
  database: Database,
  { id, secret }: StoredEntry,
  companyCodes: readonly string[],
): Promise<void> {
  const session = await signIn(database.pool, { pid: id, password: secret });
  if (!('issued' in session)) throw new Error(`the demo's planner cannot sign in: ${session.refused}`);
  const { accessToken } = session.issued;
  for (const code of companyCodes) {
    await saveView(database.pool, accessToken, code, {
      name: 'Setup over plan, made at least 10 times',
      path: '/product/structure-versions/aggregated-production-times',
      query: `view=setup&$filter=${encodeURIComponent('SetupTimeHoursOverPlan gt 0 and NumberOfCompletedProductionWorkOrders ge 10')}&$orderby=SetupTimeHoursOverPlan%20desc`,
      isShared: true,
    });
  }
  await revokeToken(database.pool, accessToken);
}

async function isThere(
  database: Database,
  who: Who,
  { id, createdAt }: StoredEntry,
  companyCodes: readonly string[],
): Promise<boolean> {
  const found = await find(database, who, id);
  // The planner gets more companies by takt open.
  const hasCompanies = companyCodes.every((code) => found?.companyCodes.includes(code));
  return found?.createdAt.toISOString() === createdAt && hasCompanies;
}

async function find(database: Database, who: Who, id: number) {
  return who === 'client'
    ? (await listApiClients(database)).find(({ clientId }) => clientId === id)
    : (await listUsers(database)).find(({ pid }) => pid === id);
}

async function make(database: Database, who: Who, companyCodes: readonly string[]): Promise<StoredEntry> {
  const { id, secret } = await (who === 'client'
    ? makeClient(database, companyCodes)
    : makePerson(database, who, companyCodes));
  return { id, secret, createdAt: (await find(database, who, id))?.createdAt.toISOString() ?? '' };
}

async function makePerson(database: Database, who: keyof typeof PEOPLE, companyCodes: readonly string[]) {
  const secret = inventPassword();
  const { name, roles } = PEOPLE[who];
  return { id: await createUser(database, { name, companyCodes, roles, password: secret }), secret };
}

async function makeClient(database: Database, companyCodes: readonly string[]) {
  const { clientId, secret = '' } = await createApiClient(database, { ...CLIENT, companyCodes });
  return { id: clientId, secret };
}

interface DemoTokenOptions {
  readonly companyCodes: readonly string[];
  readonly pid: number | null;
  readonly path: string;
  readonly mayPublish: boolean;
  readonly description: string;
}

/**
 * Returns the token in `path` if it is valid for exactly these companies, this person and this right to publish.
 * Otherwise returns a new token.
 */
async function obtainToken(database: Database, options: DemoTokenOptions): Promise<DemoToken> {
  const { companyCodes, pid, path, mayPublish, description } = options;
  const stored = (await readIfPresent(path))?.trim() ?? '';
  const grant = await findAccessToken(database.pool, stored);
  if (grant !== undefined && isFor(grant, options)) {
    return { token: stored, expiresAt: grant.expiresAt, companyCodes, path };
  }
  const { token, expiresAt } = await createAccessToken(database, {
    companyCodes,
    expiresInMs: VALID_DAYS * DAY_MS,
    mayPublish,
    description,
    ...(pid !== null && { pid }),
  });
  await writePrivateFile(path, `${token}\n`);
  return { token, expiresAt, companyCodes, path };
}

function isFor({ companies, permissions, pid }: AccessGrant, options: DemoTokenOptions): boolean {
  const isOfCompanies = companies.map(({ code }) => code).join() === options.companyCodes.join();
  return isOfCompanies && pid === options.pid && holds(permissions, 'publish-events') === options.mayPublish;
}
