import { opened, someOf } from '@takt/test-support';
import { expect } from 'chai';
import { createStatementCache, type StatementOf } from '../../src/sql/statement-cache.js';
import { insertStructureVersions, noteChangesByHand } from '../support/insert-rows.js';
import { type ServedBeside, serveApi } from '../support/serve-api.js';
import { variedStructureVersion } from '../support/varied-rows.js';

const TIMES = '/product/structure-versions/aggregated-production-times';
const ROWS = 2_600;
/** The number of batches of the export. Each has at most a thousand rows. */
const BATCHES = 3;

/** Orders without an index: by several fields, in both directions, and by one field without an index. */
const ORDERS = [
  'AverageCleanupTime,AverageRunTime',
  'AverageCleanupTime desc,ProductName,AverageRunTime desc',
  'NumberOfCompletedProductionWorkOrders desc,ProductName',
  'RunTimeDifference desc',
];
const FILTERS = [
  undefined,
  "not (endswith(ProductStructureVersionName,'e') or RunTime eq 0.25)",
  'ProductStructureVersionId in (5,77,1200,2499,9999) or RunTime gt 1',
];

describe('an export in an order without an index', function () {
  this.timeout(120_000);
  const api = opened(serveApi);
  const texts: string[] = [];
  let served: ServedBeside;
  let authorization: string;

  before(async () => {
    const rows = Array.from({ length: ROWS }, (_, index) => ({
      ...variedStructureVersion(index),
      id: index + 1,
    }));
    await insertStructureVersions(api.owner, rows);
    await api.owner.query('ANALYZE');
    authorization = `Bearer ${await api.createToken('TEM-NO')}`;
    const cache = createStatementCache();
    const statementOf: StatementOf = (shape) => {
      const statement = cache(shape);
      texts.push(statement.text);
      return statement;
    };
    served = await api.serveBeside({ statementOf });
  });
  after(() => served?.close());

  const get = async (query: string): Promise<string> => {
    const { status, text } = await served.client.get(`${TIMES}?${query}`, { authorization });
    expect(status, text).to.equal(200);
    return text;
  };
  const exported = async (query: string): Promise<readonly number[]> => {
    const [, ...lines] = (
      await get(`$format=csv&$select=ProductStructureVersion.ProductStructureVersionId&${query}`)
    )
      .trimEnd()
      .split('\r\n');
    return lines.map(Number);
  };
  /** Reads at most this number of pages of the same list in JSON, and returns the identifiers. */
  const paged = async (query: string, pages = Number.POSITIVE_INFINITY): Promise<readonly number[]> => {
    const ids: number[] = [];
    let [key, read] = ['', 0];
    do {
      read += 1;
      const page = JSON.parse(await get(`$format=json&$top=80&$expand=PagingDetails&${query}${key}`));
      for (const row of page.productStructureVersionAggregatedProductionTimes) {
        ids.push(row.productStructureVersion.productStructureVersionId);
      }
      const next = new URL(page.paging.nextPage || 'none:').searchParams.get('$pageKey');
      key = next === null ? '' : `&$pageKey=${next}`;
    } while (key !== '' && read < pages);
    return ids;
  };

  for (const $orderby of someOf(ORDERS, 2)) {
    for (const $filter of FILTERS) {
      it(`has the rows of all pages in their order: ${$orderby} where ${$filter}`, async () => {
        const query = new URLSearchParams({ $orderby, ...($filter && { $filter }) }).toString();
        const ids = await exported(query);
        expect(ids.length).to.be.above($filter === undefined ? ROWS - 1 : 100);
        expect(ids).to.deep.equal(await paged(query));
      });
    }
  }

  it('has the rows that match a search', async () => {
    const query = '$orderby=AverageCleanupTime,AverageRunTime&search=frame';
    const ids = await exported(query);
    expect(ids.length).to.be.within(50, ROWS - 1);
    expect(ids).to.deep.equal(await paged(query));
  });

  it('sorts the list once for all batches', async () => {
    texts.length = 0;
    await exported(`$orderby=${encodeURIComponent(ORDERS[0] ?? '')}`);
    const ofKeys = texts.filter((text) => /"product_structure_version_id" = ANY/.test(text));
    expect(ofKeys).to.have.length(BATCHES - 1);
    // The remaining statements are the walk for the first batch and the statement for the keys of all other batches. A
    // walk that stops among rows with equal values needs further statements for these rows.
    expect(texts.length - ofKeys.length).to.be.within(2, 4);
  });

  it('computes the figures of a period once for all batches', async () => {
    await api.owner.query(
      `INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month, number_of_completed_operations,
         run_time_sum, run_time_sum_of_squares)
       SELECT company_id, product_structure_version_id, '2025-04-01', 2, product_structure_version_id * 7919 % 500, 1e6
       FROM takt.product_structure_versions`,
    );
    await noteChangesByHand(api.owner);
    const query = 'from=2025-04&to=2025-04&$orderby=AverageRunTime%20desc,ProductName';
    texts.length = 0;
    const ids = await exported(query);
    expect(texts.filter((text) => !/"product_structure_version_id" = ANY/.test(text))).to.have.length(2);
    expect(new Set(ids)).to.have.lengthOf(ROWS);
    const firstPage = await paged(query, 1);
    expect(ids.slice(0, firstPage.length)).to.deep.equal(firstPage);
  });
});
