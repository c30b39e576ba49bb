import { readFileSync, writeFileSync } from 'node:fs';
import { inRequestedPeriod, type ListResource, resourceFamilies } from '@takt/catalogue/resources';
import { arithmeticOperators, comparisonOperators, textTests, valueFunctions } from '@takt/query';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Reading } from '../../src/plan/plan.js';
import { filterSql } from '../../src/sql/filter-sql.js';
import { createStatementCache, statementShapeOf } from '../../src/sql/statement-cache.js';
import { listPlanOf, type Parameters, startingAt, startingBeside } from '../support/ask.js';
import { formatSql } from '../support/format-sql.js';

/**
 * The folder of the snapshots. They are committed, so that a review shows changed statements. Run with
 * TAKT_WRITE_SNAPSHOTS=1 to rewrite them.
 */
const FOLDER = new URL('../../../test/query/snapshots/', import.meta.url);

const statementOf = createStatementCache();

/** Returns the newest version of the list whose items have this element. */
function list(element: string): ListResource {
  const found = resourceFamilies
    .flatMap(({ versions }) => versions)
    .findLast((resource) => resource.kind === 'list' && resource.element === element);
  if (found?.kind !== 'list') throw new Error(`there is no list of ${element}`);
  return found;
}

/**
 * Formats a statement. If the columns of a period occur more than once, only the first occurrence is written in full.
 */
function pretty(text: string): string {
  const formatted = formatSql(text);
  const [bare, written] = [text, formatted].map((sql) => sql.replace(/\s/g, ''));
  expect(written, 'a formatter changes white space alone').to.equal(bare);
  const [columns] = /version\."company_id",.*?"planned_of_period"/s.exec(text) ?? [];
  if (columns === undefined) return formatted;
  const [before, ...others] = text.split(columns);
  return formatSql(before + columns + others.join('/* the same columns */'));
}

/**
 * Requests for the first page, for pages after and before a row, for the last page, and for a page after skipped rows.
 * One of them has an order with two directions.
 */
const pages: readonly Parameters[] = [
  { $select: 'Status,ProductType,RunTime', $showDomainDescriptions: 'true' },
  { $orderby: 'ProductName desc,RunTime', $pageKey: 'after' },
  { search: 'two words', $pageKey: 'before' },
  { $inlinecount: 'allpages', $pageKey: 'last' },
  { $skip: 5, $filter: 'RunTime gt 1', $inlinecount: 'allpages' },
];

/** Filters with each operator and function, for each type that leads to different SQL. */
const filters: readonly string[] = [
  ...Object.keys(comparisonOperators).map((operator) => `RunTime ${operator} 1`),
  ...['eq', 'ne'].map((operator) => `ProductName ${operator} 'a'`),
  ...['eq', 'ne', 'lt'].map((operator) => `RunTime ${operator} null`),
  'RunTime eq 1.5',
  'RunTime gt SetupTime',
  'CleanupTimeMeanHigh lt 5',
  "CleanupTimeVerdict eq 'a'",
  'RunTime in (1, 2.5, null)',
  "ProductName in ('a', 'b')",
  ...Object.entries(textTests)
    .filter(([, { isPartFirst }]) => !isPartFirst)
    .flatMap(([name]) => [`${name}(ProductName, 'a')`, `${name}(ProductName, Revision)`]),
  ...Object.entries(valueFunctions).map(([name, { takes, gives }]) => {
    const [first, ...others] = takes.map((type, index) =>
      type === 'text' ? (index === 0 ? 'ProductName' : "'b'") : index === 0 ? 'RunTime' : `${index + 1}`,
    );
    return `${name}(${[first, ...others].join(', ')}) eq ${gives === 'text' ? "'a'" : 1}`;
  }),
  ...Object.keys(arithmeticOperators).map((name) => `RunTime ${name} SetupTime gt 1.5`),
  '-RunTime lt -(1 add 2)',
  'RunTime gt 2 mul 3',
  "substring(ProductName, 1) eq 'a'",
  'not true or RunTime eq 1',
  'not (RunTime gt 1)',
  'not (RunTime gt null)',
  "RunTime gt 1 and (SetupTime lt 5 or not contains(ProductName, 'a'))",
  // Fields that only `$filter` can use. Some of them are in another table.
  'ProductId eq 1',
  "Revision eq 'a'",
  'ProductId in (1, 2)',
  'ProductId in (1, 2.5)',
  'not (ProductStatus ne 1)',
  'ProductStatus in (1, 2)',
  'ProductStatus eq null',
  'ProductStatus eq ProductId',
  'ProductStatus eq ProductStatus add 1',
  'startswith(ProductType, ProductType)',
];

/**
 * Returns the statements of requests. `$pageKey` is the kind of the start of the page here. The default is the first
 * page.
 */
function statementsOf(resource: ListResource, requests: readonly Parameters[]): readonly string[] {
  return requests.map(({ $pageKey = 'first', ...parameters }) => {
    const asked = { $select: resource.key.name, ...parameters };
    const first = listPlanOf(resource, asked);
    const plans = {
      first: () => first,
      after: () => startingBeside(first, 'after'),
      before: () => startingBeside(first, 'before'),
      last: () => startingAt(first, { kind: 'last' }),
    };
    const plan = plans[$pageKey as keyof typeof plans]();
    const written = Object.entries({ ...asked, page: $pageKey }).map(([name, value]) => `${name}=${value}`);
    return `-- ${written.join('   ')}\n${pretty(statementOf(statementShapeOf(plan)).text)};\n`;
  });
}

/**
 * Returns statements that walk along the index of an order, and a statement that sorts the rows with equal values at
 * the end of a walk.
 */
function readingsOf(resource: ListResource): readonly string[] {
  const walk = (continues: boolean): Reading => ({ kind: 'walk', continues, length: 100 });
  const readings: readonly (readonly [string, Reading])[] = [
    ['RunTime', walk(false)],
    ['RunTime,ProductName desc', walk(false)],
    ['RunTime,ProductName desc', walk(true)],
    ['RunTime,ProductName desc', { kind: 'sorted', isOfTies: true }],
  ];
  return readings.map(([$orderby, reading]) => {
    const asked = { $select: resource.key.name, $orderby, $filter: 'RunTime gt 1 and SetupTime lt 5' };
    const plan = startingBeside(listPlanOf(resource, asked), 'after');
    const { text } = statementOf(statementShapeOf({ ...plan, shape: { ...plan.shape, reading } }));
    return `-- $orderby=${$orderby}   page=after   ${Object.values(reading).join(' ')}\n${pretty(text)};\n`;
  });
}

/** Returns the conditions that filters add to WHERE. */
function conditionsOf(resource: ListResource): readonly string[] {
  const dialect = new PgDialect();
  return filters.map(($filter) => {
    const { condition } = listPlanOf(resource, { $filter }).shape;
    if (condition === undefined) throw new Error(`${$filter} is no filter`);
    const written = filterSql(condition, (value) => sql`${sql.placeholder(String(value))}`);
    return `-- ${$filter}\n${pretty(dialect.sqlToQuery(written).sql)}\n`;
  });
}

const PERIOD = { from: '2025-04', to: '2025-06' };
const longest = list('ProductStructureVersionAggregatedProductionTime');
const inPeriod = inRequestedPeriod(longest, new Map(Object.entries(PERIOD))) as ListResource;

/**
 * One request contains everything that needs the columns of the period, because each request repeats these columns in
 * the snapshot.
 */
const ofAPeriod: Parameters = {
  ...{ ...PERIOD, $orderby: 'HoursOverPlan desc', $inlinecount: 'allpages', $expand: 'Summary' },
};

/**
 * Statements by the name of their snapshot file. One builder makes the statements of all lists, so three lists are
 * enough: the list with the most SQL, a list below a parent, and a list with translated texts.
 */
const snapshots: Readonly<Record<string, () => readonly string[]>> = {
  'production-times.sql': () => [
    ...statementsOf(longest, pages),
    ...statementsOf(inPeriod, [ofAPeriod]),
    ...readingsOf(longest),
    ...conditionsOf(longest),
  ],
  'months-of-one-parent.sql': () =>
    statementsOf(list('AggregatedProductionTimeMonth'), [{ $pageKey: 'after' }]),
  'translated-domain-values.sql': () => statementsOf(list('DomainValue'), [{ $select: '*' }]),
};

describe('the SQL of three lists matches the committed snapshot', () => {
  for (const [file, make] of Object.entries(snapshots)) {
    it(file, () => {
      const address = new URL(file, FOLDER);
      const made = make().join('\n');
      if (process.env['TAKT_WRITE_SNAPSHOTS'] === '1') writeFileSync(address, made);
      expect(made).to.equal(readFileSync(address, 'utf8'));
    });
  }
});
