import * as z from 'zod';
import { type EventDefinition, eventDefinitions, namePlacesIn, nameRule } from '../src/internal.js';

interface GeneratedFile {
  /** Relative to the package. */
  readonly path: string;
  readonly text: string;
}

/** The JSON Schema of each event type. */
export function generatedFiles(): GeneratedFile[] {
  return eventDefinitions.map((definition) => ({
    path: `schemas/${definition.type}.schema.json`,
    text: `${JSON.stringify(jsonSchemaOf(definition), null, 2)}\n`,
  }));
}

const BEYOND_JSON_SCHEMA =
  'The worker also refuses what JSON Schema cannot say: second 60 other than at 23:59:60 UTC on the last day ' +
  'of a month, instants outside the years 0001 to 9999 in UTC, and keys in decomposed form. Patterns are meant with the flag u.';

/** The JSON Schema (draft 2020-12) of an event of one type, with its envelope. */
export function jsonSchemaOf(definition: EventDefinition<string, unknown>): z.core.JSONSchema.JSONSchema {
  const { $schema, ...schema } = z.toJSONSchema(definition.schema, { io: 'input' });
  addNameRules(schema, namePlacesIn(definition.schema));
  return {
    $schema: $schema ?? 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:takt:event:${definition.type}`,
    title: definition.type,
    description: definition.about,
    $comment: BEYOND_JSON_SCHEMA,
    ...schema,
  };
}

/** Adds the rules for objects that have a number or a key to the schemas of the objects around them. */
function addNameRules(schema: z.core.JSONSchema.BaseSchema, places: ReturnType<typeof namePlacesIn>): void {
  for (const { within, ...place } of places) {
    const holder = within.reduce((outer, name) => asObject(outer.properties?.[name]), schema);
    holder.allOf = [...(holder.allOf ?? []), nameRule(place)];
  }
}

function asObject(schema: z.core.JSONSchema._JSONSchema | undefined): z.core.JSONSchema.BaseSchema {
  if (typeof schema !== 'object') throw new TypeError('an object is named in a field without a schema');
  return schema;
}
