import type { ErrorDefinitions } from '../error-definition.js';

/**
 * The errors in the values of $filter, $orderby, $select, $expand and search. A position in such an error counts the
 * characters of the decoded value, from 1.
 */
export const queryExpressionErrors = {
  syntaxError: {
    errorMessageId: 100209,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found', 'expected'],
    technicalDescription:
      'The value of $filter, $orderby, $select or $expand does not follow its grammar. The parameters are the position (decoded characters, from 1), the text there, and the expected alternatives.',
    text: '{0} cannot be understood at position {1}: found “{2}”. Write what is expected there: {3}.',
  },
  unquotedInstant: {
    errorMessageId: 100255,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found'],
    technicalDescription:
      'The value of $filter has a date or a time that is not in quotes, so its hyphens and colons cannot be understood. The position counts decoded characters from 1. Put the whole instant in single quotes.',
    text: "{0} has an instant without quotes at position {1}. Write '{2}'.",
  },
  expressionTooLarge: {
    errorMessageId: 100210,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'measure', 'limit'],
    technicalDescription:
      'An expression is too large: it nests too deeply, or has too many comparisons, values in a list, arithmetic operations in an operand, digits in a result, or words in a search. Shorten the part that the error names, or split the query over several requests.',
    text: '{0} is too large: it may have at most {2} {1}. Shorten that, or split it over several requests.',
  },
  unknownFunction: {
    errorMessageId: 100211,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found', 'known'],
    technicalDescription:
      'A filter calls a function that does not exist. Function names may be written in any case; the error lists those that exist.',
    text: '{0} calls the unknown function “{2}” at position {1}. Use one of these: {3}.',
  },
  tooManyOrderFields: {
    errorMessageId: 100212,
    status: 400,
    namespace: 'query',
    parameters: ['limit'],
    technicalDescription:
      '$orderby names more fields than the limit. Order by fewer; rows that are equal in all of them are ordered by their identifier.',
    text: '$orderby names more than {0} fields. Order by fewer fields.',
  },
  unknownField: {
    errorMessageId: 100214,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found', 'known'],
    technicalDescription:
      'An expression names a field that the resource does not have, or that the client may not see. The error lists the fields that can be named there.',
    text: '{0} names the unknown field “{2}” at position {1}. Use one of these: {3}.',
  },
  ambiguousField: {
    errorMessageId: 100215,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found', 'candidates'],
    technicalDescription:
      'A dotted field name is the end of several fields of the resource. Write more of the path, so that only one field is meant.',
    text: '{0} names “{2}” at position {1}, which can mean several fields. Write one of these in full: {3}.',
  },
  repeatedField: {
    errorMessageId: 100216,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found'],
    technicalDescription:
      'An expression names the same field more than once. Leave out all but the first mention.',
    text: '{0} names the field “{2}” once more at position {1}. Name it only once.',
  },
  wrongType: {
    errorMessageId: 100217,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position', 'found', 'expected'],
    technicalDescription:
      'An expression compares a field with a value of another type, or passes such a value to a function. Text stands between single quotes; numbers, true, false and null stand without.',
    text: '{0} holds a value of the wrong type at position {1}: found “{2}”. Use the type expected there: {3}.',
  },
} as const satisfies ErrorDefinitions<'query'>;
