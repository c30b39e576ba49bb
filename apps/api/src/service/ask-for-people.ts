import type { QueryOptions, QueryParameter } from '@takt/query-options';
import { type ListResource, newestOf, type ResourceFamily, viewsOf } from '@takt/resources';
import { ownConditions } from '../representations/html/browse.js';

/** Rows of a page for people where its address names no number. */
const ROWS = 20;

/** What says where a list is looked at: an address with none of them is the plain one. */
const PLACES = ['$filter', '$orderby', 'search', '$pagekey'];

/**
 * The parameters of a page for people: the plain address of a list with views opens on the first of them. It is said in
 * parameters, so that the links of the page, also those to its other forms, say it too.
 */
export function openingParameters(
  family: ResourceFamily,
  parameters: readonly QueryParameter[],
): readonly QueryParameter[] {
  const resource = newestOf(family);
  const [view] = resource.kind === 'list' ? viewsOf(resource) : [];
  if (view === undefined || parameters.some(({ name }) => PLACES.includes(name.toLowerCase()))) {
    return parameters;
  }
  const filter = ownConditions(view).map((value) => ({ name: '$filter', value }));
  const { field, direction } = view.order;
  return [...parameters, ...filter, { name: '$orderby', value: `${field} ${direction}` }];
}

/** A page for people has more rows than an answer for programs, and says how many there are, unless it was asked not to. */
export function optionsForPeople(
  options: QueryOptions,
  { maximumPageSize }: ListResource,
  parameters: readonly QueryParameter[],
): QueryOptions {
  const names = parameters.map(({ name }) => name.toLowerCase());
  return {
    ...options,
    top: names.includes('$top') ? options.top : Math.min(ROWS, maximumPageSize),
    countAll: names.includes('$inlinecount') || names.includes('$count') ? options.countAll : true,
  };
}
