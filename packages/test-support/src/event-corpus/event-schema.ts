import { readFileSync } from 'node:fs';

/** The parts of a JSON Schema that are used here. */
interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, ValueSchema>>;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly NameRule[];
}

/** The rule that an object has a number or a key: exactly one of them, or at most one. */
interface NameRule {
  readonly oneOf?: readonly Schema[];
  readonly not?: { readonly allOf: readonly Schema[] };
}

/** The constraints on the value of a field, and the words that end the rule "must be …". */
export interface ValueSchema {
  readonly description: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** A field of an event, or the event itself. */
export interface Field {
  /** The names that lead to the field; empty for the event itself. */
  readonly path: readonly string[];
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  /** Name and schema of the kind of value. Undefined if the field is an object. */
  readonly kind: { readonly name: string; readonly schema: ValueSchema } | undefined;
  /** The fields of an object; empty for other values. */
  readonly fields: readonly Field[];
  /** The pairs of fields of an object that name another object: by its number or by its key. */
  readonly names: readonly NamePair[];
}

export interface NamePair {
  readonly id: string;
  readonly key: string;
  /** True if one of the two must be given. */
  readonly isRequired: boolean;
}

/** Reads the fields of an event type from its JSON Schema, as producers in other languages do. */
export function readEventSchema(type: string): Field {
  const file = new URL(`../../../../events/schemas/${type}.schema.json`, import.meta.url);
  const schema: Schema = JSON.parse(readFileSync(file, 'utf8'));
  return toField([], schema, true, schema.$defs ?? {});
}

function toField(
  path: readonly string[],
  schema: Schema,
  isRequired: boolean,
  kinds: Readonly<Record<string, ValueSchema>>,
): Field {
  const choices = schema.anyOf ?? [schema];
  const own = choices.find(({ type }) => type !== 'null') ?? schema;
  const name = own.$ref?.replace('#/$defs/', '');
  const kind = name === undefined ? undefined : kinds[name];
  return {
    path,
    isRequired,
    isNullable: choices.length > 1,
    kind: name === undefined || kind === undefined ? undefined : { name, schema: kind },
    fields: Object.entries(own.properties ?? {}).map(([key, inner]) =>
      toField([...path, key], inner, own.required?.includes(key) === true, kinds),
    ),
    names: (own.allOf ?? []).map(toNamePair),
  };
}

function toNamePair({ oneOf, not }: NameRule): NamePair {
  const [id = '', key = ''] = (oneOf ?? not?.allOf ?? []).flatMap(({ required }) => required ?? []);
  return { id, key, isRequired: oneOf !== undefined };
}

/** Returns the field itself and, if it is an object, all fields inside it at any depth. */
export function allFields(field: Field): readonly Field[] {
  return [field, ...field.fields.flatMap(allFields)];
}
