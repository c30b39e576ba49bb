import * as z from 'zod';

/** What a value kind is: how a value is read, and how the rule is told to people and to other languages. */
export interface KindDefinition<Value> {
  /** Name under `$defs` of the JSON Schemas and in the README. */
  readonly name: string;
  /** Completes the sentence "must be …". */
  readonly rule: string;
  /** The same rule in JSON Schema, as far as that language can say it. */
  readonly jsonSchema: Readonly<Record<string, unknown>>;
  /** Gives the normalised value, or undefined when the value breaks the rule. Must not throw. */
  readonly read: (value: unknown) => Value | undefined;
}

/**
 * Makes the zod schema of a kind. Reading starts at `z.unknown()` rather than at zod's own types, because
 * those count string lengths in UTF-16 units and have no exact decimals, and because one rule text then
 * covers a missing value, a wrong type and a value out of range alike.
 */
export function defineKind<Value>(definition: KindDefinition<Value>) {
  const { name, rule, jsonSchema, read } = definition;
  const message = `must be ${rule}`;
  return z
    .unknown()
    .transform((value, context): Value => {
      const result = read(value);
      if (result === undefined) {
        context.issues.push({ code: 'custom', message, input: value });
        return z.NEVER;
      }
      return result;
    })
    .meta({ id: name, description: rule, ...jsonSchema });
}

/** The kind, or null; null also stands for a field that is absent. */
export function optional<Schema extends z.ZodType>(kind: Schema) {
  return z.nullable(kind).default(null);
}
