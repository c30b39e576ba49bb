import { opened, shareOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { askList, columnOf, type Parameters, planOf } from '../support/ask.js';
import { foldCase, holdsWords, spellings } from '../support/compare-text.js';
import { explainPlan } from '../support/explain.js';
import { isSendable } from '../support/filter-arbitrary.js';
import { insertStructureVersions, type StructureVersion } from '../support/insert-rows.js';
import { OTHER_COMPANY, openTestApi } from '../support/open-test-api.js';
import { productionTimes } from '../support/resources.js';
import { variedStructureVersion } from '../support/varied-rows.js';
import { identifiersOf, walk } from '../support/walk.js';

const seed = testSeed();
const MANY = 20_000;

/** 60 varied rows, and MANY rows whose names differ only in their numbers or in one word. */
const rows: readonly StructureVersion[] = [
  ...Array.from({ length: 60 }, (_, index) => variedStructureVersion(index)),
  ...Array.from({ length: MANY }, (_, index) => ({
    id: 100_000 + index,
    productId: 700_000 + (index % 5_000),
    productName: `Conveyor ${index % 5_000}`,
    name: index % 4_000 === 0 ? `Grinding ${index}` : `Milling ${index}`,
  })),
];

const searched = rows.map(({ id, productId = id, key, productKey, productName = '', name = '' }) => ({
  id,
  name: foldCase(productName),
  places: [productName, name, productKey ?? String(productId), key ?? String(id)].flatMap(spellings),
}));

/**
 * Returns the expected identifiers. These are all rows in which each word occurs in one of the four fields, without
 * regard to case and accents. Numbers are found only where there is no key.
 */
function expected(search: string): readonly number[] {
  const found = searched.filter(({ places }) => holdsWords(places, search));
  return found.map(({ id }) => id).sort((one, other) => one - other);
}

describe(`search for structure versions (seed ${seed})`, () => {
  const api = opened(openTestApi);
  before(async () => {
    await insertStructureVersions(api.owner, [
      ...rows,
      { id: 1, companyId: OTHER_COMPANY, productName: 'Secret', name: 'Grinding' },
    ]);
    await api.owner.query('ANALYZE');
  });

  const found = async (search: string, others: Parameters = {}) => {
    const page = await askList(api, productionTimes, { search, $top: '$max', ...others });
    return columnOf(page).map(Number);
  };

  it('finds words as parts of names and identifiers, in any case and order', async () => {
    const words = rows
      .slice(0, 80)
      .flatMap(({ id, productId, productName = '', name = '' }) => [
        ...`${productName} ${name}`.split(/\s+/u).filter((word) => word !== ''),
        ...[String(id), String(productId)],
      ]);
    const word = fc
      .tuple(fc.constantFrom(...words), fc.nat(5), fc.nat(3), fc.boolean())
      .map(([text, length, from, isUpper]) => {
        const part = [...text]
          .slice(from % [...text].length)
          .slice(0, length + 1)
          .join('');
        return isUpper ? part.toUpperCase() : part;
      })
      .filter(isSendable);
    const isOfSome = (search: readonly string[]) => {
      const { length } = expected(search.join(' '));
      return length > 0 && length < 80;
    };
    const search = fc.array(word, { minLength: 1, maxLength: 3 });
    const searches = [
      ...fc.sample(search, { seed, numRuns: shareOf(300) }),
      ...fc.sample(search.filter(isOfSome), { seed, numRuns: shareOf(30) }),
    ];
    for (const words of searches) {
      const text = words.join('  ');
      expect(await found(text), text).to.deep.equal(expected(text).slice(0, 80));
    }
  });

  for (const search of ['%', '_', '\\', "'", '100_%', 'a\\b', 'conv%', '😀', 'STRASSE', 'straße', 'zz\\']) {
    it(`treats '${search}' as plain text`, async () => {
      expect(await found(search)).to.deep.equal(expected(search).slice(0, 80));
    });
  }

  it('counts its matches, and returns each match once on its pages', async () => {
    for (const search of ['grinding', 'CONVEYOR 17 milling', 'milling']) {
      const ids = expected(search);
      const page = await askList(api, productionTimes, { search, $inlinecount: 'allpages', $top: 2 });
      expect(page.paging.size, search).to.equal(ids.length);
      const $filter = 'ProductStructureVersionId lt 108000';
      const some = await askList(api, productionTimes, {
        search,
        $filter,
        $inlinecount: 'allpages',
        $top: 2,
      });
      expect(some.paging.size, `${search} of some`).to.equal(ids.filter((id) => id < 108_000).length);
      if (ids.length > 200) continue;
      const pages = await walk(api, productionTimes, { search, $top: 3, $orderby: 'ProductName' }, 'next');
      expect([...identifiersOf(pages, 'next')].sort((one, other) => one - other)).to.deep.equal(ids);
    }
  });

  it('counts correctly with a filter by product name, for few and for many matching products', async () => {
    const isNamed = (part: string) => searched.filter(({ name }) => name.includes(part)).length;
    for (const part of ['conveyor', 'conveyor 17', 'conveyor 4999', 'nothing']) {
      for (const [$filter, size] of [
        [`contains(ProductName,'${part}')`, isNamed(part)],
        [`not contains(ProductName,'${part}')`, rows.length - isNamed(part)],
        [
          `contains(ProductName,'${part}') or ProductName eq 'Conveyor 5'`,
          isNamed(part) + (part === 'conveyor' ? 0 : 4),
        ],
      ] as const) {
        const page = await askList(api, productionTimes, { $filter, $inlinecount: 'allpages', $top: 2 });
        expect(page.paging.size, $filter).to.equal(size);
      }
    }
  });

  it('can be combined with a filter and an order', async () => {
    const $filter = 'ProductStructureVersionId lt 108000';
    const ids = await found('grinding', { $filter, $orderby: 'ProductName desc' });
    expect(ids).to.deep.equal([104_000, 100_000]);
  });

  it('finds nothing of another company', async () => {
    expect(await found('secret')).to.deep.equal([]);
    expect(await found('grinding')).not.to.include(1);
  });

  describe('uses a query plan under row-level security that', () => {
    const explain = (parameters: Parameters) => explainPlan(api, planOf(productionTimes, parameters));
    const explainSearch = (search: string) => explain({ search, $orderby: 'AverageRunTime' });
    const explainFilter = ($filter: string, others: Parameters = {}) =>
      explain({ $filter, $orderby: 'ProductName', ...others });

    it('looks up structure versions by their keys if the matches of the search are few', async () => {
      for (const search of ['grinding', 'milling conveyor 4711', '104000']) {
        expect(await explainSearch(search), search)
          .to.match(/product_structure_versions_pkey/)
          .and.not.match(/by_average_run_time|Seq Scan/);
      }
    });

    it('reads the list in order if the matches of the search are many', async () => {
      for (const search of ['milling', 'conv mill', '1']) {
        expect(await explainSearch(search), search)
          .to.match(/Index Scan using by_average_run_time/)
          .and.not.match(/product_structure_versions_pkey/);
      }
    });

    it('looks up products by their names if the matches of the filter are few', async () => {
      for (const filter of ["contains(ProductName, 'conveyor 471')", "ProductName eq 'conveyor 1000'"]) {
        expect(await explainFilter(filter), filter).to.match(/product_structure_versions_of_product/);
      }
    });

    it('counts by a look-up of the products, for any number of matching names', async () => {
      for (const filter of ["contains(ProductName, 'conveyor 471')", "contains(ProductName, 'onve')"]) {
        const plan = await explainFilter(filter, { $inlinecount: 'allpages' });
        expect(plan, filter).to.match(/unnest\(find_products/);
      }
    });

    it('reads the list in the order of names if the matches of the filter are many', async () => {
      for (const filter of ["contains(ProductName, 'onve')", "substringof('e', ProductName)"]) {
        expect(await explainFilter(filter), filter)
          .to.match(/Index Scan using by_product_name/)
          .and.not.match(/find_products/);
      }
    });

    it('uses the trigram index of the searched texts', async () => {
      const { rows: lines } = await api.owner.query(
        `EXPLAIN SELECT FROM takt.structure_version_texts
         WHERE company_id = 1 AND folded LIKE '%grinding%' AND folded LIKE '%'`,
      );
      expect(JSON.stringify(lines)).to.include('structure_version_texts_by_part');
    });
  });
});
