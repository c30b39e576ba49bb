import type { Call, TextMatch } from './filter-expression.js';

/** What a function is: a test of a text for a part of it, or a value made from one operand. */
export type FilterFunction =
  | { readonly kind: 'textMatch'; readonly match: TextMatch['match']; readonly partFirst: boolean }
  | { readonly kind: 'call'; readonly function: Call['function'] };

/** A Map, because the names come from clients and an object knows `constructor`. */
const filterFunctions: ReadonlyMap<string, FilterFunction> = new Map([
  ['startswith', { kind: 'textMatch', match: 'startswith', partFirst: false }],
  ['endswith', { kind: 'textMatch', match: 'endswith', partFirst: false }],
  ['contains', { kind: 'textMatch', match: 'contains', partFirst: false }],
  ['substringof', { kind: 'textMatch', match: 'contains', partFirst: true }],
  ['tolower', { kind: 'call', function: 'tolower' }],
  ['toupper', { kind: 'call', function: 'toupper' }],
  ['trim', { kind: 'call', function: 'trim' }],
  ['length', { kind: 'call', function: 'length' }],
] satisfies readonly [string, FilterFunction][]);

/** The names that there are, as an error lists them. */
export const knownFunctions = [...filterFunctions.keys()].join(', ');

/** The function of a name in any case. */
export function findFilterFunction(name: string): FilterFunction | undefined {
  return filterFunctions.get(name.toLowerCase());
}
