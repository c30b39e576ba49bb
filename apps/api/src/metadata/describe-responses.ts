import {
  describeError,
  type ErrorEntry,
  errorCatalogue,
  type HttpStatus,
  ServiceError,
  statusDescriptions,
} from '@takt/catalogue/errors';
import {
  error,
  jsonName,
  type Node,
  newestOf,
  notFoundOf,
  type Resource,
  service,
} from '@takt/catalogue/resources';
import { planColumns, type Row, type Value } from '../plan/outline.js';
import { notFound } from '../plan/resolve-question.js';
import { jsonWriter } from '../representations/json-writer.js';
import type { WritingContext } from '../representations/writer.js';
import { exportWriters } from '../respond/write-export.js';
import { documentSchemaName, type JsonObject, schemaReference } from './describe-schemas.js';
import { exampleIdentifiers, exampleOwn, examplePath } from './query-guide.js';

const meanings: Readonly<Record<HttpStatus, string>> = {
  400: 'The request is invalid: the message names the parameter, field or value at fault.',
  403: `The token is missing or no longer valid, or a permission, duty or company is missing. ${deniedErrors()}`,
  404: 'The path or the object does not exist.',
  500: 'The service failed or is overloaded; the request can be repeated.',
};
const statuses = [400, 403, 404, 500] as const;

/** Lists the errors about access by errorMessageId, for clients that react to them. */
function deniedErrors(): string {
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
    'WWW-Authenticate': header('If another token would help.', { type: 'string' }),
  },
  404: {},
  500: {
    'Retry-After': header('Seconds to wait, if waiting helps.', { type: 'integer', minimum: 0 }),
  },
};

/** Describes the responses that do not depend on the resource, as components of the document. */
export function describeSharedResponses(baseUrl: string): JsonObject {
  return Object.fromEntries(
    statuses.map((status) => [
      statusDescriptions[status],
      errorResponse(meanings[status], exampleErrors[status], baseUrl),
    ]),
  );
}

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
      description: 'The document has not changed (If-None-Match).',
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
    `The object does not exist: error message ${errorMessageId}, “${texts.eng}”`,
    notFound({ resource, identifiers: exampleIdentifiers(resource) }),
    baseUrl,
  );
  return { 404: response };
}

function representationHeaders({ kind, identifier, version }: Resource): JsonObject {
  return {
    ETag: header('Changes with the document; for If-None-Match.', { type: 'string' }),
    ...(kind === 'list' ? { 'Content-Disposition': fileName } : {}),
    Vary: header('The request headers that the document depends on.', { type: 'string' }),
    'Resource-Id': header('Identifier of the resource.', { type: 'integer', const: identifier }),
    'Resource-Version': header('Version of the resource.', {
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

/** Describes the responses of the index, and the error that every operation may return. */
export function describeIndexResponses(baseUrl: string): JsonObject {
  return {
    200: {
      description: `The index of the service. ${IN_OTHER_FORMATS}`,
      content: document(service.name, exampleIndex(baseUrl)),
    },
    400: { $ref: `#/components/responses/${statusDescriptions[400]}` },
  };
}

/**
 * Describes a document only as JSON. If XML and HTML were described as further media types, code generators would give
 * an answer the type of the JSON document or text. Then clients could not read a field without checking its type.
 * Instead, the text of the description mentions XML and HTML. XML also has a schema of its own.
 */
function document(schema: string, example: JsonObject): JsonObject {
  return { 'application/json': { schema: schemaReference(schema), example } };
}

/**
 * The text that mentions the file formats. They are not described as media types, for the same reason as XML and HTML.
 */
const AS_FILES = `Beyond the specification as a file of the whole list: ${Object.entries(exportWriters)
  .map(([format, { contentType }]) => `\`$format=${format}\` (\`${contentType}\`)`)
  .join(' and ')}, or by their types in the Accept header, without an ETag.`;

const IN_OTHER_FORMATS =
  'With `$format` or the Accept header also as XML, described by schema.xsd, and as an HTML page.';

/** Parses a document that the service's own writer has written. So the examples have the same form as real answers. */
function written(pieces: Iterable<string>): JsonObject {
  return JSON.parse([...pieces].join(''));
}

/** An example of the answer to a request without options. */
export function exampleDocument(resource: Resource, baseUrl: string): JsonObject {
  const context = contextOf(baseUrl);
  const fields = resource.fields.filter(({ onlyWith }) => onlyWith === undefined);
  const { outline, columns } = planColumns(fields, {
    selection: undefined,
    expansion: new Set<string>(),
    expandsAll: false,
    withDescriptions: false,
  });
  const row = columns.flatMap(exampleValues);
  if (resource.kind === 'detail') return written(jsonWriter.detail({ resource, outline, row }, context));
  const key = 'eyJvIjoxfQ';
  const query = [...exampleOwn(resource), `$pageKey=${key}`].join('&');
  const only = { key, href: `${baseUrl}${examplePath(resource)}?${query}` };
  const paging = {
    pageSize: resource.defaultPageSize,
    position: 1,
    page: 1,
    size: undefined,
    withKeys: false,
    first: only,
    previous: null,
    next: null,
    last: only,
  };
  return written(jsonWriter.list({ resource, outline, rows: [row], paging }, context));
}

function exampleError(error: ServiceError, baseUrl: string): JsonObject {
  return written(jsonWriter.error(describeError(error, 'eng'), contextOf(baseUrl)));
}

function exampleIndex(baseUrl: string): JsonObject {
  return written(jsonWriter.index(contextOf(baseUrl)));
}

const contextOf = (baseUrl: string): WritingContext => ({
  language: 'eng',
  timeUnit: 'h',
  requestId: '',
  readAt: new Date(0),
  baseUrl,
  linkSuffix: () => '',
  path: '/',
  parameters: [],
  company: undefined,
  companies: [],
  pathParameters: {},
  shownTo: newestOf,
  visitor: { kind: 'unknown' },
});

/** An example value for each field inside a node, in the order of the outline. */
function exampleValues(node: Node): readonly Value[] {
  switch (node.kind) {
    case 'group':
      return node.children.flatMap(exampleValues);
    case 'collection': {
      const item: Row = exampleValues(node.item());
      return [[item]];
    }
    case 'field':
      return [exampleValue(node)];
  }
}

const IDENTIFIER = 10_001;

function exampleValue({ name, type, domain, linkPath }: Extract<Node, { kind: 'field' }>): Value {
  const [key] = Object.keys(domain?.values ?? {});
  if (key !== undefined) return type === 'integer' ? Number(key) : key;
  switch (type) {
    case 'integer':
      return name.endsWith('Id') ? IDENTIFIER : 4;
    case 'decimal':
      return 1.25;
    case 'boolean':
      return false;
    case 'instant':
      return '2026-03-02T12:00:00Z';
    case 'link':
      return linkPath?.match(/\{\}/g)?.map(() => IDENTIFIER) ?? IDENTIFIER;
    case 'text':
      return `A ${jsonName(name)}`;
  }
}
