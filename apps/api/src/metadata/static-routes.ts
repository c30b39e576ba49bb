import type { StaticRoute } from '../http/answer.js';
import { createOpenApi } from './create-open-api.js';
import { createXmlSchema } from './create-xml-schema.js';
import { docsFiles } from './docs-files.js';
import { DOCS_POLICY } from './docs-page.js';

/** /openapi.json, /schema.xsd and the pages under /docs. `baseUrl` is absolute, without a slash at its end. */
export function staticRoutes(baseUrl: string): readonly StaticRoute[] {
  return [
    {
      path: '/openapi.json',
      contentType: 'application/json; charset=utf-8',
      body: () => JSON.stringify(createOpenApi({ baseUrl })),
    },
    { path: '/schema.xsd', contentType: 'application/xml; charset=utf-8', body: createXmlSchema },
    ...docsFiles().map((file) => ({
      path: file.path,
      contentType: file.contentType,
      body: 'body' in file ? () => file.body : { file: file.file },
      headers: { 'Content-Security-Policy': DOCS_POLICY },
    })),
  ];
}
