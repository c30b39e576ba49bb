import { lowerAscii } from '../characters.js';
import { limits } from '../limits.js';
import { QueryOptionError } from '../query-option-error.js';
import { invalidValue } from './read-values.js';

/** Rows of a page: `$max`, or a positive integer, which is capped at the maximum. */
export function readTop(parameter: string, value: string, maximum: number): number {
  if (lowerAscii(value) === '$max') {
    return maximum;
  }
  const rows = /^[0-9]+$/.test(value) ? Number(value) : 0;
  if (rows < 1) {
    throw invalidValue(parameter, value, `integer 1..${maximum} or '$max'`);
  }
  return Math.min(rows, maximum);
}

/** Any text: what it means, and whether it is intact, is known to who made it. */
export function readPageKey(parameter: string, value: string): string {
  if (value.trim() === '') {
    throw invalidValue(parameter, value, 'page key');
  }
  return value;
}

/** The words between white space. */
export function readSearch(parameter: string, value: string): readonly string[] {
  const words = value.split(/\s+/u).filter((word) => word !== '');
  if (words.length > limits.searchWords) {
    throw new QueryOptionError('expressionTooLarge', {
      parameter,
      measure: 'words',
      limit: String(limits.searchWords),
    });
  }
  return words;
}
