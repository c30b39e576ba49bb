import type { QueryParameter } from '@takt/query-options';
import {
  browsedField,
  type ListResource,
  newestOf,
  type QuickFilter,
  quickFiltersOf,
  type ResourceFamily,
} from '@takt/resources';
import {
  conditionsOf,
  joinConditions,
  readNumber,
  withDecimalPoints,
} from '../representations/html/conditions.js';
import { conditionOf } from '../representations/html/quick-filter.js';
import { FORM_PARAMETER } from '../representations/html/quick-filter-form.js';

export interface PageForm {
  readonly parameters: readonly QueryParameter[];
  /** A field that takes a number and holds something else, which is in no parameter. */
  readonly faulty: QueryParameter | undefined;
}

/**
 * What a form of a page asks, as the parameters that the interface knows: plain fields become conditions of `$filter`,
 * decimal commas points. undefined: no form was sent. The address with them can be kept and given away.
 */
export function readPageForm(
  family: ResourceFamily,
  parameters: readonly QueryParameter[],
): PageForm | undefined {
  const resource = newestOf(family);
  const isForm = parameters.some(({ name }) => name === FORM_PARAMETER);
  if (resource.kind !== 'list' || !isForm) return undefined;
  const filters = quickFiltersOf(resource);
  let faulty: QueryParameter | undefined;
  const chosen = parameters.flatMap(({ name, value }) => {
    const filter = filters.find(({ field }) => field === name);
    if (filter === undefined || value.trim() === '') return [];
    const condition = chosenCondition(resource, filter, value);
    if (condition === undefined) faulty ??= { name, value };
    return condition ?? [];
  });
  const isFilter = ({ name }: QueryParameter) => name.toLowerCase() === '$filter';
  const written = withDecimalPoints(parameters.find(isFilter)?.value ?? '');
  // What was written stays as it is, also where it cannot be read: it is refused as the text that it is.
  const filter = chosen.length === 0 ? written : joinConditions([...conditionsOf(written), ...chosen]);
  const others = parameters.filter(
    (parameter) =>
      !isFilter(parameter) &&
      parameter.name !== FORM_PARAMETER &&
      !filters.some(({ field }) => field === parameter.name) &&
      parameter.value.trim() !== '',
  );
  // Named even where it is empty: an address that says nothing opens on the first view.
  const asked = [{ name: '$filter', value: filter }, ...others].filter(
    ({ name, value }) =>
      value !== '' || (isFilter({ name, value }) && others.every(({ name }) => !isOrder(name))),
  );
  return { parameters: asked, faulty };
}

function isOrder(name: string): boolean {
  return name.toLowerCase() === '$orderby';
}

/** undefined: a number is asked for, and what was written is none. */
function chosenCondition(resource: ListResource, filter: QuickFilter, written: string): string | undefined {
  const field = browsedField(resource, filter.field);
  const isNumber = field?.type === 'integer' || field?.type === 'decimal';
  const value = isNumber ? readNumber(written) : written;
  return field === undefined || value === undefined ? undefined : conditionOf({ filter, field, value });
}
