import { comparisonOperators, limits, textFunctions, textTests } from '@takt/query-options';
import type { ListResource } from '@takt/resources';
import { filterExamples, orderExamples } from './examples.js';
import { queryFieldList } from './field-guide.js';

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
