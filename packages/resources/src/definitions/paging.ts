import type { Field, Group } from '../field.js';
import { documentNodes } from '../nodes-with.js';

const { address, group, integer, text } = documentNodes;

/** What `$expand` names that no resource has, but the Paging of every list. */
export const PAGING_DETAILS = 'PagingDetails';

const key = (name: string, page: string): Field =>
  text(name, `Key for navigating to the ${page} page.`, { isNullable: true, expandedBy: PAGING_DETAILS });
const link = (name: string, page: string): Field =>
  address(name, `Link to the ${page} page; its $pageKey is ${name}Key.`, { isNullable: true });

/** Size is there only where `$inlinecount=allpages` asks for it. */
export const size = integer('Size', 'Total number of records; only with $inlinecount=allpages.');

/** Where a page of a list stands and how to go on from it. The values are made by the service. */
export const paging: Group = group('Paging', 'Where this page stands in the list, and its neighbours.', [
  integer('PageSize', 'Number of elements per page as set by $top.'),
  integer('Position', 'Position of the first element in the list, from 1; 0 in an empty list.'),
  integer('Page', 'Page index, from 1.'),
  key('FirstPageKey', 'first'),
  link('FirstPage', 'first'),
  key('PreviousPageKey', 'previous'),
  link('PreviousPage', 'previous'),
  key('NextPageKey', 'next'),
  link('NextPage', 'next'),
  key('LastPageKey', 'last'),
  link('LastPage', 'last'),
  size,
]);
