import { ServiceError } from '@takt/catalogue/errors';
import {
  familyAt,
  type ListResource,
  newestOf,
  type Resource,
  type ResourceFamily,
} from '@takt/catalogue/resources';
import { type ApiAnswer, toServiceError } from '@takt/http';
import {
  hasPeriod,
  optionsForPeople,
  partsOf,
  readPageForm,
  refusedText,
  sizeOfPart,
  writeRefusedList,
} from '../pages/index.js';
import type { Identity } from '../parse/establish-identity.js';
import { type ReadRequest, readOptions } from '../parse/read-request.js';
import type { DetailPage, ListPage, PageParts, WritingContext } from '../representations/writer.js';
import { leadTo } from './addressed-route.js';
import { findPage, type PageRequest, type PageSource, searchEndMs } from './find-page.js';
import { keepPart } from './kept-parts.js';
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
    const refused = refusedText(error, context, faulty);
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

/**
 * Finds the data of a page and of its parts. For a list without rows, it also finds names that are similar to the search,
 * and the newest month with data. Parts and hints are left out if finding them takes too long.
 */
async function findForPeople(
  { family, context, ...by }: HtmlRequest,
  source: PageSource,
): Promise<ListPage | DetailPage> {
  const { resource, options } = readOptions(family, by.read);
  const endMs = searchEndMs();
  if (resource.kind === 'detail') {
    const found = await findPage({ ...by, resource, options }, source, endMs);
    return { ...found, parts: await findParts(found, { context, ...by }, source, endMs) };
  }
  const found = await findList({ ...by, resource, options }, source, endMs);
  if (!('rows' in found)) return found;
  const page = { ...found, parts: await findParts(found, { context, ...by }, source, endMs) };
  if (page.rows.length > 0) return page;
  const { similarNames, newestMonth } = openSuggestions(by.identity, source, endMs);
  const hasHint = sizeOfPart(page, 'withoutTick') !== undefined;
  return {
    ...page,
    similarNames: hasHint ? undefined : await similarNames(resource, options.search.join(' ')),
    newestMonth: hasPeriod(context) ? await newestMonth(resource) : undefined,
  };
}

/**
 * Finds the parts of a page: first those that follow from its own rows, then those that follow from other parts. A part
 * is missing if the reader may not read it, or if finding it fails.
 */
async function findParts(
  page: ListPage | DetailPage,
  by: Omit<HtmlRequest, 'family'>,
  source: PageSource,
  endMs: number,
): Promise<PageParts> {
  const own = partsOf(page, by.context);
  const parts = await readParts(own, by, source, endMs);
  const known = Object.entries(own).filter(([, part]) => part !== undefined);
  const names = new Set(known.map(([name]) => name));
  const further = Object.entries(partsOf({ ...page, parts }, by.context)).filter(
    ([name]) => !names.has(name),
  );
  const others = await readParts(Object.fromEntries(further), by, source, endMs);
  return new Map([...parts, ...others]);
}

async function readParts(
  parts: ReturnType<typeof partsOf>,
  { context, ...by }: Omit<HtmlRequest, 'family'>,
  source: PageSource,
  endMs: number,
): Promise<PageParts> {
  const found = Object.entries(parts).map(async ([name, part]) => {
    const family = part && familyAt(part.path);
    const shown = family && context.shownTo(family);
    if (part === undefined || shown === undefined) return [];
    const read = withParameters({ ...by.read, acceptedExport: undefined }, part.parametersOf(shown));
    const asked = { identifier: shown.identifier, path: part.path, versions: [shown] } as const;
    const find = async () => {
      const { resource, options } = readOptions(asked, read);
      const { mostRows } = part;
      const top = mostRows ?? options.top;
      return await findPage({ ...by, read, resource, options: { ...options, top }, mostRows }, source, endMs);
    };
    const data = await (part.isKept === true
      ? keepPart(source.pool, shown, [by.identity.company.key, ...namedBy(read, part.path)], find)
      : find()
    ).catch(() => undefined);
    return data === undefined ? [] : [[name, data] as const];
  });
  return new Map((await Promise.all(found)).flat());
}

/** Returns everything on which a part depends besides its company and the rights of the reader. */
const namedBy = ({ language, query }: ReadRequest, path: string): readonly string[] => [
  language,
  path,
  ...query.parameters.flatMap(({ name, value }) => [name, value]),
];

interface ListRequest extends PageRequest {
  readonly resource: ListResource;
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
    keepsTotals: true,
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
