import { type ErrorWords, QueryOptionError } from '../../src/query-option-error.js';

export interface Fault {
  readonly code: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * Returns the code and the parameters of the QueryOptionError that an action throws. Any other error fails the test.
 */
export function faultOf(action: () => unknown): Fault {
  try {
    action();
  } catch (error) {
    if (error instanceof QueryOptionError) {
      const parameters = Object.entries(error.parameters).map(([name, value]) => [name, inEnglish(value)]);
      return { code: error.code, parameters: Object.fromEntries(parameters) };
    }
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** Returns the text that an English answer contains for a parameter. */
export function inEnglish(value: string | ErrorWords): string {
  if (typeof value === 'string') return value;
  const words = value.map((word) =>
    'token' in word
      ? `'${word.token}'`
      : word.phrase.replaceAll(/\{(\d)\}/g, (_, index: string) => word.values?.[Number(index)] ?? ''),
  );
  const last = words.pop() ?? '';
  return words.length === 0 ? last : `${words.join(', ')} or ${last}`;
}
