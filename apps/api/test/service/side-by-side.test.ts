import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { insertStructureVersions, inTurn } from '../support/insert-rows.js';
import { serveApi } from '../support/serve-api.js';

describe('The HTML page that compares structure versions', () => {
  const api = opened(serveApi);
  let token: string;
  before(async () => {
    const planned = { run: '1.000000' };
    await insertStructureVersions(api.owner, [
      { id: 1, productName: 'Slow', planned, actual: { run: inTurn('1.4', '1.6') } },
      { id: 2, productName: 'Fast', planned, actual: { run: inTurn('0.4', '0.6') } },
      { id: 3, productName: 'Scattered', planned, actual: { run: inTurn('0', '3.2') } },
      { id: 4, productName: 'Once', planned, actual: { run: ['9.0'] } },
    ]);
    token = await api.createToken('TEM-NO');
  });

  /** Returns the cells of the line with the average run time. */
  const averages = async (ids: string) => {
    const { text } = await api.client.get(`/product/structure-versions/compare?ids=${ids}&$format=html`, {
      authorization: `Bearer ${token}`,
    });
    const line = text.split('<tr>').find((row) => row.includes('>Run time: Average (h)<')) ?? '';
    return [...line.matchAll(/<td(?: class="([a-z]+)")?[^>]*>([^<]*)<\/td>/g)].map(([, mark, value]) => [
      mark,
      value,
    ]);
  };

  it('shows the difference of two averages, and whether chance can explain it', async () => {
    expect((await averages('1,2')).at(-1)).to.deep.equal(['under', '&minus;1.00']);
    expect((await averages('2,1')).at(-1)).to.deep.equal(['over', '+1.00']);
    expect((await averages('1,3')).at(-1)).to.deep.equal(['unsure', '+0.10']);
    expect((await averages('1,4')).at(-1)).to.deep.equal(['unsure', '+7.50']);
  });

  it('shows the difference of each further structure version from the first', async () => {
    const [first, , fast, , scattered] = await averages('1,2,3');
    expect(first).to.deep.equal([undefined, '1.50']);
    expect(fast).to.deep.equal(['under', '&minus;1.00']);
    expect(scattered).to.deep.equal(['unsure', '+0.10']);
    expect(await averages('1,2,3,4')).to.have.lengthOf(7);
    expect(await averages('1')).to.have.lengthOf(1);
  });

  it('links to the same comparison with another structure version as the first', async () => {
    const { text } = await api.client.get('/product/structure-versions/compare?ids=3,1,2&$format=html', {
      authorization: `Bearer ${token}`,
    });
    const links = [
      ...text.matchAll(/\$filter=ProductStructureVersionId%20in%20\(([\d,%C]+)\)[^"]*">Compare with this</g),
    ];
    expect(links.map(([, ids = '']) => decodeURIComponent(ids))).to.deep.equal(['1,3,2', '2,3,1']);
  });
});
