import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { insertStructureVersions } from '../support/insert-rows.js';
import { type ServedApi, serveApi } from '../support/serve-api.js';

const PATH = '/product/structure-versions/aggregated-production-times';
const SENTENCE = /<p class="summary">\d[\d,]* completed operations of 100,000 structure versions\.</;
const FILTER = '$filter=ProductStructureVersionId%20gt%200';

describe('The HTML page of a long list', function () {
  this.timeout(120_000);
  const api = opened<ServedApi>(serveApi);
  let authorization: string;
  const insert = (from: number, to: number) =>
    insertStructureVersions(
      api.owner,
      Array.from({ length: to - from + 1 }, (_, index) => ({ id: from + index })),
      { areSearched: false },
    );
  const ask = async (query: string): Promise<string> => {
    const { status, text } = await api.client.get(`${PATH}?${query}`, { authorization });
    expect(status, text).to.equal(200);
    return text;
  };
  const placeOn = (html: string) => html.match(/<nav class="pager"[^>]*><p>([^<]*)/)?.[1];

  before(async () => {
    authorization = `Bearer ${await api.createToken('TEM-NO')}`;
    for (let from = 1; from < 100_000; from += 10_000) await insert(from, from + 9_999);
  });

  it('counts and sums up to 100,000 matching rows; beyond that it only says that there are more', async () => {
    const page = `$format=html&$lang=eng&${FILTER}`;
    expect(placeOn(await ask(page))).to.equal('Page 1 of 5000 · 1&ndash;20 of 100,000');
    expect(await ask(page)).to.match(SENTENCE);
    expect(await ask(`${page}&$inlinecount=none`)).not.to.match(/completed operations of/);
    await insert(100_001, 100_002);
    expect(placeOn(await ask(page))).to.equal('1&ndash;20 of more than 100,000');
    expect(await ask(page)).not.to.match(/completed operations of/);
  });

  it('shows the exact count on request with $inlinecount=allpages, like other formats', async () => {
    expect(placeOn(await ask(`$format=html&$lang=eng&${FILTER}&$inlinecount=allpages`))).to.equal(
      'Page 1 of 5001 · 1&ndash;20 of 100,002',
    );
    expect(await ask(`$format=xml&${FILTER}&$inlinecount=allpages`)).to.include('<Size>100002</Size>');
  });

  it('shows the positions of its rows on the last page and the size of the whole list', async () => {
    const html = await ask(`$format=html&$lang=eng&${FILTER}`);
    const [, last = ''] = html.match(/<a href="[^"]*(\?[^"]*)">Last</) ?? [];
    expect(last).not.to.equal('');
    expect(placeOn(await ask(last.slice(1).replaceAll('&amp;', '&')))).to.equal(
      'Page 5001 of 5001 · 100001&ndash;100002 of 100,002',
    );
    expect(placeOn(await ask('$format=html&$lang=eng'))).to.equal('Page 1 of 5001 · 1&ndash;20 of 100,002');
  });
});
