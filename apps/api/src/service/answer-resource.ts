import { ServiceError } from '@takt/error-catalogue';
import { type QueryOptions, readQueryOptions } from '@takt/query-options';
import { newestOf, type Resource, type ResourceFamily, versionFor } from '@takt/resources';
import { establishIdentity, type Identity } from '../access/establish-identity.js';
import type { ApiAnswer } from '../http/answer.js';
import type { WritingContext } from '../representations/page.js';
import { writers } from '../representations/writers.js';
import { answerDetail, readIdentifiers } from './answer-detail.js';
import { answerList } from './answer-list.js';
import type { ApiDependencies } from './create-service.js';
import { pageAddressOf } from './paging.js';
import { type ReadRequest, writingContextOf } from './read-request.js';
import { toDatabaseFailure } from './run-statement.js';
import { successAnswer } from './write-answer.js';

/**
 * The answer of a resource. The order of the checks is the specification's: who asks, which company, what is asked,
 * whether it exists. Throws a ServiceError.
 */
export async function answerResource(
  family: ResourceFamily,
  read: ReadRequest,
  api: ApiDependencies,
): Promise<ApiAnswer> {
  const { request, query, early } = read;
  const identity = await establishIdentity(
    {
      authorization: request.headers.authorization,
      accessToken: early.accessToken,
      database: early.database,
    },
    (token) => api.findToken(token).catch(rethrowDatabaseFailure),
  );
  if (query.problem !== undefined) throw query.problem;
  const options = readQueryOptions(query.parameters, acceptanceOf(newestOf(family)));
  const resource = chooseVersion(family, options);
  const context = writingContextOf(read, {
    baseUrl: api.baseUrl,
    company: identity.company,
    companies: identity.companies,
  });
  return successAnswer(resource, await write(resource, { read, options, identity, context, api }), read);
}

function rethrowDatabaseFailure(cause: unknown): never {
  throw toDatabaseFailure(cause);
}

interface Answering {
  readonly read: ReadRequest;
  readonly options: QueryOptions;
  readonly identity: Identity;
  readonly context: WritingContext;
  readonly api: ApiDependencies;
}

async function write(resource: Resource, answering: Answering): Promise<Iterable<string>> {
  const { read, options, identity, context, api } = answering;
  const writer = writers[read.format];
  const question = {
    options,
    companyId: identity.company.companyId,
    language: read.language,
    // People read what a value means, programs ask for it.
    withDescriptions: options.showDomainDescriptions || read.format === 'html',
  };
  if (resource.kind === 'list') {
    const addressOf = pageAddressOf(api.baseUrl + resource.path, context.parameters);
    return writer.list(await answerList({ ...question, resource, addressOf }, api), context);
  }
  const identifiers = readIdentifiers(resource, read.request.pathParameters);
  return writer.detail(await answerDetail({ ...question, resource, identifiers }, api), context);
}

function acceptanceOf(resource: Resource) {
  return resource.kind === 'list'
    ? {
        kind: resource.kind,
        takesSearch: resource.searched.length > 0,
        defaultPageSize: resource.defaultPageSize,
        maximumPageSize: resource.maximumPageSize,
      }
    : { kind: resource.kind, takesSearch: false, defaultPageSize: 1, maximumPageSize: 1 };
}

function chooseVersion(family: ResourceFamily, { useMinimumVersion }: QueryOptions): Resource {
  const resource = versionFor(family, { minimum: useMinimumVersion });
  if (resource !== undefined) return resource;
  throw new ServiceError('unsupportedVersion', {
    requested: String(useMinimumVersion),
    newest: String(newestOf(family).version),
  });
}
