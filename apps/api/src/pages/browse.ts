import {
  browsedField,
  type Field,
  type ListResource,
  type QuickFilter,
  queryFieldsOf,
  quickFiltersOf,
  type View,
  viewsOf,
} from '@takt/resources';
import type { WritingContext } from '../representations/page.js';
import { type Changes, FIRST_PAGE, ownAddress, parameterOf } from './own-links.js';
import { type Wording, wordings } from './words.js';
import { exactFormat } from './write-value.js';

/** What a page shows of a list, as its address says it. */
export interface Browse {
  readonly resource: ListResource;
  readonly context: WritingContext;
  readonly wording: Wording;
  readonly views: readonly View[];
  /** The one whose columns are shown and whose rows these are among; undefined: the list has no views. */
  readonly view: View | undefined;
  /** What the rows have in common, as `$filter` joins it by `and`. */
  readonly conditions: readonly string[];
  readonly order: Order | undefined;
}

interface Order {
  readonly field: Field;
  readonly isDescending: boolean;
}

export function browseOf(resource: ListResource, context: WritingContext): Browse {
  const views = viewsOf(resource);
  const conditions = conditionsOf(parameterOf(context, '$filter')?.value ?? '');
  const named = views.find(({ name }) => name === parameterOf(context, 'view')?.value) ?? views[0];
  const alike = views.filter(({ comparison }) => comparison === named?.comparison);
  return {
    resource,
    context,
    wording: wordings[context.language],
    views,
    view: alike.find((view) => ownConditions(view).every((one) => conditions.includes(one))) ?? named,
    conditions,
    order: orderOf(resource, context),
  };
}

/** What belongs to a view and not to what was chosen besides. */
export function ownConditions({ positive }: View): readonly string[] {
  return positive === undefined ? [] : [`${positive} gt 0`];
}

/** The order of the rows as far as one heading can show it: the first field of `$orderby`, without which the key. */
function orderOf(resource: ListResource, context: WritingContext): Order | undefined {
  const [first = ''] = (parameterOf(context, '$orderby')?.value ?? '').split(',', 1);
  const [name = '', direction = ''] = first.trim().toLowerCase().split(/\s+/);
  const { firstOrder, key, keyDirection } = resource;
  if (name === '' && firstOrder !== undefined) return { field: firstOrder, isDescending: false };
  if (name === '') return { field: key, isDescending: keyDirection === 'desc' };
  const field = queryFieldsOf(resource).get(name);
  return field === undefined ? undefined : { field, isDescending: direction === 'desc' };
}

/** The address of the list with other conditions, at its first page. */
export function filteredAddress(
  browse: Browse,
  conditions: readonly string[],
  changes: Changes = {},
): string {
  const filter = joinConditions(conditions);
  const isOrdered =
    changes['$orderby'] !== undefined || parameterOf(browse.context, '$orderby') !== undefined;
  // An address that says nothing of filter and order opens on the first view, which is not what was asked for.
  const empty = browse.views.length > 0 && !isOrdered ? '' : undefined;
  return ownAddress(browse.context, { ...FIRST_PAGE, $filter: filter || empty, ...changes });
}

/** The address of a view, with what was chosen besides the one that is shown. */
export function viewAddress(browse: Browse, view: View): string {
  const own = browse.view === undefined ? [] : ownConditions(browse.view);
  const chosen = withoutPresence(browse).filter((condition) => !own.includes(condition));
  const { field, direction } = view.order;
  return filteredAddress(browse, [...ownConditions(view), ...chosen], {
    view: view.name,
    $orderby: `${field} ${direction}`,
  });
}

/** The condition that a field has a value. */
export function presenceOf(name: string): string {
  return `${name} ne null`;
}

/** The conditions without the one that the present order brought along. */
export function withoutPresence({ conditions, order }: Browse): readonly string[] {
  const own = order?.field.queryName === undefined ? undefined : presenceOf(order.field.queryName);
  return conditions.filter((condition) => condition !== own);
}

/** The field that a condition only asks a value of. */
export function presentField(resource: ListResource, condition: string): Field | undefined {
  const [, name] = /^(\w+) ne null$/i.exec(condition) ?? [];
  return name === undefined ? undefined : browsedField(resource, name);
}

/** A condition that somebody chose, by the filter that offers it and its value; a positive one has none. */
export interface Choice {
  readonly filter: QuickFilter;
  readonly field: Field;
  readonly value: string;
}

const OPERATORS = { positive: 'gt', minimum: 'ge', choice: 'eq', same: 'eq' } as const;

/** The condition as `$filter` has it. */
export function conditionOf({ filter, field, value }: Choice): string {
  const operand = filter.kind === 'positive' ? '0' : literalOf(field, value);
  return `${filter.field} ${OPERATORS[filter.kind]} ${operand}`;
}

function literalOf({ type }: Field, value: string): string {
  return type === 'text' ? `'${value.replaceAll("'", "''")}'` : value;
}

/** What a condition of a filter was chosen as; undefined: it was written, or leads elsewhere. */
export function choiceOf(resource: ListResource, condition: string): Choice | undefined {
  const [, name = '', operator = '', operand = ''] = /^(\w+)\s+(\w+)\s+(\S.*)$/s.exec(condition) ?? [];
  const found = quickFiltersOf(resource)
    .filter(({ kind, field }) => matches(field, name) && matches(OPERATORS[kind], operator))
    .map((filter) => ({ filter, field: browsedField(resource, filter.field), value: readOperand(operand) }));
  for (const { filter, field, value } of found) {
    if (field === undefined || value === undefined) continue;
    if (filter.kind === 'positive' ? value === '0' : isOffered(filter, field, value)) {
      return { filter, field, value };
    }
  }
  return undefined;
}

/** A filter that is ticked, as the first view does, and the conditions that are left without it. */
interface Tick {
  readonly choice: Choice;
  readonly others: readonly string[];
}

/** The first filter that is ticked; undefined: none is. */
export function tickOf(resource: ListResource, conditions: readonly string[]): Tick | undefined {
  for (const condition of conditions) {
    const choice = choiceOf(resource, condition);
    if (choice?.filter.kind === 'positive') {
      return { choice, others: conditions.filter((other) => other !== condition) };
    }
  }
  return undefined;
}

function isOffered({ kind }: QuickFilter, { domain }: Field, value: string): boolean {
  return kind !== 'choice' || Object.hasOwn(domain?.values ?? {}, value);
}

function matches(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

/** Of a text or a number as it is written in a filter; undefined of all else. */
function readOperand(operand: string): string | undefined {
  const [, text] = /^'((?:[^']|'')*)'$/s.exec(operand) ?? [];
  if (text !== undefined) return text.replaceAll("''", "'");
  return /^-?\d+(?:\.\d+)?$/.test(operand) ? operand : undefined;
}

/** What a choice says to people. */
export function wordsOf({ filter, field, value }: Choice, wording: Wording): string {
  const title = filter.title[wording.language];
  if (filter.kind === 'positive') return title;
  const described = field.domain?.values[value]?.[wording.language];
  const shown = field.type === 'text' ? value : exactFormat(wording)(Number(value));
  return `${title}: ${described ?? shown}`;
}

/** The pieces of a filter that matter for where it can be taken apart: texts, parentheses, words, all else. */
const PIECES = /'(?:[^']|'')*'?|[()]|[A-Za-z_][\w./]*|[^'()A-Za-z_]+/gs;

interface Junction {
  readonly word: 'and' | 'or';
  readonly index: number;
}

/** Where a filter is joined outside of parentheses and texts. */
function junctionsOf(filter: string): readonly Junction[] {
  const junctions: Junction[] = [];
  let depth = 0;
  for (const { 0: piece, index } of filter.matchAll(PIECES)) {
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    const word = piece.toLowerCase();
    if (depth === 0 && (word === 'and' || word === 'or')) junctions.push({ word, index });
  }
  return junctions;
}

/** The conditions that a filter joins by `and`, as they were written; all of it where it also joins by `or`. */
export function conditionsOf(filter: string): readonly string[] {
  const junctions = junctionsOf(filter);
  if (junctions.some(({ word }) => word === 'or')) return [filter.trim()];
  const starts = [0, ...junctions.map(({ index }) => index + 'and'.length)];
  const ends = [...junctions.map(({ index }) => index), filter.length];
  return starts.map((start, place) => filter.slice(start, ends[place]).trim()).filter((text) => text !== '');
}

/** The filter that all of the conditions are. */
export function joinConditions(conditions: readonly string[]): string {
  if (conditions.length < 2) return conditions.join('');
  return conditions.map((one) => (junctionsOf(one).length > 0 ? `(${one})` : one)).join(' and ');
}

/** A number as `$filter` takes it, of what people write; undefined: it is none. */
export function readNumber(text: string): string | undefined {
  const [number] = /^-?\d+(?:[.,]\d+)?$/.exec(text.trim()) ?? [];
  return number?.replace(',', '.');
}

/**
 * A filter with points for the decimal commas between its digits. A comma in a text is one, and one in a list
 * parts its values: `in (1,2)`, `substring(Name,1,2)`.
 */
export function withDecimalPoints(filter: string): string {
  const isList: boolean[] = [];
  let before = '';
  return filter.replace(PIECES, (piece) => {
    if (piece === '(') isList.push(/^[A-Za-z_]/.test(before) && !/^(?:and|or|not)$/i.test(before));
    if (piece === ')') isList.pop();
    if (piece.trim() !== '') before = piece;
    return piece.startsWith("'") || isList.at(-1) === true ? piece : piece.replace(/(?<=\d),(?=\d)/g, '.');
  });
}
