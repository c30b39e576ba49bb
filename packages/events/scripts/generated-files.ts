import * as z from 'zod';
import { type EventDefinition, eventDefinitions } from '../src/internal.js';

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
  'of a month, and instants outside the years 0001 to 9999 in UTC. Patterns are meant with the flag u.';

/** The JSON Schema (draft 2020-12) of an event of one type, with its envelope. */
export function jsonSchemaOf(definition: EventDefinition<string, unknown>): z.core.JSONSchema.JSONSchema {
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
