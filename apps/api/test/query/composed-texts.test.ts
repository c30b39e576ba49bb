import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { insertStructureVersions } from '../support/insert-rows.js';
import { jsonAt } from '../support/json-at.js';
import { serveApi } from '../support/serve-api.js';

const LIST = '/product/structure-versions/aggregated-production-times';

describe('a filter by a text with accents', () => {
  const api = opened(serveApi);
  let authorization: string;

  before(async () => {
    // The same two texts, once in composed and once in decomposed characters.
    const versions = (['NFC', 'NFD'] as const).flatMap((form, index) => {
      const [productName, revision] = ['Crème fraîche'.normalize(form), 'Å-Größe'.normalize(form)];
      return [
        { id: 10 + index, productName, revision },
        { id: 20 + index, productName: `x ${productName}`, revision: `${revision} x` },
      ];
    });
    await insertStructureVersions(api.owner, [
      ...versions,
      { id: 30, productName: 'Creme fraiche', revision: 'A-Grosse' },
    ]);
    authorization = `Bearer ${await api.createToken('TEM-NO')}`;
  });

  const idsWhere = async (filter: string) => {
    const target = `${LIST}?$filter=${encodeURIComponent(filter)}&$inlinecount=allpages&$select=ProductStructureVersionId`;
    const { status, text } = await api.client.get(target, { authorization });
    expect(status, text).to.equal(200);
    const document = JSON.parse(text);
    const rows = jsonAt(document, 'productStructureVersionAggregatedProductionTimes') as readonly object[];
    expect(jsonAt(document, 'paging.size')).to.equal(rows.length);
    return rows.map((row) => jsonAt(row, 'productStructureVersion.productStructureVersionId'));
  };

  for (const form of ['NFC', 'NFD'] as const) {
    it(`finds composed and decomposed texts, whatever it is written in: ${form}`, async () => {
      for (const [field, text] of [
        ['ProductName', 'CRÈME fraîche'],
        ['Revision', 'å-größe'],
      ] as const) {
        const written = `'${text.normalize(form)}'`;
        const own = field === 'ProductName' ? [20, 21] : [];
        expect(await idsWhere(`${field} eq ${written}`)).to.deep.equal([10, 11]);
        expect(await idsWhere(`${field} in ('y',${written})`)).to.deep.equal([10, 11]);
        expect(await idsWhere(`contains(${field},${written})`)).to.deep.equal([10, 11, 20, 21]);
        expect(await idsWhere(`endswith(${field},${written})`)).to.deep.equal([10, 11, ...own]);
        expect(await idsWhere(`startswith(${field},${written})`)).to.deep.equal(
          own.length > 0 ? [10, 11] : [10, 11, 20, 21],
        );
        expect(await idsWhere(`not contains(${field},${written})`)).to.deep.equal([30]);
        expect(await idsWhere(`tolower(${field}) eq ${written}`)).to.deep.equal([10, 11]);
        expect(await idsWhere(`${field} ne ${written} and ${field} le ${written}`)).to.deep.equal([30]);
      }
    });
  }

  it('does not find a letter without its accent', async () => {
    expect(await idsWhere("startswith(ProductName,'cre')")).to.deep.equal([30]);
    expect(await idsWhere("contains(ProductName,'creme')")).to.deep.equal([30]);
  });
});
