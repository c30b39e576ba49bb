import { type AccessGrant, clientPermissions, type FindToken, findAccessToken, holds } from '@takt/access';
import type { Database } from '@takt/database';
import type { ApiAnswer, MountedRequest } from '@takt/http';
import type { DashboardText, Words } from './words.js';

/** A request, as the pages need it. */
export interface Visit extends MountedRequest {
  readonly query: URLSearchParams;
  /** The fields of what was posted; empty for any other request. */
  readonly form: URLSearchParams;
  /** In the language that was chosen, or that the browser prefers. */
  readonly words: Words;
}

/** A duty that pages ask for. */
export type PageDuty = 'operate-queues' | 'manage-access';

interface Page {
  readonly method: 'GET' | 'POST';
  /** Below the base URL. */
  readonly path: string;
  /** Of the form that is posted; default 16 KB. */
  readonly maxFormBytes?: number;
}

/** A page that needs no sign-in. */
interface OpenPage extends Page {
  readonly access: 'everybody';
  readonly answer: (visit: Visit) => Promise<ApiAnswer>;
}

/** A page for who is signed in, or has a duty; the latter is looked up anew for each request. */
interface PersonalPage extends Page {
  readonly access: 'signed-in' | PageDuty;
  readonly answer: (visit: Visit, person: Person) => Promise<ApiAnswer>;
}

export type PageRoute = OpenPage | PersonalPage;

/** The text of the change that led to a page, which its address names by `done`; undefined where it names none. */
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

/** Leads a browser on after a form. `location` is absolute. */
export function answerRedirect(location: string, headers: ApiAnswer['headers'] = {}): ApiAnswer {
  return {
    status: 303,
    headers: { ...headers, Location: location, 'Content-Type': 'text/plain; charset=utf-8' },
    body: [],
    isStreamed: false,
  };
}

/** Who is signed in, and what of the events of all companies that one may see and do. */
export interface Person {
  readonly token: string;
  /** Null: the token is nobody's. */
  readonly pid: number | null;
  readonly name: string;
  /** Codes of the companies. */
  readonly companies: ReadonlySet<string>;
  /** Operates all companies, or has all that are registered: nothing in the queues is anybody else's. */
  readonly hasAllCompanies: boolean;
  /** Trusted to change what is in the queues. */
  readonly mayOperate: boolean;
  /** Trusted to change who has access. */
  readonly mayManage: boolean;
}

/** True if the person may open a page. */
export function isAdmitted({ mayOperate, mayManage }: Person, access: PageRoute['access']): boolean {
  if (access === 'operate-queues') return mayOperate;
  return access !== 'manage-access' || mayManage;
}

export interface People {
  /** As of 3 s ago at most; undefined where the token is not valid, or opens no page. */
  find(token: string): Promise<Person | undefined>;
  /** As of now, for who changes something. */
  findNow(token: string): Promise<Person | undefined>;
  /** Codes of all companies that are registered and not disabled, as of 3 s ago at most. */
  registeredCompanies(): Promise<ReadonlySet<string>>;
}

const COMPANIES_MAX_AGE_MS = 3_000;

/** Codes of companies. */
interface Companies {
  /** With those that are disabled, whose events are not for people of other companies. */
  readonly all: ReadonlySet<string>;
  readonly active: ReadonlySet<string>;
}

/** `find`: a token's grant, remembered for a short while. */
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

/** People do, and tokens of nobody that read or operate: not those that publish alone. */
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
    // By name and without a client, as the database asks for it: a client is limited to its permissions.
    mayManage: grant.clientId === null && grant.duties !== 'all' && holds(grant.duties, 'manage-access'),
  };
}

/** Only who was given the duty by name: a token that was made before there was such a duty is for its companies. */
function operatesAll({ duties }: AccessGrant): boolean {
  return duties !== 'all' && holds(duties, 'operate-all-companies');
}

/**
 * Whether a person may see something of a company by its code. What is of no company that is registered may be of any,
 * so it is for those who have all.
 */
export function maySee({ companies, hasAllCompanies }: Person, company: string | null): boolean {
  return hasAllCompanies || (company !== null && companies.has(company));
}
