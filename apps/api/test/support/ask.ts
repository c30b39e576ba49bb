import { type DetailResource, fillPath, type ListResource, type Resource } from '@takt/catalogue/resources';
import type { QueryOptions } from '@takt/query';
import { type ReadRequest, readOptions, readRequest } from '../../src/parse/read-request.js';
import type { PageStart } from '../../src/plan/page-key.js';
import { type ListPlan, type Plan, planQuestion } from '../../src/plan/plan.js';
import { valueTypeOf } from '../../src/plan/resolve-fields.js';
import { resolveQuestion } from '../../src/plan/resolve-question.js';
import type { DetailPage, ListPage, Value, WritingContext } from '../../src/representations/writer.js';
import type { ApiDependencies } from '../../src/respond/answer-resource.js';
import { type Asker, runPlan } from '../../src/respond/find-page.js';
import { writers } from '../../src/respond/write-answer.js';
import { pageAddressOf, writingContextOf } from '../../src/respond/writing-context.js';
import { pageOf } from '../../src/sql/result.js';
import type { StatementCompany } from '../../src/sql/run-statement.js';
import { COMPANY, type TestApi } from './open-test-api.js';
import { requestOf } from './requests.js';
import { neededParameters, smallestIdentifiers } from './resources.js';

/** Parameters by name. A parameter without a value is not sent. */
export type Parameters = Readonly<Record<string, string | number | undefined>>;

type PathParameters = Readonly<Record<string, string>>;

/** Returns the query string without the question mark. */
export function queryText(parameters: Parameters): string {
  return Object.entries(parameters)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]))
    .join('&');
}

/**
 * Returns a parsed request with these parameters. The path and the headers are those of `requestOf`, because they have
 * no effect here.
 */
export function readOf(parameters: Parameters): ReadRequest {
  return readRequest(requestOf({ queryText: queryText(parameters) }));
}

export function contextOf(read: ReadRequest, { baseUrl }: Pick<ApiDependencies, 'baseUrl'>): WritingContext {
  return writingContextOf(read, baseUrl);
}

function optionsOf(read: ReadRequest, resource: Resource): QueryOptions {
  const { identifier, path } = resource;
  return readOptions({ identifier, path, versions: [resource] }, read).options;
}

/**
 * Returns the plan of a request for a list or an object. The plan contains everything that the pipeline determines
 * before it writes SQL.
 */
export function planOf(
  resource: Resource,
  parameters: Parameters = {},
  pathParameters = smallestIdentifiers(resource),
  companyId = COMPANY,
): Plan {
  const read = readOf({ ...neededParameters(resource), ...parameters });
  const options = optionsOf(read, resource);
  const question = resolveQuestion(resource, options, {
    companyId,
    pid: null,
    pathParameters,
    language: read.language,
  });
  return planQuestion(question, {
    language: read.language,
    withDescriptions: options.showDomainDescriptions,
    expandsAll: false,
  });
}

export function listPlanOf(
  resource: ListResource,
  ...asked: [Parameters?, PathParameters?, number?]
): ListPlan {
  const plan = planOf(resource, ...asked);
  if (plan.kind !== 'list') throw new Error('a list is planned as a list');
  return plan;
}

/** Returns the plan of the same list for a page with another start. */
export function startingAt({ question }: ListPlan, start: PageStart): ListPlan {
  const asked = { language: 'eng', withDescriptions: false, expandsAll: false } as const;
  return planQuestion({ ...question, start }, asked);
}

/** Returns the plan of the same list for a page after or before an arbitrary row. */
export function startingBeside(plan: ListPlan, kind: 'after' | 'before'): ListPlan {
  const boundary = plan.question.order.map(({ field }) => {
    if (valueTypeOf(field) === 'text') return 'x';
    return field.stored?.isSigned ? '1' : 1;
  });
  return startingAt(plan, { kind, boundary, position: 2 });
}

/** Reads the page of a plan from the database. */
async function run(api: TestApi, plan: Plan, parameters: Parameters): Promise<ListPage | DetailPage> {
  const company = { key: api.keys.get(plan.question.companyId) ?? '' };
  const found = await runPlan(plan, askerFor(company), api);
  const { resource, identifiers } = plan.question;
  const path = fillPath(resource.path, identifiers);
  const own = plan.kind === 'list' ? plan.question.options.own : undefined;
  return pageOf(plan, found, pageAddressOf(api.baseUrl + path, readOf(parameters).query.parameters, own));
}

/** Reads a page of a list with the whole pipeline except HTTP. */
export async function askList(
  api: TestApi,
  resource: ListResource,
  parameters: Parameters = {},
  companyId = COMPANY,
  pathParameters = smallestIdentifiers(resource),
): Promise<ListPage> {
  const page = await run(api, planOf(resource, parameters, pathParameters, companyId), parameters);
  if ('rows' in page) return page;
  throw new Error('a list is answered with a list');
}

/** Reads an object with the whole pipeline except HTTP. */
export async function askDetail(
  api: TestApi,
  resource: DetailResource,
  pathParameters: PathParameters,
  parameters: Parameters = {},
  companyId = COMPANY,
): Promise<DetailPage> {
  const page = await run(api, planOf(resource, parameters, pathParameters, companyId), parameters);
  if ('row' in page) return page;
  throw new Error('an object is answered with an object');
}

/** Writes a page as a document in JSON or XML. */
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

/** Returns the values in a column of a page, by default in the first column. */
export function columnOf(page: ListPage, index = 0): readonly (Value | undefined)[] {
  return page.rows.map((row) => row[index]);
}

/** Returns a requester of the company with token 1 and without a person or client. */
export function askerFor(company: StatementCompany): Asker {
  return { company, pid: null, clientId: null, tokenId: 1 };
}
