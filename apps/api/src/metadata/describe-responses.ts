import { errorCatalogue, type HttpStatus, statusDescriptions } from '@takt/error-catalogue';
import { type DetailResource, error, type Resource } from '@takt/resources';
import { documentSchemaNames, type JsonObject, schemaReference } from './describe-schemas.js';

const meanings: Readonly<Record<HttpStatus, string>> = {
  400: 'The request is wrong: the message names the parameter, field or value at fault.',
  403: 'The token is missing or no longer valid, or a permission, a duty or the company is denied.',
  404: 'There is no such path or object.',
  500: 'The service failed or is overloaded; the request can be repeated.',
};
const statuses = [400, 403, 404, 500] as const;

const header = (description: string, schema: JsonObject): JsonObject => ({ description, schema });
const requestIdHeader = header('Identifies the request, also in the log of the service.', {
  type: 'string',
});
const errorHeaders: Readonly<Record<HttpStatus, JsonObject>> = {
  400: {},
  403: {
    'WWW-Authenticate': header('Where another token would help.', { type: 'string' }),
  },
  404: {},
  500: {
    'Retry-After': header('Seconds to wait, where waiting helps.', { type: 'integer', minimum: 0 }),
  },
};

/** The answers that do not depend on the resource, as components of the document. */
export function describeSharedResponses(): JsonObject {
  return Object.fromEntries(
    statuses.map((status) => [statusDescriptions[status], errorResponse(status, meanings[status])]),
  );
}

/** Every answer that a resource gives. */
export function describeResponses(resource: Resource): JsonObject {
  return {
    200: {
      description: resource.description,
      headers: { ...representationHeaders(resource), 'X-Request-Id': requestIdHeader },
      content: documents(documentSchemaNames(resource)),
    },
    304: {
      description: 'What the client holds (If-None-Match) is still right.',
      headers: { 'X-Request-Id': requestIdHeader },
    },
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        { $ref: `#/components/responses/${statusDescriptions[status]}` } satisfies JsonObject,
      ]),
    ),
    ...(resource.kind === 'detail' ? { 404: errorResponse(404, notFoundMeaning(resource.notFound)) } : {}),
  };
}

function notFoundMeaning(code: DetailResource['notFound']): string {
  const { errorMessageId, texts } = errorCatalogue[code];
  return `There is no such object: error message ${errorMessageId}, “${texts.eng}”`;
}

function representationHeaders({ identifier, version }: Resource): JsonObject {
  return {
    ETag: header('Changes when the document does; for If-None-Match.', { type: 'string' }),
    Vary: header('The request headers that the document depends on.', { type: 'string' }),
    'Resource-Id': header('Identifier of the resource.', { type: 'integer', const: identifier }),
    'Resource-Version': header('Version of the resource that was run.', {
      type: 'integer',
      maximum: version,
    }),
  };
}

function errorResponse(status: HttpStatus, description: string): JsonObject {
  return {
    description,
    headers: { ...errorHeaders[status], 'X-Request-Id': requestIdHeader },
    content: documents({ json: error.name, xml: error.name }),
  };
}

/** The same document in every format; `jsonstream` is sent as JSON too. */
function documents({ json, xml }: { readonly json: string; readonly xml: string }): JsonObject {
  return {
    'application/json': { schema: schemaReference(json) },
    'application/xml': { schema: schemaReference(xml) },
    'text/html': { schema: { type: 'string', description: 'A page to look at.' } },
  };
}
