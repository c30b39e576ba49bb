import { allFields, type Field, readEventSchema } from './event-schema.js';
import { type BadEvent, type CorpusEvent, faultOf } from './expected-fault.js';
import { type JsonTree, toJsonText, withValue } from './json-tree.js';
import { valuesOf } from './kind-values.js';
import { wholeFaults } from './whole-faults.js';

export interface EventCorpus {
  readonly good: readonly CorpusEvent[];
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
  const bad = samples.flatMap(({ type, schema, sample }) => badEvents(type, schema, sample, types));
  return { good, bad: [...bad, ...wholeFaults(samples, types)] };
}

/** Returns a valid event that has every optional field. */
function sampleOf(field: Field): JsonTree {
  if (field.kind !== undefined) return valuesOf(field.kind).good[0] ?? 'null';
  return Object.fromEntries(field.fields.map((inner) => [String(inner.path.at(-1)), sampleOf(inner)]));
}

function goodEvents(type: string, schema: Field, sample: JsonTree, order: number): readonly CorpusEvent[] {
  const changes = allFields(schema).flatMap((field) => {
    const isCompany = field.path.join('.') === 'data.database';
    const values = field.kind === undefined || isCompany ? [] : valuesOf(field.kind).good;
    const without = field.isRequired ? [] : [undefined];
    return [...values, ...(field.isNullable ? ['null'] : []), ...without].map((value) => ({ field, value }));
  });
  const isOfOperation = allFields(schema).some(({ path }) => path.join() === OPERATION.join());
  return changes.map(({ field, value }, index) => {
    const base = isOfOperation ? ofOperation(sample, 1_000_000 * (1 + order) + index, 1 + order) : sample;
    return { type, name: nameOf(type, field, value), json: toJsonText(withValue(base, field.path, value)) };
  });
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
  const fields = allFields(schema).filter(({ path }) => path.length > 0);
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
