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
  /** A token look-up that does not count a request. */
  readonly findToken: FindToken;
  /** Base URL of all links; absolute, without a trailing slash. */
  readonly baseUrl: string;
  readonly answerError: AnswerError;
  /** The kind of resource at the address; only a list may be exported. Default: an object. */
  readonly kind?: Resource['kind'];
}

/** A route that answers programs directly, and redirects people to the page's canonical address. */
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
      // Handled here rather than by the HTTP layer, so that this answer is compressed too.
      return answer(placed).catch(
        async (thrown) =>
          (await answerLackingCompany(thrown, placed, options)) ??
          options.answerError(thrown, placed.request),
      );
    },
  };
}

/**
 * Returns the request to answer, or a redirect. The address of a page names its company, so that everyone who gets the
 * address sees the same, and contains no token. A browser is redirected to that address; a token in the address becomes
 * a session. A program that requests a page with a token gets it directly, with links that name the company.
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
  // The page itself reports an invalid token or a failing database.
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
 * The error page for an address with a company that the reader's token does not cover, with links to the same page in
 * the reader's companies; undefined for any other error.
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
 * True if the address was opened in a browser by the person, or by a page of this service. Links on another site could
 * sign people in as somebody else.
 */
export function isOpened(headers: ApiRequest['headers']): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && OWN_SITES.includes(headers['sec-fetch-site']);
}

function givenToken({ request: { headers }, credentials }: ReadRequest): string | undefined {
  return isOpened(headers) && credentials.authorization === undefined ? credentials.accessToken : undefined;
}

/** True if the address names no company, or is the start page, which redirects to one of the reader's companies. */
function mayLackCompany({ early, request }: ReadRequest): boolean {
  return early.database === undefined || request.path === '/';
}

/**
 * The reader's default company, if the token does not cover the named company or none is named; otherwise undefined.
 */
function missingCompany({ early }: ReadRequest, { companies }: AccessGrant): string | undefined {
  const named = early.database?.toLowerCase();
  return companies.some(({ code }) => code.toLowerCase() === named) ? undefined : companies[0]?.code;
}

export function withCompany(read: ReadRequest, code: string, baseUrl: string): ReadRequest {
  const others = read.query.parameters.filter(({ name }) => canonicalName(name) !== '$db');
  const queryText = queryTextOf([...others, { name: '$db', value: code }]).slice(1);
  return readRequest({ ...read.request, queryText }, baseUrl);
}

type Headers = Readonly<Record<string, string>>;

/** Redirects to an absolute address. */
export function redirect(location: string, headers: Headers = {}): ApiAnswer {
  return {
    status: 303,
    headers: { ...headers, Location: location, 'Content-Type': 'text/plain; charset=utf-8' },
    body: Buffer.alloc(0),
    isStreamed: false,
  };
}

/** Redirects a browser to the address of a request without its token. */
export function leadTo(read: ReadRequest, baseUrl: string, headers: Headers = {}): ApiAnswer {
  const location = baseUrl + returnPath(writingContextOf(read, baseUrl));
  return redirect(location, { 'Cache-Control': 'private, no-store', ...headers });
}
