import { type Field, leavesOf, queryFieldsOf, type Resource } from '@takt/resources';

/** What a client may write for `$filter` and `$orderby`: the flat name of each field with its type and unit. */
export function queryFieldList(resource: Resource): string {
  return [...queryFieldsOf(resource).values()]
    .map(
      ({ queryName, type, unit }) => `\`${queryName}\` (${unit === undefined ? type : `${type}, ${unit}`})`,
    )
    .join(', ');
}

export function queryNames(resource: Resource): readonly string[] {
  return [...queryFieldsOf(resource).values()].flatMap(({ queryName }) => queryName ?? []);
}

/** What a client may write for `$select` to mean one field alone. */
export function selectableNames(resource: Resource): readonly string[] {
  return leavesOf(resource.fields).map(({ path }) => path.join('.'));
}

interface QueryField extends Field {
  readonly queryName: string;
}

const isQueryField = (field: Field | undefined): field is QueryField => field?.queryName !== undefined;

/** The first comparison of planned and actual times, the first number that is no key, and the first plain text. */
export function notableFields(resource: Resource) {
  const fields = [...queryFieldsOf(resource).values()].filter(isQueryField);
  const key = resource.kind === 'list' ? resource.key : undefined;
  const comparison = resource.kind === 'list' ? resource.comparisons[0] : undefined;
  return {
    planned: isQueryField(comparison?.planned) ? comparison.planned : undefined,
    average: isQueryField(comparison?.average) ? comparison.average : undefined,
    count: fields.find((field) => field.type === 'integer' && field !== key),
    text: fields.find(({ type, domain }) => type === 'text' && domain === undefined),
  };
}
