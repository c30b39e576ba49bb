import type { StaticRoute } from '@takt/http';
import { createOpenApi } from './create-open-api.js';
import { createXmlSchema } from './create-xml-schema.js';

/**
 * The routes of the descriptions for programs: /openapi.json and /schema.xsd.
 * @param baseUrl absolute, without a trailing slash
 */
export function staticRoutes(baseUrl: string): readonly StaticRoute[] {
  // The descriptions exist only in English.
  const headers = { 'Content-Language': 'en' };
  return [
    {
      path: '/openapi.json',
      contentType: 'application/json; charset=utf-8',
      body: () => JSON.stringify(createOpenApi({ baseUrl })),
      headers,
    },
    {
      path: '/schema.xsd',
      contentType: 'application/xml; charset=utf-8',
      body: createXmlSchema,
      headers,
    },
  ];
}
