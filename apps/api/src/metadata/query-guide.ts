import { comparisonOperators, limits, textFunctions, textTests } from '@takt/query-options';
import {
  type Field,
  type ListResource,
  leavesOf,
  type PathParameter,
  queryFieldsOf,
  type Resource,
} from '@takt/resources';

/** What a client may write for `$filter` and `$orderby`: the flat name of each field with its type and unit. */
function queryFieldList(resource: Resource): string {
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
function notableFields(resource: Resource) {
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

const operators = Object.keys(comparisonOperators).map((name) => `\`${name}\``);
const tests = Object.entries(textTests).map(([name, { isPartFirst }]) =>
  isPartFirst ? `\`${name}('part', Field)\`` : `\`${name}(Field, 'part')\``,
);
const functions = Object.keys(textFunctions).map((name) => `\`${name}(Field)\``);

/** How a `$filter` is written, in Markdown. */
export const FILTER_GRAMMAR = `
| what | how |
|---|---|
| compare | ${operators.join(' ')}: a field with a value, or with another field |
| one of several | \`Field in (1, 2, 3)\` |
| combine | \`and\` \`or\` \`not\` and parentheses; \`not\` binds closest, then \`and\`, then \`or\` |
| test a text | ${tests.join(' ')} |
| work on a text | ${functions.join(' ')} |
| write a value | \`'text'\` (a quote inside is written twice), \`12\`, \`1.5\`, \`true\`, \`false\`, \`null\` |

Names and keywords are written in any case, and texts are compared without regard to case. \`eq null\` and \`ne null\`
ask whether a value is missing; every other comparison with a missing value is false.
At most ${limits.filterCharacters} characters, ${limits.filterDepth} levels of nesting, ${limits.filterNodes} operations and ${limits.listValues} values in a list.
`.trim();

export function filterDescription(resource: ListResource): string {
  return [
    'Serves only the rows for which this expression is true.',
    forExample(filterExamples(resource)),
    FILTER_GRAMMAR,
    `**Fields:** ${queryFieldList(resource)}.`,
  ].join('\n\n');
}

export function orderDescription(resource: ListResource): string {
  return [
    `Up to ${limits.orderFields} fields with commas between them, each with \`asc\` (as without) or \`desc\` behind it. Missing values come first in ascending order and last in descending order.`,
    forExample(orderExamples(resource)),
    `**Fields:** ${queryFieldList(resource)}.`,
  ].join('\n\n');
}

const forExample = (examples: readonly string[]): string =>
  `For example: ${examples.map((example) => `\`${example}\``).join(' · ')}`;
