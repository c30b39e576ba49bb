import { duties as allDuties, type Duty, holds, type Rights } from '@takt/access';
import type { EventType } from '@takt/events';
import { eventDefinitions } from '@takt/events/internal';

interface Reading {
  /** The duty that reading the data of the event needs. */
  readonly data: Duty;
  /** Fields of the data that need another duty. */
  readonly fields: Readonly<Record<string, Duty>>;
}

/** The duties that the resources need in which the data of an event are served later. */
const READING: Readonly<Record<EventType, Reading>> = {
  'work-order-operation.completed.v1': { data: 'read-production-times', fields: {} },
  'work-order-operation.reopened.v1': { data: 'read-production-times', fields: {} },
  'product-structure-version.changed.v1': {
    data: 'read-production-times',
    fields: { plannedProductionTimes: 'read-planned-times' },
  },
  'product-structure-version.removed.v1': { data: 'read-production-times', fields: {} },
  'application-version.changed.v1': {
    data: 'read-application-versions',
    fields: { createdBy: 'read-persons', changedBy: 'read-persons' },
  },
};

/** The fields that need a duty of their own, in whatever event and in whatever case they stand. */
const RESTRICTED: ReadonlyMap<string, Duty> = new Map(
  Object.values(READING).flatMap(({ fields }) =>
    Object.entries(fields).map(([name, duty]) => [name.toLowerCase(), duty] as const),
  ),
);

/** Returns the duties that a field needs by its name alone: also one that holds the name of a restricted field. */
function dutiesOfName(name: string): readonly Duty[] {
  const own = RESTRICTED.get(name.toLowerCase());
  if (own !== undefined) return [own];
  return mayHaveRestricted(name.toLowerCase()) ? [...RESTRICTED.values()] : [];
}

/**
 * Pattern of PostgreSQL that text in lower case matches if it may have a field that needs a duty of its own. Its name may be
 * written with escapes, so the pattern matches every escape of a character.
 */
export const HIDDEN_PATTERN = [...RESTRICTED.keys(), String.raw`\\u`].join('|');

/** Returns the types of which nothing in a valid event is hidden from the holder of the duties. */
export function readableTypes(duties: Rights<Duty>): readonly string[] {
  return Object.keys(READING).filter((type) => readsAllOf(type, duties));
}

/** The number of times that a text is read as JSON within JSON. Deeper texts count as having a restricted field. */
const MAX_ESCAPED = 4;

/**
 * Returns true if text in lower case, such as the start of an event's JSON, may have a field that needs a duty of its
 * own. Its name may be written with escapes.
 */
export function mayHaveRestricted(lowerCase: string): boolean {
  let text = lowerCase;
  for (let depth = 0; depth < MAX_ESCAPED; depth++) {
    if ([...RESTRICTED.keys()].some((name) => text.includes(name))) return true;
    const unescaped = text
      .replaceAll(/\\+u([0-9a-f]{4})/g, (_escape, code) => String.fromCharCode(Number.parseInt(code, 16)))
      .toLowerCase();
    if (unescaped === text) return false;
    text = unescaped;
  }
  return true;
}

const definitions = new Map<unknown, (typeof eventDefinitions)[number]>(
  eventDefinitions.map((definition) => [definition.type, definition]),
);
/** The only part of the data that every reader of a list may see. It says whose event it is. */
const COMPANY_FIELD = 'database';

/**
 * Returns the duties that reading every value of an event of this type needs. If the type is unknown, its fields are
 * too, so all duties are needed that any event needs.
 */
function dutiesOf(type: unknown): readonly Duty[] {
  const known = Object.entries(READING).filter(([name]) => name === type);
  const readings = known.length > 0 ? known : Object.entries(READING);
  const needed = readings.flatMap(([, { data, fields }]) => [data, ...Object.values(fields)]);
  return allDuties.filter((duty) => needed.includes(duty));
}

/** Returns the duties that reading a field needs if the event type does not know the field. */
function dutiesOfUnknown(type: unknown, name: string): readonly Duty[] {
  return [...dutiesOf(type), ...dutiesOfName(name)];
}

/** Returns true if nothing in a valid event of this type is hidden from the holder of the duties. */
export function readsAllOf(type: unknown, duties: Rights<Duty>): boolean {
  return dutiesOf(type).every((duty) => holds(duties, duty));
}

const PLACEHOLDER = '(hidden: needs ';

/** True for what `conceal` puts in the place of a hidden value. */
export function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(PLACEHOLDER);
}

function placeholderFor(needed: readonly Duty[], duties: Rights<Duty>): string {
  const missing = new Set(needed.filter((duty) => !holds(duties, duty)));
  return `${PLACEHOLDER}${[...missing].join(', ')})`;
}

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns an event, or an array of events, with a placeholder for each value that the holder of the duties may not
 * read. Rejected events break rules, so a value in an unknown field could be any value of its type.
 */
export function conceal(event: unknown, duties: Rights<Duty>): unknown {
  if (readsAllOf(undefined, duties)) return event;
  if (Array.isArray(event)) return event.map((one) => conceal(one, duties));
  const type = typeIn(event);
  if (!isFields(event)) return concealValue(event, dutiesOf(type), duties);
  const shape: object = definitions.get(type)?.schema.shape ?? eventDefinitions[0].schema.shape;
  return concealFields(event, shape, (name, value) => {
    if (!Object.hasOwn(shape, name)) return concealValue(value, dutiesOfUnknown(type, name), duties);
    if (name === 'data' && isFields(value)) return concealData(type, value, duties);
    const isPlain = name !== 'data' && !isFields(value) && !Array.isArray(value);
    return isPlain ? concealWithin(value, duties) : concealValue(value, dutiesOf(type), duties);
  });
}

function concealValue(value: unknown, needed: readonly Duty[], duties: Rights<Duty>): unknown {
  return needed.every((duty) => holds(duties, duty))
    ? concealWithin(value, duties)
    : placeholderFor(needed, duties);
}

/**
 * Conceals what a field of the event type has beyond its schema: fields of an object that it does not know, and an
 * object or an array instead of a single value.
 */
function withinShape(schema: unknown, value: unknown, type: unknown, duties: Rights<Duty>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const shape = shapeOf(schema);
  if (shape === undefined || !isFields(value)) return concealValue(value, dutiesOf(type), duties);
  return concealFields(value, shape, (name, inner) =>
    Object.hasOwn(shape, name)
      ? withinShape(Reflect.get(shape, name), inner, type, duties)
      : concealValue(inner, dutiesOfUnknown(type, name), duties),
  );
}

/** Returns the fields of a schema, also of an optional one; undefined if it is no object. */
function shapeOf(schema: unknown): object | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if ('shape' in schema && typeof schema.shape === 'object' && schema.shape !== null) return schema.shape;
  return 'unwrap' in schema && typeof schema.unwrap === 'function' ? shapeOf(schema.unwrap()) : undefined;
}

/** Conceals the fields within a value that need a duty of their own, and a text that may have one, since it may be JSON. */
function concealWithin(value: unknown, duties: Rights<Duty>): unknown {
  if (typeof value === 'string') return concealWords(value, duties);
  if (Array.isArray(value)) return value.map((one) => concealWithin(one, duties));
  if (!isFields(value)) return value;
  return concealFields(value, {}, (name, inner) => concealValue(inner, dutiesOfName(name), duties));
}

/** Returns a text such as a name or a reason, or a placeholder if it may have a field that needs a duty of its own. */
export function concealWords(text: string, duties: Rights<Duty>): string {
  const needed = [...RESTRICTED.values()];
  const isReadable = needed.every((duty) => holds(duties, duty)) || !mayHaveRestricted(text.toLowerCase());
  return isReadable ? text : placeholderFor(needed, duties);
}

/** The same for the audit log: its entries are kept, and their readers may have no other duty. */
export function concealFromLog(text: string): string {
  return concealWords(text, []);
}

export function typeIn(event: unknown): unknown {
  return isFields(event) ? event['type'] : undefined;
}

function concealData(type: unknown, data: Fields, duties: Rights<Duty>): unknown {
  const definition = definitions.get(type);
  const reading = definition && READING[definition.type];
  const shape: object = definition?.schema.shape.data.shape ?? {};
  return concealFields(data, shape, (name, given) => {
    const value = withinShape(Reflect.get(shape, name), given, type, duties);
    if (name === COMPANY_FIELD && typeof value === 'string') return concealWithin(value, duties);
    const needed =
      reading !== undefined && name !== COMPANY_FIELD && Object.hasOwn(shape, name)
        ? [reading.data, reading.fields[name] ?? reading.data]
        : dutiesOfUnknown(type, name);
    return concealValue(value, needed, duties);
  });
}

/** A name that shows no value: a field that a producer has misspelt, but no JSON or form that became a name. */
const PLAIN_NAME = /^[A-Za-z_-]{1,64}$/;

/**
 * Returns an object with other values. A name that the shape does not know may itself hold a value, so it is numbered where
 * its value is hidden, unless it is plain.
 */
function concealFields(
  fields: Fields,
  shape: object,
  map: (name: string, value: unknown) => unknown,
): Fields {
  let number = 0;
  const nextName = (): string => {
    number += 1;
    const name = `(hidden field ${number})`;
    return Object.hasOwn(fields, name) ? nextName() : name;
  };
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const shown = map(name, value);
      const isNamed = Object.hasOwn(shape, name) || PLAIN_NAME.test(name) || !isPlaceholder(shown);
      return [isNamed ? name : nextName(), shown];
    }),
  );
}

/** Returns the text of a job's data as `conceal` shows it. A text that is not JSON is hidden or shown as a whole. */
export function concealText(text: string, duties: Rights<Duty>): string {
  if (readsAllOf(undefined, duties)) return text;
  try {
    return JSON.stringify(conceal(JSON.parse(text), duties));
  } catch {
    return String(conceal(text, duties));
  }
}

/**
 * Returns a correction with the hidden values of the original instead of their placeholders. Returns undefined if a
 * placeholder stands elsewhere, or in an event of another type: a hidden value could be read there.
 */
export function reveal(correction: unknown, original: unknown, duties: Rights<Duty>): unknown {
  if (typeIn(correction) !== typeIn(original)) {
    return JSON.stringify(correction)?.includes(PLACEHOLDER) ? undefined : correction;
  }
  const revealed = replace(correction, conceal(original, duties), original);
  return JSON.stringify(revealed)?.includes(PLACEHOLDER) ? undefined : revealed;
}

function replace(correction: unknown, shown: unknown, original: unknown): unknown {
  if (isPlaceholder(shown) && correction === shown) return original;
  if (!isFields(correction) || !isFields(shown) || !isFields(original)) return correction;
  // The fields whose names are hidden, in the order in which they were numbered.
  const hidden = Object.keys(original).filter((name) => !Object.hasOwn(shown, name));
  const numbered = Object.keys(shown).filter((name) => !Object.hasOwn(original, name));
  const nameOf = (name: string) => hidden[numbered.indexOf(name)] ?? name;
  return Object.fromEntries(
    Object.entries(correction).map(([name, value]) =>
      Object.hasOwn(shown, name)
        ? [nameOf(name), replace(value, shown[name], original[nameOf(name)])]
        : [name, value],
    ),
  );
}
