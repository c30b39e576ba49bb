import { openDatabase } from '@takt/database';
import { limits } from '@takt/query';
import { opened, shareOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { type SQL, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { placeholders } from '../../src/plan/plan.js';
import { resolveAsWritten } from '../../src/plan/resolve-filter.js';
import { filterSql, type PlaceholderOf } from '../../src/sql/filter-sql.js';
import { runStatement } from '../../src/sql/run-statement.js';
import { createStatementCache } from '../../src/sql/statement-cache.js';
import { listPlanOf } from '../support/ask.js';
import { describeRows } from '../support/describe-rows.js';
import { filterArbitrary, isSendable } from '../support/filter-arbitrary.js';
import { insertStructureVersions } from '../support/insert-rows.js';
import type { ModelFilter } from '../support/model-filter.js';
import { nastyTexts } from '../support/nasty-texts.js';
import { COMPANY, openTestApi } from '../support/open-test-api.js';
import { plainFilterSql } from '../support/plain-filter-sql.js';
import { printModelFilter } from '../support/print-model-filter.js';
import { readProductionTimes } from '../support/read-model-rows.js';
import { productionTimes } from '../support/resources.js';
import { variedStructureVersion } from '../support/varied-rows.js';

const ROWS = 1_000;
const FILTERS = shareOf(300, 100);
/** The number of filters that one statement compares. */
const AT_ONCE = 20;
const seed = testSeed();

/** Fields with each kind of sort key: never negative, with both signs, in hundredths, and never missing. */
const NUMBERS = [
  'AverageCleanupTime',
  'RunTime',
  'RunTimeDifference',
  'RunTimeOverPlanPercent',
  'NumberOfCompletedProductionWorkOrders',
];

/**
 * Constants that are equal to, near or beyond stored values. Some are equal to the sort key of a missing value, and no
 * value may equal that key. Others have no value.
 */
const CONSTANTS = [
  ...['0', '1.5', '1.500001', '1.5000005', '-0.000001', '-0.0000005', '-1', '-1.5', '-0.01', '-100'],
  ...['9223372036854.775807', '-9223372036854.775807', '-9223372036854.775808', '-9223372036854.775809'],
  ...[
    '92233720368547758.07',
    '-92233720368547758.08',
    '1e300',
    '-1e300',
    '0.5 mul 3',
    '1 div 0',
    '1 add null',
  ],
  ...['-(1 div 0)', '3 div 2'],
];

const OPERATORS = ['eq', 'ne', 'lt', 'le', 'gt', 'ge'];

describe(`a filter in the form that can use an index (seed ${seed})`, () => {
  const api = opened(openTestApi);
  let names: readonly string[];
  before(async () => {
    names = nastyTexts(seed, ROWS);
    await insertStructureVersions(
      api.owner,
      names.map((productName, index) => ({ ...variedStructureVersion(index), id: index + 1, productName })),
      { areSearched: false },
    );
    await api.owner.query('ANALYZE');
  });

  /**
   * Expects each filter to match the same rows as written and in its indexable form. Returns the share of filters that
   * match some rows but not all.
   */
  const compare = async (filters: readonly string[]) => {
    const { pool, close } = openDatabase({
      url: api.url,
      applicationName: 'takt api test',
      // This setting makes PostgreSQL use an index wherever it can.
      settings: { jit: 'off', enable_seqscan: 'off' },
    });
    const wrong: { readonly filter: string; readonly sizes: readonly number[] }[] = [];
    let parting = 0;
    try {
      for (let start = 0; start < filters.length; start += AT_ONCE) {
        const asked = filters.slice(start, start + AT_ONCE);
        const { build, values } = sizesOf(asked);
        const statement = createStatementCache()({ key: '', isPlannedOnce: false, build });
        const company = { key: api.keys.get(COMPANY) ?? '' };
        const [row] = await runStatement<Record<string, string>>(pool, company, statement, values);
        for (const [index, filter] of asked.entries()) {
          const sizes = ['plain', 'sharp', 'both'].map((name) => Number(row?.[`${name}${index}`]));
          const [plain = 0, sharp, both] = sizes;
          if (plain !== sharp || plain !== both) wrong.push({ filter, sizes });
          if (plain > 0 && plain < ROWS) parting++;
        }
      }
    } finally {
      await close();
    }
    wrong.sort((one, other) => one.filter.length - other.filter.length);
    expect(wrong.slice(0, 5), `${wrong.length} of ${filters.length} filters`).to.deep.equal([]);
    return parting / filters.length;
  };

  it('matches the same rows as the written filter for comparisons with a constant', async () => {
    const filters = NUMBERS.flatMap((name) =>
      OPERATORS.flatMap((operator) =>
        CONSTANTS.flatMap((constant, index) => {
          const sides = [`${name} ${operator} ${constant}`, `${constant} ${operator} ${name}`];
          const [one = '', other = ''] = index % 2 === 0 ? sides : sides.reverse();
          return [one, `not (${other})`];
        }),
      ),
    );
    expect(await compare(filters)).to.be.at.least(0.2);
  });

  it('matches the same rows as the written filter for conditions on missing values', async () => {
    const filters = NUMBERS.flatMap((name) => [
      `${name} eq null`,
      `${name} ne null`,
      `${name} in (null)`,
      `${name} in (1.5, -1, -0.000001, null)`,
      `${name} in (1.5, -0.000001, -9223372036854.775808, -92233720368547758.08)`,
      `not (${name} gt 1 or RunTime eq null)`,
      `not (${name} le 1 and not (SetupTime lt 2))`,
    ]);
    const parting = await compare(filters.flatMap((text) => [text, `not (${text})`]));
    expect(parting).to.be.at.least(0.5);
  });

  it('matches the same rows as the written filter for a prefix of a name', async () => {
    const sendable = [...new Set(names)].filter(isSendable);
    const starts = sendable.flatMap((name) => {
      const start = [...name].slice(0, 1 + (name.length % 4)).join('');
      return [start, start.toUpperCase(), start.toLowerCase()];
    });
    const texts = [...new Set(starts)].map(
      (start) => `startswith(ProductName, '${start.replaceAll("'", "''")}')`,
    );
    expect(texts.length).to.be.at.least(300);
    const short = texts.filter((text) => text.length < limits.filterCharacters);
    const sampled = fc.sample(fc.constantFrom(...short), { seed, numRuns: FILTERS });
    expect(await compare([...new Set(sampled)])).to.be.at.least(0.9);
  });

  it('matches the same rows as the written filter for random filters, half of them negated', async () => {
    const rows = await readProductionTimes(api.owner);
    const few = rows.filter((_, index) => index % 25 === 0);
    const model = filterArbitrary(describeRows(few));
    const negated = fc.oneof(
      model,
      model.map((inner): ModelFilter => ({ kind: 'not', inner })),
    );
    const filters = fc.sample(fc.tuple(negated, fc.nat()), { seed, numRuns: FILTERS });
    const texts = filters.map(([filter, style]) => printModelFilter(filter, style));
    expect(await compare(texts)).to.be.at.least(0.6);
  });
});

/**
 * Builds SQL that counts the rows of each filter: rows that match it as written, in its indexable form, and in both
 * forms.
 */
function sizesOf(filters: readonly string[]) {
  const values: Record<string, unknown> = { [placeholders.company]: COMPANY };
  const sizes = filters.flatMap((text, index) => {
    const { filter, options, resource } = listPlanOf(productionTimes, { $filter: text }).question;
    if (filter === undefined || options.filter === undefined) throw new Error('a filter is resolved');
    const written = resolveAsWritten(resource, options.filter.expression);
    const named = (name: string, given: readonly unknown[]): PlaceholderOf => {
      given.forEach((value, number) => {
        values[`${name}${index}_${number}`] = value;
      });
      return (number) => sql`${sql.placeholder(`${name}${index}_${number}`)}`;
    };
    const plain = plainFilterSql(written.condition, named('written', written.values));
    const sharp = filterSql(filter.condition, named('asked', filter.values));
    const size = (name: string, condition: SQL) =>
      sql`(SELECT count(*) FROM takt.product_structure_versions AS listed WHERE company_id = ${sql.placeholder(placeholders.company)}::integer AND changed_at IS NOT NULL AND ${condition}) AS ${sql.identifier(`${name}${index}`)}`;
    return [size('plain', plain), size('sharp', sharp), size('both', sql`${plain} AND ${sharp}`)];
  });
  return {
    build: () =>
      sql`SELECT ${sql.join(sizes, sql`, `)}, current_setting('takt.company_key', true) AS "companyKey"`,
    values,
  };
}
