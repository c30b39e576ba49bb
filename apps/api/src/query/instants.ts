import type { ComparisonOperator } from '@takt/query';
import type { Condition, Term } from './condition.js';

/** Served instants are whole seconds in UTC; stored ones have microseconds. */
const SECOND_MS = 1_000;
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

/** A date, or a date and time with an offset. The default time is midnight, the default offset UTC. */
const WRITTEN = /^((?!0000)\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i;

/** An instant in a client's filter. */
interface WrittenInstant {
  /** The start of the instant's second, limited to the years 1 to 9999. */
  readonly secondMs: number;
  /** False if it has a fraction of a second. */
  readonly isWhole: boolean;
}

/**
 * Parses ISO 8601 such as `2026-01-31` or `2026-01-31T12:00:00+01:00`; undefined for any other text and for impossible
 * days.
 */
export function readWrittenInstant(text: string): WrittenInstant | undefined {
  const [, date = '', offset] = WRITTEN.exec(text) ?? [];
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  // Date accepts some impossible days, such as 30 February, and takes them for later ones.
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

/** In PostgreSQL's format, which has no plus sign in front of the year 10000. */
const textOf = (ms: number): string => new Date(ms).toISOString().replace(/^\+0/, '');

/**
 * Compares a served instant, which has whole seconds, with an instant in a client's filter. The comparison becomes
 * ranges of stored values, which an index supports; so `eq` finds an instant that was copied from an answer.
 * @param bind binds a value and returns its number
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
