import { allFields, type Field, type NamePair, readEventSchema } from './event-schema.js';
import { type BadEvent, type CorpusEvent, faultOf } from './expected-fault.js';
import { type JsonTree, toJsonText, withValue } from './json-tree.js';
import { valuesOf } from './kind-values.js';
import { wholeFaults } from './whole-faults.js';

export interface EventCorpus {
  readonly good: readonly CorpusEvent[];
  /** Good events that name objects by keys; the others name them by numbers, and a company accepts only one way. */
  readonly keyed: readonly CorpusEvent[];
  readonly bad: readonly BadEvent[];
}

/**
 * Makes good events at every bound, and bad events that break every rule of every field in every way. They are
 * generated from the JSON Schemas of the event types. A new type or field needs no change here; a new kind of value
 * needs values in kind-values.ts. All events are of the company `database`, except those that test this field.
 * @param types the event types, in the order in which a fault lists them
 */
export function eventCorpus(types: readonly string[], database: string): EventCorpus {
  const samples = types.map((type) => {
    const schema = readEventSchema(type);
    return {
      type,
      schema,
      sample: withValue(sampleOf(schema), ['data', 'database'], JSON.stringify(database)),
    };
  });
  const good = samples.flatMap(({ type, schema, sample }, order) => goodEvents(type, schema, sample, order));
  const keyed = samples.flatMap(({ type, schema, sample }) => keyedEvents(type, schema, sample));
  const bad = samples.flatMap(({ type, schema, sample }) => [
    ...badEvents(type, schema, sample, types),
    ...misnamedEvents(type, schema, sample),
  ]);
  return { good, keyed, bad: [...bad, ...wholeFaults(samples, types)] };
}

/** Returns a valid event that has every optional field, and names objects by numbers. */
function sampleOf(field: Field): JsonTree {
  if (field.kind !== undefined) return valuesOf(field.kind).good[0] ?? 'null';
  const keys = field.names.map(({ key }) => key);
  const given = field.fields.filter(({ path }) => !keys.includes(String(path.at(-1))));
  return Object.fromEntries(given.map((inner) => [String(inner.path.at(-1)), sampleOf(inner)]));
}

interface NamePlace extends NamePair {
  readonly idPath: readonly string[];
  readonly keyField: Field;
}

/** The places in an event where an object is named. */
function namePlaces(schema: Field): readonly NamePlace[] {
  return allFields(schema).flatMap(({ path, names, fields }) =>
    names.flatMap((pair) => {
      const keyField = fields.find((field) => field.path.at(-1) === pair.key);
      return keyField === undefined ? [] : [{ ...pair, idPath: [...path, pair.id], keyField }];
    }),
  );
}

/** Returns events that name an object by every good key, and all others by a simple one. */
function keyedEvents(type: string, schema: Field, sample: JsonTree): readonly CorpusEvent[] {
  const places = namePlaces(schema);
  const allKeyed = places.reduce(
    (event, { idPath, keyField }) => withValue(withValue(event, idPath, 'null'), keyField.path, '"k"'),
    sample,
  );
  return places.flatMap(({ keyField }) =>
    valuesOfField(keyField).good.map((value) => {
      return {
        type,
        name: nameOf(type, keyField, value),
        json: toJsonText(withValue(allKeyed, keyField.path, value)),
      };
    }),
  );
}

/** Returns events that name an object by number and key, or by neither although they must, or by a wrong key. */
function misnamedEvents(type: string, schema: Field, sample: JsonTree): readonly BadEvent[] {
  return namePlaces(schema).flatMap(({ id, key, isRequired, idPath, keyField }) => {
    const pathOf = (name: string) => [...idPath.slice(0, -1), name].join('.');
    const wrong = (name: string, event: JsonTree, fault: BadEvent['faults'][number]) => [
      { type, name: `${type}: ${name}`, json: toJsonText(event), faults: [fault] },
    ];
    const missing = (value: string | undefined) =>
      isRequired
        ? wrong(`${id} ${value ?? 'missing'}`, withValue(sample, idPath, value), {
            field: pathOf(id),
            rule: `must be given unless ${key} is`,
            got: value ?? 'nothing',
          })
        : [];
    return [
      ...missing(undefined),
      ...missing('null'),
      ...wrong(`${id} and ${key}`, withValue(sample, keyField.path, '"k"'), {
        field: pathOf(key),
        rule: `must be left out if ${id} is given`,
        got: '"k"',
      }),
      ...valuesOfField(keyField).bad.flatMap((value) =>
        wrong(`${key} ${value}`, withValue(withValue(sample, idPath, undefined), keyField.path, value), {
          ...faultOf(keyField, value, []),
        }),
      ),
    ];
  });
}

function valuesOfField({ kind }: Field) {
  return kind === undefined ? { good: [], bad: [] } : valuesOf(kind);
}

function goodEvents(type: string, schema: Field, sample: JsonTree, order: number): readonly CorpusEvent[] {
  const named = namesIn(schema);
  const needed = new Set(
    namePlaces(schema).flatMap(({ idPath, isRequired }) => (isRequired ? [idPath.join('.')] : [])),
  );
  const changes = allFields(schema).flatMap((field) => {
    if (named.has(field.path.join('.'))) return [];
    const isCompany = field.path.join('.') === 'data.database';
    const values = field.kind === undefined || isCompany ? [] : valuesOf(field.kind).good;
    const without = field.isRequired ? [] : [undefined];
    const isNeeded = needed.has(field.path.join('.'));
    const absent = isNeeded ? [] : [...(field.isNullable ? ['null'] : []), ...without];
    return [...values, ...absent].map((value) => ({ field, value }));
  });
  const isOfOperation = allFields(schema).some(({ path }) => path.join() === OPERATION.join());
  return changes.map(({ field, value }, index) => {
    const base = isOfOperation ? ofOperation(sample, 1_000_000 * (1 + order) + index, 1 + order) : sample;
    return { type, name: nameOf(type, field, value), json: toJsonText(withValue(base, field.path, value)) };
  });
}

/** The paths of the keys, which have events of their own: see keyedEvents and misnamedEvents. */
function namesIn(schema: Field): ReadonlySet<string> {
  return new Set(namePlaces(schema).map(({ keyField }) => keyField.path.join('.')));
}

const OPERATION = ['data', 'workOrderOperationId'];

/**
 * Returns the sample with this operation and this revision. Each good event gets an operation of its own, and each
 * event type a revision of its own, so that no event contradicts another event.
 */
function ofOperation(sample: JsonTree, operation: number, revision: number): JsonTree {
  return withValue(withValue(sample, OPERATION, String(operation)), ['data', 'revision'], String(revision));
}

function badEvents(
  type: string,
  schema: Field,
  sample: JsonTree,
  types: readonly string[],
): readonly BadEvent[] {
  const named = namesIn(schema);
  const fields = allFields(schema).filter(({ path }) => path.length > 0 && !named.has(path.join('.')));
  const spoil = (field: Field, value: string | undefined): BadEvent => ({
    type,
    name: nameOf(type, field, value),
    json: toJsonText(withValue(sample, field.path, value)),
    faults: [faultOf(field, value, types)],
  });
  return fields.flatMap((field) => [
    ...badValuesOf(field).map((value) => spoil(field, value)),
    ...(field.isRequired ? [spoil(field, undefined)] : []),
  ]);
}

const NO_OBJECTS = ['7', 'true', '""', '"{}"', '[]', '[{}]', '1e400'];

function badValuesOf({ kind, isNullable }: Field): readonly string[] {
  const values = kind === undefined ? NO_OBJECTS : valuesOf(kind).bad;
  return isNullable ? values : [...values, 'null'];
}

function nameOf(type: string, { path }: Field, value: string | undefined): string {
  const what =
    value === undefined ? 'missing' : value.length > 40 ? `${value.slice(0, 40)}… (${value.length})` : value;
  return `${type}: ${path.join('.') || 'event'} ${what}`;
}
