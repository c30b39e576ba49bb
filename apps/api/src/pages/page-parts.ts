import {
  browsedField,
  type DetailResource,
  isOfPeriods,
  type Resource,
  savedViews,
  type TimeComparison,
} from '@takt/catalogue/resources';
import { type QueryParameter, readIdentifier } from '@takt/query';
import type { DetailPage, ListPage, WritingContext } from '../representations/writer.js';
import { isOverview } from './browse.js';
import { errorFields, HOURS, HOURS_CHANGE, MOST_SUMMED } from './certainty.js';
import { OPEN, parametersNamed, writtenIn } from './own-links.js';
import { openedParameters, parametersBesides, parametersWithoutTick } from './page-form.js';
import { overviewPeriods, parametersOfPeriods, periodBefore, periodsOf } from './period.js';
import { sectionsOf, shownFieldsOf } from './sections.js';

/** The parts of pages: data of other resources, or of other queries, that a page shows beside its own data. */
type PartName =
  /** The rows of another list that belong to the object, or to the expanded row. */
  | 'opened'
  /** The object that a list belongs to. */
  | 'parent'
  /** The first of the reader's saved views. */
  | 'savedViews'
  /** The rows in the other part of the view. */
  | 'besides'
  /** The rows that a ticked filter hides from an empty list. */
  | 'withoutTick'
  /** The same object in the time before the period of the page. */
  | 'before'
  /** The operations of the object that exceed their planned time most. */
  | 'operations'
  /** The hours of the company by month. */
  | 'months'
  /** The rows whose hours over plan grew most since the period before. */
  | 'changes'
  /** The objects that the rows of a list sum up, from which the certainty of the sums follows; also in the second period. */
  | 'summed'
  | 'summedBefore'
  /** The same of the rows in `changes`. */
  | 'changesSummed'
  | 'changesSummedBefore'
  /** The distribution of the object's times of this kind. */
  | `distribution ${TimeComparison['kind']}`;

/** The resource that a part reads, with identifiers from the path of the page. */
interface PagePart {
  readonly path: string;
  /** @param shown the resource, restricted to the fields that the reader may see */
  readonly parametersOf: (shown: Resource) => readonly QueryParameter[];
  /** True if the part sums up all data of the company. It may then be as old as a minute. */
  readonly isKept?: boolean;
  /** The maximum number of rows, if it is larger than that of a page of the list. */
  readonly mostRows?: number;
}

/**
 * Returns the parts that the page of these data shows. Some parts follow from the rows of other parts, so they are only
 * known once the page has those.
 */
export function partsOf(
  page: ListPage | DetailPage,
  context: WritingContext,
): Readonly<Partial<Record<PartName, PagePart | undefined>>> {
  return 'rows' in page ? partsOfList(page, context) : partsOfDetail(page, context);
}

function partsOfList(page: ListPage, context: WritingContext) {
  const { resource, rows } = page;
  const { path, parent, browsing } = resource;
  const counted = (parameters: readonly QueryParameter[] | undefined) =>
    parameters && { path, parametersOf: () => parameters };
  return {
    besides: counted(parametersBesides(resource, context)),
    parent: parent && { path: parent.path, parametersOf: () => periodParameters(context) },
    savedViews: browsing && { path: savedViews.path, parametersOf: () => SAVED_VIEWS },
    opened: rows.length > 0 ? openedPart(resource, context) : undefined,
    withoutTick: rows.length > 0 ? undefined : counted(parametersWithoutTick(resource, context)),
    ...partsSummed(page, context),
    ...(isOverview(resource, context) ? partsOfOverview(page, context) : {}),
  };
}

function partsOfOverview(page: ListPage, context: WritingContext) {
  const { path, browsing } = page.resource;
  const { shown, period, before } = overviewPeriods(context);
  const changes = listPart(page, 'changes');
  const months = { from: before.from < shown.from ? before.from : shown.from, to: shown.to };
  return {
    months: {
      path: browsing?.overview?.months ?? '',
      parametersOf: () => [...parametersOfPeriods(months), ALL],
      isKept: true,
    },
    changes: {
      path,
      parametersOf: () => [
        ...parametersOfPeriods(period, before),
        ...parametersNamed({ ...GREW_MOST, $top: '5' }),
      ],
      isKept: true,
    },
    changesSummed: changes && keptPart(summedPart(changes, parametersOfPeriods(period))),
    changesSummedBefore: changes && keptPart(summedPart(changes, parametersOfPeriods(before))),
  };
}

function partsSummed(page: ListPage, context: WritingContext) {
  const { period, compared } = periodsOf(page.resource, context);
  return {
    summed: summedPart(page, parametersOfPeriods(period)),
    summedBefore: compared && summedPart(page, parametersOfPeriods(compared)),
  };
}

const keptPart = (part: PagePart | undefined): PagePart | undefined => part && { ...part, isKept: true };

/** The objects in a period that the rows of a list sum up. */
function summedPart(
  { resource, outline, rows }: ListPage,
  period: readonly QueryParameter[],
): PagePart | undefined {
  const { opens } = resource;
  const hasHours = browsedField(resource, HOURS) !== undefined;
  if (opens === undefined || !hasHours || rows.length === 0) return undefined;
  const index = shownFieldsOf(sectionsOf(outline)).get(resource.key)?.index ?? -1;
  const keys = rows.map((row) => String(row[index]));
  const filter = { name: '$filter', value: `${opens.field} in (${keys.join(',')})` };
  return {
    path: opens.path,
    parametersOf: (shown) => [
      ...period,
      filter,
      {
        name: '$select',
        value: [opens.field, ...(shown.kind === 'list' ? errorFields(shown) : [])].join(','),
      },
    ],
    mostRows: MOST_SUMMED,
  };
}

const ALL = { name: '$top', value: '$max' };

/** Those rows of a list of two periods whose hours over plan grew, or fell, and those first that did so most. */
export const GREW_MOST = {
  $filter: `${HOURS_CHANGE} gt 0`,
  $orderby: `${HOURS_CHANGE} desc`,
};
export const FELL_MOST = {
  $filter: `${HOURS_CHANGE} lt 0`,
  $orderby: `${HOURS_CHANGE} asc`,
};

/** At most 20 saved views are shown next to a list. */
const SAVED_VIEWS = [
  { name: '$orderby', value: 'Name' },
  { name: '$top', value: '20' },
  { name: '$inlinecount', value: 'allpages' },
];

function partsOfDetail({ resource }: DetailPage, context: WritingContext) {
  return { opened: openedPart(resource, context), ...partsOfTimes(resource, context) };
}

function partsOfTimes(resource: DetailResource, context: WritingContext) {
  const { path, operationPaths, comparisons = [], inPeriod } = resource;
  if (operationPaths === undefined) return {};
  const period = periodParameters(context);
  const earlier = inPeriod && periodBefore(context);
  const distribution = (kind: string) => ({
    path: operationPaths.distribution,
    parametersOf: () => [...period, { name: 'kind', value: kind }],
  });
  return {
    before: earlier && { path, parametersOf: () => earlier },
    operations: {
      path: operationPaths.operations,
      parametersOf: (shown: Resource) => [...period, ...farthestFirst(shown)],
    },
    ...Object.fromEntries(comparisons.map(({ kind }) => [`distribution ${kind}`, distribution(kind)])),
  };
}

/**
 * The parameters for the five operations that are farthest over plan. If the reader may not see planned times, they are
 * those with the longest run time.
 */
const farthestFirst = (shown: Resource): readonly QueryParameter[] => [
  { name: '$orderby', value: `${browsedField(shown, 'RunTimeDifference')?.queryName ?? 'RunTime'} desc` },
  { name: '$top', value: '5' },
];

function openedPart(resource: Resource, context: WritingContext): PagePart | undefined {
  const { opens } = resource;
  const filter = openedFilter(resource, context);
  if (opens === undefined || filter === undefined) return undefined;
  return {
    path: opens.path,
    parametersOf: (shown) => [
      ...periodParameters(context),
      ...(shown.kind === 'list' ? openedParameters(shown, filter) : []),
    ],
  };
}

/**
 * The key of the object whose rows of another list a page shows: of the object itself, or of the expanded row. undefined
 * if there is none.
 */
export function openedKey({ kind }: Resource, context: WritingContext): string | undefined {
  const [own] = Object.values(context.pathParameters);
  const key = kind === 'detail' ? own : writtenIn(context, OPEN);
  return key === undefined || readIdentifier(key) === undefined ? undefined : key;
}

/** The `$filter` with which the other list shows the rows of the object. */
export function openedFilter(resource: Resource, context: WritingContext): string | undefined {
  const key = openedKey(resource, context);
  return resource.opens && key && `${resource.opens.field} eq ${key}`;
}

/** The parts of a page have the same period as the page. */
const periodParameters = ({ parameters }: WritingContext): readonly QueryParameter[] =>
  parameters.filter(({ name }) => isOfPeriods(name));

/**
 * Returns a part that is a list. undefined if the page has no such part, if the reader may not read it, or if finding it
 * took too long.
 */
export function listPart({ parts }: Pick<ListPage, 'parts'>, name: PartName): ListPage | undefined {
  const found = parts?.get(name);
  return found !== undefined && 'rows' in found ? found : undefined;
}

/** Returns a part that is an object. undefined as in listPart. */
export function objectPart({ parts }: ListPage | DetailPage, name: PartName): DetailPage | undefined {
  const found = parts?.get(name);
  return found !== undefined && 'row' in found ? found : undefined;
}

/** Returns the number of rows of a part. undefined if the number is 0 or unknown. */
export function sizeOfPart(page: ListPage, name: PartName): number | undefined {
  return listPart(page, name)?.paging.size || undefined;
}
