import { filterFieldsOf, type ListResource, leavesOf } from '@takt/catalogue/resources';
import { arithmeticOperators, comparisonOperators, textTests, valueFunctions } from '@takt/query';
import { opened, shareOf, testSeed, wantsLongTests } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { askList, columnOf } from '../support/ask.js';
import { describeRows } from '../support/describe-rows.js';
import { filterArbitrary } from '../support/filter-arbitrary.js';
import {
  ARITHMETIC,
  everyFieldWithEveryOperator,
  FUNCTIONS,
  grammarArbitrary,
  MATCHES,
  OPERATORS,
  type Spellings,
  SUFFIXES,
} from '../support/grammar-arbitrary.js';
import { insertStructureVersions, replaceErrorMessages } from '../support/insert-rows.js';
import { meetsFilter } from '../support/meets-filter.js';
import type { ModelFilter, ModelRow } from '../support/model-filter.js';
import { OTHER_COMPANY, openTestApi, type TestApi } from '../support/open-test-api.js';
import { printModelFilter } from '../support/print-model-filter.js';
import { productionsIn } from '../support/productions-in.js';
import { readErrorMessages, readProductionTimes } from '../support/read-model-rows.js';
import { errorMessages, productionTimes } from '../support/resources.js';
import { variedErrorMessage, variedStructureVersion } from '../support/varied-rows.js';

const ROWS = 60;
const [OF_TIMES, OF_MESSAGES, OF_GRAMMAR] = [shareOf(2_200), shareOf(800), shareOf(2_500)];
const seed = testSeed();

interface Filtered {
  readonly resource: ListResource;
  /** The name of the field that identifies a row. */
  readonly key: string;
  readonly rows: readonly ModelRow[];
  readonly filters: readonly (readonly [filter: ModelFilter, style: number])[];
  /** The minimum share of filters that must match some rows but not all. Other filters prove less. */
  readonly parting: number;
}

/**
 * Filters that match every row, with results computed by hand. They find mistakes that the model of the tests and the
 * service could share.
 */
const WORKED_OUT: Readonly<Record<string, readonly string[]>> = {
  'sums and products': [
    '0.1 add 0.2 eq 0.3',
    '1 sub 0.9 eq 0.1',
    '2 add 3 mul 4 eq 14',
    '(2 add 3) mul 4 eq 20',
    '10 sub 3 sub 2 eq 5',
    '1e-7 mul 1e7 eq 1',
    '99999999999999999999 mul 99999999999999999999 eq 9999999999999999999800000000000000000001',
    '-(2 sub 5) eq 3',
    '- 3 add 5 eq 2',
  ],
  'quotients, whose decimals are cut off behind the twentieth': [
    '1 div 4 eq 0.25',
    '2 div 3 eq 0.66666666666666666666',
    '2 div 3 lt 0.66666666666666666667',
    '-2 div 3 eq -0.66666666666666666666',
    '1 div 3e20 eq 0',
    '9e20 div 3e20 eq 3',
    '12 div 3 div 2 eq 2',
    '7 div 2 mul 2 eq 7',
  ],
  'remainders, which have the sign of the first number': [
    '7 mod 3 eq 1',
    '-7 mod 3 eq -1',
    '7 mod -3 eq 1',
    '7.5 mod 2 eq 1.5',
    '0.3 mod 0.1 eq 0',
  ],
  'rounding, a half away from zero': [
    'round(2.5) eq 3',
    'round(-2.5) eq -3',
    'round(0.5) eq 1',
    'round(2.4999999999) eq 2',
    'floor(2.9) eq 2',
    'floor(-0.5) eq -1',
    'ceiling(2.1) eq 3',
    'ceiling(-0.5) eq 0',
    'round(floor(2.5) div 4) eq 1',
  ],
  'what is missing': [
    '1 div 0 eq null',
    '1 mod 0 eq null',
    '0 div 0 eq null',
    '(1 div 0) add 1 eq null',
    'round(1 div 0) eq null',
    '-(1 mod 0) eq null',
    'not (1 div 0 eq 1)',
    'not (1 div 0 ne 1)',
    'not (1 div 0 lt 1 div 0)',
    '1 div 0 in (1, null)',
    'not (1 div 0 in (1, 2))',
    'not (1 in (null, 2))',
    '1 in (null, 1)',
    'null in (1, null)',
    "substring('abc', 1 div 0) eq null",
    "substring('abc', 0, null) eq null",
    'tolower(null) eq null',
    'length(null) eq null',
  ],
  'texts and the places in them': [
    "concat('ab', 'cd') eq 'ABCD'",
    "substring('abcd', 1) eq 'bcd'",
    "substring('abcd', 1, 2) eq 'bc'",
    "substring('abcd', 4) eq ''",
    "substring('abcd', 9, 9) eq ''",
    "substring('abcd', -2, 2) eq 'ab'",
    "substring('abcd', 1.9, 1.9) eq 'b'",
    "substring('abcd', 1, -1) eq ''",
    "substring('😀b', 1) eq 'b'",
    "length('😀b') eq 2",
    "indexof('abcB', 'b') eq 1",
    "indexof('abc', 'x') eq -1",
    "indexof('abc', '') eq 0",
    "indexof('😀b', 'B') eq 1",
    "indexof('Straße x', 'X') eq 7",
    "indexof('Straße', 'SE') eq 4",
    "substring('Straße x', indexof('Straße x', 'x')) eq 'x'",
    "trim(' a ') eq 'a'",
    "tolower('A') eq 'a' and toupper('a') eq 'A'",
  ],
  truth: [
    'true',
    'not false',
    'true or false',
    'not (true and false)',
    '(true)',
    "not contains('a','b')",
    '1\tlt\t2',
  ],
};

describe(`$filter returns the specified rows (seed ${seed})`, () => {
  const api = opened(openTestApi);
  before(async () => {
    const indexes = Array.from({ length: ROWS }, (_, index) => index);
    await insertStructureVersions(api.owner, indexes.map(variedStructureVersion));
    await insertStructureVersions(api.owner, [
      ...indexes.map((index) => ({ ...variedStructureVersion(index), companyId: OTHER_COMPANY })),
      { id: 999, isListed: false, planned: { run: '1.5' } },
    ]);
    await replaceErrorMessages(api.owner, indexes.map(variedErrorMessage));
  });

  const sample = (arbitrary: fc.Arbitrary<ModelFilter>, numRuns: number) =>
    fc.sample(fc.tuple(arbitrary, fc.nat()), { seed, numRuns });

  it(`for ${OF_TIMES} random filters of production times`, async () => {
    const rows = await readProductionTimes(api.owner);
    const filters = sample(filterArbitrary(describeRows(rows)), OF_TIMES);
    const list = { resource: productionTimes, key: 'ProductStructureVersionId', rows };
    await expectSameRows(api, { ...list, filters, parting: 0.7 });
  });

  it(`for ${OF_MESSAGES} random filters of error messages`, async () => {
    const rows = await readErrorMessages(api.owner);
    const filters = sample(filterArbitrary(describeRows(rows)), OF_MESSAGES);
    const list = { resource: errorMessages, key: 'ErrorMessageId', rows };
    await expectSameRows(api, { ...list, filters, parting: 0.5 });
  });

  it('for comparisons of each field by each operator, and with null', async () => {
    const rows = await readProductionTimes(api.owner);
    const filters = everyFieldWithEveryOperator(describeRows(rows)).map(
      (filter, style) => [filter, style] as const,
    );
    expect(filters).to.have.lengthOf(28 * filterFieldsOf(productionTimes).size);
    const list = { resource: productionTimes, key: 'ProductStructureVersionId', rows };
    await expectSameRows(api, { ...list, filters, parting: 0.4 });
  });

  for (const [name, texts] of Object.entries(WORKED_OUT)) {
    it(`for ${name}, with results computed by hand`, async () => {
      for (const text of texts) {
        const size = async ($filter: string) =>
          (await askList(api, productionTimes, { $filter, $top: '$max' })).rows;
        expect(await size(text), text).to.have.lengthOf(ROWS);
        expect(await size(`not (${text})`), text).to.have.lengthOf(0);
      }
    });
  }

  it(`for ${OF_GRAMMAR} random filters that together use the whole grammar`, async () => {
    const rows = await readProductionTimes(api.owner);
    const filters = sample(grammarArbitrary(describeRows(rows), spellingsIn(productionTimes)), OF_GRAMMAR);
    const list = { resource: productionTimes, key: 'ProductStructureVersionId', rows };
    const met = await expectSameRows(api, { ...list, filters, parting: 0.3 });
    // Short tests use only a tenth of the filters, which do not cover each production reliably.
    if (!wantsLongTests()) return;
    const rare = productions().filter((name) => (met.get(name) ?? 0) < FILTERS_OF_A_PRODUCTION);
    expect(
      rare.map((name) => `${name}: ${met.get(name) ?? 0}`),
      `met in fewer than ${FILTERS_OF_A_PRODUCTION} filters`,
    ).to.deep.equal([]);
  });
});

const FILTERS_OF_A_PRODUCTION = 5;

/**
 * Returns the names of everything that a filter can contain. These are the operators and functions in the tables of the
 * service, and all other productions in the list here.
 */
function productions(): readonly string[] {
  const arithmetic = Object.keys(arithmeticOperators);
  const functions = Object.entries(valueFunctions);
  expect(Object.keys(comparisonOperators)).to.have.members([...OPERATORS]);
  expect(arithmetic).to.have.members([...ARITHMETIC]);
  expect(Object.keys(textTests)).to.have.members([...MATCHES]);
  expect(functions.map(([name]) => name)).to.have.members([...FUNCTIONS]);
  const truths = ['eq', 'ne'].flatMap((operator) => [`match ${operator} true`, `match ${operator} false`]);
  const sides = ['field', 'literal', 'computed', 'null'];
  return [
    ...OPERATORS,
    ...MATCHES,
    ...truths,
    ...arithmetic.flatMap((name) => [name, `missing ${name}`, `${name} zero`, `negative ${name}`]),
    ...functions
      .flatMap(([name, { takes }]) => [name, `${name} of ${takes.length}`, `${name} of nothing`])
      .filter(
        // These names are left out because a text is never missing. Every text field has a value, so every text that is
        // computed from text fields has one too.
        (name) => !/^(tolower|toupper|trim|concat|length|indexof) of nothing$/.test(name),
      ),
    ...['substring of 2', 'round of a negative', 'floor of a negative', 'ceiling of a negative'],
    ...SUFFIXES.map((suffix) => `suffix ${suffix}`),
    ...[
      'minus',
      'exponent',
      'a/b',
      'a.b',
      'tab',
      'operator after parenthesis',
      'in with null',
      'in without null',
    ],
    ...[
      'and',
      'or',
      'not',
      'constant',
      'true',
      'false',
      'not match',
      'not constant',
      'not comparison',
      'not in',
    ],
    ...sides
      .flatMap((left) => sides.map((right) => `${left} with ${right}`))
      .filter((name) => name !== 'null with null'),
    ...[...filterFieldsOf(productionTimes).values()].flatMap(
      ({ queryName, filterName }) => queryName ?? filterName ?? [],
    ),
  ];
}

/**
 * Returns the paths of each field in a filter: the whole path with slashes, the whole path with dots, and the last two
 * names.
 */
function spellingsIn(resource: ListResource): Spellings {
  const names = new Map(
    [...filterFieldsOf(resource).values()].map((field) => [field, field.queryName ?? field.filterName]),
  );
  const entries = leavesOf(resource.fields).flatMap(({ node, path }) => {
    const name = node.kind === 'field' ? names.get(node) : undefined;
    return name === undefined
      ? []
      : [[name, [path.join('/'), path.join('.'), path.slice(-2).join('/')]] as const];
  });
  return Object.fromEntries(entries);
}

/**
 * Expects each filter to find the same rows as the model. Returns the number of filters that contain each production.
 */
async function expectSameRows(api: TestApi, filtered: Filtered): Promise<ReadonlyMap<string, number>> {
  const { resource, rows, key } = filtered;
  const met = new Map<string, number>();
  const wrong: { readonly filter: string; readonly missing: number[]; readonly surplus: number[] }[] = [];
  let parting = 0;
  for (const [filter, style] of filtered.filters) {
    const text = printModelFilter(filter, style);
    const expected = rows.filter((row) => meetsFilter(filter, row)).map(({ id }) => id);
    for (const name of productionsIn(filter, text, rows)) met.set(name, (met.get(name) ?? 0) + 1);
    if (expected.length > 0 && expected.length < rows.length) parting++;
    const page = await askList(api, resource, { $filter: text, $select: key, $top: '$max' });
    const found = columnOf(page).map(Number);
    const missing = expected.filter((id) => !found.includes(id));
    const surplus = found.filter((id) => !expected.includes(id));
    if (missing.length + surplus.length > 0 || new Set(found).size < found.length) {
      wrong.push({ filter: text, missing, surplus });
    }
  }
  // The failure shows the shortest filters, because they are the easiest to understand.
  wrong.sort((one, other) => one.filter.length - other.filter.length);
  expect(wrong.slice(0, 5), `${wrong.length} filters`).to.deep.equal([]);
  // The share in a sample varies by chance. It varies three times as much with a tenth of the filters as with all. Four
  // standard errors are tolerated.
  const { parting: share, filters } = filtered;
  const tolerance = 4 * Math.sqrt((share * (1 - share)) / filters.length);
  expect(parting / filters.length).to.be.at.least(share - tolerance);
  return met;
}
