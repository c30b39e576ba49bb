import { completion, openedForEach } from '@takt/test-support';
import { expect } from 'chai';
import { listImports } from '../src/index.js';
import { openImportFixture } from './import-fixture.js';

const MAPPING = `
what: operations
columns:
  workOrderOperationKey: '{Auftrag}/{Vorgang}'
  workOrderKey: Auftrag
  productStructureVersionKey: '{Artikel}.{Rev}.{Vorgang}'
  completedAt: {column: Fertig, zone: Europe/Berlin}
  runTime: {column: Minuten, unit: min}
  setupTime: {column: Rüsten, unit: min}
`;
const HEADINGS = 'Auftrag;Vorgang;Artikel;Rev;Fertig;Minuten;Rüsten';
const csv = (...lines: readonly string[]) => [HEADINGS, ...lines, ''].join('\r\n');
const ROWS = ['FA-1;0010;WL-10;B;03.02.2026 07:15;90,5;15', 'FA-2;0010;WL-10;B;04.02.2026 14:00;60;'];

describe('an import of operations', () => {
  const test = openedForEach(openImportFixture);

  async function ledger() {
    const { rows } = await test.database.pool.query(
      `SELECT work_order_operation_key AS key, revision::integer, run_time::float8 AS run, setup_time::float8 AS setup, changed_at AS at
       FROM takt.work_order_operations ORDER BY 1`,
    );
    return rows;
  }

  it('reads windows-1252 with decimal commas in the time zone of the column', async () => {
    const bytes = Buffer.from(csv(...ROWS).replaceAll('ü', '\u00fc'), 'latin1');
    const { number, understanding, ...preview } = await test.import(bytes, MAPPING);
    expect(number).to.be.a('number');
    expect(preview).to.include({ new: 2, changed: 0, unchanged: 0, faulty: 0, rows: 2, leftOut: 0 });
    expect(understanding).to.deep.equal({
      ...{
        decimal: ',',
        formats: { Fertig: 'd.M.yyyy H:mm' },
        zone: 'Europe/Oslo',
        unusedColumns: [],
      },
    });
    expect(await ledger()).to.deep.equal([
      { key: 'FA-1/0010', revision: 1, run: 1.508333, setup: 0.25, at: new Date('2026-02-03T06:15:00Z') },
      { key: 'FA-2/0010', revision: 1, run: 1, setup: null, at: new Date('2026-02-04T13:00:00Z') },
    ]);
  });

  it('changes only what differs, with the next revision', async () => {
    await test.import(csv(...ROWS), MAPPING);
    const again = await test.import(csv(...ROWS), MAPPING);
    expect([again.new, again.changed, again.unchanged, again.number]).to.deep.equal([0, 0, 2, undefined]);
    const newer = await test.import(csv(ROWS[0] ?? '', 'FA-2;0010;WL-10;B;04.02.2026 14:00;75;'), MAPPING);
    expect([newer.new, newer.changed, newer.unchanged]).to.deep.equal([0, 1, 1]);
    expect((await ledger()).map(({ revision, run }) => [revision, run])).to.deep.equal([
      [1, 1.508333],
      [2, 1.25],
    ]);
  });

  it('is undone, and then the naming is free', async () => {
    const { number } = await test.import(csv(...ROWS), MAPPING);
    expect(await test.undo(number ?? 0)).to.deep.equal({
      restored: 2,
      later: [],
      laterCount: 0,
      freed: true,
    });
    expect(await ledger()).to.deep.equal([]);
    const byNumber = MAPPING.replace(
      "workOrderOperationKey: '{Auftrag}/{Vorgang}'",
      "workOrderOperationId: '{Nr}{Vorgang}'",
    )
      .replace('workOrderKey: Auftrag', 'workOrderId: Nr')
      .replace('productStructureVersionKey', 'productStructureVersionId')
      .replace("'{Artikel}.{Rev}.{Vorgang}'", 'Vorgang');
    const numbered = csv(...ROWS)
      .replaceAll('FA-', '')
      .replace('Auftrag', 'Nr');
    expect((await test.import(numbered, byNumber)).new).to.equal(2);
    const refused = await test.import(csv(...ROWS), MAPPING).catch((error: Error) => error.message);
    expect(refused).to.include('TEM-NO names structure versions by numbers, and the mapping by keys');
  });

  it('leaves alone what changed after it, and restores what was before', async () => {
    const first = await test.import(csv(...ROWS), MAPPING);
    const second = await test.import(
      csv('FA-1;0010;WL-10;B;03.02.2026 07:15;10;', 'FA-2;0010;WL-10;B;04.02.2026 14:00;20;'),
      MAPPING,
    );
    await test.import(csv('FA-2;0010;WL-10;B;04.02.2026 14:00;30;'), MAPPING);
    expect(await test.undo(second.number ?? 0)).to.deep.include({
      restored: 1,
      later: ['FA-2/0010'],
      laterCount: 1,
    });
    expect((await ledger()).map(({ run }) => run)).to.deep.equal([1.508333, 0.5]);
    // The state that the undo restored is that of the first import.
    expect(await test.undo(first.number ?? 0)).to.deep.include({ restored: 1, later: ['FA-2/0010'] });
    expect((await ledger()).map(({ run }) => run)).to.deep.equal([null, 0.5]);
  });

  describe('that is interrupted while it publishes', () => {
    const many = Array.from(
      { length: 2_500 },
      (_, place) => `FA-${place};0010;WL-10;B;03.02.2026 07:15;${place % 90},5;`,
    );
    const counted = async () => (await ledger()).filter(({ run }) => run !== null).length;

    async function interrupt(calls: number): Promise<number> {
      test.failAfter(calls);
      const failure = await test.import(csv(...many), MAPPING).catch((error: Error) => error.message);
      expect(failure).to.equal('interrupted');
      test.failAfter(Number.POSITIVE_INFINITY);
      const [found] = await listImports(test.database.pool);
      expect(found).to.include({ publishedAt: null, undoneAt: null });
      return found?.number ?? 0;
    }

    for (const calls of [0, 1, 2]) {
      it(`is completed by importing again, after ${calls * 1_000} events`, async () => {
        await interrupt(calls);
        expect(await counted()).to.equal(calls * 1_000);
        const again = await test.import(csv(...many), MAPPING);
        expect([again.new, again.unchanged]).to.deep.equal([2_500 - calls * 1_000, calls * 1_000]);
        expect(await counted()).to.equal(2_500);
      });

      it(`is undone, also events that are applied late, after ${calls * 1_000} events`, async () => {
        const number = await interrupt(calls);
        const late = await test.database.pool.query(
          'SELECT data FROM takt.import_changes WHERE import_id = $1 AND place IN (1200, 2400)',
          [number],
        );
        expect((await test.undo(number, true)).laterCount).to.equal(0);
        const event = { ...completion(1), source: `/takt/import/${number}` };
        await test.apply(late.rows.map(({ data }) => ({ ...event, data })));
        expect(await counted()).to.equal(0);
      });
    }

    it('is undone after an undo that was interrupted itself', async () => {
      const { number = 0 } = await test.import(csv(...many), MAPPING);
      test.failAfter(1);
      expect(await test.undo(number).catch((error: Error) => error.message)).to.equal('interrupted');
      test.failAfter(Number.POSITIVE_INFINITY);
      expect(await counted()).to.equal(1_500);
      expect(await test.undo(number)).to.deep.equal({
        restored: 2_500,
        later: [],
        laterCount: 0,
        freed: true,
      });
    });
  });
});
