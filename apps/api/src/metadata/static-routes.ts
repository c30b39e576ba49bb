import { createRequire } from 'node:module';
import type { StaticRoute } from '@takt/http';
import { createOpenApi } from './create-open-api.js';
import { createXmlSchema } from './create-xml-schema.js';

/**
 * /openapi.json, /schema.xsd and the pages under /docs. Nothing of these is inline or comes from anywhere else, so they
 * work under DOCS_POLICY. `baseUrl` is absolute, without a slash at its end. Throws where the build has not copied
 * Swagger UI.
 */
export function staticRoutes(baseUrl: string): readonly StaticRoute[] {
  const { resolve } = createRequire(import.meta.url);
  const headers = { 'Content-Security-Policy': DOCS_POLICY };
  // The words of the description are English.
  const english = { 'Content-Language': 'en' };
  const packaged = (name: string, contentType: string): StaticRoute => {
    const body = { file: resolve(`#swagger-ui/${name}`) };
    return { path: `/docs/${name}`, contentType, body, headers };
  };
  return [
    {
      path: '/openapi.json',
      contentType: 'application/json; charset=utf-8',
      body: () => JSON.stringify(createOpenApi({ baseUrl })),
      headers: english,
    },
    {
      path: '/schema.xsd',
      contentType: 'application/xml; charset=utf-8',
      body: createXmlSchema,
      headers: english,
    },
    {
      path: '/docs',
      contentType: 'text/html; charset=utf-8',
      body: () => DOCS_PAGE,
      headers: { ...headers, ...english },
    },
    { path: '/docs/initializer.js', contentType: SCRIPT, body: () => DOCS_INITIALIZER, headers },
    { path: '/docs/style.css', contentType: STYLE, body: () => DOCS_STYLE, headers },
    packaged('swagger-ui.css', STYLE),
    packaged('swagger-ui-bundle.js', SCRIPT),
    packaged('favicon-32x32.png', 'image/png'),
  ];
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';

/** Swagger UI has a main element of its own. Addresses are relative to /docs, so that the page works wherever a proxy puts the service. */
const DOCS_PAGE = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Takt API</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <link rel="stylesheet" href="docs/style.css">
    <script src="docs/swagger-ui-bundle.js" defer></script>
    <script src="docs/initializer.js" defer></script>
  </head>
  <body>
    <div id="documentation">
      <noscript>
        <h1>Takt API</h1>
        <p>
          This page needs JavaScript. The same is told by the <a href="openapi.json">OpenAPI document</a>, and the XML
          documents are described by the <a href="schema.xsd">XML schema</a>.
        </p>
      </noscript>
    </div>
  </body>
</html>
`;

/** validatorUrl is null because the validator is another company's: it would be sent the document. */
const DOCS_INITIALIZER = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#documentation',
  deepLinking: true,
  docExpansion: 'list',
  persistAuthorization: false,
  tryItOutEnabled: true,
  validatorUrl: null,
});
`;

/** The Content-Security-Policy of the page. Swagger UI's own pictures are data: addresses in its style sheet. */
export const DOCS_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Mends what Swagger UI's own style sheet leaves too pale or too small for everybody to read (WCAG 2.2 AA), or too wide for
 * a phone. Hides the choice of a server, because there is only one.
 */
const DOCS_STYLE = `.swagger-ui .info .title small { background: #4a5160; }
.swagger-ui .info .title small.version-stamp { background: #3d6200; }
.swagger-ui .info a, .swagger-ui .info .url { color: #0b5cad; }
.swagger-ui .info a { display: inline-block; min-height: 24px; }
.swagger-ui .btn.authorize, .swagger-ui .btn.authorize span { color: #1d6b45; }
.swagger-ui .opblock[class] .opblock-summary-method { background: #0b5cad; }
.swagger-ui .json-schema-2020-12-expand-deep-button { color: #505050; }
.swagger-ui .opblock-summary-path a.nostyle { display: inline-block; line-height: 24px; min-width: 24px; }
.swagger-ui .scheme-container .schemes .schemes-server-container { display: none; }
.swagger-ui .info table { display: block; overflow-x: auto; }
`;
