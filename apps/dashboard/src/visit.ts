import { type AccessGrant, clientPermissions, type FindToken, findAccessToken, holds } from '@takt/access';
import type { Database } from '@takt/database';
import type { ApiAnswer, MountedRequest } from '@takt/http';
import type { DashboardText, Words } from './words.js';

/** A request, as the pages use it. */
export interface Visit extends MountedRequest {
  readonly query: URLSearchParams;
  /** The fields of a posted form; empty for other requests. */
  readonly form: URLSearchParams;
  /** Texts in the chosen language, otherwise in the one that the browser prefers. */
  readonly words: Words;
}

export type PageDuty = 'operate-queues' | 'manage-access';

interface Page {
  readonly method: 'GET' | 'POST';
  /** Path below the base URL. */
  readonly path: string;
  /** Limit of a posted form; default 16 KB. */
  readonly maxFormBytes?: number;
}

/** A page without sign-in. */
interface OpenPage extends Page {
  readonly access: 'everybody';
  readonly answer: (visit: Visit) => Promise<ApiAnswer>;
}

/** A page that requires a session or a certain duty. The duty is looked up at each request. */
interface PersonalPage extends Page {
  readonly access: 'signed-in' | PageDuty;
  readonly answer: (visit: Visit, person: Person) => Promise<ApiAnswer>;
}

export type PageRoute = OpenPage | PersonalPage;

/** Returns the message about the change that `done` in the address names; undefined without one. */
export function noticeOf(
  { query, words }: Visit,
  notices: Readonly<Record<string, DashboardText>>,
): string | undefined {
  const done = query.get('done') ?? '';
  const text = Object.hasOwn(notices, done) ? notices[done] : undefined;
  return text && words.say(text);
}

export function answerHtml(
  html: string,
  status: ApiAnswer['status'] = 200,
  headers: ApiAnswer['headers'] = {},
): ApiAnswer & { readonly body: Buffer } {
  return {
    status,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...headers },
    body: Buffer.from(html),
    isStreamed: false,
  };
}

/** Redirects a browser after a posted form. `location` is an absolute URL. */
export function answerRedirect(location: string, headers: ApiAnswer['headers'] = {}): ApiAnswer {
  return {
    status: 303,
    headers: { ...headers, Location: location, 'Content-Type': 'text/plain; charset=utf-8' },
    body: [],
    isStreamed: false,
  };
}

/** The signed-in person with their rights. */
export interface Person {
  readonly token: string;
  /** Number of the person; null if the token has no person. */
  readonly pid: number | null;
  readonly name: string;
  /** Codes of the companies. */
  readonly companies: ReadonlySet<string>;
  /**
   * True for a person who operates all companies or has all registered ones. Such a person may see everything in the
   * queues.
   */
  readonly hasAllCompanies: boolean;
  /** True if the person may change the queues' content. */
  readonly mayOperate: boolean;
  /** True if the person may change access rights. */
  readonly mayManage: boolean;
}

/** True if the person may open a page with this kind of access. */
export function isAdmitted({ mayOperate, mayManage }: Person, access: PageRoute['access']): boolean {
  if (access === 'operate-queues') return mayOperate;
  return access !== 'manage-access' || mayManage;
}

export interface People {
  /**
   * Finds the person of a token; the answer may be up to 3 s old. undefined if the token is invalid, or does not open
   * pages.
   */
  find(token: string): Promise<Person | undefined>;
  /** Finds the person of a token without the cache, for a change. */
  findNow(token: string): Promise<Person | undefined>;
  /** Codes of the companies that are registered and enabled; the answer may be up to 3 s old. */
  registeredCompanies(): Promise<ReadonlySet<string>>;
}

const COMPANIES_MAX_AGE_MS = 3_000;

interface Companies {
  /** Codes of all companies, including disabled ones, whose events are hidden from people of other companies. */
  readonly all: ReadonlySet<string>;
  readonly active: ReadonlySet<string>;
}

/** Looks people up by their tokens. `find` looks up the grant of a token, and may use a cache. */
export function openPeople(pool: Database['pool'], find: FindToken): People {
  let known: { readonly atMs: number; readonly companies: Promise<Companies> } | undefined;
  const readCompanies = async (): Promise<Companies> => {
    const { rows } = await pool.query<{ code: string; isActive: boolean }>(
      'SELECT code, disabled_at IS NULL AS "isActive" FROM takt.companies',
    );
    return {
      all: new Set(rows.map(({ code }) => code)),
      active: new Set(rows.filter(({ isActive }) => isActive).map(({ code }) => code)),
    };
  };
  const knownCompanies = () => {
    const nowMs = performance.now();
    if (known === undefined || nowMs - known.atMs > COMPANIES_MAX_AGE_MS) {
      const companies = readCompanies();
      known = { atMs: nowMs, companies };
      companies.catch(() => {
        known = undefined;
      });
    }
    return known.companies;
  };
  const toPerson = async (token: string, grant: AccessGrant | undefined, { all }: Companies) =>
    grant !== undefined && opensPages(grant) ? describe(token, grant, all) : undefined;
  return {
    registeredCompanies: async () => (await knownCompanies()).active,
    find: async (token) => toPerson(token, await find(token), await knownCompanies()),
    findNow: async (token) => toPerson(token, await findAccessToken(pool, token), await readCompanies()),
  };
}

/** True for tokens of people, and for tokens that may read or operate. False for tokens that may only publish. */
function opensPages({ pid, duties, permissions }: AccessGrant): boolean {
  if (pid !== null || holds(duties, 'operate-queues')) return true;
  const readable = clientPermissions.filter((permission) => permission !== 'publish-events');
  return duties.length > 0 && readable.some((permission) => holds(permissions, permission));
}

function describe(token: string, grant: AccessGrant, all: ReadonlySet<string>): Person {
  const companies = new Set(grant.companies.map(({ code }) => code));
  return {
    token,
    pid: grant.pid,
    name: grant.pid === null ? 'a token of nobody' : grant.personName || `PID ${grant.pid}`,
    companies,
    hasAllCompanies: operatesAll(grant) || [...all].every((code) => companies.has(code)),
    mayOperate: holds(grant.duties, 'operate-queues'),
    // The duty must be given by name to a token without a client, as the database requires too: a client would be
    // limited to its permissions.
    mayManage: grant.clientId === null && grant.duties !== 'all' && holds(grant.duties, 'manage-access'),
  };
}

/**
 * True only if the duty was given by name: a token that was created before this duty existed is for its own companies
 * only.
 */
function operatesAll({ duties }: AccessGrant): boolean {
  return duties !== 'all' && holds(duties, 'operate-all-companies');
}

/**
 * True if a person may see data of a company code. Data without a registered company may belong to any company, so only
 * a person with all companies may see them.
 */
export function maySee({ companies, hasAllCompanies }: Person, company: string | null): boolean {
  return hasAllCompanies || (company !== null && companies.has(company));
}
