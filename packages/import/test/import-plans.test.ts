import { openedForEach, structureVersion } from '@takt/test-support';
import { expect } from 'chai';
import { COMPANY, openImportFixture } from './import-fixture.js';

const MAPPING = `
what: plans
columns:
  productStructureVersionId: Id
  product.productId: Artikel
  product.name: Name
  plannedProductionTimes.runTime: {column: Plan, unit: min}
`;
const csv = (...lines: readonly string[]) => `Id;Artikel;Name;Plan\n${lines.join('\n')}\n`;

describe('an import of plans', () => {
  const test = openedForEach(openImportFixture);

  async function listed() {
    const { rows } = await test.database.pool.query(
      `SELECT product_structure_version_id::integer AS id, product_name AS product, name, run_time::float8 / 1e6 AS run,
         setup_time::float8 / 1e6 AS setup
       FROM takt.product_structure_versions WHERE changed_at IS NOT NULL ORDER BY 1`,
    );
    return rows;
  }

  it('adds structure versions with values of its own where no column gives them', async () => {
    expect((await test.import(csv('1;7;Bracket;30', '2;7;Bracket;'), MAPPING)).new).to.equal(2);
    expect(await listed()).to.deep.equal([
      { id: 1, product: 'Bracket', name: '1', run: 0.5, setup: null },
      { id: 2, product: 'Bracket', name: '2', run: null, setup: null },
    ]);
  });

  it('changes only what a column gives', async () => {
    const plannedProductionTimes = { runTime: '1.25', setupTime: '0.5', cleanupTime: null };
    await test.apply([structureVersion(1, { database: COMPANY, name: 'Milling', plannedProductionTimes })]);
    const before = await listed();
    const mapping = MAPPING.replaceAll(/\n {2}product\..*/g, '');
    expect((await test.import(csv('1;;;120'), mapping)).changed).to.equal(1);
    expect(await listed()).to.deep.equal([{ ...before[0], run: 2 }]);
    expect((await test.import(csv('1;;;120'), mapping)).unchanged).to.equal(1);
    // A blank cell gives nothing either.
    expect((await test.import(csv('1;;;120'), MAPPING)).unchanged).to.equal(1);
  });

  it('removes on undo what only it made, and restores plans and names of products', async () => {
    await test.apply([1, 2].map((id) => structureVersion(id, { database: COMPANY })));
    const before = await listed();
    const { number } = await test.import(csv('1;7;Other;30', '3;7;Other;60', '4;8;New;60'), MAPPING);
    expect((await listed()).map(({ id, product }) => [id, product])).to.deep.include.members([
      [3, 'Other'],
      [4, 'New'],
    ]);
    expect(await test.undo(number ?? 0)).to.deep.include({ restored: 3, laterCount: 0 });
    expect(await listed()).to.deep.equal(before);
  });

  it('is undone again after a later import was undone, and names a product that stays meanwhile', async () => {
    await test.apply([
      structureVersion(3, {
        database: COMPANY,
        product: { productId: 7, status: 4, name: 'Alpha', type: 'K', description: '' },
      }),
    ]);
    const before = await listed();
    const [first, second] = [
      await test.import(csv('1;7;X;30'), MAPPING),
      await test.import(csv('3;7;Y;30', '1;7;Y;40'), MAPPING),
    ];
    expect(await test.undo(first.number ?? 0)).to.deep.include({ restored: 0, later: ['1'] });
    expect(await test.undo(second.number ?? 0)).to.deep.include({ restored: 2, later: [] });
    expect(await test.undo(first.number ?? 0)).to.deep.include({ restored: 1, later: [] });
    expect(await listed()).to.deep.equal(before);
    const third = await test.import(csv('1;7;Z;30'), MAPPING);
    await test.import(csv('3;7;W;30'), MAPPING);
    expect((await test.undo(third.number ?? 0)).later).to.deep.equal(['product 7']);
  });

  it('refuses different names of one product, and names the lines', async () => {
    const faults: string[] = [];
    const { number, faulty } = await test.import(
      csv('1;7;Bracket;30', '2;7;Bolt;30', '3;8;Nut;30'),
      MAPPING,
      {
        onFaulty: async (rows) => void faults.push(...rows.map(({ line, rule }) => `${line} ${rule}`)),
      },
    );
    expect([number, faulty]).to.deep.equal([undefined, 2]);
    expect(faults[0]).to.match(/^2 is of a product of which other lines say something else/);
  });

  it('doubts a plan far from what was measured', async () => {
    await test.import(csv('1;7;Bracket;60'), MAPPING);
    const operations = 'Auftrag;Id;Fertig;Minuten\n9;1;2026-03-01 12:00;60\n';
    const mapping = `
what: operations
columns: {workOrderOperationId: Auftrag, productStructureVersionId: Id, completedAt: Fertig, runTime: {column: Minuten, unit: h}}`;
    const refused = await test.import(operations, mapping);
    expect([refused.number, refused.doubts]).to.deep.equal([
      undefined,
      ['1: the average run time of 1 operations is 60 h, 60 times the plan of 1 h: is the unit right?'],
    ]);
    const hours = mapping.replace('unit: h', 'unit: min');
    expect((await test.import(operations, hours)).doubts).to.deep.equal([]);
    const plan = await test.import(csv('1;7;Bracket;6'), MAPPING);
    expect([plan.number, plan.doubts]).to.deep.equal([
      undefined,
      ['1: the average run time is 1 h, 10 times the plan of 0.1 h: is the unit right?'],
    ]);
    expect((await test.import(csv('1;7;Bracket;6'), MAPPING, { ignoresDoubts: true })).changed).to.equal(1);
  });
});
