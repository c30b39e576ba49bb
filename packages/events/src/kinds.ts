import * as z from 'zod';
import { inEnglish, type RulePhrase, type Words, words } from './event-problem.js';
import { hoursKind } from './kinds/hours.js';
import { instantKind, pastInstantKind } from './kinds/instant.js';

/**
 * A kind of value. It consists of a function that reads the value and of the rule for the value, in words that can be
 * translated.
 */
interface KindDefinition<Value> {
  /** Name of the kind under `$defs` of the JSON Schemas and in the reference. */
  readonly name: string;
  readonly rule: Words<KindPhrase>;
  /** The rule, as far as JSON Schema can express it. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /** Returns the normalised value, or undefined if the value breaks the rule. The function must not throw. */
  readonly read: (value: unknown) => Value | undefined;
  /** Returns a more specific rule for a value that `read` refused. */
  readonly ruleOf?: (value: unknown) => Words<KindPhrase> | undefined;
}

type KindPhrase = RulePhrase & `must be ${string}`;

/**
 * Makes the zod schema of a kind. The schema starts from `z.unknown()`, because zod's own types count UTF-16 units and
 * have no exact decimals. A further advantage is that one rule text covers missing values, wrong types and values out
 * of range. `Input` is what a TypeScript producer may pass; it is a type only, and every value is checked.
 */
function defineKind<Value, Input>(definition: KindDefinition<Value>): z.ZodType<Value, Input> {
  const { name, rule, jsonSchema, read, ruleOf } = definition;
  const schema = z
    .unknown()
    .transform((value, context): Value => {
      const result = read(value);
      if (result === undefined) {
        const broken = ruleOf?.(value) ?? rule;
        const params = { rule: broken };
        context.issues.push({ code: 'custom', message: inEnglish(broken), params, input: value });
        return z.NEVER;
      }
      return result;
    })
    .meta({ id: name, description: inEnglish(rule).replace(/^must be /, ''), ...jsonSchema });
  return schema as z.ZodType<Value, unknown> as z.ZodType<Value, Input>;
}

/** Makes a schema that also accepts null. An absent field is read as null. */
export function optional<Schema extends z.ZodType>(kind: Schema) {
  return z.nullable(kind).default(null);
}

export function oneOf<Text extends string>(name: string, texts: readonly Text[]) {
  const known: ReadonlyMap<unknown, Text> = new Map(texts.map((text) => [text, text]));
  const listed = texts.map((text) => JSON.stringify(text)).join(', ');
  return defineKind<Text, Text>({
    name,
    rule: words(texts.length === 1 ? 'must be {0}' : 'must be one of {0}', listed),
    jsonSchema: { type: 'string', enum: texts },
    read: (value) => known.get(value),
  });
}

export const flag = defineKind<boolean, boolean>({
  name: 'flag',
  rule: words('must be {0} or {1}', 'true', 'false'),
  jsonSchema: { type: 'boolean' },
  read: (value) => (typeof value === 'boolean' ? value : undefined),
});

function defineInteger(name: string, minimum: number, maximum: number) {
  return defineKind<number, number>({
    name,
    rule: words('must be an integer from {0} to {1}', minimum, maximum),
    jsonSchema: { type: 'integer', minimum, maximum },
    read: (value) => {
      const isInRange = typeof value === 'number' && value >= minimum && value <= maximum;
      // JSON allows minus zero. Adding zero turns it into zero.
      return isInRange && Number.isInteger(value) ? value + 0 : undefined;
    },
  });
}

/** An identifier or revision: an integer of at least 1 that a JSON number can hold exactly. */
export const identifier = defineInteger('identifier', 1, Number.MAX_SAFE_INTEGER);
/** Any integer that a JSON number can hold exactly. */
export const integer = defineInteger('integer', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
/** A status, version or priority: an integer of PostgreSQL's type `integer`. */
export const int32 = defineInteger('int32', -(2 ** 31), 2 ** 31 - 1);
/**
 * Identifier of an application. It starts at 10,000, because the API accepts no smaller identifiers of applications.
 */
export const applicationIdentifier = defineInteger('applicationIdentifier', 10_000, Number.MAX_SAFE_INTEGER);
/** Identifier of an application version. It starts at the smallest number that the API accepts. */
export const applicationVersionIdentifier = defineInteger(
  'applicationVersionIdentifier',
  100,
  Number.MAX_SAFE_INTEGER,
);

// PostgreSQL stores neither U+0000 nor lone surrogates. With the flag u, the range of surrogates matches only lone
// surrogates.
const STORABLE_TEXT = '^[^\\u0000\\uD800-\\uDFFF]*$';
const storableText = new RegExp(STORABLE_TEXT, 'u');

/**
 * Returns the string if it has from `minLength` to `maxLength` characters and PostgreSQL can store it, otherwise
 * undefined. A character is a Unicode code point, as in JSON Schema and PostgreSQL.
 */
export function readText(value: unknown, minLength: number, maxLength: number): string | undefined {
  if (typeof value !== 'string' || value.length < minLength || !hasAtMost(value, maxLength)) {
    return undefined;
  }
  return storableText.test(value) ? value : undefined;
}

function hasAtMost(text: string, maxLength: number): boolean {
  // A character has one or two UTF-16 units. So the characters need to be counted only if the length is between
  // `maxLength` and twice `maxLength`.
  return text.length <= maxLength || (text.length <= 2 * maxLength && [...text].length <= maxLength);
}

function defineText(name: string, minLength: 0 | 1, maxLength: number) {
  return defineKind<string, string>({
    name,
    rule: words('must be text of {0} to {1} characters without NUL or lone surrogates', minLength, maxLength),
    jsonSchema: { type: 'string', minLength, maxLength, pattern: STORABLE_TEXT },
    read: (value) => readText(value, minLength, maxLength),
  });
}

/** A short code, such as the code of a company. */
export const code = defineText('code', 1, 20);
/** The name of a thing, or the key of a domain value. It is never empty. */
export const name = defineText('name', 1, 255);
/** A single line of text, possibly empty. */
export const line = defineText('line', 0, 255);
/** Free text, possibly empty. */
export const prose = defineText('prose', 0, 4_000);
// Control and direction characters, line separators and lone surrogates, none of which a name on paper has.
const NOT_IN_KEYS = '\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Bidi_Control}';
const KEY_TEXT = `^(?!\\s)[^${NOT_IN_KEYS}]+(?<!\\s)$`;
const keyText = new RegExp(KEY_TEXT, 'u');
const MAX_KEY_LENGTH = 200;

/**
 * The name that people have for an object, such as the number of an order in the ERP. It is compared as it is written. So it
 * has one spelling (NFC), and no characters that change how the text around it is shown.
 */
export const objectKey = defineKind<string, string>({
  name: 'objectKey',
  rule: words(
    'must be text of 1 to {0} characters in composed spelling (NFC), without blanks at its ends, control or directional characters',
    MAX_KEY_LENGTH,
  ),
  jsonSchema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH, pattern: KEY_TEXT },
  read: (value) => {
    const key = readText(value, 1, MAX_KEY_LENGTH);
    return key !== undefined && keyText.test(key) && key === key.normalize('NFC') ? key : undefined;
  },
});
/** Structured text of another system, such as JSON, kept unchanged. */
export const document = defineText('document', 0, 100_000);

const MAX_URI_LENGTH = 2_048;
// The rules of RFC 3986, appendix A, without the rules that only some schemes have (ports, the groups of an IPv6
// address).
const PERCENT = '%[0-9A-Fa-f]{2}';
const SEGMENT = `(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|${PERCENT})`;
const SEGMENT_WITHOUT_COLON = `(?:[A-Za-z0-9._~!$&'()*+,;=@-]|${PERCENT})`;
const TAIL = `(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|${PERCENT})*`;
const AUTHORITY = `//(?:(?:${SEGMENT}*@)?\\[[0-9A-Fa-fv:.]+\\](?::[0-9]*)?|${SEGMENT}*)`;
const ROOTED = `(?:${AUTHORITY})?(?:/${SEGMENT}*)*`;
const SCHEME = '[A-Za-z][A-Za-z0-9+.-]*:';
const RELATIVE = `${SEGMENT_WITHOUT_COLON}+(?:/${SEGMENT}*)*`;
const PATH = `(?:${SCHEME}(?:${ROOTED}|${SEGMENT}+(?:/${SEGMENT}*)*)|${ROOTED}|${RELATIVE})`;
const URI_REFERENCE_TEXT = `^${PATH}(?:\\?${TAIL})?(?:#${TAIL})?$`;
const uriReferenceText = new RegExp(URI_REFERENCE_TEXT, 'u');

/**
 * Returns the text if it is a URI reference, otherwise undefined. The reference may be absolute or relative, but not
 * empty.
 */
export function readUriReference(value: unknown): string | undefined {
  const isInLength = typeof value === 'string' && value.length > 0 && value.length <= MAX_URI_LENGTH;
  return isInLength && uriReferenceText.test(value) ? value : undefined;
}

/** The origin of an event, which CloudEvents requires to be a URI reference. */
export const uriReference = defineKind<string, string>({
  name: 'uriReference',
  rule: words('must be a URI reference of 1 to {0} characters, such as {1}', MAX_URI_LENGTH, '/mes/line-3'),
  jsonSchema: { type: 'string', minLength: 1, maxLength: MAX_URI_LENGTH, pattern: URI_REFERENCE_TEXT },
  read: readUriReference,
});

/** A duration in hours. Its normalised form is decimal text with six decimals, so the smallest step is 3.6 ms. */
export const hours = defineKind<string, number | string>(hoursKind);
/**
 * A point in time. Its normalised form is in UTC with microseconds. The publisher also takes a Date, because JSON writes
 * a Date as such a text.
 */
export const instant = defineKind<string, Date | string>(instantKind);
/** The time at which something changed: an instant that is at most a day ahead of the clock. */
export const pastInstant = defineKind<string, Date | string>(pastInstantKind);
