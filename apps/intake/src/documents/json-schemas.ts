import { fileURLToPath } from 'node:url';
import { eventDefinitions } from '@takt/events';
import type { StaticRoute } from '@takt/http';

/** Names of the files, by the types of events. */
export const SCHEMA_FILES: ReadonlyMap<string, string> = new Map(
  eventDefinitions.map(({ type }) => [type, `${type}.schema.json`]),
);

/** The JSON Schema of each type of event, as the package of the contract has it. */
export function schemaRoutes(): readonly StaticRoute[] {
  return [...SCHEMA_FILES.values()].map((name) => ({
    path: `/schemas/${name}`,
    contentType: 'application/schema+json; charset=utf-8',
    body: { file: fileURLToPath(import.meta.resolve(`@takt/events/schemas/${name}`)) },
  }));
}
