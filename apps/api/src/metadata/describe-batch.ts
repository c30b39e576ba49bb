import { statusDescriptions } from '@takt/catalogue/errors';
import type { Resource } from '@takt/catalogue/resources';
import {
  BATCH_IDENTIFIER,
  BATCH_VERSION,
  batchFormats,
  MOST_BATCHED,
} from '../computed/batch-description.js';
import { exampleDocument } from './describe-responses.js';
import { type JsonObject, schemaReference } from './describe-schemas.js';
import { examplePath } from './query-guide.js';

const BATCH = 'Batch';

/**
 * Describes the batch operation for the OpenAPI document. Its examples use the first resources. The root element of a
 * batch in XML is described in create-xml-schema.ts.
 */
export function describeBatch(
  security: readonly JsonObject[],
  resources: readonly Resource[],
  baseUrl: string,
): JsonObject {
  const examples = resources.slice(0, 2).map((resource, index) => ({
    uri: examplePath(resource).slice(1),
    batchId: `resource${index}`,
    response: exampleDocument(resource, baseUrl),
  }));
  const addresses = Object.fromEntries(examples.map(({ batchId, uri }) => [batchId, uri]));
  const shared = Object.values(statusDescriptions).map((name) => `#/components/responses/${name}`);
  const [wrong, forbidden, , failed] = shared.map(($ref): JsonObject => ({ $ref }));
  return {
    operationId: 'getBatch',
    tags: ['system'],
    summary: 'Several requests in one',
    description: `Requests up to ${MOST_BATCHED} addresses in parallel and returns their documents in the same order. The status is 200 if the batch itself is valid; an address that fails has an Error in its place. The token, \`$format\`, \`$lang\` and \`$db\` of the batch apply to all addresses. An address must not have a token. Its \`$format\` must be that of the batch, otherwise it gets an error; its \`$lang\` and \`$db\` apply if the batch has none. Each address needs the rights of a single request, and counts as one request of the token. An address unfinished at the deadline gets a 500. Resource ${BATCH_IDENTIFIER}, version ${BATCH_VERSION}. Beyond the specification. A valid token is enough.`,
    security,
    parameters: [addressesLike(addresses), format, ...['Language', 'Database', 'IfNoneMatch'].map(parameter)],
    responses: {
      200: {
        description:
          'The documents. With `$format` or the Accept header also as XML, described by schema.xsd.',
        content: { 'application/json': { schema: schemaReference(BATCH), example: { resources: examples } } },
      },
      304: { description: 'The document has not changed (If-None-Match).' },
      400: wrong ?? {},
      403: forbidden ?? {},
      500: failed ?? {},
    },
  };
}

const parameter = (name: string): JsonObject => ({ $ref: `#/components/parameters/${name}` });

const addressesLike = (example: JsonObject): JsonObject => ({
  name: 'resources',
  in: 'query',
  required: true,
  style: 'form',
  explode: true,
  description:
    'Addresses by `resource` and a number, each once, with any numbers: `resource0`, `resource1`. An address is absolute or relative to the service, with or without a leading slash, and encoded as a whole with its own parameters: `resource0=product%2Fproducts%3F%24top%3D5`.',
  schema: {
    type: 'object',
    minProperties: 1,
    maxProperties: MOST_BATCHED,
    propertyNames: { pattern: '^resource[0-9]+$' },
    additionalProperties: { type: 'string' },
    examples: [example],
  },
});

const format: JsonObject = {
  name: '$format',
  in: 'query',
  description: 'Format of the answer and of all documents in it; default by the Accept header.',
  schema: { type: 'string', enum: [...batchFormats] },
};

export const batchSchemas: JsonObject = {
  [BATCH]: {
    type: 'object',
    description: 'The answer to a batch.',
    properties: {
      resources: {
        type: 'array',
        description: 'In the order of the request.',
        minItems: 1,
        maxItems: MOST_BATCHED,
        items: {
          type: 'object',
          properties: {
            uri: { type: 'string', description: 'The requested address.' },
            batchId: { type: 'string', description: 'The name of its parameter.' },
            response: {
              type: 'object',
              description:
                'The document of a single request for the address, by its own schema, or an Error, whose first property is hTTPStatusCode.',
              additionalProperties: true,
            },
          },
          required: ['uri', 'batchId', 'response'],
          additionalProperties: false,
        },
      },
    },
    required: ['resources'],
    additionalProperties: false,
  },
};
