import type { Database } from '@takt/database';
import type pg from 'pg';

/** The kinds of names, in the words that error messages use. */
const WORDS = {
  company: { one: 'company', several: 'companies', participle: 'registered' },
  client: { one: 'client', several: 'clients', participle: 'registered' },
  person: { one: 'person', several: 'people', participle: 'registered' },
  permission: { one: 'permission', several: 'permissions', participle: 'known' },
  duty: { one: 'duty', several: 'duties', participle: 'known' },
  role: { one: 'role', several: 'roles', participle: 'known' },
} as const;
export type NameKind = keyof typeof WORDS;

/** Thrown for unknown names. The message lists the unknown names and the known names. */
export class UnknownNamesError extends Error {
  override readonly name = 'UnknownNamesError';
  readonly kind: NameKind;
  readonly unknown: readonly string[];
  readonly known: readonly string[];

  constructor(kind: NameKind, unknown: readonly string[], known: readonly string[]) {
    const { one, several, participle } = WORDS[kind];
    const subject =
      unknown.length === 1 ? `${one} ${unknown.join()} is` : `${several} ${unknown.join(', ')} are`;
    super(
      `${subject} not ${participle} (${known.length === 0 ? 'none is' : `${participle}: ${known.join(', ')}`})`,
    );
    this.kind = kind;
    this.unknown = unknown;
    this.known = known;
  }
}

/** Returns the names without duplicates. Throws an UnknownNamesError if a name is not in `known`. */
export function assertKnown<Name extends string>(
  kind: NameKind,
  names: readonly string[],
  known: readonly Name[],
): readonly Name[] {
  const unknown = names.filter((name) => !known.some((one) => one === name));
  if (unknown.length > 0) throw new UnknownNamesError(kind, unknown, known);
  return known.filter((name) => names.includes(name));
}

/**
 * Finds the ids of companies, in the order of the given codes. Throws an UnknownNamesError if a company is not
 * registered.
 */
export async function findCompanyIds(
  database: Database,
  codes: readonly string[],
): Promise<readonly number[]> {
  const { rows } = await database.pool.query<{ code: string; id: number }>(
    'SELECT code, company_id AS id FROM takt.companies ORDER BY code',
  );
  const wanted = [...new Set(codes)];
  assertKnown(
    'company',
    wanted,
    rows.map(({ code }) => code),
  );
  return wanted.flatMap((wantedCode) => rows.filter(({ code }) => code === wantedCode).map(({ id }) => id));
}

/** SQL that adds companies to a person, a client or a token. */
const ADD_COMPANIES = {
  user_companies: 'INSERT INTO takt.user_companies (pid, ordinal, company_id)',
  api_client_companies: 'INSERT INTO takt.api_client_companies (api_client_id, ordinal, company_id)',
  access_token_companies: 'INSERT INTO takt.access_token_companies (access_token_id, ordinal, company_id)',
} as const;

/**
 * Stores the companies of a new person, client or token, in the transaction that stores the row itself. One statement with
 * both would be sent to all nodes of a cluster, also to one that is away.
 */
export async function insertCompanies(
  session: pg.ClientBase,
  table: keyof typeof ADD_COMPANIES,
  id: number | string,
  companyIds: readonly number[],
): Promise<void> {
  await session.query(
    `${ADD_COMPANIES[table]}
     SELECT $1, ordinal, company FROM unnest($2::integer[]) WITH ORDINALITY AS listed (company, ordinal)`,
    [id, companyIds],
  );
}

/** Lists the codes of all companies that are registered and enabled, in sorted order. */
export async function listCompanyCodes(database: Database): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ code: string }>(
    'SELECT code FROM takt.companies WHERE disabled_at IS NULL ORDER BY code',
  );
  return rows.map(({ code }) => code);
}

/** Lists the names of all roles. */
export async function listRoles({ pool }: Pick<Database, 'pool'>): Promise<readonly string[]> {
  const { rows } = await pool.query<{ role: string }>('SELECT role FROM takt.roles ORDER BY role');
  return rows.map(({ role }) => role);
}

/** Returns the roles without duplicates. Throws an UnknownNamesError for an unknown role. */
export async function assertRoles(database: Database, roles: readonly string[]): Promise<readonly string[]> {
  return assertKnown('role', roles, await listRoles(database));
}

/** Throws an UnknownNamesError for an unknown client or person. The error lists those that exist. */
export async function failUnknown(database: Database, kind: 'client' | 'person', id: number): Promise<never> {
  const { rows } = await database.pool.query<{ known: string }>(
    kind === 'client'
      ? `SELECT api_client_id || ' ' || name AS known FROM takt.api_clients ORDER BY api_client_id`
      : `SELECT concat_ws(' ', pid, first_name, name) AS known FROM takt.users ORDER BY pid`,
  );
  throw new UnknownNamesError(
    kind,
    [String(id)],
    rows.map(({ known }) => known),
  );
}

/** The names to add to a list and the names to remove from it. */
export interface NameChanges<Name extends string = string> {
  readonly add?: readonly Name[];
  readonly remove?: readonly Name[];
}

/**
 * Writes SQL that changes the names in a column: the names in one parameter are added, and those in another parameter
 * are removed.
 */
export function changedNames(column: string, added: string, removed: string): string {
  return `ARRAY(SELECT unnest(${column} || ${added}::text[]) EXCEPT SELECT unnest(${removed}::text[]) ORDER BY 1)`;
}
