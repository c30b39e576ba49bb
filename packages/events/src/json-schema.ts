import * as z from 'zod';
import type { EventDefinition } from './event-types/define-event.js';

type JsonSchema = z.core.JSONSchema.JSONSchema;

const BEYOND_JSON_SCHEMA =
  'The worker also refuses what JSON Schema cannot say: second 60 other than at 23:59:60 UTC on the last day ' +
  'of a month, and instants outside the years 0001 to 9999 in UTC. Patterns are meant with the flag u.';

/** File name of the JSON Schema of a type of event. */
export function jsonSchemaFileName(type: string): string {
  return `${type}.schema.json`;
}

/** The JSON Schema (draft 2020-12) of a whole event of one type, envelope and data. */
export function jsonSchemaOf(definition: EventDefinition<string, unknown>): JsonSchema {
  const { $schema, ...schema } = z.toJSONSchema(definition.schema, { io: 'input' });
  return {
    $schema: $schema ?? 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:takt:event:${definition.type}`,
    title: definition.type,
    description: definition.about,
    $comment: BEYOND_JSON_SCHEMA,
    ...schema,
  };
}
