import { excerpt, lowerAscii } from '../characters.js';
import { listAlternatives, quote } from '../filter/syntax-error.js';
import { QueryOptionError } from '../query-option-error.js';

/** An integer in decimal digits, within bounds. */
export function readInteger(parameter: string, value: string, minimum: number, maximum: number): number {
  const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) {
    return number;
  }
  throw invalidValue(parameter, value, `integer ${minimum}..${maximum}`);
}

/** One of several words, in any case. */
export function readChoice<Choice extends string>(
  parameter: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = findChoice(value, choices);
  if (choice === undefined) {
    throw invalidValue(parameter, value, listAlternatives(choices.map(quote)));
  }
  return choice;
}

export function findChoice<Choice extends string>(
  value: string,
  choices: readonly Choice[],
): Choice | undefined {
  const word = lowerAscii(value);
  return choices.find((choice) => choice === word);
}

export function readBoolean(parameter: string, value: string): boolean {
  return ['true', '1'].includes(readChoice(parameter, value, ['true', 'false', '1', '0']));
}

/** Text that counts as absent if it is empty or white space. */
export function readText(value: string): string | undefined {
  return value.trim() === '' ? undefined : value;
}

export function invalidValue(parameter: string, value: string, expected: string): QueryOptionError {
  return new QueryOptionError('invalidParameterValue', { parameter, found: excerpt(value), expected });
}
