import {
  browsedField,
  type Field,
  filterFieldsOf,
  type ListResource,
  type QuickFilter,
  queryFieldsOf,
  quickFiltersOf,
  type Resource,
  type View,
  viewsOf,
} from '@takt/catalogue/resources';
import {
  type Comparison,
  type FilterExpression,
  type Literal,
  parseConditions,
  parseOrderBy,
  type QueryParameter,
} from '@takt/query';
import type { WritingContext } from '../representations/writer.js';
import { exactFormat } from './number-format.js';
import { type Changes, FIRST_PAGE, ownAddress, pageAddress, writtenIn } from './own-links.js';
import { type Wording, wordingOf } from './words.js';

/** The state of a list's page: everything that the address of the page determines. */
export interface Browse {
  readonly resource: ListResource;
  readonly context: WritingContext;
  readonly wording: Wording;
  readonly views: readonly View[];
  /** The view, which determines the columns that are shown; undefined if the list has no views. */
  readonly view: View | undefined;
  /** The parts of `$filter` that are joined by `and`. */
  readonly conditions: readonly Condition[];
  readonly order: Order | undefined;
}

/** A condition of the filter, with the text that describes the condition to people. */
export interface Condition {
  readonly text: string;
  /** The quick filter that made this condition; undefined if the condition was typed or came with a link. */
  readonly choice?: Choice | undefined;
  /** The field that must have a value. Set only if the condition requires nothing else. */
  readonly present?: Field | undefined;
  /** Set if the condition compares a field with a value. */
  readonly compared?: ComparedField | undefined;
}

/** A field, an operator and a value as the form has them that adds conditions. */
export interface ComparedField {
  readonly field: Field;
  readonly operator: string;
  readonly value: string;
}

/** A quick filter with the value that was chosen. */
interface Choice {
  readonly filter: QuickFilter;
  readonly field: Field;
  readonly value: string;
}

interface Order {
  readonly field: Field;
  readonly isDescending: boolean;
}

export function browseOf(resource: ListResource, context: WritingContext): Browse {
  const views = viewsOf(resource);
  const conditions = readConditions(resource, writtenIn(context, '$filter'));
  const written = conditions.map(({ text }) => text);
  const named = views.find(({ name }) => name === writtenIn(context, 'view')) ?? views[0];
  const alike = views.filter(({ comparison }) => comparison === named?.comparison);
  return {
    resource,
    context,
    wording: wordingOf(context),
    views,
    view: alike.find((view) => ownConditions(view).every((one) => written.includes(one))) ?? named,
    conditions,
    order: orderOf(resource, context),
  };
}

/** Splits a filter into its conditions. A text that is not a valid filter is returned as a single condition. */
export function readConditions(resource: ListResource, filter: string): readonly Condition[] {
  if (filter.trim() === '') return [];
  const written = readable(() => parseConditions(filter));
  if (written === undefined) return [{ text: filter.trim() }];
  return written.map(({ text, expression }) => {
    const compared = comparedIn(resource, expression);
    if (expression.kind !== 'comparison' || expression.left.kind !== 'field') return { text, compared };
    const { left, operator, right } = expression;
    if (right.kind !== 'literal') return { text };
    const isPresence = operator === 'ne' && right.type === 'null';
    return {
      text,
      choice: choiceOf(resource, { name: left.name, operator, value: right }),
      present: isPresence ? browsedField(resource, left.name) : undefined,
      compared,
    };
  });
}

/** Returns the field, the operator and the value of an expression that compares a field with a value. */
function comparedIn(resource: ListResource, expression: FilterExpression): ComparedField | undefined {
  const [left, operator, right] =
    expression.kind === 'comparison'
      ? [expression.left, expression.operator, expression.right]
      : expression.kind === 'textMatch'
        ? [expression.text, expression.match, expression.part]
        : [];
  if (operator === undefined || left?.kind !== 'field' || right?.kind !== 'literal') return undefined;
  const field = filterFieldsOf(resource).get(left.name.toLowerCase());
  if (field === undefined) return undefined;
  if (right.type === 'null') {
    return { field, operator: operator === 'eq' ? 'missing' : 'present', value: '' };
  }
  return { field, operator, value: right.value };
}

/**
 * Returns the result of reading a text, or undefined if the text is invalid. The error about the parameter, which is
 * thrown elsewhere, explains the problem.
 */
function readable<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * The order that can be shown at a heading of the list. It consists only of the first field of `$orderby`. If the
 * request has no `$orderby`, this field is the one by which the list is sorted by default, or the key.
 */
function orderOf(resource: ListResource, context: WritingContext): Order | undefined {
  const text = writtenIn(context, '$orderby');
  const { firstOrder, key, keyDirection } = resource;
  if (text.trim() === '') return { field: firstOrder ?? key, isDescending: keyDirection === 'desc' };
  const [first] = readable(() => parseOrderBy(text)) ?? [];
  const field = first && queryFieldsOf(resource).get(first.field.toLowerCase());
  return field && { field, isDescending: first?.direction === 'desc' };
}

const OPERATORS = { positive: 'gt', minimum: 'ge', choice: 'eq', same: 'eq' } as const;

export function conditionOf({ filter, field, value }: Choice): string {
  const literal = field.type === 'text' ? `'${value.replaceAll("'", "''")}'` : value;
  return `${filter.field} ${OPERATORS[filter.kind]} ${filter.kind === 'positive' ? '0' : literal}`;
}

interface Compared extends Pick<Comparison, 'operator'> {
  readonly name: string;
  readonly value: Literal;
}

function choiceOf(resource: ListResource, { name, operator, value }: Compared): Choice | undefined {
  const isNumber = value.type === 'integer' || value.type === 'decimal';
  if (value.type !== 'text' && !(isNumber && Number.isFinite(Number(value.source)))) return undefined;
  const given = isNumber ? value.source : value.value;
  for (const filter of quickFiltersOf(resource)) {
    const field = browsedField(resource, filter.field);
    const isNamed = filter.field.toLowerCase() === name.toLowerCase();
    if (field === undefined || !isNamed || OPERATORS[filter.kind] !== operator) continue;
    if (isOffered(filter, field, given)) return { filter, field, value: given };
  }
  return undefined;
}

function isOffered({ kind }: QuickFilter, { domain }: Field, value: string): boolean {
  if (kind === 'positive') return value === '0';
  return kind !== 'choice' || Object.hasOwn(domain?.values ?? {}, value);
}

/** The quick filters that have a field in the form of the view. */
export const filtersInForm = ({ resource, view }: Browse): readonly QuickFilter[] =>
  quickFiltersOf(resource).filter(({ kind, comparison }) => {
    const isOfRow = kind !== 'positive' || view?.comparison === undefined;
    return kind !== 'same' && (comparison === undefined ? isOfRow : comparison === view?.comparison);
  });

export function wordsOf({ filter, field, value }: Choice, wording: Wording): string {
  const title = filter.title[wording.language];
  if (filter.kind === 'positive') return title;
  const described = field.domain?.values[value]?.[wording.language];
  const shown = field.type === 'text' ? value : exactFormat(wording)(Number(value));
  return `${title}: ${described ?? shown}`;
}

/**
 * The first condition that belongs to a ticked box, for example the condition of the first view; undefined if no box is
 * ticked.
 */
export function tickOf({ conditions, view }: Pick<Browse, 'conditions' | 'view'>): Condition | undefined {
  const own = view === undefined ? [] : ownConditions(view);
  return conditions.find(({ choice, text }) => choice?.filter.kind === 'positive' || own.includes(text));
}

/** Joins conditions by `and`. A condition that contains `or` gets parentheses. */
export function joinConditions(conditions: readonly string[]): string {
  if (conditions.length < 2) return conditions.join('');
  return conditions.map((one) => (isAlone(one) ? one : `(${one})`)).join(' and ');
}

function isAlone(condition: string): boolean {
  // Most texts need no parser. A page with 60 conditions joins them in a hundred links.
  if (!/\b(?:and|or)\b/i.test(condition)) return true;
  const [only, another] = readable(() => parseConditions(condition)) ?? [];
  return only?.joinsByOr === false && another === undefined;
}

export function ownConditions({ only }: View): readonly string[] {
  if (only === undefined) return [];
  return [only.is === undefined ? `${only.field} gt 0` : isCondition(only.field, only.is)];
}

const isCondition = (field: string, value: string) => `${field} eq '${value}'`;

/**
 * The conditions for the rows that the view leaves out. A view may name another value (`besides`) of the field that it
 * filters by; the result requires this value instead of the view's own value. Returns undefined if the view names no
 * other value, or if the filter does not contain the view's own conditions.
 */
export function conditionsBesides({ view, conditions }: Browse): readonly string[] | undefined {
  if (view?.only === undefined || view.besides === undefined) return undefined;
  const { only, besides } = view;
  const own = ownConditions(view);
  const written = conditions.map(({ text }) => text);
  if (!own.every((one) => written.includes(one))) return undefined;
  return [isCondition(only.field, besides.is), ...written.filter((one) => !own.includes(one))];
}

/** The address of the list's first page, filtered by these conditions instead of the present ones. */
export function filteredAddress(
  { context }: Browse,
  conditions: readonly string[],
  changes: Changes = {},
): string {
  return ownAddress(context, { ...FIRST_PAGE, $filter: joinConditions(conditions) || undefined, ...changes });
}

/**
 * The address for a link from another page. A list that has views opens on its first view.
 * @param filter for a list: the filter to use instead of the filter of its view
 */
export function openingAddress(context: WritingContext, resource: Resource, filter?: string): string {
  const [view] = resource.kind === 'list' ? viewsOf(resource) : [];
  if (view === undefined) return pageAddress(context, resource.path);
  const parameters = viewParameters(view, filter);
  return filter === undefined && hasOverview(resource)
    ? pageAddress(context, resource.path, [...parameters, ...OVERVIEW_PARAMETERS])
    : pageAddress(context, resource.path, parameters);
}

const OVERVIEW_VIEW = 'overview';
/** The number of rows that an overview shows. */
const OVERVIEW_ROWS = '10';
const OVERVIEW_PARAMETERS = [
  { name: 'view', value: OVERVIEW_VIEW },
  { name: '$top', value: OVERVIEW_ROWS },
];

/** Changes of parameters that lead from an overview to the list. */
export const NO_OVERVIEW: Changes = { view: undefined, $top: undefined };

/** True if the list has an overview and the reader may see the hours over plan that it shows. */
export function hasOverview(resource: Resource): resource is ListResource {
  if (resource.kind !== 'list' || resource.browsing?.overview === undefined) return false;
  return browsedField(resource, 'HoursOverPlan') !== undefined;
}

/** True if the page shows the overview of its list. */
export const isOverview = (resource: Resource, context: WritingContext): boolean =>
  hasOverview(resource) && writtenIn(context, 'view') === OVERVIEW_VIEW;

/** The address of the overview of the list. It keeps the period of the page. */
export const overviewAddress = ({ context, resource }: Browse): string => openingAddress(context, resource);

export function viewParameters(
  view: View,
  filter = joinConditions(ownConditions(view)),
): readonly QueryParameter[] {
  return [
    ...(filter === '' ? [] : [{ name: '$filter', value: filter }]),
    { name: '$orderby', value: orderTextOf(view) },
  ];
}

export const orderTextOf = ({ order: { field, direction } }: View): string => `${field} ${direction}`;

/**
 * The address of another view of the list. The address keeps the conditions of the present page, except those of the
 * present view.
 */
export function viewAddress(browse: Browse, view: View): string {
  const own = browse.view === undefined ? [] : ownConditions(browse.view);
  const chosen = withoutPresence(browse).filter((condition) => !own.includes(condition));
  return filteredAddress(browse, [...ownConditions(view), ...chosen], {
    ...(isOverview(browse.resource, browse.context) ? NO_OVERVIEW : {}),
    view: view.name,
    $orderby: orderTextOf(view),
  });
}

export const presenceOf = (name: string): string => `${name} ne null`;

/**
 * The conditions of the filter, without the condition that sorting has added. That condition requires the sorted field
 * to have a value.
 */
export function withoutPresence({ conditions, order }: Browse): readonly string[] {
  const own = order?.field.queryName === undefined ? undefined : presenceOf(order.field.queryName);
  return conditions.map(({ text }) => text).filter((text) => text !== own);
}
