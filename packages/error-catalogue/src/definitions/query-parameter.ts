import type { ErrorDefinitions } from '../error-definition.js';

/** Errors about the query string as a whole and about single parameters. */
export const queryParameterErrors = {
  malformedEncoding: {
    errorMessageId: 100200,
    status: 400,
    namespace: 'query',
    parameters: ['position', 'found'],
    technicalDescription:
      'The query string is not percent-encoded UTF-8. The position counts characters of the query string as it was sent, from 1. Encode names and values as UTF-8 and a percent sign as %25.',
    text: 'The query string cannot be decoded at position {0}: found “{1}”. Write special characters as percent-encoded UTF-8, and a percent sign as %25.',
  },
  queryTooLong: {
    errorMessageId: 100201,
    status: 400,
    namespace: 'query',
    parameters: ['limit'],
    technicalDescription:
      'The query string, as it was sent, has more characters than the limit. Shorten its longest parameters, mostly $filter or $select.',
    text: 'The query string is longer than {0} characters. Shorten it, for example in $filter or $select.',
  },
  tooManyParameters: {
    errorMessageId: 100202,
    status: 400,
    namespace: 'query',
    parameters: ['limit'],
    technicalDescription:
      'The query string has more parameters than the limit; ignored ones count as well. Send only the parameters that the resource takes.',
    text: 'The query string has more than {0} parameters. Leave out those that are not needed.',
  },
  unknownParameter: {
    errorMessageId: 100203,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'known'],
    technicalDescription:
      'A parameter that starts with $ is none of the service. Correct its spelling or leave it out; unknown parameters without $ are ignored.',
    text: 'The parameter “{0}” is unknown. Leave it out, or use one of these: {1}.',
  },
  brokenParameter: {
    errorMessageId: 100221,
    status: 400,
    namespace: 'query',
    parameters: ['found'],
    technicalDescription:
      'A parameter that the service does not know has white space in its name, as when the & inside a value was not percent-encoded and cut the value in two. Write it as %26; in $filter, conditions are joined by the word and.',
    text: 'The query string holds “{0}” as a parameter of its own. Write an & inside a value as %26, and join conditions with the word and.',
  },
  repeatedParameter: {
    errorMessageId: 100204,
    status: 400,
    namespace: 'query',
    parameters: ['parameter'],
    technicalDescription:
      'The query string has the same parameter more than once. Letter case makes no difference, and an alias such as $accessToken is the same parameter as $access_token.',
    text: 'The parameter “{0}” is given more than once. Give it only once.',
  },
  missingParameter: {
    errorMessageId: 100240,
    status: 400,
    namespace: 'query',
    parameters: ['parameter'],
    technicalDescription:
      'The resource cannot be asked without this parameter, and the query string has none, or a blank one. The description of the interface tells what it means.',
    text: 'The parameter “{0}” is missing. This resource needs it: add it to the query string.',
  },
  noNumber: {
    errorMessageId: 100251,
    status: 400,
    namespace: 'query',
    parameters: ['value'],
    technicalDescription:
      'A field of a form on a page for people takes a number, and holds something else. Nothing was looked for. Write digits, with a point or a comma before decimals, and nothing between thousands.',
    text: 'The value “{0}” is no number. Write one such as 20 or 2.5.',
  },
  controlCharacter: {
    errorMessageId: 100205,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position'],
    technicalDescription:
      'The name or value of a parameter holds a character from U+0000 to U+001F, or U+007F; a value may hold tabs. The position counts decoded characters from 1. Remove the character.',
    text: 'The parameter “{0}” holds a control character at position {1}. Remove it.',
  },
  parameterNotAccepted: {
    errorMessageId: 100206,
    status: 400,
    namespace: 'query',
    parameters: ['parameter'],
    technicalDescription:
      'A parameter that pages, orders or filters a list was sent to a resource that is a single object. Leave it out, or ask for the list.',
    text: 'The parameter “{0}” works on lists only, and this resource is a single object. Leave it out.',
  },
  invalidParameterValue: {
    errorMessageId: 100207,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'found', 'expected'],
    technicalDescription:
      'The value of a parameter is not one that it may have. The third parameter of the error tells which values are accepted.',
    text: 'The parameter “{0}” does not accept the value “{1}”. Use a value it expects: {2}.',
  },
  parameterTooLong: {
    errorMessageId: 100208,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'length', 'limit'],
    technicalDescription:
      'The value of a parameter has more characters than the limit, counted after decoding. Shorten it, or split the query over several requests.',
    text: 'The parameter “{0}” is {1} characters long. Shorten it to at most {2}.',
  },
} as const satisfies ErrorDefinitions<'query'>;
