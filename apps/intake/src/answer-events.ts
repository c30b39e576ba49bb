import type { IncomingHttpHeaders } from 'node:http';
import { type AccessGrant, bearerTokenOf, type FindToken, holds } from '@takt/access';
import { type ErrorEntry, errorCatalogue, ServiceError } from '@takt/catalogue/errors';
import type { PreparedEvent, Publisher } from '@takt/events';
import {
  type AnswerError,
  type ApiAnswer,
  type BodyProblem,
  type BodyRequest,
  type BodyRoute,
  createAnswerError,
  errorObjectOf,
  toServiceError,
} from '@takt/http';
import {
  excerpt,
  type ParsedQueryString,
  parseQueryString,
  QueryOptionError,
  readBoolean,
} from '@takt/query';
import type { Logger } from '@takt/run';
import { findLanguage, type Language, languageTag } from '@takt/texts';
import type { RefusalCounter } from './count-refusals.js';
import { errorOf, foreignCompany, rejectionsOf } from './event-errors.js';
import { type Judged, judgeEvents } from './events/judge-events.js';
import { CONTENT_TYPES, readEvents } from './events/read-events.js';
import type { IntakeMetrics } from './intake-metrics.js';

interface EventsOptions {
  /** Finds the grant of a token, and counts the request towards the limit of the token. */
  readonly findToken: FindToken;
  /** Finds the grant of a token without counting the request. */
  readonly peekToken: FindToken;
  readonly publisher: Pick<Publisher, 'publishPrepared'>;
  readonly answerError: AnswerError;
  readonly metrics: IntakeMetrics;
  readonly refusals: Pick<RefusalCounter, 'count' | 'countInvalid'>;
  /** Base URL of the API, for links to error messages. It is absolute and has no trailing slash. */
  readonly apiUrl: string;
}

export const MAX_BODY_BYTES = 5_000_000;
/** Maximum time for a body to arrive. It suffices for 5 MB at some 2 Mbit/s. */
const ARRIVAL_MS = 20_000;

/**
 * Makes the route POST /events. It reads the events, validates them, adds them to the queues, and counts them once they
 * are stored.
 */
export function createEventsRoute(options: EventsOptions): BodyRoute {
  const { answerError, peekToken } = options;
  return {
    path: '/events',
    contentTypes: CONTENT_TYPES,
    maxBytes: MAX_BODY_BYTES,
    arrivalMs: ARRIVAL_MS,
    authorizeBody: async ({ headers, queryText }) => {
      assertPublisher(await findGrant(headers, parseQueryString(queryText), peekToken));
      return true;
    },
    answer: (request) =>
      answerEvents(request, options).catch((thrown) => {
        options.metrics.countRefusedRequest();
        return answerError(thrown, request);
      }),
  };
}

/**
 * Answers a request. The checks have the same order as in the API: first the token, then the permission, then
 * parameters and body, and at last the company of each event.
 */
async function answerEvents(request: BodyRequest, options: EventsOptions): Promise<ApiAnswer> {
  const query = parseQueryString(request.queryText);
  const grant = await findGrant(request.headers, query, options.findToken);
  const { tokenId } = grant;
  const { refusals, metrics } = options;
  const { judged, count, skipInvalid } = await judgeRequest(request, query, grant, metrics).catch(
    (thrown) => {
      const { code } = toServiceError(thrown);
      // An error of the service itself is not the producer's.
      if (errorCatalogue[code].status !== 500) refusals.count(tokenId, code);
      throw thrown;
    },
  );
  metrics.countRefused(judged);
  refusals.countInvalid(tokenId, judged.invalid);
  if (judged.foreign.length > 0) {
    refusals.count(tokenId, 'companyOfEventNotPermitted', judged.foreign.length);
  }
  if (!skipInvalid) throwInvalid(judged, count);
  if (judged.taken.length > 0) await store(judged.taken, options);
  metrics.countTaken(judged.taken.length);
  return answerWith(judged, (error) => errorObjectOf(error, languageOf(query), options.apiUrl));
}

/** Reads the events of a request, and judges each. Throws an error if none of them can be accepted. */
async function judgeRequest(
  request: BodyRequest,
  query: ParsedQueryString,
  grant: AccessGrant,
  metrics: IntakeMetrics,
) {
  const { headers, body } = request;
  assertPublisher(grant);
  const { skipInvalid } = readParameters(query);
  if (body.problem !== undefined) throw errorOfBody(body.problem, request);
  metrics.countBytes(body.bytes.length);
  const { count, events } = readEvents(headers, body.bytes);
  const judged = await judgeEvents(events, new Set(grant.companies.map(({ code }) => code)));
  return { judged, count, skipInvalid };
}

/**
 * Throws unless all events are valid. If there is both an event of a foreign company and an invalid event, the error is
 * about the foreign company, as in the API.
 */
function throwInvalid({ foreign: [foreign], invalid }: Judged, events: number): void {
  if (foreign !== undefined) throw foreignCompany(foreign.index, foreign.database);
  if (invalid.length > 0) throw errorOf(invalid, events);
}

async function store(events: readonly PreparedEvent[], options: EventsOptions): Promise<void> {
  const stored = options.metrics.startStoring();
  try {
    await options.publisher.publishPrepared(events);
  } catch (cause) {
    stored('failed');
    throw new ServiceError('queueUnavailable', {}, { cause });
  }
  stored('stored');
}

function answerWith({ taken, ...refused }: Judged, describe: (error: ServiceError) => object): ApiAnswer {
  const rejected = rejectedOf(refused).map(({ error, ...event }) => ({ ...event, error: describe(error) }));
  return {
    status: 202,
    headers: { 'Content-Type': JSON_TYPE },
    body: Buffer.from(JSON.stringify({ accepted: taken.length, rejected })),
    isStreamed: false,
  };
}

interface Rejected {
  readonly index: number;
  readonly id: string | null;
  readonly error: ServiceError;
}

/** Lists the rejected events in the order of the request. */
function rejectedOf({ invalid, foreign }: Omit<Judged, 'taken'>): readonly Rejected[] {
  const rejections = rejectionsOf(invalid);
  const ofInvalid = invalid.flatMap(({ index, id }, position) => {
    const error = rejections[position];
    return error === undefined ? [] : [{ index, id, error }];
  });
  const ofForeign = foreign.map(({ index, id, database }) => ({
    index,
    id,
    error: foreignCompany(index, database),
  }));
  return [...ofInvalid, ...ofForeign].sort((one, other) => one.index - other.index);
}

function errorOfBody(problem: BodyProblem, { headers }: BodyRequest): ServiceError {
  switch (problem) {
    case 'type': {
      const type = headers['content-type'];
      const found = type === undefined || type === '' ? [{ phrase: 'nothing' } as const] : excerpt(type);
      return new ServiceError('contentTypeNotTaken', { found, known: CONTENT_TYPES.join(', ') });
    }
    case 'encoding':
      return new ServiceError('contentEncodingNotTaken', {
        found: excerpt(headers['content-encoding'] ?? ''),
      });
    case 'tooLarge':
      return new ServiceError('bodyTooLarge', { limit: String(MAX_BODY_BYTES) });
    case 'late':
      return new ServiceError('requestTimeout', { seconds: String(ARRIVAL_MS / 1_000) });
    case 'malformed':
      return new ServiceError('bodyBroken');
    case 'undecodable':
      return new ServiceError('bodyNotGzip');
    // This happens if the token had no right to publish when the request started, but has the right now.
    case 'unread':
      return new ServiceError('overloaded');
  }
}

const PERMISSION = 'publish-events';

/**
 * Finds the grant of the token in the header, or otherwise of the token in the parameter. Throws invalidAccessToken if
 * the token is invalid in any way, or databaseUnavailable if it cannot be checked.
 */
async function findGrant(
  headers: IncomingHttpHeaders,
  query: ParsedQueryString,
  findToken: FindToken,
): Promise<AccessGrant> {
  const { authorization } = headers;
  const token = authorization === undefined ? accessTokenOf(query) : bearerTokenOf(authorization);
  const grant = token === undefined ? undefined : await findToken(token);
  if (grant === undefined) throw new ServiceError('invalidAccessToken', {});
  return grant;
}

/** Throws permissionMissing if a token may not publish. */
function assertPublisher({ permissions }: AccessGrant): void {
  if (!holds(permissions, PERMISSION)) {
    throw new ServiceError('permissionMissing', { permission: PERMISSION });
  }
}

interface ErrorAnswerOptions {
  /** Base URL of the API, for links to error messages. It is absolute and has no trailing slash. */
  readonly apiUrl: string;
  readonly logger: Logger;
}

export const JSON_TYPE = 'application/json; charset=utf-8';

/** Creates the function that turns any failure into an error of the catalogue, as JSON in the language of `$lang`. */
export function createJsonErrorAnswer({ apiUrl, logger }: ErrorAnswerOptions): AnswerError {
  return createAnswerError({
    logger,
    write: (error, { queryText }) => {
      const { status, retryAfterSeconds, wwwAuthenticate }: ErrorEntry = errorCatalogue[error.code];
      const language = languageOf(parseQueryString(queryText));
      return {
        status,
        headers: {
          'Content-Type': JSON_TYPE,
          'Content-Language': languageTag(language),
          ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
          ...(wwwAuthenticate === undefined ? {} : { 'WWW-Authenticate': wwwAuthenticate }),
        },
        body: Buffer.from(JSON.stringify(errorObjectOf(error, language, apiUrl))),
        isStreamed: false,
      };
    },
  });
}

export interface Parameters {
  /** If true, the valid events are accepted even if other events are invalid. */
  readonly skipInvalid: boolean;
}

/** The known parameters by their name in lower case. The value is the spelling that errors use. */
const KNOWN: ReadonlyMap<string, string> = new Map([
  ['$access_token', '$access_token'],
  ['$accesstoken', '$access_token'],
  ['$lang', '$lang'],
  ['skipinvalid', 'skipInvalid'],
]);

/**
 * Reads the parameters of POST /events. Each parameter may occur once, with its name in upper or lower case. Unknown
 * parameters are ignored unless they begin with `$`. Throws a QueryOptionError.
 */
export function readParameters({ parameters, problem }: ParsedQueryString): Parameters {
  if (problem !== undefined) throw problem;
  const given = new Map<string, string>();
  for (const { name, value } of parameters) {
    const parameter = KNOWN.get(name.toLowerCase());
    if (parameter === undefined) {
      if (!name.startsWith('$')) continue;
      const known = [...new Set(KNOWN.values())].join(', ');
      throw new QueryOptionError('unknownParameter', { parameter: excerpt(name), known });
    }
    if (given.has(parameter)) throw new QueryOptionError('repeatedParameter', { parameter });
    given.set(parameter, value);
  }
  const skipInvalid = given.get('skipInvalid');
  return { skipInvalid: skipInvalid !== undefined && readBoolean('skipInvalid', skipInvalid) };
}

/** Returns the language of `$lang`, even if other parameters are invalid. The default is English. */
export function languageOf({ parameters }: ParsedQueryString): Language {
  return findLanguage(parameters.find(({ name }) => name.toLowerCase() === '$lang')?.value);
}

/** Returns the first $access_token; undefined if there is none or it is blank. */
function accessTokenOf({ parameters }: ParsedQueryString): string | undefined {
  const given = parameters.find(({ name }) => KNOWN.get(name.toLowerCase()) === '$access_token')?.value;
  return given === undefined || given.trim() === '' ? undefined : given;
}
