import type { FindToken } from '@takt/access';
import type { Database } from '@takt/database';
import { newestOf, type ResourceFamily, restrictFamily } from '@takt/resources';
import type { Logger } from '@takt/runtime';
import { establishIdentity } from '../access/establish-identity.js';
import type { ApiAnswer, ApiRequest } from '../http/answer.js';
import { type FoundRow, pageOf } from '../query/page.js';
import { planQuestion } from '../query/plan.js';
import { resolveQuestion } from '../query/resolve-question.js';
import { runStatement } from '../query/run-statement.js';
import type { StatementOf } from '../query/statement-cache.js';
import { statementShapeOf } from '../query/statement-shape.js';
import type { ReplicaWatch } from '../query/watch-replica.js';
import { writeAnswer } from '../representations/write-answer.js';
import { readOptions, readRequest } from './read-request.js';
import { callerOf } from './visitor.js';
import { pageAddressOf, writingContextOf } from './writing-context.js';

/** What requests are answered with, shared by all of them. */
export interface ApiDependencies {
  /** Where is written, and what belongs to that is read. */
  readonly pool: Database['pool'];
  /** Beside it, where there is one. */
  readonly replica?: Pick<ReplicaWatch, 'poolToRead' | 'describe'> | undefined;
  readonly findToken: FindToken;
  readonly statementOf: StatementOf;
  /** Begins every link; absolute, without a slash at its end. */
  readonly baseUrl: string;
  readonly logger: Logger;
}

/**
 * The answer of a resource: read, resolve, plan, SQL, run, write. The order of the checks is the specification's: who
 * asks, with which rights, which company, what is asked, whether it exists. Once it is known who asks, nothing is worked
 * with but the resource as their duties show it. Throws a ServiceError or a QueryOptionError.
 */
export async function answerResource(
  family: ResourceFamily,
  request: ApiRequest,
  api: ApiDependencies,
): Promise<ApiAnswer> {
  const read = readRequest(request, api.baseUrl);
  const identity = await establishIdentity(read.credentials, newestOf(family), api.findToken);
  const { resource, options } = readOptions(restrictFamily(family, identity.duties), read.query);
  const { companyId } = identity.company;
  const question = resolveQuestion(resource, options, companyId, request.pathParameters);
  // People read what a value means, programs ask for it.
  const withDescriptions = options.showDomainDescriptions || read.format === 'html';
  const plan = planQuestion(question, { language: read.language, withDescriptions });
  const statement = api.statementOf(statementShapeOf(plan));
  const pool = api.replica?.poolToRead() ?? api.pool;
  const [found] = await runStatement<FoundRow>(pool, identity.company, statement, plan.values);
  const addressOf = pageAddressOf(api.baseUrl + resource.path, read.query.parameters);
  const page = pageOf(plan, found, addressOf);
  return writeAnswer(page, read.format, writingContextOf(read, api.baseUrl, callerOf(identity, read)));
}
