import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { eventDefinitions } from '@takt/events/internal';
import type { JsonObject } from './open-api-answers.js';

/** The names of the schema files by event type. */
export const SCHEMA_FILES: ReadonlyMap<string, string> = new Map(
  eventDefinitions.map(({ type }) => [type, `${type}.schema.json`]),
);

/** Returns the path of a schema file in the events package. */
export function pathOfSchema(file: string): string {
  return fileURLToPath(import.meta.resolve(`@takt/events/schemas/${file}`));
}

/**
 * Returns the schemas by the names that they have in an OpenAPI document. Each schema is self-contained: references to
 * other files break when the document is saved, and generators take `$defs` for a property.
 */
export function describeEvents(): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    [...SCHEMA_FILES].map(([type, file]) => {
      const { $schema, $id, $comment, $defs, ...schema } = JSON.parse(
        readFileSync(pathOfSchema(file), 'utf8'),
      );
      return [nameOf(type), inlined(schema, $defs)];
    }),
  );
}

/** Returns the name for an event type, for example WorkOrderOperationCompletedV1. */
function nameOf(type: string): string {
  return type.replace(/(?:^|[-.])([a-z])/g, (_match, first: string) => first.toUpperCase());
}

const DEFINITIONS = '#/$defs/';

/** Replaces each reference by the schema that it refers to. The descriptions of both are kept. */
function inlined(schema: JsonObject, definitions: Readonly<Record<string, JsonObject>>): JsonObject {
  const { $ref, ...own } = schema;
  const whole =
    typeof $ref === 'string' ? merged(own, definitions[$ref.slice(DEFINITIONS.length)] ?? {}) : own;
  return Object.fromEntries(
    Object.entries(whole).map(([name, value]) => [name, inlinedValue(value, definitions)]),
  );
}

function merged(own: JsonObject, definition: JsonObject): JsonObject {
  const descriptions = [own['description'], definition['description']].filter((one) => one !== undefined);
  return { ...definition, ...own, description: descriptions.join(': ') };
}

function inlinedValue(value: unknown, definitions: Readonly<Record<string, JsonObject>>): unknown {
  if (Array.isArray(value)) return value.map((item) => inlinedValue(item, definitions));
  return isObject(value) ? inlined(value, definitions) : value;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}
