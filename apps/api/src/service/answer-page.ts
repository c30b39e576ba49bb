import { ServiceError } from '@takt/catalogue/errors';
import {
  browsedField,
  type DetailResource,
  familyAt,
  fillPath,
  isOfPeriods,
  type ListResource,
  newestOf,
  type Resource,
  type ResourceFamily,
  savedViews as savedViewsResource,
} from '@takt/catalogue/resources';
import { type ApiAnswer, toServiceError } from '@takt/http';
import { excerpt, type QueryParameter } from '@takt/query';
import type { Identity } from '../access/establish-identity.js';
import {
  OPEN,
  openedParameters,
  optionsForPeople,
  parametersBesides,
  parametersWithoutTick,
  periodBefore,
  readPageForm,
  refusedText,
  writeRefusedList,
  writtenIn,
} from '../pages/index.js';
import type {
  DetailPage,
  ListPage,
  OpenedPage,
  ParentPage,
  WritingContext,
} from '../representations/writer.js';
import { leadTo } from './addressed-route.js';
import { findPage, type PageRequest, type PageSource, searchEndMs } from './find-page.js';
import { type ReadRequest, readOptions } from './read-request.js';
import { findSimilarNames } from './similar-names.js';
import { writeAnswer, writeError } from './write-answer.js';
import { callerOf, writingContextOf } from './writing-context.js';

/**
 * Answers a person's browser. A request with a form is redirected to the address of the form's query. A problem with an
 * entered text is shown on the page of the form. Throws a ServiceError or a QueryOptionError.
 * @param family restricted to the reader's duties
 */
export async function answerPage(
  family: ResourceFamily,
  read: ReadRequest,
  identity: Identity,
  source: PageSource,
): Promise<ApiAnswer> {
  const { baseUrl } = source;
  const form = readPageForm(family, read.query.parameters);
  const faulty = form?.faulty;
  if (form !== undefined && faulty === undefined) {
    return leadTo(withParameters(read, form.parameters), baseUrl);
  }
  const shown = form === undefined ? read : withParameters(read, form.parameters);
  const context = writingContextOf(shown, baseUrl, callerOf(identity, read));
  try {
    if (faulty !== undefined) throw new ServiceError('noNumber', { value: excerpt(faulty.value) });
    return writeAnswer(
      await findForPeople({ family, read: shown, identity, context }, source),
      'html',
      context,
    );
  } catch (thrown) {
    const error = toServiceError(thrown);
    const resource: Resource = newestOf(family);
    const refused = refusedText(error, context, faulty);
    if (refused === undefined || resource.kind !== 'list') throw thrown;
    return { ...writeError(error, 'html', context), body: writeRefusedList(resource, refused, context) };
  }
}

function withParameters(read: ReadRequest, parameters: ReadRequest['query']['parameters']): ReadRequest {
  return { ...read, query: { ...read.query, parameters } };
}

interface HtmlRequest extends Omit<PageRequest, 'resource' | 'options'> {
  /** Restricted to the reader's duties. */
  readonly family: ResourceFamily;
  readonly context: WritingContext;
}

interface ListRequest extends PageRequest {
  readonly resource: ListResource;
}

/**
 * Finds the data of a page. For an empty list, also finds the number of rows that a ticked filter hides, or names
 * similar to the search, unless that takes too long.
 */
async function findForPeople(
  { family, context, ...by }: HtmlRequest,
  source: PageSource,
): Promise<ListPage | DetailPage> {
  const { resource, options } = readOptions(family, by.read);
  const endMs = searchEndMs();
  if (resource.kind === 'detail') {
    const found = await findPage({ ...by, resource, options }, source, endMs);
    const [key] = Object.values(by.read.request.pathParameters);
    const [opened, operations, before] = await Promise.all([
      findOpened({ resource, key, context, ...by }, source, endMs),
      findOperations({ resource, context, ...by }, source, endMs),
      findBefore({ resource, context, ...by }, source, endMs),
    ]);
    return { ...found, opened, ...operations, before };
  }
  const found = await findList({ ...by, resource, options }, source, endMs);
  if (!('rows' in found)) return found;
  const count = async (parameters: readonly QueryParameter[] | undefined): Promise<number | undefined> => {
    if (parameters === undefined) return undefined;
    const query = { parameters, problem: undefined };
    const request = { ...by, ...readOptions(family, { query, acceptedExport: undefined }) };
    const others = await findPage(request, source, endMs).catch(() => undefined);
    return (others !== undefined && 'rows' in others && others.paging.size) || undefined;
  };
  const [besides, parent, savedViews] = await Promise.all([
    count(parametersBesides(resource, context)),
    findParent({ resource, context, ...by }, source, endMs),
    findSavedViews({ resource, context, ...by }, source, endMs),
  ]);
  if (found.rows.length > 0) {
    const key = writtenIn(context, OPEN);
    return {
      ...found,
      besides,
      parent,
      savedViews,
      opened: await findOpened({ resource, key, context, ...by }, source, endMs),
    };
  }
  const foundWithoutTick = await count(parametersWithoutTick(resource, context));
  const similarNames =
    foundWithoutTick === undefined
      ? await findSimilarNames(resource, options.search.join(' '), by.identity, source, endMs)
      : undefined;
  return { ...found, besides, parent, savedViews, foundWithoutTick, similarNames };
}

/**
 * Limit of counting and summing for people. Both read all matching rows: up to this limit, that takes up to a tenth of
 * a second.
 */
const COUNTED_FOR_PEOPLE = 100_000;

/**
 * Finds a list with its count and totals. If that takes too long, finds it without them, provided that the remaining
 * time is enough.
 */
async function findList(
  request: ListRequest,
  source: PageSource,
  endMs: number,
): Promise<ListPage | DetailPage> {
  const { resource, options, read } = request;
  const counted = {
    ...request,
    options: optionsForPeople(options, resource, read.query.parameters),
    countsUpTo: options.countAll ? undefined : COUNTED_FOR_PEOPLE,
  };
  try {
    return await findPage(counted, source, endMs);
  } catch (error) {
    const isTooSlow = error instanceof ServiceError && error.code === 'queryTooSlow';
    if (!isTooSlow || options.countAll || !counted.options.countAll) throw error;
    const uncounted = {
      ...request,
      options: { ...counted.options, countAll: false, expand: options.expand },
    };
    // If this fails too, the first error is thrown: the server has answered, so queryTooSlow is right.
    return await findPage(uncounted, source, endMs).catch(() => {
      throw error;
    });
  }
}

interface Opening extends Omit<HtmlRequest, 'family'> {
  readonly resource: Resource;
  /** The key of the object; undefined if its path has none. */
  readonly key: string | undefined;
}

/**
 * Finds rows of another list that belong to an object; undefined if there is no such list or the reader may not read
 * it.
 */
async function findOpened(
  { resource: { opens }, key = '', context, ...by }: Opening,
  source: PageSource,
  endMs: number,
): Promise<OpenedPage | undefined> {
  if (opens === undefined || !/^\d{1,15}$/.test(key)) return undefined;
  const filter = `${opens.field} eq ${key}`;
  const parametersOf = (resource: Resource) =>
    resource.kind === 'list' ? openedParameters(resource, filter) : [];
  const page = await findBeside({ path: opens.path, parametersOf, context, ...by }, source, endMs);
  return page !== undefined && 'rows' in page ? { key, filter, page } : undefined;
}

interface OperationsRequest extends Omit<HtmlRequest, 'family'> {
  readonly resource: DetailResource;
}

const FARTHEST_OPERATIONS = 5;

/**
 * Finds the operations behind an object's times. Parts that the reader may not read, or that take too long, are left
 * out.
 */
async function findOperations(
  { resource: { operationPaths, comparisons = [] }, context, ...by }: OperationsRequest,
  source: PageSource,
  endMs: number,
): Promise<Pick<DetailPage, 'distributions' | 'operations'>> {
  if (operationPaths === undefined) return {};
  const find = (path: string, parametersOf: (resource: Resource) => readonly QueryParameter[]) =>
    findBeside({ path, parametersOf, context, ...by }, source, endMs).catch(() => undefined);
  const [operations, ...distributions] = await Promise.all([
    find(operationPaths.operations, (resource) => [
      { name: '$orderby', value: `${browsedField(resource, FARTHEST_FIRST)?.queryName ?? 'RunTime'} desc` },
      { name: '$top', value: String(FARTHEST_OPERATIONS) },
    ]),
    ...comparisons.map(({ kind }) =>
      find(operationPaths.distribution, () => [{ name: 'kind', value: kind }]),
    ),
  ]);
  return {
    operations: operations !== undefined && 'rows' in operations ? operations : undefined,
    distributions: new Map(
      comparisons.flatMap(({ kind }, index) => {
        const found = distributions[index];
        return found !== undefined && 'row' in found ? [[kind, found] as const] : [];
      }),
    ),
  };
}

/** Finds the same object in the time before its period, unless that takes too long. */
async function findBefore(
  { resource, context, ...by }: OperationsRequest,
  source: PageSource,
  endMs: number,
): Promise<DetailPage | undefined> {
  const period = resource.operationPaths === undefined ? undefined : periodBefore(context);
  if (resource.inPeriod === undefined || period === undefined) return undefined;
  const request = { path: resource.path, parametersOf: () => [], period, context, ...by };
  const found = await findBeside(request, source, endMs).catch(() => undefined);
  return found !== undefined && 'row' in found ? found : undefined;
}

/** The number of saved views that fit next to a list. */
const SAVED_VIEWS_BESIDE = '20';

/** Finds the saved views for a list's page, unless that takes too long. */
async function findSavedViews(
  {
    resource: { browsing },
    context,
    ...by
  }: Omit<HtmlRequest, 'family'> & { readonly resource: ListResource },
  source: PageSource,
  endMs: number,
): Promise<ListPage | undefined> {
  if (browsing === undefined) return undefined;
  const parametersOf = () => [
    { name: '$orderby', value: 'Name' },
    { name: '$top', value: SAVED_VIEWS_BESIDE },
    { name: '$inlinecount', value: 'allpages' },
  ];
  const request = { path: savedViewsResource.path, parametersOf, period: [], context, ...by };
  const found = await findBeside(request, source, endMs).catch(() => undefined);
  return found !== undefined && 'rows' in found ? found : undefined;
}

/** Finds the object that a list belongs to. */
async function findParent(
  { resource: { parent }, context, ...by }: Omit<HtmlRequest, 'family'> & { readonly resource: ListResource },
  source: PageSource,
  endMs: number,
): Promise<ParentPage | undefined> {
  if (parent === undefined) return undefined;
  const request = { path: parent.path, parametersOf: () => [], context, ...by };
  const found = await findBeside(request, source, endMs).catch(() => undefined);
  if (found === undefined || !('row' in found)) return undefined;
  const identifiers = Object.entries(by.read.request.pathParameters).map(([name, text]) => [
    name,
    Number(text),
  ]);
  return { page: found, path: fillPath(parent.path, Object.fromEntries(identifiers)) };
}

interface RelatedRequest extends Omit<HtmlRequest, 'family'> {
  readonly path: string;
  readonly parametersOf: (resource: Resource) => readonly QueryParameter[];
  /** The parameters of the period; absent: those of the request. */
  readonly period?: readonly QueryParameter[];
}

/** The parameters of a request's period, which also applies to the parts of a page. */
const periodOf = ({ query }: ReadRequest): readonly QueryParameter[] =>
  query.parameters.filter(({ name }) => isOfPeriods(name));

/** Finds another resource with the same identifiers and period; undefined if the reader may not read it. */
async function findBeside(
  { path, parametersOf, context, period, ...by }: RelatedRequest,
  source: PageSource,
  endMs: number,
): Promise<ListPage | DetailPage | undefined> {
  const family = familyAt(path);
  const shown = family && context.shownTo(family);
  if (shown === undefined) return undefined;
  const parameters = [...(period ?? periodOf(by.read)), ...parametersOf(shown)];
  const read = withParameters({ ...by.read, acceptedExport: undefined }, parameters);
  const request = readOptions({ identifier: shown.identifier, path, versions: [shown] }, read);
  return await findPage({ ...by, read, ...request }, source, endMs);
}

/**
 * The field that operations are sorted by, if the reader may see planned times; otherwise they are sorted by RunTime.
 */
const FARTHEST_FIRST = 'RunTimeDifference';
