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
import { type QueryParameter, readIdentifier } from '@takt/query';
import {
  hasPeriod,
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
import type { Identity } from '../parse/establish-identity.js';
import { type ReadRequest, readOptions } from '../parse/read-request.js';
import type {
  DetailPage,
  ListPage,
  OpenedPage,
  ParentPage,
  WritingContext,
} from '../representations/writer.js';
import { leadTo } from './addressed-route.js';
import { findPage, type PageRequest, type PageSource, searchEndMs } from './find-page.js';
import { openSuggestions } from './suggestions.js';
import { writeAnswer, writeError } from './write-answer.js';
import { callerOf, writingContextOf } from './writing-context.js';

/**
 * Answers the browser of a person. If the request comes from a form, it is redirected to the address of the query that
 * the form describes. If an entered text is wrong, the page of the form is shown again with the problem. Throws a
 * ServiceError or a QueryOptionError.
 * @param family the resource, restricted to the fields that the reader's duties allow
 */
export async function answerPage(
  family: ResourceFamily,
  read: ReadRequest,
  identity: Identity,
  source: PageSource,
): Promise<ApiAnswer> {
  const { baseUrl } = source;
  const form = readPageForm(family, read.query.parameters, read.language);
  const faulty = form?.faulty;
  if (form !== undefined && faulty === undefined) {
    return leadTo(withParameters(read, form.parameters), baseUrl);
  }
  const shown = form === undefined ? read : withParameters(read, form.parameters);
  const context = writingContextOf(shown, baseUrl, callerOf(identity, read));
  try {
    if (faulty !== undefined) throw faulty.error;
    return writeAnswer(
      await findForPeople({ family, read: shown, identity, context }, source),
      'html',
      context,
    );
  } catch (thrown) {
    const error = toServiceError(thrown);
    const resource: Resource = newestOf(family);
    const refused = refusedText(error, context, faulty?.parameter);
    if (refused === undefined || resource.kind !== 'list') throw thrown;
    return { ...writeError(error, 'html', context), body: writeRefusedList(resource, refused, context) };
  }
}

function withParameters(read: ReadRequest, parameters: ReadRequest['query']['parameters']): ReadRequest {
  return { ...read, query: { ...read.query, parameters } };
}

interface HtmlRequest extends Omit<PageRequest, 'resource' | 'options'> {
  /** The resource, restricted to the fields that the reader's duties allow. */
  readonly family: ResourceFamily;
  readonly context: WritingContext;
}

interface ListRequest extends PageRequest {
  readonly resource: ListResource;
}

/**
 * Finds the data of a page. For a list without rows, it also finds the number of rows that a ticked filter hides, or
 * names that are similar to the search, and the newest month with data. They are left out if finding them takes too long.
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
  const { similarNames, newestMonth } = openSuggestions(by.identity, source, endMs);
  const hasHint = foundWithoutTick !== undefined;
  return {
    ...found,
    besides,
    parent,
    savedViews,
    foundWithoutTick,
    similarNames: hasHint ? undefined : await similarNames(resource, options.search.join(' ')),
    newestMonth: hasPeriod(context) ? await newestMonth(resource) : undefined,
  };
}

/**
 * The limit up to which rows are counted and summed on pages for people. Counting and summing read all matching rows;
 * up to this limit that takes at most a tenth of a second.
 */
const COUNTED_FOR_PEOPLE = 100_000;

/**
 * Finds a list with its count and totals. If that takes too long and enough time is left, finds the list without count
 * and totals.
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
    // If the second attempt fails too, the first error is thrown. That error is queryTooSlow, which is right because
    // the server has answered.
    return await findPage(uncounted, source, endMs).catch(() => {
      throw error;
    });
  }
}

interface Opening extends Omit<HtmlRequest, 'family'> {
  readonly resource: Resource;
  /** The key of the object whose rows are shown; undefined if the path contains no key. */
  readonly key: string | undefined;
}

/**
 * Finds the rows of another list that belong to an object. Returns undefined if there is no such list, or if the reader
 * may not read it.
 */
async function findOpened(
  { resource: { opens }, key = '', context, ...by }: Opening,
  source: PageSource,
  endMs: number,
): Promise<OpenedPage | undefined> {
  if (opens === undefined || readIdentifier(key) === undefined) return undefined;
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
 * Finds the operations from which an object's times are computed: their distributions, and the operations that exceed
 * the plan most. A part is left out if the reader may not read it, or if finding it takes too long.
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

/** Finds the same object in the time before the page's period. Returns undefined if finding it takes too long. */
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

/** The maximum number of saved views that are shown next to a list. */
const SAVED_VIEWS_BESIDE = '20';

/** Finds the saved views that are shown next to a list. Returns undefined if finding them takes too long. */
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
  /** The parameters that set the period. Default: the parameters of the request. */
  readonly period?: readonly QueryParameter[];
}

/** The parameters of a request that set the period. The parts of a page have the same period as the page. */
const periodOf = ({ query }: ReadRequest): readonly QueryParameter[] =>
  query.parameters.filter(({ name }) => isOfPeriods(name));

/**
 * Finds another resource for the same identifiers and period as the page. Returns undefined if the reader may not read
 * that resource.
 */
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
 * The operations of an object are sorted by this field, so that those farthest over plan come first. If the reader may
 * not see planned times, they are sorted by RunTime instead.
 */
const FARTHEST_FIRST = 'RunTimeDifference';
