import type { FindToken } from '@takt/access';
import type { Database } from '@takt/database';
import { resourceFamilies } from '@takt/resources';
import type { Logger } from '@takt/runtime';
import type { Service } from '../http/answer.js';
import type { StatementOf } from '../query/statement-cache.js';
import { createAnswerFailure } from './answer-failure.js';
import { answerResource } from './answer-resource.js';
import { findProblems } from './find-problems.js';
import { readRequest } from './read-request.js';
import { errorAnswer } from './write-answer.js';

/** What requests are answered with, shared by all of them. */
export interface ApiDependencies {
  readonly pool: Database['pool'];
  readonly findToken: FindToken;
  readonly statementOf: StatementOf;
  /** Begins every link; absolute, without a slash at its end. */
  readonly baseUrl: string;
  readonly logger: Logger;
}

/** All resources of the registry as routes, and the answer of everything that fails. */
export function createService(api: ApiDependencies): Service {
  const { baseUrl, logger, pool } = api;
  const answerFailure = createAnswerFailure({
    write: (error, request) => errorAnswer(error, readRequest(request), { baseUrl }),
    logger,
  });
  return {
    routes: resourceFamilies.map((family) => ({
      path: family.path,
      // Here and not further out: this answer too is compressed.
      answer: (request) =>
        answerResource(family, readRequest(request), api).catch((thrown) => answerFailure(thrown, request)),
    })),
    answerFailure,
    findProblems: () => findProblems(pool),
  };
}
