import {
  type Field,
  fillPath,
  filterFieldsOf,
  type ListResource,
  leavesOf,
  type PathParameter,
  queryFieldsOf,
  type Resource,
} from '@takt/catalogue/resources';
import { arithmeticOperators, comparisonOperators, limits, textTests, valueFunctions } from '@takt/query';
import { QUOTIENT_DECIMALS } from '../plan/resolve-filter.js';

/** A list of the field names that can be used in expressions, with their types, units and required duties. */
function fieldList(resource: Resource, fields: Iterable<Field>): string {
  const leaves = leavesOf(resource.fields);
  return [...fields]
    .map((field) => {
      const { queryName, filterName, type, unit } = field;
      const duties = leaves.find(({ node }) => node === field)?.duties ?? [];
      const needed = duties.map((duty) => ` with \`${duty}\``).join('');
      return `\`${queryName ?? filterName}\` (${unit === undefined ? type : `${type}, ${unit}`})${needed}`;
    })
    .join(', ');
}

function filterFieldsAlone(resource: Resource): readonly Field[] {
  return [...filterFieldsOf(resource).values()].filter(({ queryName }) => queryName === undefined);
}

/**
 * The names that both `$filter` and `$orderby` accept. They include the names of expanded fields, which are an addition
 * to the specification.
 */
function namedFields(resource: Resource): readonly string[] {
  const expandable = new Set(
    leavesOf(resource.fields).flatMap(({ node, isExpandable }) => (isExpandable ? [node] : [])),
  );
  const fields = [...queryFieldsOf(resource).values()];
  const beyond = fields.filter((field) => expandable.has(field));
  const specified = fields.filter((field) => !expandable.has(field));
  return [
    `**Fields:** ${fieldList(resource, specified)}.`,
    ...(beyond.length === 0
      ? []
      : [`**Beyond the specification**, for parts added by \`$expand\`: ${fieldList(resource, beyond)}.`]),
  ];
}

export function queryNames(resource: Resource): readonly string[] {
  return [...queryFieldsOf(resource).values()].flatMap(({ queryName }) => queryName ?? []);
}

/** The names that `$filter` accepts, including the additions to the specification. */
export function filterNames(resource: Resource): readonly string[] {
  return [...filterFieldsOf(resource).values()].flatMap(
    ({ queryName, filterName }) => queryName ?? filterName ?? [],
  );
}

/** The names of single fields that `$select` accepts. */
export function selectableNames(resource: Resource): readonly string[] {
  return leavesOf(resource.fields).map(({ path }) => path.join('.'));
}

interface QueryField extends Field {
  readonly queryName: string;
}

const isQueryField = (field: Field | undefined): field is QueryField => field?.queryName !== undefined;

/**
 * The fields of a resource that examples use: its first time comparison, its first plain number and its first plain
 * text.
 */
function notableFields(resource: Resource) {
  const places = resource.kind === 'list' ? [resource.key, resource.firstOrder] : [];
  const fields = [...queryFieldsOf(resource).values()].filter(isQueryField);
  const others = fields.filter((field) => !places.includes(field));
  const comparison = resource.kind === 'list' ? resource.comparisons[0] : undefined;
  return {
    planned: isQueryField(comparison?.planned) ? comparison.planned : undefined,
    average: isQueryField(comparison?.average) ? comparison.average : undefined,
    count: others.find(({ type, domain }) => type === 'integer' && domain === undefined),
    // Not a key, because a company may have none.
    text: others.find(
      ({ type, domain, expandedBy }) => type === 'text' && domain === undefined && expandedBy === undefined,
    ),
  };
}

/** Examples of `$filter` for a list. Each finds something in the demo data. */
export function filterExamples(resource: ListResource): readonly string[] {
  const { planned, average, count, text } = notableFields(resource);
  const isSlower =
    planned === undefined || average === undefined ? [] : [`${average.queryName} gt ${planned.queryName}`];
  const isCounted = count === undefined ? [] : [`${count.queryName} ge 2`];
  const isNamed = text === undefined ? [] : [`contains(${text.queryName}, 'e')`];
  const both =
    count === undefined || text === undefined
      ? []
      : [`${count.queryName} ge 2 and not (startswith(${text.queryName}, 'x') or ${text.queryName} eq null)`];
  return [...isSlower, ...isCounted, ...isNamed, ...both];
}

export function orderExamples(resource: ListResource): readonly string[] {
  const { average, count, text } = notableFields(resource);
  const [first, second] = [average, count, text].filter((field) => field !== undefined);
  if (first === undefined) return [];
  const byFirst = `${first.queryName} desc`;
  return second === undefined ? [byFirst] : [byFirst, `${second.queryName} desc, ${first.queryName}`];
}

/** An identifier that exists in the demo data. By default it is the minimum plus one. */
export const exampleIdentifier = ({ minimum, example = minimum + 1 }: PathParameter): number => example;

export const exampleIdentifiers = ({ pathParameters }: Resource): Readonly<Record<string, number>> =>
  Object.fromEntries(pathParameters.map((parameter) => [parameter.name, exampleIdentifier(parameter)]));

export const examplePath = (resource: Resource): string =>
  fillPath(resource.path, exampleIdentifiers(resource));

/** The required parameters of a resource, each with a value that finds something in the demo data. */
export const exampleOwn = ({ parameters = [] }: Resource): readonly string[] =>
  parameters.flatMap(({ name, isRequired, example }) => (isRequired ? `${name}=${example}` : []));

const operators = Object.keys(comparisonOperators).map((name) => `\`${name}\``);
const tests = Object.entries(textTests).map(([name, { isPartFirst }]) =>
  isPartFirst ? `\`${name}('part', Field)\`` : `\`${name}(Field, 'part')\``,
);
const functions = Object.entries(valueFunctions).map(
  ([name, { takes }]) =>
    `\`${name}(${takes.map((type) => (type === 'text' ? 'Text' : 'Number')).join(', ')})\``,
);
const arithmetic = Object.keys(arithmeticOperators).map((name) => `\`${name}\``);

export const FILTER_GRAMMAR = `
| what | how |
|---|---|
| compare | ${operators.join(' ')}: a field with a value, or with another field |
| one of several | \`Field in (1, 2, 3)\`; \`null\` in the list matches missing values |
| combine | \`and\` \`or\` \`not\` and parentheses; \`not\` binds closest, then \`and\`, then \`or\` |
| test a text | ${tests.join(' ')} |
| make a value | ${functions.join(' ')} |
| calculate | ${arithmetic.join(' ')} and a minus before a number, with parentheses |
| write a value | \`'text'\` (double a quote inside), \`12\`, \`1.5\`, \`1e-7\`, \`true\`, \`false\`, \`null\` |
| name a field | its flat name, or its path: \`ProductStructureVersion/Product/Name\` |

Names and keywords are written in any case, and comparisons of text ignore case. \`eq null\` and \`ne null\`
test whether a value is missing; any other comparison with a missing value is false, and its \`not\` is true.
Arithmetic is exact: a quotient has ${QUOTIENT_DECIMALS} decimals, further ones are truncated; \`mod\` has the sign of its first number;
\`round\` rounds halves away from zero. A division by zero, and any operation on a missing value, gives a missing value. Characters of a
text are Unicode code points, counted from 0: \`substring(Text, 2, 3)\` skips two and returns three (the third
argument is optional), \`indexof\` returns -1 if the part does not occur.
At most ${limits.filterCharacters} characters, ${limits.filterDepth} levels of parentheses, \`not\` and functions, ${limits.comparisons} comparisons, ${limits.listValues} values in a list,
${limits.operations} calculations in an operand, ${limits.numberDigits} digits of a number written out, ${limits.resultDigits} of a result.
`.trim();

export function filterDescription(resource: ListResource, { withGrammar = true } = {}): string {
  const alone = filterFieldsAlone(resource);
  return [
    'Serves only rows for which this expression is true.',
    forExample(filterExamples(resource)),
    ...(withGrammar ? [FILTER_GRAMMAR] : []),
    ...namedFields(resource),
    ...(alone.length === 0
      ? []
      : [`**Beyond the specification**, only in \`$filter\`: ${fieldList(resource, alone)}.`]),
  ].join('\n\n');
}

/** A text that says what a client can rely on when it reads a whole list while the list changes. */
export const WALKS =
  'To get every row, read the list without `$orderby`: by identifier, NextPage returns each row that exists throughout exactly once, whatever changes meanwhile. In any other order this holds for rows whose sort values do not change: a row that moves during the walk may appear twice or not at all.';

export function orderDescription(resource: ListResource): string {
  return [
    `Up to ${limits.orderFields} fields separated by commas, each optionally followed by \`asc\` (the default) or \`desc\`. Missing values sort first in ascending and last in descending order.`,
    forExample(orderExamples(resource)),
    WALKS,
    ...namedFields(resource),
  ].join('\n\n');
}

const forExample = (examples: readonly string[]): string =>
  `For example: ${examples.map((example) => `\`${example}\``).join(' · ')}`;
