import type { ErrorDefinitions } from '../error-definition.js';

/** Errors about which page, and which version of a resource, is asked for. */
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
      'The value of $pageKey is not one that the service gave out, or only a part of one. Keys are opaque: take them unchanged from the paging of a response.',
    text: '$pageKey is damaged or incomplete. Take it unchanged from the paging of a response, or start again without it.',
  },
  pageKeyOfOtherQuery: {
    errorMessageId: 100219,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      'The page key was given out for another resource, company, $filter, $orderby or search. A key continues only the query it came from; after a change of any of these, start at the first page.',
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
      'The database could not find the rows that $filter, $orderby or search ask for within its time. The same request will fail again: narrow it to fewer rows, above all by an identifier or by comparing one field with a value, or order by one field.',
    text: 'This filter, order or search takes too long. Narrow $filter, for example by an identifier, or order by a single field.',
  },
} as const satisfies ErrorDefinitions<'query'>;
