import { openDatabase } from '@takt/database';
import { comparisonOperators, limits } from '@takt/query';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { runStatement } from '../../src/sql/run-statement.js';
import { createStatementCache, statementShapeOf } from '../../src/sql/statement-cache.js';
import { askList, columnOf, planOf } from '../support/ask.js';
import { explainPlan } from '../support/explain.js';
import { faultOf } from '../support/fault-of.js';
import { insertStructureVersions } from '../support/insert-rows.js';
import { OTHER_COMPANY, openTestApi } from '../support/open-test-api.js';
import { filteredFields, productionTimeFields } from '../support/queried-fields.js';
import { productionTimes } from '../support/resources.js';

const ROWS = 40;
const numbers = Object.keys(productionTimeFields).filter((name) => !/Name$|Key$|Verdict$/.test(name));

const repeated = (count: number, text: (index: number) => string, joint: string) =>
  Array.from({ length: count }, (_, index) => text(index)).join(joint);

describe('a filter of the maximum size', () => {
  const api = opened(openTestApi);
  before(async () => {
    await insertStructureVersions(
      api.owner,
      Array.from({ length: ROWS }, (_, index) => ({
        id: 100 + index,
        planned: { run: `${index}.5` },
        productName: `Frame ${index}`,
      })),
    );
  });
  before('a company with so many rows that an index pays', async () => {
    await insertStructureVersions(
      api.owner,
      Array.from({ length: 5_000 }, (_, index) => ({
        ...{ id: 2_000 + index, companyId: OTHER_COMPANY },
        planned: { run: `${index % 7}.${index % 10}` },
      })),
    );
    await api.owner.query('ANALYZE');
  });

  const found = async ($filter: string): Promise<readonly number[]> => {
    const page = await askList(api, productionTimes, {
      $filter,
      $top: '$max',
      $select: productionTimes.key.name,
    });
    return columnOf(page).map(Number);
  };
  const faultIn = ($filter: string) => faultOf(askList(api, productionTimes, { $filter }));

  it(`returns all rows that match any of ${limits.comparisons} comparisons with OR`, async () => {
    const same = repeated(limits.comparisons, (index) => `RunTime eq ${index % 10}`, ' or ');
    expect(await found(same)).to.deep.equal([]);
    expect(await found(same.replace(/\d+$/, '7.5'))).to.deep.equal([107]);
    const others = repeated(400, (index) => `SetupTime lt ${index}`, ' or ');
    expect(await found(`${others} or RunTime le 1.5`)).to.deep.equal([100, 101]);
    expect(
      await found(`(${others}) or not (${others.slice(0, 7_000).replace(/ or [^o]*$/, '')})`),
    ).to.have.lengthOf(ROWS);
  });

  it('can compare every field by every operator, and contain hundreds of names', async () => {
    const operators = Object.keys(comparisonOperators);
    const mixed = repeated(
      400,
      (index) => `${numbers[index % numbers.length]} ${operators[index % operators.length]} -${index}.5`,
      ' or ',
    );
    expect(mixed.length).to.be.at.most(limits.filterCharacters);
    expect(await found(mixed)).to.have.lengthOf(ROWS);
    const names = repeated(690, (index) => `ProductName eq '${index}'`, ' or ')
      .slice(0, 15_900)
      .replace(/ or [^o]*$/, '');
    expect(await found(`${names} or ProductName eq 'frame 3'`)).to.deep.equal([103]);
    const types = repeated(500, (index) => `ProductStatus eq ${index + 5}`, ' or ');
    expect(await found(types)).to.deep.equal([]);
  });

  it('can contain the maximum of lists, arithmetic and nesting', async () => {
    const list = repeated(limits.listValues, (index) => String(index + 0.5), ',');
    expect(await found(`RunTime in (${list})`)).to.have.lengthOf(ROWS);
    expect(
      await found(
        `ProductStructureVersionId in (${repeated(1_000, (index) => `${index}`, ',')},null)`.replace(
          '0,',
          '',
        ),
      ),
    ).to.have.lengthOf(ROWS);
    for (const operator of ['add', 'sub', 'mul', 'div', 'mod']) {
      const literal = operator === 'mod' ? 97 : 1;
      const chain = repeated(limits.operations, () => `${operator} ${literal}`, ' ');
      const expected = operator === 'add' ? 102.5 : operator === 'sub' ? -97.5 : 2.5;
      expect(await found(`RunTime ${chain} eq ${expected}`), operator).to.deep.equal([102]);
    }
    const deep = `${'round('.repeat(limits.filterDepth)}RunTime${')'.repeat(limits.filterDepth)}`;
    expect(await found(`${deep} eq 3`)).to.deep.equal([102]);
    const texts = (times: number) =>
      `${'substring(concat('.repeat(times)}ProductName${",'x'),1)".repeat(times)}`;
    expect(await found(`${texts(10)} eq 'xxxxxxx'`)).to.have.lengthOf(10);
    expect(await found(`indexof(${texts(9)},'x') eq 0`)).to.have.lengthOf(ROWS);
  });

  it('is rejected with the limit if it could compute a number that PostgreSQL cannot store', async () => {
    const tooMany = {
      code: 'expressionTooLarge',
      parameters: ['$filter', 'digits in the result of arithmetic', '1000'],
    };
    expect(await found('RunTime lt 1e399 and RunTime gt 1e-399 and RunTime gt -1e399')).to.have.lengthOf(
      ROWS,
    );
    expect(await found('1e300 mul 1e300 gt RunTime')).to.have.lengthOf(ROWS);
    expect(await found('1e-300 mul 1e-300 lt RunTime div 1e-300')).to.have.lengthOf(ROWS);
    for (const text of [
      '1e300 mul 1e300 mul 1e300 mul 1e300 gt 1',
      '1e-300 mul 1e-300 mul 1e-300 mul 1e-300 gt 1',
      `RunTime gt 1${' div 1e-300'.repeat(4)}`,
      `-(1e399 mul 1e399) mul RunTime${' mul RunTime'.repeat(40)} gt 0`,
      'round(1e399 mul 1e399 mul 1e399) gt 0',
      "substring(ProductName, 1e399 mul 1e399 mul 1e399) eq ''",
    ]) {
      expect(await faultIn(text), text).to.deep.equal(tooMany);
    }
    for (const text of ['1e999999 gt RunTime', 'RunTime lt 1e-999999']) {
      const { code, parameters } = await faultIn(text);
      expect({ code, expected: parameters[3] }).to.deep.equal({
        code: 'syntaxError',
        expected: 'number of at most 400 digits',
      });
    }
    for (const place of ['1e399', '-1e399', '9999999999999999999', '0.5', '-0.5']) {
      await found(`substring(ProductName, ${place}, ${place}) eq 'x' or substring('abc', ${place}) eq 'x'`);
    }
  });

  it('is not kept in the statement cache', () => {
    const shapeOf = (length: number) => {
      let built = 0;
      const build = () => sql.raw(`SELECT ${++built}`);
      return { shape: { key: 'x'.repeat(length), isPlannedOnce: true, build }, builds: () => built };
    };
    const statementOf = createStatementCache();
    for (const [length, builds] of [
      [10_000, 1],
      [10_001, 2],
    ] as const) {
      const one = shapeOf(length);
      const names = [statementOf(one.shape), statementOf(one.shape)].map(({ name }) => name !== undefined);
      expect(one.builds()).to.equal(builds);
      expect(names).to.deep.equal([builds === 1, builds === 1]);
    }
  });

  for (const [$filter, index] of [
    ['ProductStructureVersionId eq 4711', 'product_structure_versions_pkey'],
    ['ProductStructureVersionId in (4711, 4712)', 'product_structure_versions_pkey'],
    ['ProductStructureVersion/ProductStructureVersionId ge 6990', 'product_structure_versions_pkey'],
    ['ProductId eq 4711', 'product_structure_versions_of_product'],
    ['RunTime eq 3.15 mul 2', 'by_run_time'],
  ] as const) {
    it(`finds the rows of ${$filter} with an index for the whole condition`, async () => {
      const plan = planOf(productionTimes, { $filter }, {}, OTHER_COMPANY);
      const lines = await explainPlan(api, plan, api.owner);
      expect(lines).to.include(index);
      expect(lines).to.match(/Index Cond: .*(4711|6990|6300000)/);
    });
  }

  it('gets the error for slow queries after a timeout', async () => {
    const { pool, close } = openDatabase({
      url: api.url,
      applicationName: 'hurried',
      statementTimeoutMs: 50,
      // With three connections, the company has one place. The second statement gets it only if the first one freed it.
      maxConnections: 3,
    });
    try {
      const run = (canBeNarrowed: boolean) => {
        const shape = {
          key: String(canBeNarrowed),
          isPlannedOnce: false,
          canBeNarrowed,
          build: () => sql`SELECT pg_sleep(60)`,
        };
        return faultOf(runStatement(pool, { key: '' }, createStatementCache()(shape), {}));
      };
      expect(await run(true)).to.deep.equal({ code: 'queryTooSlow', parameters: [] });
      expect(await run(false)).to.deep.equal({ code: 'databaseUnavailable', parameters: [] });
    } finally {
      await close();
    }
    const narrowed = (parameters: Parameters<typeof planOf>[1]) =>
      statementShapeOf(planOf(productionTimes, parameters)).canBeNarrowed;
    expect(narrowed({})).to.equal(false);
    expect(narrowed({ $filter: 'RunTime gt 1' })).to.equal(true);
    expect(narrowed({ $orderby: 'RunTime' })).to.equal(true);
  });

  it('has the same count with $count=true as with $inlinecount=allpages', async () => {
    const page = await askList(api, productionTimes, { $count: 'true', $filter: 'RunTime lt 5' });
    expect(page.paging.size).to.equal(5);
    expect((await askList(api, productionTimes, { $count: 'false' })).paging.size).to.equal(undefined);
  });

  it('can use every field by its name and by its path', async () => {
    for (const name of Object.keys(filteredFields))
      expect(await found(`${name} eq null or true`)).to.have.lengthOf(ROWS);
    for (const path of [
      'ProductStructureVersion/Product/Name',
      'Product.Name',
      'productstructure/product/NAME',
    ]) {
      expect(await found(`${path} eq 'frame 7'`)).to.deep.equal([107]);
    }
    expect(await found("ProductStructureVersion/Name eq 'structure 105'")).to.deep.equal([105]);
    expect(await found('Processing/RunTime eq 3.5')).to.deep.equal([103]);
  });
});
