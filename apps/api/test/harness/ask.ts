import { type QueryOptions, readQueryOptions } from '@takt/query-options';
import type { DetailResource, ListResource, Resource } from '@takt/resources';
import type { DetailPage, ListPage, Value, WritingContext } from '../../src/representations/page.js';
import { writers } from '../../src/representations/writers.js';
import { answerDetail, readIdentifiers } from '../../src/service/answer-detail.js';
import { answerList } from '../../src/service/answer-list.js';
import type { ApiDependencies } from '../../src/service/create-service.js';
import { pageAddressOf } from '../../src/service/paging.js';
import { type ReadRequest, readRequest, writingContextOf } from '../../src/service/read-request.js';
import { COMPANY } from './open-test-api.js';

/** Parameters by name; one that is undefined is left out. */
export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** The text after the `?`. */
export function queryText(parameters: Parameters): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');
}

/** A request as far as it is read without an error; `path` and headers do not matter here. */
export function readOf(parameters: Parameters): ReadRequest {
  return readRequest({
    path: '/',
    queryText: queryText(parameters),
    headers: {},
    id: 'request-1',
    pathParameters: {},
  });
}

export function contextOf(read: ReadRequest, { baseUrl }: Pick<ApiDependencies, 'baseUrl'>): WritingContext {
  return writingContextOf(read, { baseUrl });
}

function optionsOf(read: ReadRequest, resource: Resource): QueryOptions {
  if (read.query.problem !== undefined) throw read.query.problem;
  const pageSizes =
    resource.kind === 'list'
      ? { defaultPageSize: resource.defaultPageSize, maximumPageSize: resource.maximumPageSize }
      : { defaultPageSize: 1, maximumPageSize: 1 };
  const takesSearch = resource.kind === 'list' && resource.searched.length > 0;
  return readQueryOptions(read.query.parameters, { kind: resource.kind, takesSearch, ...pageSizes });
}

/** A page of a list, through the whole pipeline but HTTP. */
export async function askList(
  api: ApiDependencies,
  resource: ListResource,
  parameters: Parameters = {},
  companyId = COMPANY,
): Promise<ListPage> {
  const read = readOf(parameters);
  const options = optionsOf(read, resource);
  return answerList(
    {
      resource,
      options,
      companyId,
      language: read.language,
      withDescriptions: options.showDomainDescriptions,
      addressOf: pageAddressOf(api.baseUrl + resource.path, read.query.parameters),
    },
    api,
  );
}

/** One object, through the whole pipeline but HTTP. */
export async function askDetail(
  api: ApiDependencies,
  resource: DetailResource,
  pathParameters: Readonly<Record<string, string>>,
  parameters: Parameters = {},
): Promise<DetailPage> {
  const read = readOf(parameters);
  const options = optionsOf(read, resource);
  return answerDetail(
    {
      resource,
      options,
      identifiers: readIdentifiers(resource, pathParameters),
      companyId: COMPANY,
      language: read.language,
      withDescriptions: options.showDomainDescriptions,
    },
    api,
  );
}

/** A page as a document in JSON or XML. */
export function write(
  page: ListPage | DetailPage,
  format: 'json' | 'xml',
  api: Pick<ApiDependencies, 'baseUrl'>,
  parameters: Parameters = {},
): string {
  const context = contextOf(readOf(parameters), api);
  const writer = writers[format];
  return [...('rows' in page ? writer.list(page, context) : writer.detail(page, context))].join('');
}

/** What the rows of a page hold in one column, the first unless told. */
export function columnOf(page: ListPage, index = 0): readonly (Value | undefined)[] {
  return page.rows.map((row) => row[index]);
}
