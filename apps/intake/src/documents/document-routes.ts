import type { StaticRoute } from '@takt/http';
import { pathOfSchema, SCHEMA_FILES } from './event-schemas.js';
import { createOpenApi } from './open-api.js';

const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Makes the routes for the documents of the intake: an index, the OpenAPI document, and the JSON Schemas of events. Below /events
 * they are the same, for a proxy that serves all apps at one address.
 */
export function documentRoutes(): readonly StaticRoute[] {
  return [
    { path: '/', contentType: JSON_TYPE, body: () => JSON.stringify(describeIndex()) },
    ...['', '/events'].flatMap((below) => [
      { path: `${below}/openapi.json`, contentType: JSON_TYPE, body: () => JSON.stringify(createOpenApi()) },
      ...[...SCHEMA_FILES.values()].map((name) => ({
        path: `${below}/schemas/${name}`,
        contentType: 'application/schema+json; charset=utf-8',
        body: { file: pathOfSchema(name) },
      })),
    ]),
  ];
}

function describeIndex() {
  return {
    events: '/events',
    openAPI: '/openapi.json',
    schemas: [...SCHEMA_FILES.values()].map((name) => `/schemas/${name}`),
    ready: '/health/ready',
    metrics: '/metrics',
  };
}
