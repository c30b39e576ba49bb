import type { ComparisonOperator } from '@takt/query';
import type { Condition, Term } from './condition.js';

/** Served instants are whole seconds in UTC. They are stored with microseconds. */
const SECOND_MS = 1_000;
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

/** A date, or a date and time with an offset; without a time midnight, without an offset UTC. */
const WRITTEN = /^((?!0000)\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i;

/** An instant that a client wrote in a filter. */
interface WrittenInstant {
  /** The second in which it is, from the year 1 to 9999. */
  readonly secondMs: number;
  /** False if it has a fraction of a second. */
  readonly isWhole: boolean;
}

/** Reads ISO 8601 such as `2026-01-31` or `2026-01-31T12:00:00+01:00`; undefined for any other text and for days that do not exist. */
export function readWrittenInstant(text: string): WrittenInstant | undefined {
  const [, date = '', offset] = WRITTEN.exec(text) ?? [];
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  // Some days that do not exist are read as a later one.
  if (Number.isNaN(midnightMs) || !new Date(midnightMs).toISOString().startsWith(date)) return undefined;
  const isTimed = text.length > date.length;
  const ms = isTimed && offset === undefined ? Date.parse(`${text}Z`) : Date.parse(text.toUpperCase());
  if (Number.isNaN(ms)) return undefined;
  const secondMs = Math.floor(ms / SECOND_MS) * SECOND_MS;
  return {
    secondMs: Math.max(FIRST_MS, Math.min(LAST_MS, secondMs)),
    isWhole: !/\.\d*[1-9]/.test(text),
  };
}

/** As PostgreSQL reads it, which knows no sign before the year 10000. */
const textOf = (ms: number): string => new Date(ms).toISOString().replace(/^\+0/, '');

/**
 * Compares an instant as it is served, in whole seconds, with a written one: by ranges of what is stored, which an index
 * serves, so that `eq` finds what an answer has shown.
 * @param bind gives the number of a bound value
 */
export function compareInstant(
  term: Term,
  operator: ComparisonOperator,
  { secondMs, isWhole }: WrittenInstant,
  bind: (value: string) => number,
): Condition {
  const nextMs = secondMs + SECOND_MS;
  const compare = (operator: 'ge' | 'lt', ms: number): Condition => ({
    ...{ kind: 'comparison', operator, type: 'instant', left: term, orMissing: false },
    right: { kind: 'value', type: 'instant', value: bind(textOf(ms)) },
  });
  const beginMs = isWhole ? secondMs : nextMs;
  switch (operator) {
    case 'ge':
    case 'lt':
      return compare(operator, beginMs);
    case 'gt':
      return compare('ge', nextMs);
    case 'le':
      return compare('lt', nextMs);
    case 'eq':
      if (!isWhole) return { kind: 'constant', holds: false };
      return { kind: 'and', conditions: [compare('ge', secondMs), compare('lt', nextMs)] };
    case 'ne':
      return { kind: 'not', condition: compareInstant(term, 'eq', { secondMs, isWhole }, bind) };
  }
}
