import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { askList } from '../support/ask.js';
import { faultOf } from '../support/fault-of.js';
import { insertApplicationVersion, insertMonths, insertStructureVersions } from '../support/insert-rows.js';
import { COMPANY, OTHER_COMPANY, openTestApi } from '../support/open-test-api.js';
import { applicationVersions, productionMonths } from '../support/resources.js';

describe('a list below an identifier', () => {
  const api = opened(openTestApi);
  before(async () => {
    await insertStructureVersions(api.owner, [
      ...[1, 2].map((id) => ({ id })),
      { id: 3, isListed: false },
      { id: 4, companyId: OTHER_COMPANY },
    ]);
    await insertMonths(
      api.owner,
      [1, 3].flatMap((structureVersionId) => [
        { structureVersionId, month: '2025-12', completed: 1 },
        { structureVersionId, month: '2026-02', completed: 0 },
        { structureVersionId, month: '2026-01', completed: 3 },
      ]),
    );
    await insertMonths(api.owner, [
      { structureVersionId: 4, companyId: OTHER_COMPANY, month: '2026-01', completed: 9 },
    ]);
    for (const [application_id, application_version_id] of [
      [10_001, 101],
      [10_001, 102],
      [10_002, 103],
    ] as const) {
      await insertApplicationVersion(api.owner, { application_id, application_version_id });
    }
  });

  const months = (identifier: string, parameters = {}) =>
    askList(api, productionMonths, parameters, COMPANY, { productStructureVersionId: identifier });
  const keysOf = async (identifier: string, parameters = {}) =>
    (await months(identifier, parameters)).rows.map(([key]) => key);

  it('has only the rows of that identifier; months with operations come newest first', async () => {
    expect(await keysOf('1')).to.deep.equal(['2026-01', '2025-12']);
    expect(await keysOf('1', { $orderby: 'Month asc' })).to.deep.equal(['2025-12', '2026-01']);
    expect(await keysOf('1', { $filter: "Month ge '2026-01'" })).to.deep.equal(['2026-01']);
    const versions = await askList(api, applicationVersions, {}, COMPANY, { applicationId: '10001' });
    expect(versions.rows.map(([key]) => key)).to.deep.equal([101, 102]);
  });

  it('is empty for a parent without rows, and an error for a foreign or unlisted parent', async () => {
    expect(await keysOf('2')).to.deep.equal([]);
    for (const absent of ['3', '4', '5', '99999999999999999999']) {
      const { code, parameters } = await faultOf(months(absent));
      expect([code, parameters.length]).to.deep.equal(['structureVersionNotFound', 1]);
    }
  });

  it('is an error for an invalid identifier; invalid parameters are reported before a missing parent', async () => {
    for (const wrong of ['0', '-1', '1.5', 'x', '']) {
      expect((await faultOf(months(wrong))).code).to.equal('invalidIdentifier');
    }
    expect((await faultOf(months('5', { $orderby: 'Nope' }))).code).to.equal('unknownField');
  });

  it('has links to its own address, and page keys for its identifier only', async () => {
    const { paging } = await months('1', { $top: 1 });
    expect(paging.next?.href).to.match(
      /^https:\/\/takt\.example\/api\/product\/structure-versions\/1\/aggregated-production-times\/months\?/,
    );
    const $pageKey = paging.next?.key;
    expect(await keysOf('1', { $top: 1, $pageKey })).to.deep.equal(['2025-12']);
    expect((await faultOf(months('2', { $top: 1, $pageKey }))).code).to.equal('pageKeyOfOtherQuery');
  });

  it('states the path of its items with the identifier of the parent', async () => {
    const { resource } = await askList(api, applicationVersions, {}, COMPANY, { applicationId: '10001' });
    expect(resource.itemPath).to.equal('/system/applications/10001/versions/{}');
  });
});
