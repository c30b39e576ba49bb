import type { Duty } from '@takt/catalogue/rights';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { readWithKeptTotals } from '../../src/respond/kept-totals.js';
import type { FoundRow } from '../../src/sql/result.js';
import { listPlanOf } from '../support/ask.js';
import { insertMonths, insertStructureVersions, inTurn } from '../support/insert-rows.js';
import { productProductionTimes } from '../support/resources.js';
import { serveApi } from '../support/serve-api.js';

const LIST = '/product/structure-versions/aggregated-production-times';
const PLANNED_TIMES: readonly Duty[] = ['read-production-times', 'read-planned-times'];

describe('The totals on the page of a list', () => {
  const api = opened(serveApi);
  beforeEach(async () => {
    const actual = { run: inTurn('1.5', '2.5') };
    await api.owner.query('TRUNCATE takt.product_structure_versions CASCADE');
    await insertStructureVersions(
      api.owner,
      [1, 2, 3].map((id) => ({ id, productName: `Frame ${id}`, planned: { run: '1.000000' }, actual })),
    );
    await noteChanges();
  });

  const noteChanges = () => api.owner.query('SELECT takt.note_changes(ARRAY[1])');
  /** Changes figures behind the back of the API: the stamp of the company stays as it is. */
  const changeUnnoticed = () =>
    api.owner.query(
      'UPDATE takt.product_structure_versions SET number_of_completed_operations = 3 + number_of_completed_operations',
    );

  const totalsOf = async (query: string, duties = PLANNED_TIMES) => {
    const { status, text } = await api.client.get(`${LIST}?${query}`, {
      authorization: `Bearer ${await api.createToken('TEM-NO', { duties })}`,
      accept: 'text/html',
    });
    expect(status, text.slice(0, 300)).to.equal(200);
    return /<p class="summary">([^<]*)/.exec(text)?.[1]?.trim();
  };

  it('are counted and summed once for all pages and orders, until data change', async () => {
    const before = await totalsOf('$top=1');
    expect(before).to.match(/^\d+ h more than planned in 3 structure versions\.$/);
    await changeUnnoticed();
    for (const query of ['$top=1', '$top=2&$skip=1', '$orderby=RunTime%20desc', '$top=1&$skip=2']) {
      expect(await totalsOf(query), query).to.equal(before);
    }
    await noteChanges();
    expect(await totalsOf('$top=1')).not.to.equal(before);
  });

  it('are those of the filter, the search and the period', async () => {
    expect(await totalsOf('$filter=ProductStructureVersionId%20gt%201')).to.include(
      'in 2 structure versions',
    );
    expect(await totalsOf('$filter=ProductStructureVersionId%20gt%200')).to.include(
      'in 3 structure versions',
    );
    expect(await totalsOf('search=Frame')).to.include('in 3 structure versions');
    expect(await totalsOf('from=2020-01')).to.equal(undefined);
    await insertMonths(api.owner, [
      { structureVersionId: 1, month: '2021-01', completed: 2 },
      { structureVersionId: 2, month: '2021-01', completed: 2 },
      ...[1, 2, 3].map((structureVersionId) => ({ structureVersionId, month: '2021-02', completed: 2 })),
    ]);
    await noteChanges();
    for (const [month, rows] of [
      ['2021-01', 2],
      ['2021-02', 3],
    ]) {
      expect(await totalsOf(`from=${month}&to=${month}`), String(month)).to.include(
        ` ${rows} structure versions`,
      );
    }
  });

  it('are those that the address asks for', async () => {
    expect(await totalsOf('$inlinecount=none')).not.to.include('structure versions.');
    expect(await totalsOf('$inlinecount=none&$expand=Summary')).to.match(
      / in \d+ structure versions|more than planned/,
    );
  });

  it('are always computed for a reader who may not see planned times, who would learn when plans change', async () => {
    const duties: readonly Duty[] = ['read-production-times'];
    const before = await totalsOf('$top=1', duties);
    expect(before).to.include('completed operations of 3 structure versions');
    await changeUnnoticed();
    expect(await totalsOf('$top=1', duties)).not.to.equal(before);
  });

  describe('of products, whose pages are kept whole', () => {
    const PRODUCTS = '/product/products/aggregated-production-times';
    const cellsOf = async (query: string, duties = PLANNED_TIMES) => {
      const { status, text } = await api.client.get(`${PRODUCTS}?${query}`, {
        authorization: `Bearer ${await api.createToken('TEM-NO', { duties })}`,
        accept: 'text/html',
      });
      expect(status, text.slice(0, 300)).to.equal(200);
      const [table = ''] = /<table.*?<\/table>/s.exec(text) ?? [];
      return table.replace(/<[^>]*>/g, '|');
    };
    /** Pages that differ in one thing each. */
    const PAGES = [
      '$top=2',
      '$top=1',
      '$top=2&$skip=1',
      '$top=2&$orderby=ProductName%20desc',
      '$top=2&$filter=ProductName%20gt%20%27Frame%202%27',
      '$top=2&$lang=deu',
      '$top=2&hide=PlannedHours',
      '$top=2&from=2021-01',
    ];

    it('shows the same until data change', async () => {
      await insertMonths(api.owner, [{ structureVersionId: 1, month: '2021-01', completed: 2 }]);
      await noteChanges();
      const before = await Promise.all(PAGES.map((query) => cellsOf(query)));
      expect(new Set(before)).to.have.lengthOf(PAGES.length);
      await changeUnnoticed();
      for (const [index, query] of PAGES.entries())
        expect(await cellsOf(query), query).to.equal(before[index]);
      await noteChanges();
      expect(await cellsOf('$top=2')).not.to.equal(before[0]);
    });

    it('is read once by readers who ask at the same time, and again after a failure', async () => {
      const { rows } = await api.owner.query<{ readonly key: string }>(
        'SELECT access_key AS key FROM takt.companies WHERE company_id = 1',
      );
      const company = {
        companyId: 1,
        key: rows[0]?.key ?? '',
        code: 'TEM-NO',
        name: 'Tempus Norge',
        timeZone: 'UTC',
        timeUnit: 'h' as const,
      };
      const plan = listPlanOf(productProductionTimes);
      let readings = 0;
      const ask = (read: () => Promise<FoundRow>) =>
        readWithKeptTotals(plan, { company, permissions: 'all', duties: 'all' }, api.reader, () => {
          readings++;
          return read();
        });
      const failing = async () => {
        throw new Error('too slow');
      };
      const failed = await Promise.allSettled([ask(failing), ask(failing)]);
      expect(failed.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
      readings = 0;
      const found = await Promise.all([1, 2, 3].map(() => ask(async () => ({ rows: [[readings]] }))));
      expect(found).to.deep.equal([1, 2, 3].map(() => ({ rows: [[1]] })));
      expect(readings).to.equal(1);
    });

    it('is always computed for a reader who may not see planned times', async () => {
      const duties: readonly Duty[] = ['read-production-times'];
      const before = await cellsOf('$top=2', duties);
      await changeUnnoticed();
      expect(await cellsOf('$top=2', duties)).not.to.equal(before);
    });
  });
});
