import type { ErrorDefinitions } from '../error-definition.js';

/** Errors about events that are sent over HTTP: faults of events from 100400, of the request that holds them from 100450. */
export const intakeErrors = {
  invalidEvents: {
    errorMessageId: 100400,
    status: 400,
    namespace: 'intake',
    parameters: ['invalid', 'events'],
    technicalDescription:
      'Of the events in the request, as many as the first parameter says break a rule of the contract, and nothing of the request was taken. Each inner error names one fault, up to the thousandth. Correct the events and send all of them again, or set skipInvalid=true to have the valid ones taken and the others listed.',
    text: 'Nothing was taken, because of invalid events: {0} of {1}. Their faults are in innerErrors. Correct them, or send skipInvalid=true to have the valid ones taken.',
  },
  invalidEvent: {
    errorMessageId: 100401,
    status: 400,
    namespace: 'intake',
    parameters: ['index', 'field', 'rule', 'got'],
    technicalDescription:
      'An event breaks a rule of the contract. The parameters are the position of the event in the request, counted from 0, the path of the field, or “event” for the event as a whole, the rule, and what was there instead. Rules and fields are those of the JSON Schemas; the worker and the command line judge by them with the same words.',
    text: 'Event {0}: {1} {2} (got {3}).',
  },
  companyOfEventNotPermitted: {
    errorMessageId: 100402,
    status: 403,
    namespace: 'intake',
    parameters: ['index', 'database'],
    technicalDescription:
      'An event is of a company that the access token has no right to publish for; its position in the request is counted from 0. Whether that company exists is not told. Correct data.database, or use a token of that company with the right to publish.',
    text: 'Event {0}: the access token gives no right to publish for the company “{1}”. Correct data.database, or use a token of that company.',
  },
  tooManyEvents: {
    errorMessageId: 100403,
    status: 400,
    namespace: 'intake',
    parameters: ['limit'],
    technicalDescription:
      'A request holds more events than one may, and nothing of it was taken. Divide them among several requests; they may be sent side by side.',
    text: 'The request holds more than {0} events. Divide them among several requests.',
  },
  tooManyValuesInEvent: {
    errorMessageId: 100404,
    status: 400,
    namespace: 'intake',
    parameters: ['index', 'limit', 'byte'],
    technicalDescription:
      'An event holds more values than one may, and nothing of the request was taken. Objects, arrays and what they hold are counted, extensions included. The parameters are the position of the event in the request, counted from 0, how many values one may hold, and the byte of the unpacked body, as UTF-8 and counted from 0, at which there were more.',
    text: 'Event {0} holds more than {1} values (at byte {2} of the body).',
  },
  tooManyValues: {
    errorMessageId: 100405,
    status: 400,
    namespace: 'intake',
    parameters: ['index', 'limit'],
    technicalDescription:
      'The events of a request hold more values together than they may, counted with objects, arrays and extensions, and nothing of it was taken. The parameters are the position of the event with which they are too many, counted from 0, and how many there may be. Divide the events among several requests.',
    text: 'The events up to event {0} hold more than {1} values. Divide them among several requests.',
  },
} as const satisfies ErrorDefinitions<'intake'>;
