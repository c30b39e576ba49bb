import { inEveryLanguage } from '@takt/texts';
import type { Field, Group, Node } from '../field.js';
import { documentNodes } from '../field-builders.js';

const { address, collection, group, integer, link, text } = documentNodes;

/** The name in `$expand` that adds page keys to the Paging of a list. It works for every list. */
export const PAGING_DETAILS = 'PagingDetails';

const key = (name: string, page: string): Field =>
  text(name, `Key for navigating to the ${page} page.`, { isNullable: true, expandedBy: PAGING_DETAILS });
const pageLink = (name: string, page: string): Field =>
  address(name, `Link to the ${page} page; its $pageKey is ${name}Key.`, { isNullable: true });

/** The size of the list. It is served only with `$inlinecount=allpages`. */
export const size = integer('Size', 'Total number of records; only with $inlinecount=allpages.');

/** The position of a page in its list, and the pages next to it. The service computes these values. */
export const paging: Group = group('Paging', 'Position of this page in the list, and its neighbours.', [
  integer('PageSize', 'Number of elements per page as set by $top.'),
  integer('Position', 'Position of the first element in the list, from 1; 0 in an empty list.'),
  integer('Page', 'Page index, from 1.'),
  key('FirstPageKey', 'first'),
  pageLink('FirstPage', 'first'),
  key('PreviousPageKey', 'previous'),
  pageLink('PreviousPage', 'previous'),
  key('NextPageKey', 'next'),
  pageLink('NextPage', 'next'),
  key('LastPageKey', 'last'),
  pageLink('LastPage', 'last'),
  size,
]);

const described = (): readonly Node[] => [
  text('Message', 'Detailed English message, with parameter values already substituted.'),
  text('TranslatedMessage', 'The message in the language of $lang; without it the English one.'),
  group('ErrorMessage', 'Reference to the error message.', [
    integer('ErrorMessageId', 'Unique identifier of the error message.'),
    link('ErrorMessageLink', 'Reference to the error message.', '/system/error-messages/{}'),
  ]),
  collection('Parameters', 'Parameters used in the message; may be empty.', () =>
    group('Parameter', 'A parameter of the message.', [
      integer('Index', 'Zero-based position of the parameter.'),
      text('Value', 'Value of the parameter.'),
    ]),
  ),
  collection('InnerErrors', 'Nested errors; may be empty.', () =>
    group('InnerError', 'A nested error, without the HTTP status.', described()),
  ),
];

/** The answer to a failed request. The service computes these values. */
export const error: Group = group('Error', 'The error and its remedy.', [
  text('HTTPStatusCode', 'HTTP status code of the response.'),
  text('HTTPStatusDescription', 'Short description of the status code, written as one word.'),
  ...described(),
]);

/** The answer at the root of the API. The service computes these values. */
export const service: Group = group('Service', 'The resources and documents of this service.', [
  text('Name', 'Name of the service.'),
  collection('Resources', 'The resources, which are read with GET.', () =>
    group('Resource', 'A resource.', [
      integer('ResourceId', 'Identifier of the resource, as in the header Resource-Id.'),
      integer('Version', 'Its newest version, as in the header Resource-Version.'),
      text('Title', 'Title, in the language of $lang.'),
      text('Summary', 'Description, in the language of $lang.'),
      text('Path', 'Path below the address of the service; {name} stands for an identifier.'),
      address('ResourceLink', 'Address of the resource; missing if it needs identifiers or parameters.', {
        isNullable: true,
      }),
    ]),
  ),
  collection('Documents', 'Documents about the service; no token is needed.', () =>
    group('Document', 'A document or page.', [
      text('Title', 'Title, in the language of $lang.'),
      text('Summary', 'Description, in the language of $lang.'),
      address('DocumentLink', 'Its address.'),
    ]),
  ),
]);

export const serviceTexts = inEveryLanguage('service', {
  lead: 'Planned against actual production times.',
  documentation: 'Documentation',
  documentationSummary: 'Every request with its parameters, to read and to try out.',
  openApi: 'OpenAPI',
  openApiSummary: 'The same for programs: clients can be generated from it.',
  xmlSchema: 'XML schema',
  xmlSchemaSummary: 'How the XML documents are built.',
  health: 'Health',
  healthSummary: 'Readiness of the service at this moment.',
});
