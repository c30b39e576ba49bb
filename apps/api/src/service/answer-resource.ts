import type { FindToken } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import { newestOf, type ResourceFamily, restrictFamily } from '@takt/catalogue/resources';
import type { Database } from '@takt/database';
import type { ApiAnswer, WholeAnswer } from '@takt/http';
import { isExportFormat } from '@takt/query';
import type { ConcurrencyLimiter, Logger } from '@takt/run';
import { establishIdentity, type Identity } from '../access/establish-identity.js';
import { asksShownColumns } from '../pages/index.js';
import { resolveList } from '../query/resolve-question.js';
import { answerExport } from './answer-export.js';
import { answerPage } from './answer-page.js';
import { enterLimiter, findPage, type PageSource, runPlan, searchEndMs } from './find-page.js';
import { type AnswerKept, nameToKeep } from './kept-answers.js';
import { type ReadRequest, readOptions } from './read-request.js';
import { writeAnswer } from './write-answer.js';
import { callerOf, writingContextOf } from './writing-context.js';

/** What requests are answered with, shared by all of them. */
export interface ApiDependencies extends PageSource {
  readonly findToken: FindToken;
  /** Finds it anew while a long answer is sent, which counts as no request; absent: as findToken does. */
  readonly findTokenAgain?: FindToken;
  /** What tells whether the service is fit asks it; absent: as readers do. */
  readonly vitalPool?: () => Database['pool'];
  /** Absent: no answer is kept. */
  readonly answerKept?: AnswerKept | undefined;
  readonly logger: Logger;
}

/**
 * The answer of a resource: read, resolve, plan, SQL, run, write; what was kept of the same data is given once it is known
 * who asks. The order of the checks is the specification's: who asks, with which rights, which company, what is asked,
 * whether it exists. From then on nothing is worked with but the resource as their duties show it. Throws a ServiceError or
 * a QueryOptionError.
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
  // Of the first batch, before which nothing is sent.
  let endMs: number | undefined = searchEndMs();
  const context = writingContextOf(read, api.baseUrl, callerOf(identity, read));
  const isForPeople = asksShownColumns(context);
  return await answerExport(question, {
    ...{ format: options.format, isForPeople, context },
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
 * A check of whether who asked may still read all that an answer began with: what is sent for a minute ends with its token
 * or a duty, not a minute later.
 */
function rightsCheck(
  { credentials }: ReadRequest,
  family: ResourceFamily,
  shown: ResourceFamily,
  { findToken, findTokenAgain = findToken }: ApiDependencies,
): () => Promise<void> {
  return async () => {
    const { duties } = await establishIdentity(credentials, newestOf(family), findTokenAgain);
    // One object for each set of fields that is hidden.
    if (restrictFamily(family, duties) !== shown) throw new ServiceError('invalidAccessToken');
  };
}
