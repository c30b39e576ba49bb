import { type Duty, duties as everyDuty } from '@takt/access';
import type { ErrorDescription } from '@takt/catalogue/errors';
import {
  documentNodes,
  type Field,
  type ListResource,
  type Node,
  newestOf,
  resourceFamilies,
  restrictFamily,
} from '@takt/catalogue/resources';
import { countIndexes, type NextIndex, outlineOfCollection } from '../../src/plan/outline.js';
import type {
  DetailPage,
  ListPage,
  OutlineNode,
  Paging,
  Row,
  Value,
  Writer,
  WritingContext,
} from '../../src/representations/writer.js';

/** Returns the value of a field in a row. The names of the groups and of the field, joined by dots, are its path. */
export type GiveValue = (path: string, field: Field) => Value;

/**
 * Returns an outline with all fields, as the server builds it for a page. Each domain field is followed by its
 * description.
 */
export function fullOutline(
  nodes: readonly Node[],
  isServed: (node: Node) => boolean = () => true,
): readonly OutlineNode[] {
  return outlineServed(nodes, isServed, countIndexes());
}

function outlineServed(
  nodes: readonly Node[],
  isServed: (node: Node) => boolean,
  place: NextIndex,
): readonly OutlineNode[] {
  return nodes.flatMap((node): readonly OutlineNode[] => {
    if (node.kind === 'group') {
      const children = outlineServed(node.children, isServed, place);
      return children.length === 0 ? [] : [{ kind: 'group', group: node, children }];
    }
    if (!isServed(node)) return [];
    if (node.kind === 'collection') return [outlineOfCollection(node, place())];
    const own: OutlineNode = { kind: 'field', field: node, index: place() };
    if (node.domain === undefined) return [own];
    return [
      own,
      { kind: 'field', field: documentNodes.text(`${node.name}Description`, 'Meaning.'), index: place() },
    ];
  });
}

/**
 * Returns a row with a value for each field of the outline. All collections contain the same `items`, by default none.
 */
export function rowOf(outline: readonly OutlineNode[], give: GiveValue, items: Row = []): Row {
  const row: Value[] = [];
  const visit = (nodes: readonly OutlineNode[], around: string) => {
    for (const node of nodes) {
      if (node.kind === 'group') {
        visit(node.children, `${around}${node.group.name}.`);
      } else if (node.kind === 'collection') {
        row[node.index] = items;
      } else {
        row[node.index] = give(around + node.field.name, node.field);
      }
    }
  };
  visit(outline, '');
  return row;
}

export const newest = resourceFamilies.map(newestOf);

export function listOf(container: string): ListResource {
  const found = newest.find((resource) => resource.kind === 'list' && resource.container === container);
  if (found?.kind !== 'list') throw new Error(`there is no list ${container}`);
  return found;
}

export const baseUrl = 'https://takt.example/api';

export function contextOf(overrides: Partial<WritingContext> = {}): WritingContext {
  return {
    language: 'eng',
    timeUnit: 'h',
    requestId: '0199c1d2-5a3e-7f00-8000-6d1f0a2b3c4d',
    readAt: new Date('2026-03-01T08:30:05Z'),
    baseUrl,
    linkSuffix: () => '?$format=html',
    path: '/product/structure-versions/aggregated-production-times',
    pathParameters: {},
    parameters: [{ name: '$format', value: 'html' }],
    company: { companyId: 1, code: 'north', name: 'Northern Gears', timeZone: 'Europe/Oslo', timeUnit: 'h' },
    companies: [
      { companyId: 1, code: 'north', name: 'Northern Gears', timeZone: 'Europe/Oslo', timeUnit: 'h' },
      { companyId: 2, code: 'south', name: 'Southern Pumps', timeZone: 'UTC', timeUnit: 'h' },
    ],
    shownTo: newestOf,
    visitor: { kind: 'signed-in', person: 'Kari <Nordmann>', duties: 'all' },
    ...overrides,
  };
}

export function pagingOf(overrides: Partial<Paging> = {}): Paging {
  const link = (key: string) => ({ key, href: `${baseUrl}/somewhere?$pageKey=${key}` });
  return {
    pageSize: 30,
    position: 31,
    page: 2,
    first: link('first-key'),
    previous: link('previous-key'),
    next: link('next-key'),
    last: link('last-key'),
    size: 274,
    withKeys: false,
    ...overrides,
  };
}

const PRODUCTS = [
  'Gear Housing 125',
  'Pump Cover 80',
  'Drive Shaft 40',
  'Heat Exchanger Plate 315',
  'Impeller 63',
];
const OPERATIONS = ['Turning', 'Milling', 'Heat Treatment', 'Assembly', 'Final Inspection'];

/** Returns plausible figures for the times of a row. The same arguments always give the same figures. */
function hoursOf(index: number, kind: string): Readonly<Record<string, number | null>> {
  const random = (salt: number) => ((index * 7919 + salt * 104729 + kind.length * 1299709) % 1000) / 1000;
  const exact = (hours: number) => Math.round(hours * 1e6) / 1e6;
  if (kind === 'CleanupTime' && index % 6 === 5) return {};
  const planned = exact((kind === 'RunTime' ? 1.2 : 0.3) * (0.4 + random(1) * 2));
  const average = exact(planned * (0.75 + random(2) * 0.6));
  const deviation = exact(average * random(3) * 0.25);
  return {
    '': index % 9 === 4 ? null : planned,
    Average: average,
    Deviation: deviation,
    Shortest: exact(average - deviation * 1.7),
    Longest: exact(average + deviation * 2.4),
  };
}

const SIMPLE_VALUES: Readonly<Record<string, (index: number) => Value>> = {
  'Product.Name': (index) => PRODUCTS[index % PRODUCTS.length] ?? '',
  'ProductStructureVersion.Name': (index) => OPERATIONS[index % OPERATIONS.length] ?? '',
  Revision: (index) => 'ABC'[index % 3] ?? 'A',
  Version: (index) => 1 + (index % 4),
  'ProductStructureVersion.Status': () => 4,
  'ProductStructureVersion.StatusDescription': () => 'active',
  'Product.Status': () => 4,
  'Product.StatusDescription': () => 'ordinary',
  Type: () => 'KA',
  TypeDescription: (index) => (index % 2 === 0 ? 'assembly with structure' : null),
  Description: () => 'Cast iron, two bores & a "flange"',
  NumberOfCompletedProductionWorkOrders: (index) => 3 + ((index * 37) % 180),
};

/** Returns a figure of the plan comparison, rounded as the service rounds it. */
function planFigureOf(index: number, kind: string, figure: string): number | null {
  const { '': planned = null, Average: average = null } = hoursOf(index, kind);
  if (planned === null || average === null) return null;
  const made = 3 + ((index * 37) % 180);
  if (figure === 'Difference') return Math.round((average - planned) * 1e6) / 1e6;
  if (figure === 'HoursOverPlan') return Math.round((average - planned) * made * 1e6) / 1e6;
  return planned === 0 ? null : Math.round(((average - planned) / planned) * 10_000) / 100;
}

const KINDS = ['RunTime', 'SetupTime', 'CleanupTime'];

function hoursOverPlan(index: number): number | null {
  const known = KINDS.flatMap((kind) => planFigureOf(index, kind, 'HoursOverPlan') ?? []);
  return known.length === 0 ? null : known.reduce((sum, hours) => sum + hours, 0);
}

/** The bounds of an average, and its verdict, which is unsure in every third row. */
function meanFigureOf(index: number, kind: string, figure: string): Value {
  const average = hoursOf(index, kind)['Average'];
  const difference = planFigureOf(index, kind, 'Difference');
  if (typeof average !== 'number' || typeof difference !== 'number') return null;
  if (figure === 'MeanLow') return average * 0.95;
  if (figure === 'MeanHigh') return average * 1.05;
  if (index % 3 === 2) return 'unsure';
  return difference > 0 ? 'over' : 'under';
}

export function productionTimeRow(index: number): GiveValue {
  return (path, field) => {
    const time = /^(Average|Shortest|Longest|Deviation|)(RunTime|SetupTime|CleanupTime)$/.exec(field.name);
    if (time !== null) return hoursOf(index, time[2] ?? '')[time[1] ?? ''] ?? null;
    const ofPlan = /^(RunTime|SetupTime|CleanupTime)(Difference|OverPlanPercent|HoursOverPlan)$/.exec(
      field.name,
    );
    if (ofPlan !== null) return planFigureOf(index, ofPlan[1] ?? '', ofPlan[2] ?? '');
    const ofMean = /^(RunTime|SetupTime|CleanupTime)(MeanLow|MeanHigh|Verdict)$/.exec(field.name);
    if (ofMean !== null) return meanFigureOf(index, ofMean[1] ?? '', ofMean[2] ?? '');
    if (field.name === 'HoursOverPlan') return hoursOverPlan(index);
    const tail = Object.keys(SIMPLE_VALUES).find((name) => path === name || path.endsWith(`.${name}`));
    return (
      (tail === undefined ? undefined : SIMPLE_VALUES[tail]?.(index)) ??
      (field.type === 'text' ? null : 100_200 + index)
    );
  };
}

export function productionTimesPage(count = 30, isServed: (node: Node) => boolean = () => true): ListPage {
  const resource = listOf('ProductStructureVersionAggregatedProductionTimes');
  const outline = fullOutline(resource.fields, isServed);
  const rows = Array.from({ length: count }, (_, index) => rowOf(outline, productionTimeRow(index)));
  return { resource, outline, rows, paging: pagingOf() };
}

/**
 * Returns a page of a list with `count` rows. Fields without a value in `valuesOf` get a value of the production times.
 */
function pageOf(
  container: string,
  count: number,
  valuesOf: (index: number) => Readonly<Record<string, Value>>,
): ListPage {
  const resource = listOf(container);
  const outline = fullOutline(resource.fields);
  const rows = Array.from({ length: count }, (_, index) => {
    const [values, others] = [valuesOf(index), productionTimeRow(index)];
    return rowOf(outline, (path, field) => {
      const value = values[field.name];
      return value === undefined ? others(path, field) : value;
    });
  });
  return { resource, outline, rows, paging: pagingOf() };
}

/** Returns a list of months of one structure version, the newest month first. */
export function monthsPage(count = 13): ListPage {
  return pageOf('AggregatedProductionTimeMonths', count, (index) => ({
    Month: `20${25 - Math.floor(index / 12)}-${String(12 - (index % 12)).padStart(2, '0')}`,
  }));
}

/** Returns a list with the hours of a company in one month. */
export function hoursByMonthPage(): ListPage {
  return pageOf('ProductionMonths', 1, () => ({ Month: '2025-12' }));
}

/** Returns the completed operations of a structure version. */
export function operationsPage(count = 2): ListPage {
  return pageOf('WorkOrderOperations', count, (index) => ({
    ...{
      WorkOrderOperationId: 1_000_001 + index,
      WorkOrderOperationKey: null,
      WorkOrderOperationLink: 1_000_001 + index,
    },
    ...{ RunTime: 2.5, SetupTime: 0.5, CleanupTime: null, RunTimeDifference: -0.25 },
  }));
}

const PLAN_KINDS = ['run', 'setup', 'cleanup'];

const VERDICTS = ['over', 'unsure', 'under'];

export function planSuggestionsPage(count = 30): ListPage {
  return pageOf('ProductStructureVersionPlanSuggestions', count, (index) => {
    const [planned, hours] = [0.5 + (index % 7) / 4, 41_250.75 / (index + 1)];
    return {
      ...{ PlanSuggestionId: `${100_200 + index}-run`, Kind: PLAN_KINDS[index % 3] ?? '' },
      ...{ PlannedTime: planned, SuggestedTime: planned * 1.25, TimeDifference: planned / 4 },
      ...{ OverPlanPercent: index % 9 === 4 ? null : 25, NumberOfOperations: 20 + index * 311 },
      ...{ HoursOverPlan: index % 5 === 4 ? -hours : hours, HoursAYear: hours / 3 },
      ...{ MeanLow: planned * 1.2, MeanHigh: planned * 1.3, Verdict: VERDICTS[index % 3] ?? '' },
    };
  });
}

export function productsByHoursPage(count = 20): ListPage {
  return pageOf('ProductAggregatedProductionTimes', count, (index) => {
    const [id, planned] = [10_001 + index, 8_411.45 / (index + 1)];
    return {
      ...{ ProductId: id, ProductLink: id, NumberOfStructureVersions: 1 + (index % 9) },
      ...{ PlannedHours: planned, ActualHours: planned * 1.05, HoursOverPlan: planned / 20 },
      OverPlanPercent: 5,
    };
  });
}

const MESSAGES: GiveValue = (_, { name, type }) => {
  if (name === 'Status') return '4';
  if (name === 'StatusDescription') return 'active';
  if (name === 'AvailableTranslations') return 'eng,nob,swe,dan,deu,fra,spa,pol';
  if (name === 'HttpStatusCode') return 400;
  if (type === 'integer') return 100_200;
  return 'In {0} at position {1} stands “{2}”, where {3} is expected. <b>Write</b> it & try again.';
};

export function errorMessagesPage(count = 12): ListPage {
  const resource = listOf('ErrorMessages');
  const outline = fullOutline(resource.fields);
  return {
    resource,
    outline,
    rows: Array.from({ length: count }, () => rowOf(outline, MESSAGES)),
    paging: pagingOf({ position: 1, page: 1, previous: null, size: undefined }),
  };
}

export function emptyPage(): ListPage {
  return {
    ...productionTimesPage(0),
    paging: pagingOf({ position: 0, page: 0, previous: null, next: null, size: 0 }),
  };
}

export function detailPageOf(
  element: string,
  give: GiveValue,
  items: Row = [],
  duties: readonly Duty[] = everyDuty,
): DetailPage {
  const family = resourceFamilies.find((one) => {
    const resource = newestOf(one);
    return resource.kind === 'detail' && resource.element === element;
  });
  const resource = family && newestOf(restrictFamily(family, duties));
  if (resource?.kind !== 'detail') throw new Error(`there is no detail ${element}`);
  const outline = fullOutline(resource.fields);
  return { resource, outline, row: rowOf(outline, give, items) };
}

export const errorMessagePage = (): DetailPage =>
  detailPageOf('ErrorMessage', MESSAGES, [
    ['deu', 'In {0} steht an Stelle {1} „{2}“.'],
    ['eng', 'In {0} at position {1} stands “{2}”.'],
  ]);

export const applicationVersionPage = (): DetailPage =>
  detailPageOf('ApplicationVersion', (path, { name, type }) => {
    if (type === 'instant') return '2026-03-01T08:30:05Z';
    if (type === 'boolean') return name === 'IsChanged';
    if (path.startsWith('ChangedBy.')) return null;
    if (name === 'FieldOrder') return '{\n  "order": ["Name", "Status", "Description"],\n  "hidden": []\n}';
    if (name === 'MasterUrl') return 'https://apps.example/work-order-board/index.html';
    if (type === 'integer' || type === 'link') return 10_042;
    return name === 'Name' ? 'Work Order Board' : `Some ${name}`;
  });

/** Returns the page of one structure version. December 2025 is missing in its months. */
export function productionTimesDetail(duties?: readonly Duty[]): DetailPage {
  const element = 'ProductStructureVersionAggregatedProductionTime';
  const page = detailPageOf(element, productionTimeRow(1), [], duties);
  const items = ['2026-02', '2026-01', '2025-11', '2025-10', '2025-09'].map((month, index) => [
    month,
    4 + index * 3,
    ...[1.9, 1.5, 2.6, 0.3],
    ...[0.2, 0.1, 0.4, 0.1],
    ...[null, null, null, null],
    ...[1.5 * (index - 2), 0.25, null],
  ]);
  const row = page.row.map((value) => (Array.isArray(value) ? items : value));
  return { ...page, row };
}

export const tokenError: ErrorDescription = {
  status: 403,
  statusDescription: 'Forbidden',
  message: 'Invalid $access_token: it is missing, malformed, unknown, expired or revoked.',
  translatedMessage:
    'Ungültiges $access_token: Es fehlt, ist fehlerhaft aufgebaut, unbekannt, abgelaufen oder widerrufen.',
  errorMessageId: 100_100,
  parameters: [],
  innerErrors: [],
};

export const filterError: ErrorDescription = {
  status: 400,
  statusDescription: 'BadRequest',
  message: 'In $filter at position 8 stands “<x>”, where a field is expected.',
  translatedMessage: 'In $filter at position 8 stands “<x>”, where a field is expected.',
  errorMessageId: 100_210,
  parameters: [
    { index: 0, value: '$filter' },
    { index: 1, value: '8' },
    { index: 2, value: '<x>' },
  ],
  innerErrors: [
    { ...tokenError, translatedMessage: tokenError.message, parameters: [{ index: 0, value: 'inner' }] },
  ],
};

/** Returns a complete document for every kind of page. The name of the sample is the key. */
export function samplePages(
  writer: Writer,
  overrides: Partial<WritingContext> = {},
): ReadonlyMap<string, string> {
  const context = contextOf(overrides);
  const filtered = contextOf({
    ...overrides,
    parameters: [
      { name: '$format', value: 'html' },
      { name: '$filter', value: 'AverageRunTime gt RunTime' },
      { name: '$orderby', value: 'AverageRunTime desc' },
    ],
  });
  const setup = contextOf({
    ...overrides,
    parameters: [
      { name: 'view', value: 'setup' },
      { name: '$filter', value: 'DeviationSetupTime ne null' },
      { name: '$orderby', value: 'DeviationSetupTime asc' },
    ],
  });
  const plans = contextOf({
    ...overrides,
    path: '/product/structure-versions/plan-suggestions',
    parameters: [
      { name: '$filter', value: 'HoursOverPlan gt 0' },
      { name: '$orderby', value: 'HoursOverPlan desc' },
    ],
  });
  const products = contextOf({ ...overrides, path: '/product/products/aggregated-production-times' });
  const errors = contextOf({ ...overrides, path: '/system/error-messages' });
  const nobody: WritingContext = {
    ...{ ...context, company: undefined, companies: [], visitor: { kind: 'session-ended' } },
  };
  const join = (pieces: Iterable<string>) => [...pieces].join('');
  return new Map([
    ['production times', join(writer.list(productionTimesPage(), filtered))],
    [
      'one field',
      join(
        writer.list(
          productionTimesPage(3, ({ name }) => name === 'AverageRunTime'),
          context,
        ),
      ),
    ],
    ['empty list', join(writer.list(emptyPage(), filtered))],
    ['index', join(writer.index({ ...nobody, path: '/', visitor: { kind: 'unknown' } }))],
    ['plans to correct', join(writer.list(planSuggestionsPage(), plans))],
    ['months', join(writer.list(monthsPage(), context))],
    ['products by hours', join(writer.list(productsByHoursPage(), products))],
    ['setup times', join(writer.list(productionTimesPage(5), setup))],
    ['production times of one', join(writer.detail(productionTimesDetail(), context))],
    ['error messages', join(writer.list(errorMessagesPage(), errors))],
    ['error message', join(writer.detail(errorMessagePage(), errors))],
    ['application version', join(writer.detail(applicationVersionPage(), context))],
    ['token error', join(writer.error(tokenError, nobody))],
    ['filter error', join(writer.error(filterError, context))],
  ]);
}
