import type { ErrorDefinitions } from '../error-definition.js';

/** Errors about several requests in one. */
export const queryBatchErrors = {
  emptyBatch: {
    errorMessageId: 100245,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'A batch names no address. Each is the value of a parameter called resource with a number behind it, percent-encoded as a whole: /batch?resource0=%2Fproduct%2Fproducts%3F%24top%3D5.',
    text: 'The batch names no address. Give at least one, as resource0=, percent-encoded.',
  },
  tooManyInBatch: {
    errorMessageId: 100246,
    status: 400,
    namespace: 'query',
    parameters: ['count', 'limit'],
    technicalDescription:
      'A batch names more addresses than the limit. Nothing was asked; spread them over several batches.',
    text: 'The batch names {0} addresses, and at most {1} are allowed. Spread them over several batches.',
  },
  parameterBesideBatch: {
    errorMessageId: 100247,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'known'],
    technicalDescription:
      'A parameter that belongs into one of the addresses stands beside them, mostly because an & inside of an address was not percent-encoded. Encode each address as a whole, its & as %26.',
    text: 'The parameter “{0}” belongs into an address of the batch: write the & before it as %26. Beside the addresses are taken: {1}.',
  },
  batchInBatch: {
    errorMessageId: 100248,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription: 'An address of a batch is that of a batch. Name its addresses in the outer one.',
    text: 'A batch cannot hold another one. Name the addresses of the inner batch in the outer one.',
  },
  tokenInBatch: {
    errorMessageId: 100249,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'An address of a batch has an access token of its own. It was not looked at: all addresses are asked with the token of the batch, and an answer for another identity than the one named would be wrong. Take it out of the address.',
    text: 'An address in a batch takes no $access_token of its own. Give it with the batch, and leave it out of the address.',
  },
  batchTooLarge: {
    errorMessageId: 100250,
    status: 400,
    namespace: 'query',
    parameters: ['limit'],
    technicalDescription:
      'The answers of a batch have more bytes together than the limit. Ask for fewer at a time, or for less of each with $select or $top.',
    text: 'The answers of the batch are larger than {0} bytes together. Ask for fewer at a time, or for less of each with $select or $top.',
  },
} as const satisfies ErrorDefinitions<'query'>;
