import { type AccessGrant, type FindToken, isOpened, writeSession } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import type { Resource } from '@takt/catalogue/resources';
import type { AnswerError, ApiAnswer, Route } from '@takt/http';
import { chosenLanguage, companyChoice, languageChoice, timeUnitChoice } from '@takt/pages';
import { canonicalName } from '@takt/query';
import { returnPath } from '../pages/index.js';
import { sessionTokenOf, tokenOf } from '../parse/establish-identity.js';
import { type ReadRequest, readRequest } from '../parse/read-request.js';
import { writeError } from './write-answer.js';
import { findCaller, queryTextOf, requestedUnit, writingContextOf } from './writing-context.js';

interface AddressedRouteOptions {
  /** Looks up a token without counting a request. */
  readonly findToken: FindToken;
  /** Base URL of all links. It is absolute and has no trailing slash. */
  readonly baseUrl: string;
  readonly answerError: AnswerError;
  /** The kind of resource at this address. It matters because only a list may be exported. Default: an object. */
  readonly kind?: Resource['kind'];
}

/**
 * Creates a route that answers programs directly. People are redirected to the canonical address of a page if they used
 * another address.
 */
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
      // The error is handled here rather than by the HTTP layer, so that the error page is compressed like other
      // answers.
      const answered = await answer(placed).catch(
        async (thrown) =>
          (await answerLackingCompany(thrown, placed, options)) ??
          options.answerError(thrown, placed.request),
      );
      return withChoice(answered, placed, options);
    },
  };
}

/**
 * Keeps the language, the unit and the company that a person chose on a page, so that all pages have them. An answer
 * keeps one of them, because people choose one at a time.
 */
function withChoice(answered: ApiAnswer, read: ReadRequest, { baseUrl }: AddressedRouteOptions): ApiAnswer {
  const { credentials, early, format, language, request } = read;
  if (format !== 'html') return answered;
  const unit = requestedUnit(read);
  // Only an answer shows that the company is one of the reader's. A program with a token has no pages.
  const isShown = answered.status === 200 && sessionTokenOf(credentials) !== undefined;
  const company = isShown ? companyChoice.read(early.database?.toUpperCase()) : undefined;
  const [cookie] = [
    early.language !== undefined &&
      chosenLanguage(request.headers) !== language &&
      languageChoice.keep(language, baseUrl),
    unit !== undefined &&
      timeUnitChoice.chosenIn(request.headers) !== unit &&
      timeUnitChoice.keep(unit, baseUrl),
    company !== undefined &&
      companyChoice.chosenIn(request.headers) !== company &&
      companyChoice.keep(company, baseUrl),
  ].filter((one) => one !== false);
  return cookie === undefined ? answered : withCookie(answered, cookie);
}

const withCookie = (answered: ApiAnswer, cookie: string): ApiAnswer => ({
  ...answered,
  headers: { ...answered.headers, 'Set-Cookie': cookie },
});

/**
 * Returns the request to answer, or a redirect to the canonical address of the page. This address names the company, so
 * that everyone who receives the address sees the same data, and contains no token. A browser is redirected to it; a
 * token in the address becomes the browser's session. A program that requests a page with a token gets the page
 * directly. The links on that page name the company.
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
  // If the token is invalid or the database fails, the page itself reports this.
  const grant = await findToken(token).catch(() => undefined);
  if (grant === undefined) return read;
  const missing = mayLackCompany(read) ? missingCompany(read, grant, given !== undefined) : undefined;
  const placed = missing === undefined ? read : withCompany(read, missing, baseUrl);
  if (given !== undefined) {
    return leadTo(placed, baseUrl, { 'Set-Cookie': writeSession({ token: given, isGiven: true }, baseUrl) });
  }
  return placed !== read && sessionTokenOf(credentials) !== undefined ? leadTo(placed, baseUrl) : placed;
}

/**
 * The error page for an address that names a company which the reader's token does not cover. It links to the same page
 * in each of the reader's companies. Returns undefined for any other error.
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

function givenToken({ request: { headers }, credentials }: ReadRequest): string | undefined {
  return isOpened(headers) && credentials.authorization === undefined ? credentials.accessToken : undefined;
}

/**
 * True if the company is missing from the address or may be replaced: at the start page, which redirects to one of the
 * reader's companies.
 */
function mayLackCompany({ early, request }: ReadRequest): boolean {
  return early.database === undefined || request.path === '/';
}

/**
 * The company of the page that the reader saw last, or else the reader's default company, if the address names no
 * company, or a company that the token does not cover. Otherwise undefined.
 * @param isNew true if the token is in the address, so that no page has been seen with it
 */
function missingCompany(
  { early, request }: ReadRequest,
  { companies }: AccessGrant,
  isNew: boolean,
): string | undefined {
  const named = early.database?.toLowerCase();
  if (companies.some(({ code }) => code.toLowerCase() === named)) return undefined;
  const last = isNew ? undefined : companyChoice.chosenIn(request.headers);
  return (companies.find(({ code }) => code === last) ?? companies[0])?.code;
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

/** Redirects a browser to the address of the request, without the token. */
export function leadTo(read: ReadRequest, baseUrl: string, headers: Headers = {}): ApiAnswer {
  const location = baseUrl + returnPath(writingContextOf(read, baseUrl));
  return redirect(location, { 'Cache-Control': 'private, no-store', ...headers });
}
