import type { StaticRoute } from '@takt/http';
import { createOpenApi } from './create-open-api.js';
import { createXmlSchema } from './create-xml-schema.js';

/** The descriptions for programs: /openapi.json and /schema.xsd. `baseUrl` is absolute, without a slash at its end. */
export function staticRoutes(baseUrl: string): readonly StaticRoute[] {
  // The words of the description are English.
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
