import type { DetailResource } from '@takt/catalogue/resources';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { askDetail, askList, write } from '../support/ask.js';
import { insertApplicationVersion, insertMonths, insertStructureVersions } from '../support/insert-rows.js';
import { OTHER_COMPANY, openTestApi } from '../support/open-test-api.js';
import { detailOf, listOf } from '../support/resources.js';

const [products, product, productionTimes] = [listOf(9001), detailOf(9002), detailOf(9005)];
const [applications, user, company, permission] = [
  listOf(9007),
  detailOf(9010),
  detailOf(9011),
  detailOf(9012),
];

describe('a linked resource', () => {
  const api = opened(openTestApi);
  before(async () => {
    await insertStructureVersions(api.owner, [
      ...[1, 2].map((id) => ({ id, productId: 7, productName: 'Frame', name: `Step ${id}` })),
      { id: 3, productId: 8, productName: 'Axle' },
      { id: 4, productId: 7, companyId: OTHER_COMPANY },
    ]);
    await insertMonths(api.owner, [
      { structureVersionId: 1, month: '2025-12', completed: 2, lastCompletedAt: '2025-12-24T10:00:00Z' },
      { structureVersionId: 1, month: '2026-01', completed: 1, lastCompletedAt: '2026-01-02T03:04:05Z' },
    ]);
    const said = (year: number, more: Readonly<Record<string, string | number | null>>) => ({
      ...{ application_id: 10_001, changed_at: `${year}-01-01T00:00:00Z`, ...more },
    });
    for (const version of [
      {
        application_version_id: 101,
        name: 'Old',
        ...said(2026, { created_by_user_id: 5, created_by_name: 'Young' }),
      },
      {
        application_version_id: 102,
        name: 'New',
        ...said(2025, { changed_by_user_id: 5, changed_by_name: 'Maiden' }),
      },
      {
        application_version_id: 103,
        name: 'Newest',
        ...said(2027, { created_by_user_id: 5, created_by_name: null }),
      },
      {
        application_version_id: 104,
        ...said(2025, { permission_id: 3, permission_name: 'Old name' }),
        application_id: 10_002,
      },
      {
        application_version_id: 105,
        ...said(2026, { permission_id: 3, permission_name: 'Read' }),
        application_id: 10_002,
      },
      {
        application_version_id: 106,
        ...said(2026, { restricted_to_company_id: 2, restricted_to_database: 'X' }),
      },
      {
        ...said(2030, { changed_by_user_id: 5, changed_by_name: 'Foreign' }),
        application_version_id: 107,
        company_id: OTHER_COMPANY,
      },
    ]) {
      await insertApplicationVersion(api.owner, version);
    }
  });

  const read = async (resource: DetailResource, path: Readonly<Record<string, string>>, parameters = {}) => {
    const page = await askDetail(api, resource, path, parameters);
    const [object] = Object.values<Readonly<Record<string, unknown>>>(
      JSON.parse(write(page, 'json', api, parameters)),
    );
    return object;
  };

  it('can be a product with its structure versions in this company, highest identifier first', async () => {
    const frame = await read(product, { productId: '7' });
    expect(frame).to.include({ name: 'Frame', numberOfStructureVersions: 2 });
    expect(frame?.['structureVersions']).to.deep.include({
      ...{ productStructureVersionId: 2, status: 4, name: 'Step 2', version: 1, revision: 'A' },
      productStructureVersionLink: 'https://takt.example/api/product/structure-versions/2',
    });
    expect(frame).to.have.nested.property('structureVersions[0].productStructureVersionId', 2);
    expect(frame).to.have.nested.property('structureVersions[1].productStructureVersionId', 1);
    for (const search of ['frame', '7']) {
      const { rows } = await askList(api, products, { search });
      expect(rows.map(([key]) => key)).to.deep.equal([7]);
    }
  });

  it('can be a structure version with its last completion, and with the figures of its months on request', async () => {
    const path = { productStructureVersionId: '1' };
    const plain = await read(productionTimes, path);
    expect(plain).to.include({ lastCompletedAt: '2026-01-02T03:04:05Z' }).and.not.to.have.property('months');
    const { months } = { months: [], ...(await read(productionTimes, path, { $expand: 'months' })) };
    expect(months.map(({ month }) => month)).to.deep.equal(['2026-01', '2025-12']);
    expect(months[1]).to.deep.include({
      numberOfCompletedProductionWorkOrders: 2,
      processing: { averageRunTime: 1, shortestRunTime: 1, longestRunTime: 1, deviationRunTime: 0 },
    });
    const never = await read(productionTimes, { productStructureVersionId: '3' }, { $expand: 'Months' });
    expect(never).to.deep.include({ lastCompletedAt: null, months: [] });
  });

  it('can be an application with the data of its newest version and a link to that version', async () => {
    const page = await askList(api, applications, { $filter: "Name eq 'newest' or ApplicationId eq 10002" });
    const listed = JSON.parse(write(page, 'json', api)).applications;
    expect(listed.map(({ applicationId }: { applicationId: number }) => applicationId)).to.deep.equal([
      10_002,
    ]);
    const { applications: all } = JSON.parse(write(await askList(api, applications), 'json', api));
    expect(all[0]).to.include({
      ...{ applicationId: 10_001, numberOfVersions: 4 },
      applicationVersionLink: 'https://takt.example/api/system/applications/10001/versions/106',
      versionsLink: 'https://takt.example/api/system/applications/10001/versions',
    });
  });

  it('can be a user, a company, or a permission with the versions that name it', async () => {
    expect(await read(user, { userId: '5' })).to.deep.equal({ userId: 5, firstName: null, name: 'Young' });
    expect(await read(company, { companyId: '2' })).to.include({ companyId: 2, database: 'X' });
    const known = await read(permission, { permissionId: '3' });
    expect(known).to.include({ name: 'Read' });
    expect(known?.['applicationVersions']).to.have.lengthOf(2);
  });
});
