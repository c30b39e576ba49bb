import { opened } from '@takt/test-support';
import { expect } from 'chai';
import type { ListPage } from '../../src/representations/writer.js';
import { askList, columnOf } from '../support/ask.js';
import { clearRows, insertStructureVersions } from '../support/insert-rows.js';
import { BASE_URL, OTHER_COMPANY, openTestApi } from '../support/open-test-api.js';
import { productionTimes } from '../support/resources.js';
import { follow, parametersOf, walk } from '../support/walk.js';

const PAGE_SIZE = 7;

describe('the paging information', () => {
  const api = opened(openTestApi);
  afterEach(() => clearRows(api.owner));

  const ask = (parameters = {}) =>
    askList(api, productionTimes, { $top: PAGE_SIZE, $orderby: 'RunTime', ...parameters });
  const insert = (rows: number) =>
    insertStructureVersions(
      api.owner,
      Array.from({ length: rows }, (_, index) => ({ id: index + 1, planned: { run: `${index % 3}` } })),
    );

  for (const rows of [1, 6, 7, 8, 14, 15, 20]) {
    it(`describes each page of ${rows} rows in pages of ${PAGE_SIZE}, forward and backward`, async () => {
      await insert(rows);
      const counted = { $top: PAGE_SIZE, $orderby: 'RunTime', $inlinecount: 'allpages' };
      const forward = await walk(api, productionTimes, counted, 'next');
      const count = Math.ceil(rows / PAGE_SIZE);
      expect(forward.map(standing)).to.deep.equal(
        Array.from({ length: count }, (_, index) => ({
          pageSize: PAGE_SIZE,
          position: index * PAGE_SIZE + 1,
          page: index + 1,
          rows: Math.min(PAGE_SIZE, rows - index * PAGE_SIZE),
          hasPrevious: index > 0,
          hasNext: index < count - 1,
          size: rows,
        })),
      );
      const { paging } = await ask(counted);
      const backward = await walk(api, productionTimes, parametersOf(paging.last.href), 'previous');
      const met = backward.toReversed();
      expect(met.map((page) => page.rows)).to.deep.equal(forward.map((page) => page.rows));
      expect(met.map(standing)).to.deep.equal(forward.map(standing));
    });
  }

  it('has position 0 and no neighbours for an empty list', async () => {
    const page = await ask({ $inlinecount: 'allpages' });
    expect(standing(page)).to.deep.equal({
      ...{ pageSize: PAGE_SIZE, position: 0, page: 0, rows: 0, size: 0 },
      ...{ hasPrevious: false, hasNext: false },
    });
    for (const link of [page.paging.first, page.paging.last]) {
      expect((await follow(api, productionTimes, link)).rows).to.deep.equal([]);
    }
  });

  it('links to the first and the last page on every page', async () => {
    await insert(17);
    const pages = await walk(api, productionTimes, { $top: PAGE_SIZE }, 'next');
    for (const { paging } of pages) {
      const [first, last] = [
        await follow(api, productionTimes, paging.first),
        await follow(api, productionTimes, paging.last),
      ];
      expect(columnOf(first)).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
      expect(columnOf(last)).to.deep.equal([15, 16, 17]);
    }
  });

  it('has absolute links that keep the parameters, except $skip, the token and unknown parameters', async () => {
    await insert(30);
    const { paging } = await ask({
      ...{ $format: 'xml', $db: 'TEM-NO', $skip: 3, $filter: "ProductName ne 'a&b=c'" },
      ...{ $access_token: 'secret', unknown: 'x' },
    });
    for (const link of [paging.first, paging.previous, paging.next, paging.last]) {
      const href = link?.href ?? '';
      expect(href.startsWith(`${BASE_URL}/product/structure-versions/aggregated-production-times?`)).to.equal(
        true,
      );
      expect(parametersOf(href)).to.deep.equal({
        ...{ $top: '7', $orderby: 'RunTime', $format: 'xml', $db: 'TEM-NO' },
        ...{ $filter: "ProductName ne 'a&b=c'", $pageKey: link?.key },
      });
    }
  });

  it('has a count only on request with $inlinecount=allpages, and counts only rows that match the filter', async () => {
    await insert(20);
    await insertStructureVersions(api.owner, [
      { id: 21, companyId: OTHER_COMPANY },
      { id: 22, isListed: false },
    ]);
    expect((await ask()).paging.size).to.equal(undefined);
    expect((await ask({ $inlinecount: 'none' })).paging.size).to.equal(undefined);
    expect((await ask({ $inlinecount: 'allpages' })).paging.size).to.equal(20);
    expect((await ask({ $inlinecount: 'allpages', $filter: 'RunTime eq 2' })).paging.size).to.equal(6);
  });

  it('has the same count on every page, in both directions', async () => {
    await insert(20);
    const counted = { $top: 4, $orderby: 'RunTime', $filter: 'RunTime ge 1', $inlinecount: 'allpages' };
    const forward = await walk(api, productionTimes, counted, 'next');
    const last = forward[0]?.paging.last;
    const backward = await walk(api, productionTimes, parametersOf(last?.href ?? ''), 'previous');
    for (const pages of [forward, backward]) {
      expect(pages.map(({ paging }) => paging.size)).to.deep.equal([13, 13, 13, 13]);
    }
  });

  it('is also right after $skip', async () => {
    await insert(20);
    const page = await ask({ $skip: 5, $orderby: undefined });
    expect(columnOf(page)).to.deep.equal([6, 7, 8, 9, 10, 11, 12]);
    expect(standing(page)).to.include({ position: 6, page: 1, hasPrevious: true, hasNext: true });
    const { previous } = page.paging;
    if (previous === null) throw new Error('rows were skipped, so there is a page before');
    const before = await follow(api, productionTimes, previous);
    expect(columnOf(before)).to.deep.equal([1, 2, 3, 4, 5]);
    expect(standing(before)).to.include({ position: 1, page: 1, hasPrevious: false, hasNext: true });
  });

  for (const $skip of [20, 21, 10_000]) {
    it(`has no position after $skip=${$skip} of 20 rows, but a link back to the last rows`, async () => {
      await insert(20);
      const page = await ask({ $skip, $orderby: undefined });
      expect(standing(page)).to.include({ rows: 0, position: 0, hasPrevious: true, hasNext: false });
      const { previous } = page.paging;
      if (previous === null) throw new Error('there is a page before');
      expect(columnOf(await follow(api, productionTimes, previous))).to.deep.equal([15, 16, 17, 18, 19, 20]);
    });
  }

  it('links back to the remaining rows if all rows after a page key have been deleted', async () => {
    await insert(20);
    const first = await ask({ $orderby: undefined });
    const { next } = first.paging;
    const second = next === null ? undefined : await follow(api, productionTimes, next);
    await api.owner.query(
      'DELETE FROM takt.product_structure_versions WHERE product_structure_version_id > 7',
    );
    if (next === null || second?.paging.previous == null) throw new Error('there are three pages');
    const afterAll = await follow(api, productionTimes, next);
    expect(standing(afterAll)).to.include({ rows: 0, position: 0, hasPrevious: true, hasNext: false });
    await api.owner.query('DELETE FROM takt.product_structure_versions');
    await insertStructureVersions(api.owner, [{ id: 10 }]);
    const beforeAll = await follow(api, productionTimes, second.paging.previous);
    expect(standing(beforeAll)).to.include({ rows: 0, position: 0, hasPrevious: false, hasNext: true });
  });

  it('states a page size of at most 80 rows, which $top=$max requests, and of 10 rows by default', async () => {
    await insert(85);
    for (const $top of [81, 1_000_000, '$max', '$MAX']) {
      const page = await ask({ $top });
      expect(standing(page)).to.include({ rows: 80, pageSize: 80, hasNext: true });
    }
    expect(standing(await ask({ $top: undefined }))).to.include({ rows: 10, pageSize: 10 });
  });
});

function standing({ rows, paging }: ListPage) {
  return {
    pageSize: paging.pageSize,
    position: paging.position,
    page: paging.page,
    rows: rows.length,
    hasPrevious: paging.previous !== null,
    hasNext: paging.next !== null,
    size: paging.size,
  };
}
