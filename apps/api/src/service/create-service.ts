import type { ServiceError } from '@takt/error-catalogue';
import { resourceFamilies } from '@takt/resources';
import type { ApiAnswer, ApiRequest, Service } from '../http/answer.js';
import { answerResource } from './answer-resource.js';
import { findProblems } from './find-problems.js';
import { readRequest } from './read-request.js';
import type { Serving } from './serving.js';
import { toServiceError } from './to-service-error.js';
import { errorAnswer } from './write-answer.js';

/** All resources of the registry as routes, and the form of every error. */
export function createService(serving: Serving): Service {
  const answerError = (error: ServiceError, request: ApiRequest): ApiAnswer =>
    errorAnswer(error, readRequest(request), { baseUrl: serving.baseUrl });
  return {
    routes: resourceFamilies.map((family) => ({
      path: family.path,
      answer: async (request) => {
        const read = readRequest(request);
        try {
          return await answerResource(family, read, serving);
        } catch (thrown) {
          const error = toServiceError(thrown);
          if (error.cause !== undefined) {
            serving.logger.error({ requestId: request.id, error: error.cause }, error.message);
          }
          return answerError(error, request);
        }
      },
    })),
    answerError,
    findProblems: () => findProblems(serving.pool),
  };
}
