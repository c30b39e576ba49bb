import { TAKT_VERSION } from '@takt/run/version';
import { languages } from '@takt/texts';
import { MAX_BODY_BYTES } from '../answer-events.js';
import { MAX_EVENTS, MAX_VALUES, MAX_VALUES_PER_EVENT } from '../events/find-events.js';
import { describeEvents, SCHEMA_FILES } from './event-schemas.js';
import {
  answerSchemas,
  describeAnswers,
  describeReadingErrors,
  type JsonObject,
  refTo,
} from './open-api-answers.js';

/** An example of an event. All documents use the same structure version and the same operation. */
const COMPLETED = {
  specversion: '1.0',
  id: '4711-1',
  source: '/mes/line-3',
  type: 'work-order-operation.completed.v1',
  time: '2024-05-31T16:20:05Z',
  data: {
    database: 'TEM-NO',
    workOrderOperationId: 4711,
    workOrderId: 812,
    revision: 1,
    productStructureVersionId: 100001,
    completedAt: '2024-05-31T18:20:00+02:00',
    runTime: '0.833333',
    setupTime: '0.25',
    cleanupTime: null,
  },
};

const REOPENED = {
  specversion: '1.0',
  id: '4711-2',
  source: '/mes/line-3',
  type: 'work-order-operation.reopened.v1',
  time: '2024-06-03T07:00:12Z',
  data: {
    database: 'TEM-NO',
    workOrderOperationId: 4711,
    revision: 2,
    reopenedAt: '2024-06-03T07:00:00Z',
  },
};

/** An example body for each media type. */
export const EXAMPLES = {
  one: COMPLETED,
  several: [COMPLETED, REOPENED],
  lines: `${JSON.stringify(COMPLETED)}\n${JSON.stringify(REOPENED)}\n`,
  /** In binary mode the body has only the data. The attributes are in headers. */
  data: COMPLETED.data,
};

const { data: _data, ...attributes } = COMPLETED;

/** The headers of binary mode, with an example of each. */
export const BINARY_HEADERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]),
);

const ABOUT = `Puts events into the queues of Takt. At most ${MAX_EVENTS} events and ${MAX_BODY_BYTES} bytes per request, plain or compressed by gzip (Content-Encoding); at most ${MAX_VALUES_PER_EVENT} values in an event and ${MAX_VALUES} in a request, counting objects, arrays and extensions.

A request is accepted as a whole; if an event breaks a rule, or belongs to a company that the token may not publish for, nothing is accepted; with skipInvalid=true the valid events are. The answer is 202 once the queues have stored them: each event then takes effect exactly once. After a 500, or without an answer, send the same request again: events are identified by identity and revision, and count once however often they come.`;

/**
 * Schema for any object. It states that additional properties are allowed, because generators of clients otherwise
 * assume an empty object.
 */
const ANY_OBJECT: JsonObject = { type: 'object', additionalProperties: true };

export function createOpenApi(): JsonObject {
  const events = describeEvents();
  return {
    openapi: '3.1.0',
    info: {
      title: 'Takt intake',
      version: TAKT_VERSION,
      summary: 'Events over HTTP.',
      contact: { name: 'The operator of this service' },
      license: { name: 'All rights reserved', identifier: 'LicenseRef-UNLICENSED' },
      description: ABOUT,
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'events', description: 'Publishing.' },
      { name: 'about', description: 'The index, and probes for supervisors and operators.' },
    ],
    paths: {
      '/events': { post: describePost() },
      '/': { get: describeGet('getIndex', 'What there is.', 'application/json') },
      '/schemas/{file}': {
        get: {
          ...describeGet('getSchema', 'The JSON Schema of a type of event.', 'application/schema+json'),
          parameters: [
            {
              name: 'file',
              in: 'path',
              required: true,
              schema: { type: 'string', enum: [...SCHEMA_FILES.values()] },
            },
          ],
        },
      },
      '/health/live': { get: describeGet('getLive', 'The process runs.', 'text/plain') },
      '/health/ready': { get: describeReady() },
      '/metrics': { get: describeGet('getMetrics', 'Figures for Prometheus.', 'text/plain') },
    },
    components: {
      schemas: {
        Event: {
          oneOf: Object.keys(events).map(refTo),
          description: 'CloudEvents 1.0; `type` selects one of these.',
        },
        ...events,
        Events: { type: 'array', maxItems: MAX_EVENTS, items: refTo('Event') },
        ...answerSchemas,
      },
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token with the right to publish.' },
        parameter: { type: 'apiKey', in: 'query', name: '$access_token' },
      },
    },
  };
}

function describePost(): JsonObject {
  const { one, several, lines, data } = EXAMPLES;
  return {
    operationId: 'postEvents',
    tags: ['events'],
    summary: 'Publish events.',
    description: 'Publishes all events of a request or, without skipInvalid, none if one is invalid.',
    security: [{ bearer: [] }, { parameter: [] }],
    parameters: [...describeParameters(), ...describeHeaders()],
    requestBody: {
      required: true,
      content: {
        'application/cloudevents+json': { schema: refTo('Event'), example: one },
        'application/cloudevents-batch+json': { schema: refTo('Events'), example: several },
        'application/json': {
          schema: { anyOf: [refTo('Event'), refTo('Events'), ANY_OBJECT] },
          examples: {
            one: { summary: 'One event', value: one },
            several: { summary: 'Several events', value: several },
            binary: { summary: 'The data of an event with attributes in ce- headers', value: data },
          },
        },
        'application/x-ndjson': {
          schema: { type: 'string', description: 'One event per line.' },
          example: lines,
        },
      },
    },
    responses: describeAnswers(),
  };
}

function describeParameters(): readonly JsonObject[] {
  return [
    {
      name: 'skipInvalid',
      in: 'query',
      schema: { type: 'boolean', default: false },
      description: 'Accept the valid events, and list the others with their faults.',
    },
    {
      name: '$lang',
      in: 'query',
      schema: { type: 'string', enum: languages, default: 'eng' },
      description: 'Language of translatedMessage.',
    },
  ];
}

/** Describes the headers of binary mode. */
function describeHeaders(): readonly JsonObject[] {
  return Object.entries(BINARY_HEADERS).map(([name, example]) => ({
    name,
    in: 'header',
    example,
    schema: { type: 'string' },
    description: 'Binary mode of CloudEvents: an attribute of the event, percent-encoded.',
  }));
}

function describeGet(
  operationId: string,
  summary: string,
  type: string,
  responses: JsonObject = {},
): JsonObject {
  const content = { [type]: { schema: type === 'text/plain' ? { type: 'string' } : ANY_OBJECT } };
  return {
    operationId,
    tags: ['about'],
    summary,
    description: `${summary} No token is needed.`,
    security: [],
    responses: { 200: { description: summary, content }, ...responses, ...describeReadingErrors() },
  };
}

function describeReady(): JsonObject {
  const content = { 'text/plain': { schema: { type: 'string' } } };
  return describeGet('getReady', 'Events can be accepted.', 'text/plain', {
    503: { description: 'Not ready: one reason per line.', content },
  });
}
