import { readFileSync, writeFileSync } from 'node:fs';
import {
  type Field,
  filterFieldsOf,
  inAskedPeriod,
  type ListResource,
  queryFieldsOf,
  type Resource,
  resourceFamilies,
} from '@takt/catalogue/resources';
import { arithmeticOperators, comparisonOperators, textTests, valueFunctions } from '@takt/query';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import { filterSql } from '../../src/query/filter-sql.js';
import { encodePageKey, type PageStart } from '../../src/query/page-key.js';
import type { Reading } from '../../src/query/plan.js';
import { valueTypeOf } from '../../src/query/resolve-fields.js';
import { createStatementCache, statementShapeOf } from '../../src/query/statement-cache.js';
import { type Parameters, planOf } from '../harness/ask.js';
import { formatSql } from '../harness/format-sql.js';

/** Beside the source, so that a change of a statement is read in the same commit; TAKT_WRITE_SNAPSHOTS=1 writes anew. */
const FOLDER = new URL('../../../test/query/snapshots/', import.meta.url);
const STARTS = ['first', 'after', 'before', 'last'] as const;

const statementOf = createStatementCache();
const [LONGEST, BELOW_A_PARENT, TRANSLATED] = [
  'ProductStructureVersionAggregatedProductionTime',
  'AggregatedProductionTimeMonth',
  'DomainValue',
];

/** The newest version of the list of these objects. */
function list(element: string): ListResource {
  const found = resourceFamilies
    .flatMap(({ versions }) => versions)
    .findLast((resource) => resource.kind === 'list' && resource.element === element);
  if (found?.kind !== 'list') throw new Error(`there is no list of ${element}`);
  return found;
}

function pretty(text: string): string {
  const formatted = formatSql(text);
  const [bare, written] = [text, formatted].map((sql) => sql.replace(/\s/g, ''));
  expect(written, 'a formatter changes white space alone').to.equal(bare);
  return formatted;
}

/** The same query on the page of a key, as the service itself would give it. */
function startingAt(resource: ListResource, parameters: Parameters, kind: PageStart['kind']): Parameters {
  const plan = planOf(resource, parameters);
  if (plan.kind !== 'list') throw new Error('a list is planned as a list');
  const { keyed, order } = plan.question;
  const boundary = order.map(({ field }) =>
    valueTypeOf(field) === 'text' ? 'x' : field.stored?.isSigned ? '1' : 1,
  );
  const start: PageStart = kind === 'first' || kind === 'last' ? { kind } : { kind, boundary, position: 2 };
  return { ...parameters, $pageKey: encodePageKey(start, keyed) };
}

function fieldsOf(resource: ListResource) {
  const fields = [...queryFieldsOf(resource).values()];
  const ofType = (type: 'number' | 'text') => fields.filter((field) => valueTypeOf(field) === type);
  const [number, text] = [ofType('number'), ofType('text')];
  const indexed = text.find(({ textIndex }) => textIndex !== undefined);
  return {
    number: nameOf(number.find(({ isNullable }) => isNullable) ?? number[0]),
    otherNumber: nameOf(number.at(-1)),
    text: nameOf(indexed ?? text[0]),
    otherText: nameOf(text.at(-1)),
  };
}

function nameOf(field: Field | undefined): string {
  if (field?.queryName === undefined) throw new Error('every list has a number and a text to query by');
  return field.queryName;
}

/** Each start by one order, each kind of order from a boundary, and what else decides about the page. */
function pagesOf(resource: ListResource): readonly Parameters[] {
  const { number, text } = fieldsOf(resource);
  const $select = resource.key.name;
  const starts = STARTS.map((kind) => startingAt(resource, { $select }, kind));
  const orders = [number, `${text} desc`, `${text} desc,${number}`].map(($orderby) =>
    startingAt(resource, { $select, $orderby }, 'after'),
  );
  return [
    { $showDomainDescriptions: 'true' },
    ...starts,
    ...orders,
    { $select, $skip: 5, $filter: `${number} gt 1`, $inlinecount: 'allpages' },
    { $select, $inlinecount: 'allpages' },
    startingAt(resource, { $select, search: 'two words' }, 'before'),
  ];
}

/** Each word of a filter, on fields of each type. */
function filtersOf(resource: ListResource): readonly string[] {
  const { number, otherNumber, text, otherText } = fieldsOf(resource);
  const operators = Object.keys(comparisonOperators);
  const tests = Object.entries(textTests);
  const test = (name: string, isPartFirst: boolean, field: string, part: string) =>
    `${name}(${isPartFirst ? `${part}, ${field}` : `${field}, ${part}`})`;
  return [
    ...operators.flatMap((operator) => [
      `${number} ${operator} 1`,
      `${text} ${operator} 'a'`,
      `${number} ${operator} null`,
    ]),
    `${number} eq 1.5`,
    `1 lt ${number}`,
    `${number} gt ${otherNumber}`,
    `${text} eq ${otherText}`,
    `${otherText} eq 'a'`,
    `${number} in (1, 2.5, null)`,
    `${text} in ('a', 'b')`,
    ...tests.map(([name, { isPartFirst }]) => test(name, isPartFirst, text, "'a'")),
    ...tests.map(([name, { isPartFirst }]) => test(name, isPartFirst, text, otherText)),
    ...Object.entries(valueFunctions).map(([name, { takes, gives }]) => {
      const [first, ...others] = takes.map((type, index) =>
        type === 'text' ? (index === 0 ? text : "'b'") : index === 0 ? number : `${index + 1}`,
      );
      return `${name}(${[first, ...others].join(', ')}) eq ${gives === 'text' ? "'a'" : 1}`;
    }),
    ...Object.keys(arithmeticOperators).map((name) => `${number} ${name} ${otherNumber} gt 1.5`),
    `-${number} lt -(1 add 2)`,
    `${number} gt 2 mul 3`,
    `substring(${text}, 1) eq 'a'`,
    `not true or ${number} eq 1`,
    `not (${number} gt 1)`,
    `${number} gt 1 and (${otherNumber} lt 5 or not ${test('contains', false, text, "'a'")})`,
    `not (${number} gt null)`,
    ...beyond(resource),
  ];
}

/** The fields that $filter alone knows, some of which stand in another table. */
function beyond(resource: ListResource): readonly string[] {
  const fields = [...filterFieldsOf(resource).values()].filter(({ filterName }) => filterName !== undefined);
  const equal = fields.map((field) => `${field.filterName} eq ${valueTypeOf(field) === 'text' ? "'a'" : 1}`);
  const [first, ...others] = fields.filter(({ lookup }) => lookup !== undefined);
  if (first === undefined) return equal;
  const [name, own] = [first.filterName, fields.find((field) => field.type === first.type && !field.lookup)];
  return [
    ...equal,
    `${own?.filterName} in (1, 2)`,
    `${own?.filterName} in (1, 2.5)`,
    `${name} in (1, 2)`,
    `not (${name} ne 1)`,
    `${name} eq ${own?.filterName}`,
    `${name} eq ${name} add 1`,
    `${name} eq null`,
    ...others.map(({ filterName }) => `startswith(${filterName}, ${filterName})`),
  ];
}

/** Whole statements. */
function statementsOf(resource: Resource, requests: readonly Parameters[]): string {
  const statements = requests.map((parameters) => {
    const { $pageKey, ...named } = parameters;
    const plan = planOf(resource, parameters);
    const page = plan.kind === 'list' ? { page: plan.shape.start } : {};
    const asked = Object.entries({ ...named, ...page }).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${value}`],
    );
    return `-- ${asked.join('   ')}\n${pretty(statementOf(statementShapeOf(plan)).text)};\n`;
  });
  return statements.join('\n');
}

/** Walks along the index of an order, and what is sifted of all rows and of those that a walk met ties of. */
function readingsOf(resource: ListResource): string {
  const { number, otherNumber, text } = fieldsOf(resource);
  const $filter = `${number} gt 1 and ${otherNumber} lt 5`;
  const walk = (isBehind: boolean): Reading => ({ kind: 'walk', isBehind, length: 100 });
  const readings: Readonly<Record<string, readonly Reading[]>> = {
    [`${number}`]: [walk(false)],
    [`${number},${text} desc,${otherNumber}`]: [
      ...[walk(false), walk(true)],
      ...[true, false].map((isOfTies): Reading => ({ kind: 'sifted', isOfTies })),
    ],
  };
  const statements = Object.entries(readings).flatMap(([$orderby, ofOrder]) =>
    (['after'] as const).flatMap((kind) => {
      const parameters = { $select: resource.key.name, $orderby, $filter };
      const plan = planOf(resource, startingAt(resource, parameters, kind));
      if (plan.kind !== 'list') throw new Error('a list is planned as a list');
      return ofOrder.map((reading) => {
        const { text } = statementOf(statementShapeOf({ ...plan, shape: { ...plan.shape, reading } }));
        return `-- $orderby=${$orderby}   page=${kind}   ${Object.values(reading).join(' ')}\n${pretty(text)};\n`;
      });
    }),
  );
  return statements.join('\n');
}

/** What filters add to WHERE. */
function conditionsOf(resource: ListResource): string {
  const dialect = new PgDialect();
  const conditions = filtersOf(resource).map(($filter) => {
    const plan = planOf(resource, { $filter });
    if (plan.kind !== 'list' || plan.shape.condition === undefined) {
      throw new Error(`${$filter} is no filter`);
    }
    const condition = filterSql(plan.shape.condition, (value) => sql`${sql.placeholder(String(value))}`);
    return `-- ${$filter}\n${pretty(dialect.sqlToQuery(condition).sql)}\n`;
  });
  return conditions.join('\n');
}

/** What a parent, or a language, changes. */
function someStatementsOf(resource: ListResource): string {
  const $select = resource.key.name;
  return statementsOf(resource, [
    { $showDomainDescriptions: 'true' },
    startingAt(resource, { $select }, 'after'),
  ]);
}

const PERIOD = { from: '2025-04', to: '2025-06' };
const inPeriod = inAskedPeriod(list(LONGEST), new Map(Object.entries(PERIOD))) as ListResource;

/** One with totals, for each repeats the columns of the period. */
const ofAPeriod: Parameters = {
  ...{ ...PERIOD, $select: inPeriod.key.name, $orderby: 'HoursOverPlan desc' },
  ...{ $inlinecount: 'allpages', $expand: 'Summary' },
};

/** One builder makes the statements of all lists, so three stand for all: the longest, one below a parent, one translated. */
const snapshots: Readonly<Record<string, () => string>> = {
  'production-times-pages.sql': () => statementsOf(list(LONGEST), pagesOf(list(LONGEST))),
  'production-times-of-a-period.sql': () => statementsOf(inPeriod, [ofAPeriod]),
  'production-times-filters.sql': () => conditionsOf(list(LONGEST)),
  'production-times-readings.sql': () => readingsOf(list(LONGEST)),
  'months-of-one-parent.sql': () => someStatementsOf(list(BELOW_A_PARENT)),
  'translated-domain-values.sql': () => someStatementsOf(list(TRANSLATED)),
};

describe('the SQL of three lists is the one that is committed', () => {
  for (const [file, make] of Object.entries(snapshots)) {
    it(file, () => {
      const address = new URL(file, FOLDER);
      if (process.env['TAKT_WRITE_SNAPSHOTS'] === '1') writeFileSync(address, make());
      expect(make()).to.equal(readFileSync(address, 'utf8'));
    });
  }
});
