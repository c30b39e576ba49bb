import { ServiceError } from '@takt/catalogue/errors';
import {
  type AnswerError,
  type ApiAnswer,
  createRouteFinder,
  type FoundRoute,
  pathWithoutTokens,
  type Route,
  withoutTokens,
} from '@takt/http';
import { readChoice } from '@takt/query';
import { ConcurrencyLimiter } from '@takt/run';
import { BATCH_PATH, type BatchFormat } from '../computed/batch-description.js';
import { establishIdentity } from '../parse/establish-identity.js';
import type { ReadRequest } from '../parse/read-request.js';
import { addressedRoute } from '../respond/addressed-route.js';
import type { ApiDependencies } from '../respond/answer-resource.js';
import { enterLimiter } from '../respond/find-page.js';
import { answerAll, type BatchedRequest } from './answer-all.js';
import type { CountBatched } from './batch-metrics.js';
import { type InnerRequest, innerRequestOf, type Outer } from './inner-request.js';
import { batchFormatOf, formatsWithin, readBatch } from './read-batch.js';
import { writeBatch } from './write-batch.js';

interface BatchDependencies extends Pick<ApiDependencies, 'baseUrl' | 'findToken'> {
  readonly routes: readonly Route[];
  readonly answerError: AnswerError;
  readonly countBatched: CountBatched;
}

/**
 * Limits the addresses that are answered at the same time in all batches together. The limit is half of the eight
 * database connections; the other half remains for single requests.
 */
const ADDRESSES = { capacity: 4, shares: { company: 3 } };
/**
 * Limits the batches that run at the same time. The limit is low, because with fewer running batches less memory is
 * needed, and most batches end sooner.
 */
const BATCHES = { capacity: 8, shares: { company: 6, reader: 4 }, waitingShares: { company: 64 } };
/**
 * The maximum time for a batch. It must end before the deadline of the HTTP layer, which is 2,800 ms after the first
 * byte of the request; the request may already have waited 250 ms of this time.
 */
const DEADLINE_MS = 2_300;
/** A batch starts only if at least this much time is left until its deadline. */
const LEAST_MS = 800;
/** The maximum size in bytes of one batch's answers. All running batches together use at most 80 MB. */
const MAX_BYTES = 10_000_000;

/**
 * Creates the route for a batch, which contains several requests. Each address is authenticated and answered like a
 * single request. The batch itself only parses the addresses and joins the documents.
 */
export function createBatchRoute(dependencies: BatchDependencies): Route {
  const { routes, answerError, findToken, baseUrl, countBatched } = dependencies;
  // The route of the index is excluded, because an empty address in a batch is a mistake of the client and not a
  // request for the index.
  const findRoute = createRouteFinder(routes.filter(({ path }) => path !== '/'));
  const [batches, addresses] = [new ConcurrencyLimiter(BATCHES), new ConcurrencyLimiter(ADDRESSES)];

  const answer = async (read: ReadRequest): Promise<ApiAnswer> => {
    const endsAtMs = performance.now() + DEADLINE_MS;
    const asker = await establishIdentity(read.credentials, NOTHING_BESIDES, findToken);
    const batched = readBatch(read.query);
    const format = batchFormatOf(read);
    const requests = batched.map((one) => ({
      ...one,
      ...computedRequestOf(one.uri, { read, format, baseUrl }, findRoute),
    }));
    const leave = await enterLimiter(batches, asker, endsAtMs - LEAST_MS);
    try {
      const answers = await answerAll(requests, {
        addresses,
        asker,
        answerError,
        endsAtMs,
        maxBytes: MAX_BYTES,
      });
      const parts = answers.map(({ batched: one, answer: part }) => {
        countBatched('route' in one ? one.route.path : '', part.status);
        return { batchId: one.batchId, uri: withoutTokens(one.uri), answer: part };
      });
      return writeBatch(parts, format, { language: read.language, requestId: read.request.id });
    } finally {
      leave();
    }
  };
  return addressedRoute(BATCH_PATH, answer, { findToken, baseUrl, answerError });
}

/** The batch itself requires only a valid token. Each address has its own requirements. */
const NOTHING_BESIDES = { clientPermission: undefined, duty: undefined };

function computedRequestOf(
  uri: string,
  outer: Outer,
  findRoute: (path: string) => FoundRoute | undefined,
): BatchedRequest {
  const inner = innerRequestOf(uri, outer);
  const { request } = inner;
  try {
    const { route, pathParameters } = routeOf(inner, outer.format, findRoute);
    return { route, request: { ...request, pathParameters } };
  } catch (error) {
    return { request, error };
  }
}

/** Finds the route that answers an address. Throws a ServiceError or a QueryOptionError. */
function routeOf(
  { request: { path }, hasToken, format }: InnerRequest,
  ofBatch: BatchFormat,
  findRoute: (path: string) => FoundRoute | undefined,
): FoundRoute {
  if (hasToken) throw new ServiceError('tokenInBatch');
  if (path === BATCH_PATH) throw new ServiceError('batchInBatch');
  const found = findRoute(path);
  if (found === undefined) {
    throw new ServiceError('resourceNotFound', { verb: 'GET', path: pathWithoutTokens(path) });
  }
  if (format !== undefined) readChoice('$format', format, formatsWithin(ofBatch));
  return found;
}
