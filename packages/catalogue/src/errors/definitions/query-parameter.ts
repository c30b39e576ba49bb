import type { ErrorDefinitions } from '../error-definition.js';

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
      'The service has no parameter of this name, which starts with $. Correct its spelling or leave it out; unknown parameters without $ are ignored.',
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
  parameterWithoutDollar: {
    errorMessageId: 100252,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'right'],
    technicalDescription:
      'The name of a parameter of the service was written without its dollar sign. Such a parameter would have no effect. Write it with the dollar sign, or leave it out.',
    text: 'The parameter “{0}” lacks its dollar sign. Write {1}, or leave it out.',
  },
  parameterOfOthers: {
    errorMessageId: 100253,
    status: 400,
    namespace: 'query',
    parameters: ['parameter'],
    technicalDescription:
      'A parameter that determines the rows of other resources, such as from and to, was sent to a resource that does not have it. It would have no effect. Leave it out, or request a resource that has it.',
    text: 'This resource has no parameter “{0}”. Leave it out, or ask a resource that has it.',
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
      'The resource needs this parameter, and the query string has none, or a blank one. The description of the interface explains it.',
    text: 'The parameter “{0}” is missing. This resource needs it: add it to the query string.',
  },
  noNumber: {
    errorMessageId: 100251,
    status: 400,
    namespace: 'query',
    parameters: ['value'],
    technicalDescription:
      'A field of a form on a page takes a number from 0 up, and has other text. Nothing was searched. Write digits, with a point or a comma before decimals, and nothing between thousands.',
    text: 'The value “{0}” is not a number from 0 up. Write one such as 20 or 2.5.',
  },
  ambiguousNumber: {
    errorMessageId: 100254,
    status: 400,
    namespace: 'query',
    parameters: ['value', 'one', 'other'],
    technicalDescription:
      'A field of a form on a page takes a number, and its text can mean two numbers, because languages use points and commas in different ways. Nothing was searched. Write the number without a separator between thousands.',
    text: 'The value “{0}” can mean {1} or {2}. Write it without a separator between thousands.',
  },
  unknownValue: {
    errorMessageId: 100256,
    status: 400,
    namespace: 'query',
    parameters: ['value', 'known'],
    technicalDescription:
      'A field of a form on a page takes a value that Takt computes, and has other text. Nothing was searched. Enter one of the values as they are written here, or its key.',
    text: 'The value “{0}” is unknown. Known values: {1}.',
  },
  controlCharacter: {
    errorMessageId: 100205,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'position'],
    technicalDescription:
      'The name or value of a parameter contains a character from U+0000 to U+001F, or U+007F; a value may contain tabs. The position counts decoded characters from 1. Remove the character.',
    text: 'The parameter “{0}” holds a control character at position {1}. Remove it.',
  },
  parameterNotAccepted: {
    errorMessageId: 100206,
    status: 400,
    namespace: 'query',
    parameters: ['parameter'],
    technicalDescription:
      'A parameter that pages, orders or filters a list was sent to a resource that is a single object. Leave it out, or request the list.',
    text: 'The parameter “{0}” works on lists only, and this resource is a single object. Leave it out.',
  },
  invalidParameterValue: {
    errorMessageId: 100207,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'found', 'expected'],
    technicalDescription:
      'The value of a parameter is not valid. The third parameter of the error lists the accepted values.',
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

export const queryPageErrors = {
  skipWithPageKey: {
    errorMessageId: 100213,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      '$skip counts from the start of the list and $pageKey continues from a row, so they exclude each other. Follow the page links as they are, or leave out $pageKey.',
    text: '$skip cannot be combined with $pageKey, which already says where the page starts. Leave out one of them.',
  },
  invalidPageKey: {
    errorMessageId: 100218,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'The value of $pageKey is not a key of the service, or is incomplete. Keys are opaque: take them unchanged from the paging of a response.',
    text: '$pageKey is damaged or incomplete. Take it unchanged from the paging of a response, or start again without it.',
  },
  pageKeyOfOtherQuery: {
    errorMessageId: 100219,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'The page key belongs to another resource, company, $filter, $orderby or search. A key continues only the query it came from; after a change of any of these, start at the first page.',
    text: '$pageKey belongs to another query. Keep the resource, company, $filter, $orderby and search it came from, or start again without it.',
  },
  unsupportedVersion: {
    errorMessageId: 100220,
    status: 400,
    namespace: 'query',
    parameters: ['requested', 'newest'],
    technicalDescription:
      '$useMinimumVersion is above the newest version of the resource. The Resource-Version header of a response tells which version answered. Ask for a lower one, or leave the parameter out.',
    text: '$useMinimumVersion asks for version {0}, but the newest is {1}. Ask for that version or an older one.',
  },
  queryTooSlow: {
    errorMessageId: 100222,
    status: 500,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'The database could not find the rows of $filter, $orderby or search in time. The same request will fail again: narrow it to fewer rows, preferably by an identifier or by comparing one field with a value, or order by one field.',
    text: 'This filter, order or search takes too long. Narrow $filter, for example by an identifier, or order by a single field.',
  },
} as const satisfies ErrorDefinitions<'query'>;

export const queryExportErrors = {
  exportOfOneObject: {
    errorMessageId: 100223,
    status: 400,
    namespace: 'query',
    parameters: ['format'],
    technicalDescription:
      'A format of whole lists was requested for a resource that is a single object. Request the list, or the object in a format of documents.',
    text: '$format={0} works on lists only, and this resource is a single object. Use another $format.',
  },
  parameterOfPages: {
    errorMessageId: 100224,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'format'],
    technicalDescription:
      'The format returns the whole list, and the parameter is about a page of it. Leave it out; narrow $filter for fewer rows.',
    text: '$format={1} gives the whole list, so “{0}” means nothing there. Leave it out, or narrow $filter to get fewer rows.',
  },
  decimalWithoutCsv: {
    errorMessageId: 100225,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      '$decimal sets the format of numbers in CSV; other formats have a fixed one. Leave it out, or request $format=csv.',
    text: '$decimal works with $format=csv only. Leave it out, or ask for $format=csv.',
  },
  tooManyRowsForSheet: {
    errorMessageId: 100226,
    status: 400,
    namespace: 'query',
    parameters: ['rows', 'limit'],
    technicalDescription:
      'A sheet of a workbook has a limit of rows, below its header. Narrow $filter, or request the list as CSV, which has no limit.',
    text: 'The list has {0} rows, and a sheet holds {1}. Narrow $filter, or use $format=csv.',
  },
} as const satisfies ErrorDefinitions<'query'>;

export const queryBatchErrors = {
  emptyBatch: {
    errorMessageId: 100245,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'A batch names no address. Each is the value of a parameter called resource with a number after it, percent-encoded as a whole: /batch?resource0=%2Fproduct%2Fproducts%3F%24top%3D5.',
    text: 'The batch names no address. Give at least one, as resource0=, percent-encoded.',
  },
  tooManyInBatch: {
    errorMessageId: 100246,
    status: 400,
    namespace: 'query',
    parameters: ['count', 'limit'],
    technicalDescription:
      'A batch names more addresses than the limit. Nothing was requested; spread them over several batches.',
    text: 'The batch names {0} addresses, and at most {1} are allowed. Spread them over several batches.',
  },
  parameterBesideBatch: {
    errorMessageId: 100247,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'known'],
    technicalDescription:
      'A parameter that belongs inside one of the addresses was sent as a parameter of the batch, usually because an & inside the address was not percent-encoded. Encode each address as a whole, its & as %26.',
    text: 'The parameter “{0}” belongs inside an address of the batch: write the & before it as %26. The batch itself takes only: {1}.',
  },
  batchInBatch: {
    errorMessageId: 100248,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription: 'An address of a batch is a batch. Name its addresses in the outer one.',
    text: 'A batch cannot hold another one. Name the addresses of the inner batch in the outer one.',
  },
  tokenInBatch: {
    errorMessageId: 100249,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'An address of a batch has an access token of its own. The token was not checked: all addresses use the token of the batch, and an answer for another identity than the named one would be wrong. Remove it from the address.',
    text: 'An address in a batch takes no $access_token of its own. Give it with the batch, and leave it out of the address.',
  },
  batchTooLarge: {
    errorMessageId: 100250,
    status: 400,
    namespace: 'query',
    parameters: ['limit'],
    technicalDescription:
      'The answers of a batch together exceed the limit of bytes. Request fewer at a time, or less of each with $select or $top.',
    text: 'The answers of the batch are larger than {0} bytes together. Ask for fewer at a time, or for less of each with $select or $top.',
  },
} as const satisfies ErrorDefinitions<'query'>;
