import {
  browsedField,
  type Field,
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
  type Literal,
  parseConditions,
  parseOrderBy,
  type QueryParameter,
} from '@takt/query';
import type { WritingContext } from '../representations/writer.js';
import { type Changes, FIRST_PAGE, ownAddress, pageAddress, writtenIn } from './own-links.js';
import { exactFormat } from './sections.js';
import { type Wording, wordings } from './words.js';

/** The state of a list's page, read from its address. */
export interface Browse {
  readonly resource: ListResource;
  readonly context: WritingContext;
  readonly wording: Wording;
  readonly views: readonly View[];
  /** The view with the shown columns; undefined: the list has no views. */
  readonly view: View | undefined;
  /** The parts of `$filter` joined by `and`. */
  readonly conditions: readonly Condition[];
  readonly order: Order | undefined;
}

/** A condition of the filter with its text for people. */
export interface Condition {
  readonly text: string;
  /** The quick filter that the condition belongs to; undefined if the condition was typed or came with a link. */
  readonly choice?: Choice | undefined;
  /** The field, if the condition only requires it to have a value. */
  readonly present?: Field | undefined;
}

/** A quick filter with its value. */
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
    wording: wordings[context.language],
    views,
    view: alike.find((view) => ownConditions(view).every((one) => written.includes(one))) ?? named,
    conditions,
    order: orderOf(resource, context),
  };
}

/** The conditions of a filter. A text that is not a valid filter is returned as one condition. */
export function readConditions(resource: ListResource, filter: string): readonly Condition[] {
  if (filter.trim() === '') return [];
  const written = readable(() => parseConditions(filter));
  if (written === undefined) return [{ text: filter.trim() }];
  return written.map(({ text, expression }) => {
    if (expression.kind !== 'comparison' || expression.left.kind !== 'field') return { text };
    const { left, operator, right } = expression;
    if (right.kind !== 'literal') return { text };
    const isPresence = operator === 'ne' && right.type === 'null';
    return {
      text,
      choice: choiceOf(resource, { name: left.name, operator, value: right }),
      present: isPresence ? browsedField(resource, left.name) : undefined,
    };
  });
}

/** Undefined if the text is invalid: the error of the parameter explains the problem. */
function readable<Read>(read: () => Read): Read | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/**
 * The order that a heading of the list can show: only the first field of `$orderby`; by default the list's first order
 * or its key.
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

export function wordsOf({ filter, field, value }: Choice, wording: Wording): string {
  const title = filter.title[wording.language];
  if (filter.kind === 'positive') return title;
  const described = field.domain?.values[value]?.[wording.language];
  const shown = field.type === 'text' ? value : exactFormat(wording)(Number(value));
  return `${title}: ${described ?? shown}`;
}

/** The first condition that is shown as ticked, for example the condition of the first view; undefined: none. */
export function tickOf({ conditions, view }: Pick<Browse, 'conditions' | 'view'>): Condition | undefined {
  const own = view === undefined ? [] : ownConditions(view);
  return conditions.find(({ choice, text }) => choice?.filter.kind === 'positive' || own.includes(text));
}

/** Joins conditions by `and`. Conditions that contain `or` get parentheses. */
export function joinConditions(conditions: readonly string[]): string {
  if (conditions.length < 2) return conditions.join('');
  return conditions.map((one) => (isAlone(one) ? one : `(${one})`)).join(' and ');
}

function isAlone(condition: string): boolean {
  const [only, another] = readable(() => parseConditions(condition)) ?? [];
  return only?.joinsByOr === false && another === undefined;
}

export function ownConditions({ only }: View): readonly string[] {
  if (only === undefined) return [];
  return [only.is === undefined ? `${only.field} gt 0` : isCondition(only.field, only.is)];
}

const isCondition = (field: string, value: string) => `${field} eq '${value}'`;

/**
 * The conditions for the view's other rows: with the other value (`besides`) instead of the view's own. Undefined if
 * the view has no other value.
 */
export function conditionsBesides({ view, conditions }: Browse): readonly string[] | undefined {
  if (view?.only === undefined || view.besides === undefined) return undefined;
  const { only, besides } = view;
  const own = ownConditions(view);
  const written = conditions.map(({ text }) => text);
  if (!own.every((one) => written.includes(one))) return undefined;
  return [isCondition(only.field, besides.is), ...written.filter((one) => !own.includes(one))];
}

/** The address of the list's first page with these conditions instead of the present ones. */
export function filteredAddress(
  { context }: Browse,
  conditions: readonly string[],
  changes: Changes = {},
): string {
  return ownAddress(context, { ...FIRST_PAGE, $filter: joinConditions(conditions) || undefined, ...changes });
}

/**
 * The address for a link from elsewhere: a list with views opens on its first view.
 * @param filter for a list, instead of the view's own filter
 */
export function openingAddress(context: WritingContext, resource: Resource, filter?: string): string {
  const [view] = resource.kind === 'list' ? viewsOf(resource) : [];
  return pageAddress(context, resource.path, view === undefined ? [] : viewParameters(view, filter));
}

function viewParameters(view: View, filter = joinConditions(ownConditions(view))): readonly QueryParameter[] {
  return [
    ...(filter === '' ? [] : [{ name: '$filter', value: filter }]),
    { name: '$orderby', value: orderTextOf(view) },
  ];
}

export const orderTextOf = ({ order: { field, direction } }: View): string => `${field} ${direction}`;

/** The address of a view, keeping the other conditions of the present page. */
export function viewAddress(browse: Browse, view: View): string {
  const own = browse.view === undefined ? [] : ownConditions(browse.view);
  const chosen = withoutPresence(browse).filter((condition) => !own.includes(condition));
  return filteredAddress(browse, [...ownConditions(view), ...chosen], {
    view: view.name,
    $orderby: orderTextOf(view),
  });
}

export const presenceOf = (name: string): string => `${name} ne null`;

/** The conditions without the one that the present order added, which requires the sorted field to have a value. */
export function withoutPresence({ conditions, order }: Browse): readonly string[] {
  const own = order?.field.queryName === undefined ? undefined : presenceOf(order.field.queryName);
  return conditions.map(({ text }) => text).filter((text) => text !== own);
}
