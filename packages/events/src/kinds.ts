import * as z from 'zod';
import { inEnglish, type RulePhrase, type Words, words } from './event-problem.js';
import { hoursKind } from './kinds/hours.js';
import { instantKind } from './kinds/instant.js';

/** A kind of value: a function that reads it, and its rule in words that can be translated. */
interface KindDefinition<Value> {
  /** Name under `$defs` of the JSON Schemas and in the reference. */
  readonly name: string;
  readonly rule: Words<KindPhrase>;
  /** The rule in JSON Schema, as far as possible. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /** Returns the normalised value, or undefined if it breaks the rule. Must not throw. */
  readonly read: (value: unknown) => Value | undefined;
  /** A more specific rule for a refused value. */
  readonly ruleOf?: (value: unknown) => Words<KindPhrase> | undefined;
}

type KindPhrase = RulePhrase & `must be ${string}`;

/**
 * Makes the zod schema of a kind. It starts from `z.unknown()`, because zod's own types count UTF-16 units and have no
 * exact decimals. With it, one rule text covers missing values, wrong types and values out of range.
 */
function defineKind<Value>(definition: KindDefinition<Value>) {
  const { name, rule, jsonSchema, read, ruleOf } = definition;
  return z
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
}

/** The kind or null. Null also stands for an absent field. */
export function optional<Schema extends z.ZodType>(kind: Schema) {
  return z.nullable(kind).default(null);
}

/** One of the given strings. */
export function oneOf<Text extends string>(name: string, texts: readonly Text[]) {
  const known: ReadonlyMap<unknown, Text> = new Map(texts.map((text) => [text, text]));
  const listed = texts.map((text) => JSON.stringify(text)).join(', ');
  return defineKind({
    name,
    rule: words(texts.length === 1 ? 'must be {0}' : 'must be one of {0}', listed),
    jsonSchema: { type: 'string', enum: texts },
    read: (value) => known.get(value),
  });
}

export const flag = defineKind({
  name: 'flag',
  rule: words('must be {0} or {1}', 'true', 'false'),
  jsonSchema: { type: 'boolean' },
  read: (value) => (typeof value === 'boolean' ? value : undefined),
});

function defineInteger(name: string, minimum: number, maximum: number) {
  return defineKind({
    name,
    rule: words('must be an integer from {0} to {1}', minimum, maximum),
    jsonSchema: { type: 'integer', minimum, maximum },
    read: (value) => {
      const isInRange = typeof value === 'number' && value >= minimum && value <= maximum;
      // Adding zero turns minus zero, which JSON allows, into zero.
      return isInRange && Number.isInteger(value) ? value + 0 : undefined;
    },
  });
}

/** Identifier or revision: an integer from 1 that a JSON number holds exactly. */
export const identifier = defineInteger('identifier', 1, Number.MAX_SAFE_INTEGER);
/** Any integer that a JSON number holds exactly. */
export const integer = defineInteger('integer', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);
/** Status, version, priority: a PostgreSQL integer. */
export const int32 = defineInteger('int32', -(2 ** 31), 2 ** 31 - 1);
/** The API accepts application identifiers from this number on. */
export const applicationIdentifier = defineInteger('applicationIdentifier', 10_000, Number.MAX_SAFE_INTEGER);
/** The API accepts identifiers of application versions from this number on. */
export const applicationVersionIdentifier = defineInteger(
  'applicationVersionIdentifier',
  100,
  Number.MAX_SAFE_INTEGER,
);

// PostgreSQL stores neither U+0000 nor a lone surrogate; with the u flag the range means only the latter.
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
  // A character has one or two UTF-16 units, so counting is needed only between these bounds.
  return text.length <= maxLength || (text.length <= 2 * maxLength && [...text].length <= maxLength);
}

function defineText(name: string, minLength: 0 | 1, maxLength: number) {
  return defineKind({
    name,
    rule: words('must be text of {0} to {1} characters without NUL or lone surrogates', minLength, maxLength),
    jsonSchema: { type: 'string', minLength, maxLength, pattern: STORABLE_TEXT },
    read: (value) => readText(value, minLength, maxLength),
  });
}

/** Short code, such as that of a company. */
export const code = defineText('code', 1, 20);
/** Name of a thing, or key of a domain value: never empty. */
export const name = defineText('name', 1, 255);
/** One line, possibly empty. */
export const line = defineText('line', 0, 255);
/** Free text, possibly empty. */
export const prose = defineText('prose', 0, 4_000);
/** Structured text of another system, such as JSON, kept unchanged. */
export const document = defineText('document', 0, 100_000);

const MAX_URI_LENGTH = 2_048;
// RFC 3986, appendix A, without rules of single schemes (ports, groups of an IPv6 address).
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

/** Returns the text if it is a URI reference (absolute or relative, not empty), otherwise undefined. */
export function readUriReference(value: unknown): string | undefined {
  const isInLength = typeof value === 'string' && value.length > 0 && value.length <= MAX_URI_LENGTH;
  return isInLength && uriReferenceText.test(value) ? value : undefined;
}

/** The origin of an event, as CloudEvents requires. */
export const uriReference = defineKind({
  name: 'uriReference',
  rule: words('must be a URI reference of 1 to {0} characters, such as {1}', MAX_URI_LENGTH, '/mes/line-3'),
  jsonSchema: { type: 'string', minLength: 1, maxLength: MAX_URI_LENGTH, pattern: URI_REFERENCE_TEXT },
  read: readUriReference,
});

/** A duration in hours, as decimal text with six decimals (3.6 ms). */
export const hours = defineKind(hoursKind);
/** A point in time; normalised to UTC with microseconds. */
export const instant = defineKind(instantKind);
