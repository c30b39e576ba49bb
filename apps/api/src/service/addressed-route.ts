import { type AccessGrant, type FindToken, writeSession } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import type { Resource } from '@takt/catalogue/resources';
import type { AnswerError, ApiAnswer, ApiRequest, Route } from '@takt/http';
import { canonicalName } from '@takt/query';
import { sessionTokenOf, tokenOf } from '../access/establish-identity.js';
import { returnPath } from '../pages/index.js';
import { type ReadRequest, readRequest } from './read-request.js';
import { writeError } from './write-answer.js';
import { findCaller, queryTextOf, writingContextOf } from './writing-context.js';

interface AddressedRouteOptions {
  /** Finding counts as no request. */
  readonly findToken: FindToken;
  /** Begins every link; absolute, without a slash at its end. */
  readonly baseUrl: string;
  readonly answerError: AnswerError;
  /** Of what is asked for: a list may be an export. Default: one object. */
  readonly kind?: Resource['kind'];
}

/** A route that programs are answered at once, and people at the address that the page is to be known by. */
export function addressedRoute(
  path: string,
  answer: (read: ReadRequest) => Promise<ApiAnswer>,
  options: AddressedRouteOptions,
): Route {
  return {
    path,
    answer: async (request) => {
      const placed = await findPlace(readRequest(request, options.baseUrl, options.kind), options);
      if ('status' in placed) return placed;
      // Here and not further out: this answer too is compressed.
      return answer(placed).catch(
        async (thrown) =>
          (await answerLackingCompany(thrown, placed, options)) ??
          options.answerError(thrown, placed.request),
      );
    },
  };
}

/**
 * The address of a page names its company, so that it shows the same to whoever is given it, and no token. A browser is led
 * there; for a token that is brought along it has a session from then on. A program that asks for a page by a token gets it
 * at once, with links as if it had named the company.
 */
async function findPlace(
  read: ReadRequest,
  { findToken, baseUrl }: AddressedRouteOptions,
): Promise<ReadRequest | ApiAnswer> {
  const { credentials, format, isExport, query } = read;
  if (format !== 'html' || isExport || query.problem !== undefined) return read;
  const given = givenToken(read);
  const token = tokenOf(credentials);
  if (token === undefined || (given === undefined && !mayLackCompany(read))) return read;
  // What is wrong with the token, or with the database, is said by the page itself.
  const grant = await findToken(token).catch(() => undefined);
  if (grant === undefined) return read;
  const missing = mayLackCompany(read) ? missingCompany(read, grant) : undefined;
  const placed = missing === undefined ? read : withCompany(read, missing, baseUrl);
  if (given !== undefined) {
    return leadTo(placed, baseUrl, { 'Set-Cookie': writeSession({ token: given, isGiven: true }, baseUrl) });
  }
  return placed !== read && sessionTokenOf(credentials) !== undefined ? leadTo(placed, baseUrl) : placed;
}

/**
 * The error page for an address of a company that the reader lacks, with links to the same page in the reader's companies;
 * undefined if something else is wrong.
 */
async function answerLackingCompany(
  thrown: unknown,
  read: ReadRequest,
  { findToken, baseUrl }: AddressedRouteOptions,
): Promise<ApiAnswer | undefined> {
  const isLacking = thrown instanceof ServiceError && thrown.code === 'companyNotPermitted';
  if (!isLacking || read.format !== 'html') return undefined;
  const caller = await findCaller(read, findToken).catch(() => undefined);
  if (caller === undefined) return undefined;
  return writeError(
    thrown,
    'html',
    writingContextOf(read, baseUrl, { ...caller, company: undefined }, false),
  );
}

const OWN_SITES: readonly unknown[] = ['none', 'same-origin'];

/**
 * Did the person, or a page of this service, open the address in a browser? A link of another site would sign people in as
 * whoever made it.
 */
export function isOpened(headers: ApiRequest['headers']): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && OWN_SITES.includes(headers['sec-fetch-site']);
}

function givenToken({ request: { headers }, credentials }: ReadRequest): string | undefined {
  return isOpened(headers) && credentials.authorization === undefined ? credentials.accessToken : undefined;
}

/** Whether the address names no company, or is the start page, which a link of another company leads people back to. */
function mayLackCompany({ early, request }: ReadRequest): boolean {
  return early.database === undefined || request.path === '/';
}

/** The default company, where the one that is named is not one of the token's. */
function missingCompany({ early }: ReadRequest, { companies }: AccessGrant): string | undefined {
  const named = early.database?.toLowerCase();
  return companies.some(({ code }) => code.toLowerCase() === named) ? undefined : companies[0]?.code;
}

/** The request as if it had named the company. */
export function withCompany(read: ReadRequest, code: string, baseUrl: string): ReadRequest {
  const others = read.query.parameters.filter(({ name }) => canonicalName(name) !== '$db');
  const queryText = queryTextOf([...others, { name: '$db', value: code }]).slice(1);
  return readRequest({ ...read.request, queryText }, baseUrl);
}

type Headers = Readonly<Record<string, string>>;

/** Leads on to an absolute address. */
export function redirect(location: string, headers: Headers = {}): ApiAnswer {
  return {
    status: 303,
    headers: { ...headers, Location: location, 'Content-Type': 'text/plain; charset=utf-8' },
    body: Buffer.alloc(0),
    isStreamed: false,
  };
}

/** Leads a browser on to the address of a request, without the token that it may have. */
export function leadTo(read: ReadRequest, baseUrl: string, headers: Headers = {}): ApiAnswer {
  const location = baseUrl + returnPath(writingContextOf(read, baseUrl));
  return redirect(location, { 'Cache-Control': 'private, no-store', ...headers });
}
