import type { ListResource, PathParameter } from '@takt/resources';
import { notableFields } from './field-guide.js';

/** Expressions for `$filter` that are right for the fields of a list, and find something in the demo data. */
export function filterExamples(resource: ListResource): readonly string[] {
  const { planned, average, count, text } = notableFields(resource);
  const isSlower =
    planned === undefined || average === undefined ? [] : [`${average.queryName} gt ${planned.queryName}`];
  const isCounted = count === undefined ? [] : [`${count.queryName} ge 10`];
  const isNamed = text === undefined ? [] : [`contains(${text.queryName}, 'e')`];
  const both =
    count === undefined || text === undefined
      ? []
      : [
          `${count.queryName} ge 10 and not (startswith(${text.queryName}, 'x') or ${text.queryName} eq null)`,
        ];
  return [...isSlower, ...isCounted, ...isNamed, ...both];
}

/** Values for `$orderby` that are right for the fields of a list. */
export function orderExamples(resource: ListResource): readonly string[] {
  const { average, count, text } = notableFields(resource);
  const [first, second] = [average, count, text].filter((field) => field !== undefined);
  if (first === undefined) return [];
  const byFirst = `${first.queryName} desc`;
  return second === undefined ? [byFirst] : [byFirst, `${second.queryName} desc, ${first.queryName}`];
}

/** An identifier that exists in the demo data, which begins one above the smallest identifiers allowed. */
export const exampleIdentifier = ({ minimum }: PathParameter): number => minimum + 1;
