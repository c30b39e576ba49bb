import { defineKind } from './define-kind.js';

// PostgreSQL holds neither U+0000 nor a lone surrogate; with the u flag the range means only those.
const STORABLE_TEXT = '^[^\\u0000\\uD800-\\uDFFF]*$';
const storableText = new RegExp(STORABLE_TEXT, 'u');

/**
 * Gives the string if it has from `minLength` to `maxLength` characters and PostgreSQL can store it, else
 * undefined. A character is a Unicode code point, as in JSON Schema and in PostgreSQL.
 */
export function readText(value: unknown, minLength: number, maxLength: number): string | undefined {
  if (typeof value !== 'string' || value.length < minLength || !hasAtMost(value, maxLength)) {
    return undefined;
  }
  return storableText.test(value) ? value : undefined;
}

function hasAtMost(text: string, maxLength: number): boolean {
  // A character takes one or two UTF-16 units: counting is needed only between those bounds.
  return text.length <= maxLength || (text.length <= 2 * maxLength && [...text].length <= maxLength);
}

function defineText(name: string, minLength: 0 | 1, maxLength: number) {
  return defineKind({
    name,
    rule: `text of ${minLength} to ${maxLength} characters without NUL or lone surrogates`,
    jsonSchema: { type: 'string', minLength, maxLength, pattern: STORABLE_TEXT },
    read: (value) => readText(value, minLength, maxLength),
  });
}

/** Short code, such as that of a company. */
export const code = defineText('code', 1, 20);
/** Name of a thing, or the key of a domain value: never empty. */
export const name = defineText('name', 1, 255);
/** One line that may be empty. */
export const line = defineText('line', 0, 255);
/** Free text that may be empty. */
export const prose = defineText('prose', 0, 4_000);
/** Structured text of another system, such as JSON kept as it came. */
export const document = defineText('document', 0, 100_000);
