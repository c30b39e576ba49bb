import type { ComparisonOperator } from '@takt/query';
import type { Condition, Term } from './condition.js';

/** An instant is served in UTC without fractions of a second, but is stored with microseconds. */
const SECOND_MS = 1_000;
const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

/**
 * Matches a date, or a date with a time and possibly an offset. A date without a time means midnight; a time without an
 * offset is in UTC.
 */
const WRITTEN = /^((?!0000)\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/i;

/** An instant in a client's filter. */
interface WrittenInstant {
  /** The start of the second that contains the instant. It is limited to the years 1 to 9999. */
  readonly secondMs: number;
  /** False if the instant has a fraction of a second. */
  readonly isWhole: boolean;
}

/**
 * Parses an instant in ISO 8601, such as `2026-01-31` or `2026-01-31T12:00:00+01:00`. Returns undefined for any other
 * text and for impossible days.
 */
export function readWrittenInstant(text: string): WrittenInstant | undefined {
  const [, date = '', offset] = WRITTEN.exec(text) ?? [];
  const midnightMs = Date.parse(`${date}T00:00:00Z`);
  // Date accepts some impossible days, such as 30 February, and treats them as later days.
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

/** Writes an instant in PostgreSQL's format. PostgreSQL expects no plus sign in front of the year 10000. */
const textOf = (ms: number): string => new Date(ms).toISOString().replace(/^\+0/, '');

/**
 * Compares an instant as it is served, in whole seconds, with an instant in a client's filter. The stored values have
 * microseconds, so the comparison is turned into ranges of stored values. An index supports such ranges, and `eq` finds
 * an instant that was copied from an answer.
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
    kind: 'comparison',
    operator,
    type: 'instant',
    left: term,
    orMissing: false,
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
