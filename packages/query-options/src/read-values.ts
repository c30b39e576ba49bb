import { excerpt, lowerAscii } from './characters.js';
import { type ErrorWord, phrase, quote } from './error-words.js';
import { limits } from './limits.js';
import { QueryOptionError } from './query-option-error.js';
import { type Acceptance, type ExportFormat, exportFormats, type Format, formats } from './query-options.js';
import { expressionTooLarge } from './tokens.js';

/** An integer in decimal digits, within bounds. */
export function readInteger(parameter: string, value: string, minimum: number, maximum: number): number {
  const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw invalidValue(parameter, value, phrase('integer {0}..{1}', minimum, maximum));
}

/** One of several words, in any case. */
export function readChoice<Choice extends string>(
  parameter: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = findChoice(value, choices);
  if (choice === undefined) {
    throw invalidValue(parameter, value, ...choices.map(quote));
  }
  return choice;
}

/** One of several names, in any case; as it is known. */
export function readKnown(parameter: string, value: string, known: readonly string[]): string {
  const word = lowerAscii(value);
  const found = known.find((name) => lowerAscii(name) === word);
  if (found === undefined) throw invalidValue(parameter, value, ...known.map(quote));
  return found;
}

export function findChoice<Choice extends string>(
  value: string,
  choices: readonly Choice[],
): Choice | undefined {
  const word = lowerAscii(value);
  return choices.find((choice) => choice === word);
}

/** A format, of which some are of lists alone. */
export function readFormat(
  parameter: string,
  value: string,
  kind: Acceptance['kind'],
): Format | ExportFormat {
  if (kind === 'list') return readChoice(parameter, value, [...formats, ...exportFormats]);
  const ofLists = findChoice(value, exportFormats);
  if (ofLists !== undefined) throw new QueryOptionError('exportOfOneObject', { format: ofLists });
  return readChoice(parameter, value, formats);
}

export function readBoolean(parameter: string, value: string): boolean {
  return ['true', '1'].includes(readChoice(parameter, value, ['true', 'false', '1', '0']));
}

/** Text that counts as absent if it is empty or white space. */
export function readText(value: string): string | undefined {
  return value.trim() === '' ? undefined : value;
}

function invalidValue(parameter: string, value: string, ...expected: readonly ErrorWord[]): QueryOptionError {
  const found = value === '' ? [phrase('nothing')] : excerpt(value);
  return new QueryOptionError('invalidParameterValue', { parameter, found, expected });
}

/** Rows of a page: `$max`, or a positive integer, which is capped at the maximum. */
export function readTop(parameter: string, value: string, maximum: number): number {
  if (lowerAscii(value) === '$max') return maximum;
  const rows = /^[0-9]+$/.test(value) ? Number(value) : 0;
  if (rows < 1) {
    throw invalidValue(parameter, value, phrase('integer {0}..{1}', 1, maximum), quote('$max'));
  }
  return Math.min(rows, maximum);
}

/** Any text: what it means, and whether it is intact, is known to who made it. */
export function readPageKey(parameter: string, value: string): string {
  if (value.trim() === '') {
    throw invalidValue(parameter, value, phrase('page key'));
  }
  return value;
}

/** The words between white space. */
export function readSearch(parameter: string, value: string): readonly string[] {
  const words = value.split(/\s+/u).filter((word) => word !== '');
  if (words.length > limits.searchWords) {
    throw expressionTooLarge(parameter, 'words', limits.searchWords);
  }
  return words;
}
