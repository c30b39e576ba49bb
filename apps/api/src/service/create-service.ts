import { errorCatalogue } from '@takt/catalogue/errors';
import {
  aggregatedProductionTimes,
  COMPARE_PATH,
  newestOf,
  type ResourceFamily,
  resourceFamilies,
} from '@takt/catalogue/resources';
import { type ApiAnswer, createAnswerError, type Service } from '@takt/http';
import { OPENING_VIEW, OPERATIONS_PATH } from '@takt/pages';
import { ConcurrencyLimiter } from '@takt/run';
import { openingAddress, RESOURCES_VIEW, writtenIn } from '../pages/index.js';
import { checkIndexParameters, type ReadRequest, readRequest } from '../parse/read-request.js';
import { offeredLists } from '../representations/shared-parts.js';
import type { WritingContext } from '../representations/writer.js';
import { addressedRoute, redirect } from '../respond/addressed-route.js';
import { type ApiDependencies, answerResource } from '../respond/answer-resource.js';
import { writeError, writeIndex } from '../respond/write-answer.js';
import { findCaller, visitorOfError, writingContextOf } from '../respond/writing-context.js';
import { answerComparison } from './compare-route.js';
import { watchReadiness } from './find-problems.js';

/**
 * Limits the number of exports that run at the same time. An export takes long: most of the time it uses a connection
 * of the database and a part of the event loop.
 */
const EXPORTS = { capacity: 3, shares: { company: 2, reader: 1 }, waitingShares: { company: 4 } };

/** Creates the routes of the index and of all resources, and the function that answers errors. */
export function createService(api: ApiDependencies): Service {
  const { baseUrl, logger, pool, replica, vitalPool = () => replica?.poolToRead() ?? pool } = api;
  const { findToken, findTokenAgain = findToken } = api;
  const exports = new ConcurrencyLimiter(EXPORTS);
  const answerError = createAnswerError({
    write: (error, request) => {
      const read = readRequest(request, baseUrl);
      // An error contains a link to its message in the catalogue. This link must work, so it does not name the company
      // of the request if this company was refused.
      const linksKeepCompany = errorCatalogue[error.code].status !== 403;
      return writeError(
        error,
        read.format,
        writingContextOf(read, baseUrl, { visitor: visitorOfError(error, read) }, linksKeepCompany),
      );
    },
    logger,
  });
  const options = { findToken: findTokenAgain, baseUrl, answerError };
  return {
    routes: [
      addressedRoute('/', (read) => answerIndex(read, api), options),
      ...resourceFamilies.map((family) =>
        addressedRoute(
          family.path,
          (read) =>
            asksToOpen(read) ? openList(family, read, api) : answerResource(family, read, api, exports),
          {
            ...options,
            kind: newestOf(family).kind,
          },
        ),
      ),
      ...resourceFamilies
        .filter(({ path }) => path === aggregatedProductionTimes.path)
        .map((family) =>
          addressedRoute(COMPARE_PATH, (read) => answerComparison(family, read, api, exports), {
            ...options,
            kind: 'list',
          }),
        ),
    ],
    answerError,
    findProblems: watchReadiness(vitalPool),
    describe: replica?.describe,
  };
}

/** Redirects a page that asks for it to the first view of its list. */
async function openList(
  family: ResourceFamily,
  read: ReadRequest,
  { baseUrl }: Pick<ApiDependencies, 'baseUrl'>,
): Promise<ApiAnswer> {
  const location = openingAddress(writingContextOf(read, baseUrl), newestOf(family));
  return redirect(location, { 'Cache-Control': 'private, no-store' });
}

const asksToOpen = ({ format, query }: ReadRequest): boolean =>
  format === 'html' && query.parameters.some(({ name, value }) => name === 'view' && value === OPENING_VIEW);

/** Answers with the list of resources, without checking a token. A signed-in person is redirected to the first list, or
 * to the operator's pages. */
async function answerIndex(
  read: ReadRequest,
  { baseUrl, findToken }: Pick<ApiDependencies, 'baseUrl' | 'findToken'>,
): Promise<ApiAnswer> {
  checkIndexParameters(read.query);
  const caller = read.format === 'html' ? await findCaller(read, findToken) : {};
  const context = writingContextOf(read, baseUrl, caller);
  const opening = openingPageOf(context);
  return opening === undefined
    ? writeIndex(read.format, context)
    : redirect(opening, { 'Cache-Control': 'private, no-store' });
}

/** The page to which a signed-in person is redirected; undefined if the index is shown instead. */
function openingPageOf(context: WritingContext): string | undefined {
  const { visitor, baseUrl } = context;
  if (visitor.kind !== 'signed-in' || writtenIn(context, 'view') === RESOURCES_VIEW) return undefined;
  const list = offeredLists(context).find(({ browsing }) => browsing !== undefined);
  if (list !== undefined) return openingAddress(context, list);
  return visitor.person === null ? undefined : `${baseUrl}${OPERATIONS_PATH}/`;
}
