import { errorCatalogue } from '@takt/error-catalogue';
import { createAnswerFailure, type Route, type Service } from '@takt/http';
import { resourceFamilies } from '@takt/resources';
import { writeError } from '../representations/write-answer.js';
import { answerIndex } from './answer-index.js';
import { type ApiDependencies, answerResource } from './answer-resource.js';
import { findProblems } from './find-problems.js';
import { limitExports } from './limit-exports.js';
import { readRequest } from './read-request.js';
import { visitorOfFailure } from './visitor.js';
import { writingContextOf } from './writing-context.js';

/** Of eight connections they then keep a quarter busy, and of two processors what the others leave. */
const MOST_EXPORTS = 2;

/** The index and all resources of the registry as routes, and the answer of everything that fails. */
export function createService(api: ApiDependencies): Service {
  const { baseUrl, logger, pool, replica } = api;
  const beginExport = limitExports(MOST_EXPORTS);
  const answerFailure = createAnswerFailure({
    write: (error, request) => {
      const read = readRequest(request, baseUrl);
      // The link to the message must lead there: it cannot go on with the company that was refused.
      const linksKeepCompany = errorCatalogue[error.code].status !== 403;
      return writeError(
        error,
        read.format,
        writingContextOf(read, baseUrl, { visitor: visitorOfFailure(error, read) }, linksKeepCompany),
      );
    },
    logger,
  });
  const route = (path: string, answer: Route['answer']): Route => ({
    path,
    // Here and not further out: this answer too is compressed.
    answer: (request) => answer(request).catch((thrown) => answerFailure(thrown, request)),
  });
  return {
    routes: [
      route('/', (request) => answerIndex(request, api)),
      ...resourceFamilies.map((family) =>
        route(family.path, (request) => answerResource(family, request, api, beginExport)),
      ),
    ],
    answerFailure,
    findProblems: () => findProblems(replica?.poolToRead() ?? pool),
    describe: replica?.describe,
  };
}
