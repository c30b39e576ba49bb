import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { insertStructureVersions } from '../support/insert-rows.js';
import { jsonAt } from '../support/json-at.js';
import { serveApi } from '../support/serve-api.js';

const MESSAGES = '/system/error-messages';
const LIST = '/product/structure-versions/aggregated-production-times';

describe('what clients keep from version 1.0.0', () => {
  const api = opened(serveApi);
  let authorization: string;

  before(async () => {
    await insertStructureVersions(api.owner, [{ id: 1 }, { id: 2 }, { id: 3 }]);
    authorization = `Bearer ${await api.createToken('TEM-NO')}`;
  });

  const get = async (target: string) => {
    const { status, text, headers } = await api.client.get(target, { authorization });
    return { status, text, document: JSON.parse(text), etag: headers.etag ?? '' };
  };
  const NEXT_MESSAGES = '9-wU0PpKiSn1Awe7hV6o8a_3JDyG1nhpWzIsMywxMDAwMDFd';
  const NEXT_VERSIONS = 'im_-KBSr3lggYBESWpo0q9ozzGK3V5kcWzIsMiwxXQ';
  const OWN_FILTER = '$filter=ProductStructureVersionId%20gt%200';

  it('leads with a page key to the same rows', async () => {
    const messages = await get(`${MESSAGES}?$top=2&$pageKey=${NEXT_MESSAGES}`);
    const first = (jsonAt(messages.document, 'errorMessages') as readonly object[])[0];
    expect(jsonAt(first, 'errorMessageId')).to.equal(100_002);
    expect(jsonAt(messages.document, 'paging.position')).to.equal(3);
    const versions = await get(`${LIST}?$top=1&${OWN_FILTER}&$pageKey=${NEXT_VERSIONS}`);
    const [row] = jsonAt(
      versions.document,
      'productStructureVersionAggregatedProductionTimes',
    ) as readonly object[];
    expect(jsonAt(row, 'productStructureVersion.productStructureVersionId')).to.equal(2);
  });

  it('is refused with its own error if a page key belongs to another query', async () => {
    for (const target of [
      `${LIST}?$pageKey=${NEXT_VERSIONS}`,
      `${LIST}?${OWN_FILTER}&$pageKey=${NEXT_MESSAGES}`,
    ]) {
      const { status, document } = await get(target);
      expect(status).to.equal(400);
      expect(jsonAt(document, 'message')).to.include('$pageKey');
    }
  });

  it('is answered with 304 exactly if the document of an entity tag is still the same', async () => {
    const { etag } = await get(`${LIST}?$top=1`);
    const statusOf = async (tag: string, target: string) =>
      (await api.client.get(target, { authorization, 'if-none-match': tag })).status;
    expect(await statusOf(etag, `${LIST}?$top=1`)).to.equal(304);
    expect(await statusOf(etag.replace(/"$/, '-gzip"'), `${LIST}?$top=1`)).to.equal(304);
    expect(await statusOf(etag, `${LIST}?$top=2`)).to.equal(200);
    // The tag of the same list in version 1.0.0, when the data were others.
    expect(await statusOf('W/"2RkYd0bDk5Q3kq1x"', `${LIST}?$top=1`)).to.equal(200);
  });
});
