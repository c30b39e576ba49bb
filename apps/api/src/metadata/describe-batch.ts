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

/** Name of the schema of the JSON document. */
const BATCH = 'Batch';

/**
 * The operation of batches, for the OpenAPI document, with the first resources as examples. Its XML root is in
 * create-xml-schema.ts.
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
  const asked = Object.fromEntries(examples.map(({ batchId, uri }) => [batchId, uri]));
  const shared = Object.values(statusDescriptions).map((name) => `#/components/responses/${name}`);
  const [wrong, forbidden, , failed] = shared.map(($ref): JsonObject => ({ $ref }));
  return {
    operationId: 'getBatch',
    tags: ['system'],
    summary: 'Several requests in one',
    description: `Asks for up to ${MOST_BATCHED} addresses side by side and answers with their documents, in the order asked for; 200 wherever the batch itself can be read, and an Error in the place of what failed. The token, \`$format\`, \`$lang\` and \`$db\` of the batch hold for all. An address has no token of its own. A \`$format\` of its own must be that of the batch, or the address is answered with an error. Its \`$lang\` and \`$db\` count where the batch names none. Each needs the rights and counts as one of the requests of the token. What the time of a request leaves unanswered is a 500 in its place. Resource ${BATCH_IDENTIFIER}, version ${BATCH_VERSION}. Beyond the specification. A valid token is enough.`,
    security,
    parameters: [addressesLike(asked), format, ...['Language', 'Database', 'IfNoneMatch'].map(parameter)],
    responses: {
      200: {
        description:
          'The documents. With `$format` or the Accept header also as XML, described by schema.xsd.',
        content: { 'application/json': { schema: schemaReference(BATCH), example: { resources: examples } } },
      },
      304: { description: 'What the client holds (If-None-Match) is still right.' },
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
    'Addresses by `resource` and a number, each once, the numbers as you like: `resource0`, `resource1`. An address is relative to that of the service, with a slash before it or without, or whole; it is encoded as a whole, with its own parameters: `resource0=product%2Fproducts%3F%24top%3D5`.',
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
  description: 'Format of the answer and of all documents in it; without it the Accept header decides.',
  schema: { type: 'string', enum: [...batchFormats] },
};

/** The schemas of the operation, by name. */
export const batchSchemas: JsonObject = {
  [BATCH]: {
    type: 'object',
    description: 'What a batch is answered with.',
    properties: {
      resources: {
        type: 'array',
        description: 'In the order in which they were asked for.',
        minItems: 1,
        maxItems: MOST_BATCHED,
        items: {
          type: 'object',
          properties: {
            uri: { type: 'string', description: 'The address, as it was asked for.' },
            batchId: { type: 'string', description: 'The name of its parameter.' },
            response: {
              type: 'object',
              description:
                'The document that the address alone is answered with, by its own schema, or an Error, of which hTTPStatusCode is the first property.',
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
