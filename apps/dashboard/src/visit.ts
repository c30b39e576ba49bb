import {
  type AccessGrant,
  type Duty,
  type FindToken,
  findAccessToken,
  holds,
  type Rights,
} from '@takt/access';
import type { Database } from '@takt/database';
import type { ApiAnswer, MountedRequest, StreamRequest } from '@takt/http';
import { mayManage } from '@takt/pages';
import type { DashboardText, Words } from './words.js';

/** A request in the form in which pages receive it. */
export interface Visit extends MountedRequest {
  readonly query: URLSearchParams;
  /** The fields of a posted form. They are empty for other requests. */
  readonly form: URLSearchParams;
  /** The texts in the chosen language, otherwise in the language that the browser prefers. */
  readonly words: Words;
}

interface Page {
  readonly method: 'GET' | 'POST';
  /** Path of the page below the base URL. */
  readonly path: string;
  /** Maximum size in bytes of a posted form. Default 16 KB. */
  readonly maxFormBytes?: number;
}

/** A page that can be opened without signing in. */
interface OpenPage extends Page {
  readonly access: 'everybody';
  readonly answer: (visit: Visit) => Promise<ApiAnswer>;
}

/** A page that requires a session, and perhaps duties. Session and duties are looked up at each request. */
interface PersonalPage extends Page {
  readonly access: 'signed-in' | readonly Duty[];
  readonly answer: (visit: Visit, person: Person) => Promise<ApiAnswer>;
}

export type PageRoute = OpenPage | PersonalPage;

/** A page that receives a form with a file (POST), as it arrives. */
export interface UploadRoute {
  readonly path: string;
  readonly access: readonly Duty[];
  readonly receive: (visit: Visit, person: Person, stream: StreamRequest['stream']) => Promise<ApiAnswer>;
}

/** Returns the message about the change that `done` in the address names; undefined if it names none. */
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

/** Redirects a browser after a form. `location` must be absolute. */
export function answerRedirect(location: string, headers: ApiAnswer['headers'] = {}): ApiAnswer {
  return {
    status: 303,
    headers: { ...headers, Location: location, 'Content-Type': 'text/plain; charset=utf-8' },
    body: [],
    isStreamed: false,
  };
}

/** A person who is signed in, with the rights of the person. */
export interface Person {
  readonly token: string;
  /** Number of the person; null if the token belongs to no person. */
  readonly pid: number | null;
  readonly name: string;
  /** Codes of the companies that the person has. */
  readonly companies: ReadonlySet<string>;
  /**
   * True if the person operates all companies or has all registered companies. Such a person may see everything in the
   * queues.
   */
  readonly hasAllCompanies: boolean;
  readonly duties: Rights<Duty>;
  /** True if the person may change the content of the queues. */
  readonly mayOperate: boolean;
  /** True if the person may change access rights. */
  readonly mayManage: boolean;
}

/** Returns the first duty that the person lacks for a page; undefined if the person may open it. */
export function missingDuty({ duties, mayManage }: Person, access: PageRoute['access']): Duty | undefined {
  if (access === 'everybody' || access === 'signed-in') return undefined;
  return access.find((duty) => !(duty === 'manage-access' ? mayManage : holds(duties, duty)));
}

export interface People {
  /**
   * Finds the person of a token. The result may be up to 3 s old. Returns undefined if the token is invalid or cannot
   * be used for pages.
   */
  find(token: string): Promise<Person | undefined>;
  /** Finds the person of a token without the cache. To be used before a change. */
  findNow(token: string): Promise<Person | undefined>;
  /** Returns the codes of the companies that are registered and enabled. The result may be up to 3 s old. */
  registeredCompanies(): Promise<ReadonlySet<string>>;
}

const COMPANIES_MAX_AGE_MS = 3_000;

interface Companies {
  /**
   * Codes of all companies. They include disabled companies, whose events stay hidden from people of other companies.
   */
  readonly all: ReadonlySet<string>;
  readonly active: ReadonlySet<string>;
}

/** Opens the look-up of people by their tokens. `find` looks up the grant of a token and caches it for a short time. */
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

/**
 * Returns true for the grant of a person, and of a token of the command line that has a duty. Returns false for the
 * token of a client, even one that acts for a person: it is given to a program for the resources that the client's
 * permissions name, and pages know no permissions.
 */
function opensPages({ clientId, pid, duties }: AccessGrant): boolean {
  return clientId === null && (pid !== null || duties.length > 0);
}

function describe(token: string, grant: AccessGrant, all: ReadonlySet<string>): Person {
  const companies = new Set(grant.companies.map(({ code }) => code));
  return {
    token,
    pid: grant.pid,
    name: grant.pid === null ? 'a token of nobody' : grant.personName || `PID ${grant.pid}`,
    companies,
    hasAllCompanies: operatesAll(grant) || [...all].every((code) => companies.has(code)),
    duties: grant.duties,
    mayOperate: holds(grant.duties, 'operate-queues'),
    mayManage: mayManage(grant.duties),
  };
}

/**
 * Returns true if the grant is for all companies. The duty must be given by name, because a token that was created
 * before the duty existed is only for its companies.
 */
function operatesAll({ duties }: AccessGrant): boolean {
  return duties !== 'all' && holds(duties, 'operate-all-companies');
}

/**
 * Returns true if a person may see data with a company code. Data without a registered company may belong to any
 * company, so only a person who has all companies may see them.
 */
export function maySee({ companies, hasAllCompanies }: Person, company: string | null): boolean {
  return hasAllCompanies || (company !== null && companies.has(company));
}
