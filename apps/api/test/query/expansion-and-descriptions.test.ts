import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { createService } from '../../src/service/create-service.js';
import { askDetail, askList, type Parameters, write } from '../support/ask.js';
import { faultOf } from '../support/fault-of.js';
import {
  insertApplicationVersion,
  insertStructureVersions,
  replaceErrorMessages,
} from '../support/insert-rows.js';
import { openTestApi } from '../support/open-test-api.js';
import { companyOf, grantFor, requestOf, routeAt, wholeOf } from '../support/requests.js';
import { applicationVersion, errorMessages, product, productionTimes } from '../support/resources.js';

const KEYS = ['firstPageKey', 'previousPageKey', 'nextPageKey', 'lastPageKey'];
const APPLICATION_PATH = { applicationId: '10000', applicationVersionId: '100' };

describe('the parameter for optional parts of an answer:', () => {
  const api = opened(openTestApi);
  before(async () => {
    await insertStructureVersions(api.owner, [
      { id: 1, status: 9, productStatus: 7, productType: 'K' },
      { id: 2, status: 77, productStatus: 0, productType: "K' OR 1=1 --" },
      { id: 3 },
    ]);
    await replaceErrorMessages(api.owner, [{ id: 100_000, status: '9' }]);
    await insertApplicationVersion(api.owner, {
      ...{ application_version_id: 100, application_id: 10_000, status: 4, type: 'WIDGET' },
      ...{ content_type: null, scope: 'LOCAL' },
    });
  });

  const list = async (parameters: Parameters) =>
    JSON.parse(write(await askList(api, productionTimes, parameters), 'json', api));
  const rowsOf = async (parameters: Parameters) =>
    (await list(parameters)).productStructureVersionAggregatedProductionTimes;

  describe('$expand', () => {
    it('does not add page keys without the name PagingDetails', async () => {
      for (const $expand of [undefined, '', ' ']) {
        expect((await list({ $expand })).paging).to.not.have.any.keys(...KEYS);
      }
    });

    for (const $expand of ['PagingDetails', 'pagingdetails', ' PAGINGDETAILS , PagingDetails']) {
      it(`adds page keys with the value ${$expand}, and null if there is no such page`, async () => {
        const { paging } = await list({ $expand, $top: 1, $select: 'RunTime' });
        expect(paging).to.include.all.keys(...KEYS);
        expect(paging.previousPageKey).to.equal(null);
        expect(new URL(paging.nextPage).searchParams.get('$pageKey')).to.equal(paging.nextPageKey);
        expect(new URL(paging.firstPage).searchParams.get('$pageKey')).to.equal(paging.firstPageKey);
        expect(new URL(paging.lastPage).searchParams.get('$pageKey')).to.equal(paging.lastPageKey);
      });
    }

    it('rejects any other name with its position', async () => {
      expect(await faultOf(list({ $expand: 'PagingDetails, Product' }))).to.deep.equal({
        code: 'unknownField',
        parameters: ['$expand', '16', 'Product', 'PagingDetails, Keys, PlanComparison, Summary'],
      });
      const detail = askDetail(api, applicationVersion, APPLICATION_PATH, { $expand: 'CreatedBy' });
      expect(await faultOf(detail)).to.deep.equal({
        code: 'unknownField',
        parameters: ['$expand', '1', 'CreatedBy', 'PagingDetails'],
      });
    });
  });

  describe('$showDomainDescriptions', () => {
    const described = { $showDomainDescriptions: 'true', $top: 1 };

    it('adds a description to every field with a domain', async () => {
      const [{ productStructureVersion }] = await rowsOf({ ...described, $lang: 'DEU' });
      const { product } = productStructureVersion.productStructure;
      expect(productStructureVersion).to.include({ statusDescription: 'veraltet' });
      expect(product).to.include({
        ...{ statusDescription: 'Auslauf angekündigt', typeDescription: 'Produkt mit Struktur' },
      });
      const names = Object.keys(product);
      expect(names[names.indexOf('status') + 1]).to.equal('statusDescription');
      expect(names[names.indexOf('type') + 1]).to.equal('typeDescription');
    });

    it('adds null for a value that has no description', async () => {
      const [, { productStructureVersion }] = await rowsOf({ ...described, $top: 2, $lang: 'deu' });
      const { product } = productStructureVersion.productStructure;
      expect(productStructureVersion).to.include({ status: 77, statusDescription: null });
      expect(product).to.include({ status: 0, statusDescription: null });
      expect(product).to.include({ type: "K' OR 1=1 --", typeDescription: null });
    });

    it('adds descriptions only to selected fields', async () => {
      expect(await rowsOf({ ...described, $select: 'Product.Status' })).to.deep.equal([
        {
          productStructureVersion: {
            productStructure: { product: { status: 7, statusDescription: 'end of life announced' } },
          },
        },
      ]);
    });

    it('is on by default for HTML, in the language of the browser', async () => {
      const { routes } = createService({ ...api, findToken: async () => grantFor([companyOf(api)]) });
      const [{ productStructureVersion }] = await rowsOf({ $top: 1 });
      const detailPath =
        '/product/structure-versions/{productStructureVersionId}/aggregated-production-times';
      const route = routeAt(routes, detailPath);
      const pathParameters = {
        productStructureVersionId: String(productStructureVersion.productStructureVersionId),
      };
      const ask = async (accept: string) => {
        const headers = { accept, 'accept-language': 'de', authorization: 'Bearer known' };
        const request = requestOf({ path: route.path, pathParameters, headers });
        return wholeOf(await route.answer(request)).toString();
      };
      for (const text of ['Auslauf angekündigt', 'Produkt mit Struktur', 'veraltet']) {
        expect(await ask('text/html')).to.include(text);
        expect(await ask('application/json')).to.not.include(text);
      }
    });

    it('adds descriptions to the items of a list inside an object, in every language and in XML', async () => {
      const page = await askDetail(
        api,
        product,
        { productId: '1' },
        { $showDomainDescriptions: '1', $lang: 'pol' },
      );
      const { structureVersions } = JSON.parse(write(page, 'json', api)).product;
      expect(structureVersions).to.have.length(1);
      expect(structureVersions[0]).to.include({ status: 9, statusDescription: 'wycofany' });
      expect(Object.keys(structureVersions[0]).slice(0, 4)).to.deep.equal([
        ...['productStructureVersionId', 'status', 'statusDescription', 'name'],
      ]);
      expect(write(page, 'xml', api)).to.include(
        '<Status>9</Status><StatusDescription>wycofany</StatusDescription><Name>',
      );
      const unknown = await askDetail(api, product, { productId: '2' }, { $showDomainDescriptions: '1' });
      expect(JSON.parse(write(unknown, 'json', api)).product.structureVersions[0]).to.include({
        ...{ status: 77, statusDescription: null },
      });
      const plain = await askDetail(api, product, { productId: '1' }, {});
      expect(JSON.parse(write(plain, 'json', api)).product.structureVersions[0]).to.not.have.property(
        'statusDescription',
      );
    });

    it('adds descriptions to details and error messages, also in XML', async () => {
      const detail = await askDetail(api, applicationVersion, APPLICATION_PATH, {
        ...{ $showDomainDescriptions: '1', $lang: 'deu' },
      });
      expect(JSON.parse(write(detail, 'json', api)).applicationVersion).to.include({
        ...{ statusDescription: 'aktiv', typeDescription: 'Widget', contentTypeDescription: null },
        scopeDescription: 'nur in diesem System verfügbar',
      });
      expect(write(detail, 'xml', api)).to.include(
        '<ContentType xsi:nil="true"/><ContentTypeDescription xsi:nil="true"/>',
      );
      const page = await askList(api, errorMessages, { ...described, $showDomainValues: undefined });
      expect(write(page, 'xml', api)).to.include(
        '<Status>9</Status><StatusDescription>obsolete</StatusDescription>',
      );
    });
  });
});
