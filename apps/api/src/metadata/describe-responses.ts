import {
  type ErrorEntry,
  errorCatalogue,
  type HttpStatus,
  ServiceError,
  statusDescriptions,
} from '@takt/error-catalogue';
import { error, notFoundOf, type Resource, service } from '@takt/resources';
import { notFound } from '../query/resolve-question.js';
import { exportWriters } from '../representations/export/write-export.js';
import { documentSchemaName, type JsonObject, schemaReference } from './describe-schemas.js';
import { exampleDocument, exampleError, exampleIndex } from './example-documents.js';
import { exampleIdentifiers } from './query-guide.js';

const meanings: Readonly<Record<HttpStatus, string>> = {
  400: 'The request is wrong: the message names the parameter, field or value at fault.',
  403: `The token is missing or no longer valid, or a permission, a duty or the company is denied. ${refusals()}`,
  404: 'There is no such path or object.',
  500: 'The service failed or is overloaded; the request can be repeated.',
};
const statuses = [400, 403, 404, 500] as const;

/** Every refusal by the identifier of its message, of which a client makes what to do next. */
function refusals(): string {
  const entries: readonly ErrorEntry[] = Object.values(errorCatalogue);
  const refused = entries.filter(({ status }) => status === 403);
  return refused
    .map(({ errorMessageId, texts }) => `Error message ${errorMessageId}: “${texts.eng}”`)
    .join(' ');
}

const header = (description: string, schema: JsonObject): JsonObject => ({ description, schema });
const requestIdHeader = header('Identifies the request, also in the log of the service.', {
  type: 'string',
});
const fileName = header('With `$format=csv` and `$format=xlsx`: the name of the file.', { type: 'string' });
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
export function describeSharedResponses(baseUrl: string): JsonObject {
  return Object.fromEntries(
    statuses.map((status) => [
      statusDescriptions[status],
      errorResponse(meanings[status], exampleErrors[status], baseUrl),
    ]),
  );
}

/** Every answer that a resource gives. */
export function describeResponses(resource: Resource, baseUrl: string): JsonObject {
  return {
    200: {
      description: [
        resource.description,
        IN_OTHER_FORMATS,
        ...(resource.kind === 'list' ? [AS_FILES] : []),
      ].join(' '),
      headers: { ...representationHeaders(resource), 'X-Request-Id': requestIdHeader },
      content: document(documentSchemaName(resource), exampleDocument(resource, baseUrl)),
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
    ...notFoundResponses(resource, baseUrl),
  };
}

function notFoundResponses(resource: Resource, baseUrl: string): JsonObject {
  const code = notFoundOf(resource);
  if (code === undefined) return {};
  const { errorMessageId, texts } = errorCatalogue[code];
  const response = errorResponse(
    `There is no such object: error message ${errorMessageId}, “${texts.eng}”`,
    notFound({ resource, identifiers: exampleIdentifiers(resource) }),
    baseUrl,
  );
  return { 404: response };
}

function representationHeaders({ kind, identifier, version }: Resource): JsonObject {
  return {
    ETag: header('Changes when the document does; for If-None-Match.', { type: 'string' }),
    ...(kind === 'list' ? { 'Content-Disposition': fileName } : {}),
    Vary: header('The request headers that the document depends on.', { type: 'string' }),
    'Resource-Id': header('Identifier of the resource.', { type: 'integer', const: identifier }),
    'Resource-Version': header('Version of the resource that was run.', {
      type: 'integer',
      maximum: version,
    }),
  };
}

function errorResponse(description: string, thrown: ServiceError, baseUrl: string): JsonObject {
  const { status } = errorCatalogue[thrown.code];
  return {
    description,
    headers: { ...errorHeaders[status], 'X-Request-Id': requestIdHeader },
    content: document(error.name, exampleError(thrown, baseUrl)),
  };
}

const exampleErrors: Readonly<Record<HttpStatus, ServiceError>> = {
  400: new ServiceError('repeatedParameter', { parameter: '$top' }),
  403: new ServiceError('invalidAccessToken'),
  404: new ServiceError('resourceNotFound', { verb: 'GET', path: '/system/error-mesages' }),
  500: new ServiceError('overloaded'),
};

/** The answer of the index, and the one error that every operation can be answered with. */
export function describeIndexResponses(baseUrl: string): JsonObject {
  return {
    200: {
      description: `What there is. ${IN_OTHER_FORMATS}`,
      content: document(service.name, exampleIndex(baseUrl)),
    },
    400: { $ref: `#/components/responses/${statusDescriptions[400]}` },
  };
}

/**
 * JSON alone. XML and HTML would be further media types of the same answer, of which generators make a union with text
 * (XML as if it were JSON), so that no client could read a field without asking first what it holds. They are told in
 * words, and XML by its own schema.
 */
function document(schema: string, example: JsonObject): JsonObject {
  return { 'application/json': { schema: schemaReference(schema), example } };
}

/** Types of files are left out as those of XML and HTML are. */
const AS_FILES = `Beyond the specification as a file of the whole list: ${Object.entries(exportWriters)
  .map(([format, { contentType }]) => `\`$format=${format}\` (\`${contentType}\`)`)
  .join(' and ')}, or by their types in the Accept header, without an ETag.`;

const IN_OTHER_FORMATS =
  'With `$format` or the Accept header also as XML, described by schema.xsd, and as an HTML page.';
