import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { ambiguousList, nestedList } from '../support/ambiguous-list.js';
import { askDetail, askList, type Parameters, write } from '../support/ask.js';
import { faultOf } from '../support/fault-of.js';
import { insertApplicationVersion, insertStructureVersions } from '../support/insert-rows.js';
import { openTestApi } from '../support/open-test-api.js';
import { applicationVersion, errorMessages, productionTimes } from '../support/resources.js';

const LINK = 'https://takt.example/api/product/structure-versions/7';
const allNames = {
  productStructureVersion: { name: 'Structure', productStructure: { product: { name: 'Frame' } } },
};
const allStatuses = {
  productStructureVersion: { status: 4, productStructure: { product: { status: 7 } } },
};
const productName = { productStructureVersion: { productStructure: { product: { name: 'Frame' } } } };

/** Maps each value of `$select` to the expected part of the only row. */
const SELECTIONS: Readonly<Record<string, unknown>> = {
  // A name without dots selects every field of this name.
  Name: allNames,
  Status: allStatuses,
  // $select also accepts the flat names of `$filter`, even if no field has this name.
  ProductName: productName,
  productstructureversionstatus: { productStructureVersion: { status: 4 } },
  ProductType: { productStructureVersion: { productStructure: { product: { type: 'K' } } } },
  'ProductStatus,ProductStructureVersionName': {
    productStructureVersion: { name: 'Structure', productStructure: { product: { status: 7 } } },
  },
  RunTime: { plannedProductionTimes: { processing: { runTime: 1.5 } } },
  ProductStructureVersionLink: { productStructureVersion: { productStructureVersionLink: LINK } },
  // Names can be written as in XML or JSON, or in any other letter case.
  name: allNames,
  NAME: allNames,
  productStructureVersionLink: { productStructureVersion: { productStructureVersionLink: LINK } },
  'productstructureversion.PRODUCTSTRUCTURE.product.name': productName,
  'productStructureVersion.productStructure.product.name': productName,
  // Paths with dots: a whole path, the end of a path, and a path without some of its groups.
  'ProductStructureVersion.Name': { productStructureVersion: { name: 'Structure' } },
  'ProductStructureVersion.Status': { productStructureVersion: { status: 4 } },
  'ProductStructureVersion.ProductStructure.Product.Name': productName,
  'Product.Name': productName,
  'ProductStructure.Product.Name': productName,
  'ProductStructureVersion.Product.Name': productName,
  'ProductStructure.Name': productName,
  'Processing.RunTime': { plannedProductionTimes: { processing: { runTime: 1.5 } } },
  'Changeover.SetupTime': { plannedProductionTimes: { changeover: { setupTime: null } } },
  'AggregatedProductionTimes.LongestRunTime': {
    aggregatedProductionTimes: { processing: { longestRunTime: 2 } },
  },
  // This name is not ambiguous. The list has another group of this name, but that group is included only if it is
  // expanded.
  'Changeover.Cleanup': {
    aggregatedProductionTimes: {
      changeover: {
        cleanup: {
          ...{ averageCleanupTime: null, shortestCleanupTime: null },
          ...{ longestCleanupTime: null, deviationCleanupTime: null },
        },
      },
    },
  },
  // A group is selected with all its fields.
  'PlannedProductionTimes.Changeover': {
    plannedProductionTimes: { changeover: { setupTime: null, cleanupTime: 0.25 } },
  },
  PlannedProductionTimes: {
    plannedProductionTimes: {
      processing: { runTime: 1.5 },
      changeover: { setupTime: null, cleanupTime: 0.25 },
    },
  },
  'AggregatedProductionTimes.Processing': {
    aggregatedProductionTimes: {
      processing: { averageRunTime: 1.5, shortestRunTime: 1, longestRunTime: 2, deviationRunTime: 0.5 },
    },
  },
  // Several names: each field is included once, in the order of the definition.
  'RunTime,ProductStructureVersion.Name, PlannedProductionTimes.Processing': {
    productStructureVersion: { name: 'Structure' },
    plannedProductionTimes: { processing: { runTime: 1.5 } },
  },
};

describe('$select', () => {
  const api = opened(openTestApi);
  before(async () => {
    await insertStructureVersions(api.owner, [
      {
        ...{ id: 7, name: 'Structure', productName: 'Frame', productStatus: 7 },
        planned: { run: '1.5', cleanup: '0.25' },
        actual: { run: ['1', '2'] },
      },
    ]);
    await insertApplicationVersion(api.owner, {
      ...{ application_version_id: 100, application_id: 10_000, name: 'Board' },
      ...{ created_by_user_id: 3, created_by_name: 'Berg', changed_by_name: 'Dahl', permission_name: 'P' },
    });
  });

  const first = async (parameters: Parameters): Promise<unknown> => {
    const page = await askList(api, productionTimes, parameters);
    const document = JSON.parse(write(page, 'json', api));
    return document.productStructureVersionAggregatedProductionTimes[0];
  };
  const application = async (parameters: Parameters): Promise<unknown> => {
    const path = { applicationId: '10000', applicationVersionId: '100' };
    const page = await askDetail(api, applicationVersion, path, parameters);
    return JSON.parse(write(page, 'json', api)).applicationVersion;
  };

  for (const [$select, selected] of Object.entries(SELECTIONS)) {
    it(`with the value ${$select} keeps the selected fields inside their groups`, async () => {
      expect(await first({ $select })).to.deep.equal(selected);
    });
  }

  it('with a name in several groups selects all fields of this name in a detail', async () => {
    expect(await application({ $select: 'Name' })).to.deep.equal({
      name: 'Board',
      createdBy: { name: 'Berg' },
      permission: { name: 'P' },
      changedBy: { name: 'Dahl' },
    });
    expect(await application({ $select: 'changedBy.name,CreatedBy.UserId' })).to.deep.equal({
      createdBy: { userId: 3 },
      changedBy: { name: 'Dahl' },
    });
    expect(await application({ $select: 'ApplicationVersionId' })).to.deep.equal({
      applicationVersionId: 100,
    });
  });

  it('selects the same fields in XML', async () => {
    const page = await askList(api, productionTimes, { $select: 'Product.Name,SetupTime' });
    expect(write(page, 'xml', api)).to.include(
      '<ProductStructureVersionAggregatedProductionTime><ProductStructureVersion><ProductStructure><Product><Name>Frame</Name></Product></ProductStructure></ProductStructureVersion><PlannedProductionTimes><Changeover><SetupTime xsi:nil="true"/></Changeover></PlannedProductionTimes></ProductStructureVersionAggregatedProductionTime>',
    );
  });

  it('selects everything if it is empty or contains *', async () => {
    for (const $select of ['', '*', 'Name, *', '*,RunTime']) {
      expect(await first({ $select }), $select).to.deep.equal(await first({}));
    }
    expect(await application({ $select: '*' })).to.deep.equal(await application({}));
    expect(await first({ $select: ' ' })).to.have.all.keys(
      'productStructureVersion',
      'plannedProductionTimes',
      'aggregatedProductionTimes',
    );
  });

  it('limits the columns of the statement', async () => {
    api.sent.length = 0;
    await first({ $select: 'RunTime' });
    expect(api.sent.map(({ text }) => text.includes('description'))).to.deep.equal([false]);
  });

  const unknown: readonly (readonly [string, string, string])[] = [
    ['Nam', '1', 'Nam'],
    ['Name, Colour', '7', 'Colour'],
    ['  Product.Colour', '3', 'Product.Colour'],
    ['Name.Product', '1', 'Name.Product'],
    ['RunTime,Setup.RunTime', '9', 'Setup.RunTime'],
    ['ErrorMessageId', '1', 'ErrorMessageId'],
    ['constructor', '1', 'constructor'],
    ['__proto__', '1', '__proto__'],
    ['FirstPageKey', '1', 'FirstPageKey'],
    ['A.Product.Name', '1', 'A.Product.Name'],
    ['Product.ProductName', '1', 'Product.ProductName'],
    ['ProductDescription', '1', 'ProductDescription'],
  ];
  for (const [$select, position, found] of unknown) {
    it(`with the value ${$select} is an error with the unknown field and its position`, async () => {
      const { code, parameters } = await faultOf(first({ $select }));
      expect({ code, parameters: parameters.slice(0, 3) }).to.deep.equal({
        code: 'unknownField',
        parameters: ['$select', position, found],
      });
    });
  }

  it('with an unknown name is an error that lists each known name once, including groups', async () => {
    const { parameters } = await faultOf(askList(api, errorMessages, { $select: 'x' }));
    expect(parameters[3]).to.equal(
      'ErrorMessageId, Status, Namespace, HttpStatusCode, Message, AvailableTranslations, CreatedBy',
    );
    const known = (await faultOf(first({ $select: 'x' }))).parameters[3]?.split(', ') ?? [];
    expect(known).to.include.members(['ProductStructureVersion', 'Name', 'Changeover', 'DeviationRunTime']);
    expect(new Set(known)).to.have.lengthOf(known.length);
  });

  it('with an ambiguous path is an error that lists the fitting fields', async () => {
    expect(await faultOf(askList(api, ambiguousList, { $select: 'Key,Inner.Value' }))).to.deep.equal({
      code: 'ambiguousField',
      parameters: ['$select', '5', 'Inner.Value', 'One.Inner.Value, Two.Inner.Value'],
    });
  });

  it('with a whole path selects only that field, even if other paths have the same end', async () => {
    const page = await askList(api, nestedList, { $select: 'Inner.Value' });
    const [row] = JSON.parse(write(page, 'json', api)).productStructureVersionAggregatedProductionTimes;
    expect(row).to.deep.equal({ inner: { value: 7 } });
  });
});
