import type { ErrorDefinitions } from '../error-definition.js';

/**
 * The errors of events that are sent over HTTP. Errors of an event have identifiers from 100400 on, errors of a request
 * from 100450 on.
 */
export const intakeErrors = {
  invalidEvents: {
    errorMessageId: 100400,
    status: 400,
    namespace: 'intake',
    parameters: ['invalid', 'events'],
    technicalDescription:
      'The first parameter is the number of events in the request that break a rule of the contract; nothing of the request was accepted. Each inner error names one fault, up to a thousand. Correct the events and send all of them again, or set skipInvalid=true to have the valid ones accepted and the others listed.',
    text: 'Nothing was taken, because of invalid events: {0} of {1}. Their faults are in innerErrors. Correct them, or send skipInvalid=true to have the valid ones taken.',
  },
  invalidEvent: {
    errorMessageId: 100401,
    status: 400,
    namespace: 'intake',
    parameters: ['index', 'field', 'rule', 'got'],
    technicalDescription:
      'An event breaks a rule of the contract. The parameters are the position of the event in the request, counted from 0, the path of the field, or “event” for the event as a whole, the rule, and the actual value. Rules and fields are those of the JSON Schemas; the worker and the command line apply the same rules with the same words.',
    text: 'Event {0}: {1} {2} (got {3}).',
  },
  companyOfEventNotPermitted: {
    errorMessageId: 100402,
    status: 403,
    namespace: 'intake',
    parameters: ['index', 'database'],
    technicalDescription:
      'An event is of a company that the access token has no right to publish for; its position in the request is counted from 0. The error does not say if that company exists. Correct data.database, or use a token of that company with the right to publish.',
    text: 'Event {0}: the access token gives no right to publish for the company “{1}”. Correct data.database, or use a token of that company.',
  },
  tooManyEvents: {
    errorMessageId: 100403,
    status: 400,
    namespace: 'intake',
    parameters: ['limit'],
    technicalDescription:
      'A request has more events than the limit, so none of its events was accepted. Divide them among several requests, which may be sent in parallel.',
    text: 'The request holds more than {0} events. Divide them among several requests.',
  },
  tooManyValuesInEvent: {
    errorMessageId: 100404,
    status: 400,
    namespace: 'intake',
    parameters: ['index', 'limit', 'byte'],
    technicalDescription:
      'An event has more values than the limit, and nothing of the request was accepted. Objects, arrays and their contents are counted, including extensions. The parameters are the position of the event in the request, counted from 0, the limit, and the byte of the unpacked body, as UTF-8 and counted from 0, at which the limit was exceeded.',
    text: 'Event {0} holds more than {1} values (at byte {2} of the body).',
  },
  tooManyValues: {
    errorMessageId: 100405,
    status: 400,
    namespace: 'intake',
    parameters: ['index', 'limit'],
    technicalDescription:
      'The events of a request together have more values than the limit; objects, arrays and extensions count as values. None of the events was accepted; the parameters are the position of the event that exceeds the limit, counted from 0, and the limit. Divide the events among several requests.',
    text: 'The events up to event {0} hold more than {1} values. Divide them among several requests.',
  },
} as const satisfies ErrorDefinitions<'intake'>;

/**
 * The errors of a request that contains events. These errors do not depend on the events in the request. Their
 * identifiers are 100450 to 100499.
 */
export const intakeBodyErrors = {
  contentTypeNotTaken: {
    errorMessageId: 100450,
    status: 400,
    namespace: 'intake',
    parameters: ['found', 'known'],
    technicalDescription:
      'The Content-Type is missing, or is not one that may contain events. Use one of those listed; with ce- headers, for one event in binary mode, it is application/json.',
    text: 'Events are not taken from a body of this Content-Type: {0}. Use one of: {1}.',
  },
  contentEncodingNotTaken: {
    errorMessageId: 100451,
    status: 400,
    namespace: 'intake',
    parameters: ['found'],
    technicalDescription:
      'The Content-Encoding is not supported. Send the body as it is, without the header, or compressed by gzip.',
    text: 'A body with the Content-Encoding “{0}” is not taken. Send it without one, or packed by gzip.',
  },
  bodyTooLarge: {
    errorMessageId: 100452,
    status: 400,
    namespace: 'intake',
    parameters: ['limit'],
    technicalDescription:
      'The body has more bytes than the limit, as it was sent or after unpacking, so none of its events was accepted. Divide the events among several requests, which may be sent in parallel.',
    text: 'The body is larger than {0} bytes, as it was sent or unpacked. Divide the events among several requests.',
  },
  emptyBody: {
    errorMessageId: 100453,
    status: 400,
    namespace: 'intake',
    parameters: [],
    technicalDescription:
      'The request has no body, or only blanks. Send at least one event; a batch without events is “[]”.',
    text: 'The body is empty. Send at least one event.',
  },
  bodyBroken: {
    errorMessageId: 100454,
    status: 400,
    namespace: 'intake',
    parameters: [],
    technicalDescription:
      'The body ended before the length in Content-Length, or is not in chunks although Transfer-Encoding says so. Nothing of it was accepted, and the connection is closed after the response; send the request again on a new one.',
    text: 'The body did not arrive as the headers say: it is shorter, or its chunks cannot be read. Check Content-Length, then send it again.',
  },
  bodyNotGzip: {
    errorMessageId: 100455,
    status: 400,
    namespace: 'intake',
    parameters: [],
    technicalDescription:
      'The Content-Encoding is gzip, but the body is not, or is truncated. Send the complete output of gzip, or leave the header out.',
    text: 'The body cannot be unpacked, although its Content-Encoding is gzip. Send all that gzip made, or leave the header out.',
  },
  charsetNotTaken: {
    errorMessageId: 100456,
    status: 400,
    namespace: 'intake',
    parameters: ['found'],
    technicalDescription:
      'The charset of the Content-Type is unknown. JSON is UTF-8; leave the parameter out or set it to utf-8.',
    text: 'The charset “{0}” is not known. Send JSON in UTF-8.',
  },
  bodyNotText: {
    errorMessageId: 100457,
    status: 400,
    namespace: 'intake',
    parameters: ['charset'],
    technicalDescription:
      'The body is not valid text in the charset of its Content-Type, by default UTF-8. Nothing is accepted, since characters would be lost; write the body in that charset, or name its own.',
    text: 'The body is not text in {0}. Write it in that charset, or name the charset of the body in the Content-Type.',
  },
  headerNotText: {
    errorMessageId: 100462,
    status: 400,
    namespace: 'intake',
    parameters: ['header'],
    technicalDescription:
      'An event in binary mode has a header whose value is not valid UTF-8, as it is or after percent-decoding. Nothing is accepted, since characters would be lost. Percent-encode the bytes of the UTF-8 text.',
    text: 'The header {0} is not text in UTF-8. Percent-encode its text as UTF-8, or send the event in structured mode.',
  },
  bodyNotJson: {
    errorMessageId: 100458,
    status: 400,
    namespace: 'intake',
    parameters: ['found'],
    technicalDescription:
      'The body as a whole is not JSON; the parameter is its beginning. In application/x-ndjson each line is an event of its own, and an invalid one is a fault of that event alone.',
    text: 'The body is not JSON. It begins with: {0}.',
  },
  batchNotArray: {
    errorMessageId: 100459,
    status: 400,
    namespace: 'intake',
    parameters: [],
    technicalDescription:
      'The Content-Type is application/cloudevents-batch+json, but the body is not an array of events. Put the events between [ and ], or send a single one as application/cloudevents+json.',
    text: 'A batch of events is a JSON array, and the body is not one. Put the events between [ and ], or send a single one as application/cloudevents+json.',
  },
  moreFaults: {
    errorMessageId: 100460,
    status: 400,
    namespace: 'intake',
    parameters: ['count'],
    technicalDescription:
      'There are more faults than are listed; the parameter is the number of the others. Correct the listed ones and send the events again.',
    text: 'Further faults that are not listed: {0}. Correct these first.',
  },
  queueUnavailable: {
    errorMessageId: 100461,
    status: 500,
    namespace: 'intake',
    parameters: [],
    technicalDescription:
      'The queue did not answer in time, could not be reached, or is full because events come faster than they are processed. Repeat the whole request after the seconds of the Retry-After header: events that were stored nevertheless are recognised by their identity and revision, and count once.',
    retryAfterSeconds: 2,
    text: 'The queue is not taking events right now. Send the same request again after the time given in Retry-After; nothing is counted twice.',
  },
} as const satisfies ErrorDefinitions<'intake'>;
