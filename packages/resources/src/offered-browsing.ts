import type { QuickFilter, View } from './browsing.js';
import type { Field } from './field.js';
import { filterFieldsOf, type ListResource, type Resource } from './resource.js';

/** The fields that `$filter` knows, by their names in it, as `browsing` calls them. */
export function browsedField(resource: Resource, name: string): Field | undefined {
  return filterFieldsOf(resource).get(name.toLowerCase());
}

/** The views of which the reader may know every field. */
export function viewsOf(resource: ListResource): readonly View[] {
  const knows = (name: string | undefined) =>
    name === undefined || browsedField(resource, name) !== undefined;
  const views = resource.browsing?.views ?? [];
  return views.filter(
    ({ positive, order, comparison }) =>
      knows(positive) &&
      knows(order.field) &&
      (comparison === undefined || resource.comparisons.some(({ name }) => name === comparison)),
  );
}

/** The filters of which the reader may know the field. */
export function quickFiltersOf(resource: ListResource): readonly QuickFilter[] {
  return (resource.browsing?.filters ?? []).filter(
    ({ field }) => browsedField(resource, field) !== undefined,
  );
}
