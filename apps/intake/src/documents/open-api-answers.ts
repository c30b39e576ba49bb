import { statusDescriptions } from '@takt/catalogue/errors';

export type JsonObject = Readonly<Record<string, unknown>>;

export const refTo = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

const text = (description: string): JsonObject => ({ type: 'string', description });

const inner: JsonObject = {
  message: text('The error in English, with its values.'),
  translatedMessage: text('The same in the language of $lang.'),
  errorMessage: {
    type: 'object',
    required: ['errorMessageId', 'errorMessageLink'],
    properties: {
      errorMessageId: { type: 'integer', description: 'What programs compare.' },
      errorMessageLink: { type: ['string', 'null'], format: 'uri', description: 'Its page in the API.' },
    },
  },
  parameters: {
    type: 'array',
    items: {
      type: 'object',
      required: ['index', 'value'],
      properties: { index: { type: 'integer' }, value: { type: 'string' } },
    },
  },
  innerErrors: {
    type: 'array',
    items: refTo('InnerError'),
    description:
      'A fault per inner error: parameters 0 to 3 are the index of the event in the request, its field, the rule, and the actual value.',
  },
};

const objectOf = (properties: JsonObject): JsonObject => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

export const answerSchemas: JsonObject = {
  Taken: objectOf({
    accepted: { type: 'integer', minimum: 0, description: 'Events that the queues have stored.' },
    rejected: {
      type: 'array',
      items: refTo('Rejected'),
      description: 'Events that were left out, in the order of the request; without skipInvalid none.',
    },
  }),
  Rejected: objectOf({
    index: { type: 'integer', minimum: 0, description: 'Position of the event in the request, from 0.' },
    id: { type: ['string', 'null'], description: "The event's own id." },
    error: refTo('Error'),
  }),
  Error: objectOf({
    hTTPStatusCode: text('The status; in the error of a rejected event, that of the event alone.'),
    hTTPStatusDescription: { type: 'string', enum: Object.values(statusDescriptions) },
    ...inner,
  }),
  InnerError: objectOf(inner),
};

const MEANINGS: Readonly<Record<string, string>> = {
  400: 'Nothing was accepted: the request is unreadable, or an event breaks a rule.',
  403: 'Nothing was accepted: the access token is not valid, has no right to publish, or is not for the company of an event.',
  404: 'The path does not exist, or does not accept this method.',
  500: 'Queue or database cannot be reached, or are overloaded. Send the same request again after Retry-After: nothing is counted twice.',
};

const retryAfter = { description: 'Seconds to wait before a retry.', schema: { type: 'integer' } };

const READING_MEANINGS: Readonly<Record<string, string>> = {
  400: 'The request is unreadable.',
  500: 'Overloaded. Retry after Retry-After.',
};

function describeErrors(meanings: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(meanings).map(([status, description]) => [
      status,
      {
        description,
        ...(status === '500' ? { headers: { 'Retry-After': retryAfter } } : {}),
        content: { 'application/json': { schema: refTo('Error') } },
      },
    ]),
  );
}

export const describeReadingErrors = (): JsonObject => describeErrors(READING_MEANINGS);

/** Describes the answers by their status. */
export function describeAnswers(): JsonObject {
  return {
    202: {
      description: 'The queues have stored the accepted events; they take effect within moments.',
      content: {
        'application/json': { schema: refTo('Taken'), example: { accepted: 2, rejected: [] } },
      },
    },
    ...describeErrors(MEANINGS),
  };
}
