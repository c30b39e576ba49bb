import {
  browsedField,
  type Field,
  type ListResource,
  type QuickFilter,
  quickFiltersOf,
} from '@takt/resources';
import type { Wording } from './page-words.js';
import { exactFormat } from './write-value.js';

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

export function literalOf({ type }: Field, value: string): string {
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
export interface Tick {
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
