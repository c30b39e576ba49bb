import type { FindToken } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import { newestOf, type ResourceFamily, restrictFamily } from '@takt/catalogue/resources';
import type { Database } from '@takt/database';
import type { ApiAnswer, WholeAnswer } from '@takt/http';
import { isExportFormat } from '@takt/query';
import type { ConcurrencyLimiter, Logger } from '@takt/run';
import { asksShownColumns } from '../pages/index.js';
import { establishIdentity, type Identity } from '../parse/establish-identity.js';
import { type ReadRequest, readOptions } from '../parse/read-request.js';
import { resolveList } from '../plan/resolve-question.js';
import { answerExport } from './answer-export.js';
import { answerPage } from './answer-page.js';
import { enterLimiter, findPage, type PageSource, runPlan, searchEndMs } from './find-page.js';
import { type AnswerKept, nameToKeep } from './kept-answers.js';
import { writeAnswer } from './write-answer.js';
import { callerOf, writingContextOf } from './writing-context.js';

/** The dependencies that all requests have in common. */
export interface ApiDependencies extends PageSource {
  readonly findToken: FindToken;
  /** Looks up a token again during a long answer, without counting another request. Default: findToken. */
  readonly findTokenAgain?: FindToken;
  /** Returns the pool for readiness checks. Default: the pool for reading. */
  readonly vitalPool?: () => Database['pool'];
  /** Answers a request from the cache of answers if possible. Absent if no answers are cached. */
  readonly answerKept?: AnswerKept | undefined;
  readonly logger: Logger;
}

/**
 * Answers a request for a resource. The steps are: read the request, resolve its names, plan the statement, write its
 * SQL, run it, and write the answer. A cached answer is used only after the reader was authenticated. The specification
 * determines the order of the checks: identity, rights, company, query, existence. After the check of rights, only the
 * version of the resource that is restricted to the reader's duties is used. Throws a ServiceError or a
 * QueryOptionError.
 */
export async function answerResource(
  family: ResourceFamily,
  read: ReadRequest,
  api: ApiDependencies,
  exports: ConcurrencyLimiter,
): Promise<ApiAnswer> {
  const { request } = read;
  const identity = await establishIdentity(read.credentials, newestOf(family), api.findToken);
  const shown = restrictFamily(family, identity.duties);
  if (read.format === 'html' && !read.isExport) return await answerPage(shown, read, identity, api);
  const name = api.answerKept && nameToKeep(shown, read, identity);
  if (api.answerKept !== undefined && name !== undefined) {
    return await api.answerKept({ name, company: identity.company }, api, (source) =>
      answerWhole(shown, read, identity, { ...api, ...source }),
    );
  }
  const { resource, options } = readOptions(shown, read);
  if (resource.kind === 'detail' || !isExportFormat(options.format)) {
    return await answerWhole(shown, read, identity, api);
  }
  const question = resolveList(resource, options, {
    companyId: identity.company.companyId,
    pid: identity.pid,
    pathParameters: request.pathParameters,
    language: read.language,
  });
  const expectRights = rightsCheck(read, family, shown, api);
  const { language } = read;
  // Only the first batch has a deadline, because nothing has been sent to the client before it.
  let endMs: number | undefined = searchEndMs();
  const context = writingContextOf(read, api.baseUrl, callerOf(identity, read));
  const isForPeople = asksShownColumns(context);
  return await answerExport(question, {
    format: options.format,
    isForPeople,
    context,
    plan: {
      language,
      withDescriptions: isForPeople || options.showDomainDescriptions,
      expandsAll: isForPeople,
    },
    begin: () => enterLimiter(exports, identity),
    run: async (plan) => {
      await expectRights();
      const found = await runPlan(plan, identity, api, endMs);
      endMs = undefined;
      return found;
    },
  });
}

async function answerWhole(
  shown: ResourceFamily,
  read: ReadRequest,
  identity: Identity,
  source: PageSource,
): Promise<WholeAnswer> {
  const { resource, options } = readOptions(shown, read);
  const page = await findPage({ resource, options, read, identity }, source);
  return writeAnswer(page, read.format, writingContextOf(read, source.baseUrl, callerOf(identity, read)));
}

/**
 * Returns a function that checks whether the reader still has the rights that they had at the start. With this check, a
 * long export stops when the token expires or a duty is withdrawn.
 */
function rightsCheck(
  { credentials }: ReadRequest,
  family: ResourceFamily,
  shown: ResourceFamily,
  { findToken, findTokenAgain = findToken }: ApiDependencies,
): () => Promise<void> {
  return async () => {
    const { duties } = await establishIdentity(credentials, newestOf(family), findTokenAgain);
    // restrictFamily returns the same object for the same set of hidden fields. Another object means that the reader's
    // duties have changed.
    if (restrictFamily(family, duties) !== shown) throw new ServiceError('invalidAccessToken');
  };
}
