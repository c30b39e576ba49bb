import { elementsAt, opened, parseXml, randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { askDetail, askList, type Parameters, write } from '../support/ask.js';
import {
  clearRows,
  insertApplicationVersion,
  insertStructureVersions,
  replaceErrorMessages,
} from '../support/insert-rows.js';
import { openTestApi } from '../support/open-test-api.js';
import { applicationVersion, errorMessage, errorMessages, productionTimes } from '../support/resources.js';

const ITEM = 'ProductStructureVersionAggregatedProductionTime';

/** Maps planned hours in PostgreSQL to the text that the service must write. */
const DECIMALS: Readonly<Record<string, string>> = {
  '0': '0',
  '0.000000': '0',
  '0.000001': '0.000001',
  '0.000010': '0.00001',
  '0.100000': '0.1',
  '1.500000': '1.5',
  '2': '2',
  '10': '10',
  '100.000001': '100.000001',
  '1234567.890120': '1234567.89012',
  '9999999.999999': '9999999.999999',
};

const seed = testSeed();

describe('written values', () => {
  const api = opened(openTestApi);
  afterEach(() => clearRows(api.owner));

  const listed = async (parameters: Parameters, resource = productionTimes) => {
    const page = await askList(api, resource, parameters);
    return { json: write(page, 'json', api, parameters), xml: write(page, 'xml', api, parameters) };
  };

  it('are decimals without trailing zeros and exponents', async () => {
    const hours = Object.keys(DECIMALS);
    await insertStructureVersions(
      api.owner,
      hours.map((run, index) => ({ id: index + 1, planned: { run } })),
    );
    const { json, xml } = await listed({ $select: 'RunTime', $top: '$max' });
    expect([...json.matchAll(/"runTime":([^}]*)}/g)].map(([, written]) => written)).to.deep.equal(
      Object.values(DECIMALS),
    );
    const elements = elementsAt(parseXml(xml), `${ITEM}.PlannedProductionTimes.Processing.RunTime`);
    expect(elements.map(({ text }) => text)).to.deep.equal(Object.values(DECIMALS));
  });

  it(`are exact decimals for any stored value (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const planned = Array.from({ length: 80 }, () => {
      const digits = String(random.below(10 ** (1 + random.below(13)))).padStart(7, '0');
      return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
    });
    await insertStructureVersions(
      api.owner,
      planned.map((run, index) => ({ id: index + 1, planned: { run } })),
    );
    const { json, xml } = await listed({ $select: 'RunTime', $top: '$max' });
    const expected = planned.map((hours) => hours.replace(/\.?0+$/, ''));
    expect([...json.matchAll(/"runTime":([^}]*)}/g)].map(([, written]) => written)).to.deep.equal(expected);
    expect([...xml.matchAll(/<RunTime>([^<]*)</g)].map(([, written]) => written)).to.deep.equal(expected);
  });

  it('are exact numbers even for figures from times of a millionth of an hour', async () => {
    const tiny = Array.from({ length: 3 }, () => '0.000001');
    await insertStructureVersions(api.owner, [
      { id: 1, actual: { run: tiny, setup: ['0.000001', '0.000003'], cleanup: ['9999999.999999'] } },
    ]);
    const { json } = await listed({ $select: 'AggregatedProductionTimes' });
    expect(json).to.include('"averageRunTime":0.000001,"shortestRunTime":0.000001,"longestRunTime":0.000001');
    expect(json).to.include('"deviationRunTime":0}');
    expect(json).to.include('"averageSetupTime":0.000002');
    expect(json).to.include('"deviationSetupTime":0.000001');
    expect(json).to.include('"averageCleanupTime":9999999.999999');
    expect(json).to.not.match(/\de[+-]?\d/i);
  });

  it('are whole numbers with every digit, up to 2^53-1', async () => {
    const largest = '9007199254740991';
    await insertStructureVersions(api.owner, [
      { id: Number(largest), productId: Number(largest) - 1, completed: Number(largest) },
    ]);
    const { json, xml } = await listed({});
    expect(json).to.include(`"productStructureVersionId":${largest}`);
    expect(json).to.include('"productId":9007199254740990');
    expect(json).to.include(`"numberOfCompletedProductionWorkOrders":${largest}`);
    expect(xml).to.include(`<ProductStructureVersionId>${largest}</ProductStructureVersionId>`);
    const next = await listed({ $filter: `NumberOfCompletedProductionWorkOrders eq ${largest}` });
    expect(next.json).to.include(largest);
    const other = await listed({ $filter: 'NumberOfCompletedProductionWorkOrders eq 9007199254740990' });
    expect(other.json).to.not.include(`"productStructureVersionId"`);
  });

  it('are null or xsi:nil if they are missing, and keep their fields', async () => {
    await insertStructureVersions(api.owner, [{ id: 1 }]);
    const { json, xml } = await listed({ $select: 'PlannedProductionTimes' });
    expect(json).to.include(
      '{"plannedProductionTimes":{"processing":{"runTime":null},"changeover":{"setupTime":null,"cleanupTime":null}}}',
    );
    expect(xml).to.include(
      '<PlannedProductionTimes><Processing><RunTime xsi:nil="true"/></Processing><Changeover><SetupTime xsi:nil="true"/><CleanupTime xsi:nil="true"/></Changeover></PlannedProductionTimes>',
    );
  });

  it('are empty elements if they are empty texts, in contrast to missing texts', async () => {
    const path = { applicationId: '10000', applicationVersionId: '100' };
    await insertApplicationVersion(api.owner, {
      ...{ application_version_id: 100, application_id: 10_000, description: '', created_by_name: '' },
    });
    const page = await askDetail(api, applicationVersion, path, {
      $select: 'Description,DescriptiveName,CreatedBy.Name,CreatedBy.FirstName',
    });
    expect(write(page, 'json', api)).to.equal(
      '{"applicationVersion":{"descriptiveName":null,"description":"","createdBy":{"firstName":null,"name":""}}}',
    );
    expect(write(page, 'xml', api)).to.include(
      '<DescriptiveName xsi:nil="true"/><Description></Description><CreatedBy><FirstName xsi:nil="true"/><Name></Name></CreatedBy>',
    );
    await insertStructureVersions(api.owner, [{ id: 1, productDescription: '' }]);
    expect((await listed({ $select: 'Description' })).xml).to.include('<Description></Description>');
  });

  it('are null in all optional fields of an application version with only the required data', async () => {
    await insertApplicationVersion(api.owner, { application_version_id: 100, application_id: 10_000 });
    const path = { applicationId: '10000', applicationVersionId: '100' };
    const page = await askDetail(api, applicationVersion, path);
    const document = JSON.parse(write(page, 'json', api)).applicationVersion;
    const user = { userId: null, firstName: null, name: null, userLink: null };
    expect(document.createdBy).to.deep.equal(user);
    expect(document.changedBy).to.deep.equal(user);
    expect(document.permission).to.deep.equal({ permissionId: null, name: null, permissionLink: null });
    expect(document.customFieldOrder).to.deep.equal({ fieldOrder: null });
    expect(document).to.include({ createdAt: null, isChanged: null, lookupPriority: null });
    const root = parseXml(write(page, 'xml', api));
    for (const path of ['CreatedAt', 'IsChanged', 'CreatedBy.UserLink', 'CustomFieldOrder.FieldOrder']) {
      expect(elementsAt(root, path), path).to.deep.equal([
        { name: path.split('.').at(-1), isNil: true, text: '', children: [] },
      ]);
    }
  });

  const INSTANTS: Readonly<Record<string, string>> = {
    '2026-03-01T10:34:56Z': '2026-03-01T10:34:56Z',
    '2026-03-01T10:34:56.999999Z': '2026-03-01T10:34:56Z',
    '2026-03-01T00:30:00+02:00': '2026-02-28T22:30:00Z',
    '2026-12-31T23:59:59-05:00': '2027-01-01T04:59:59Z',
    '2024-02-29T00:00:00Z': '2024-02-29T00:00:00Z',
    '1970-01-01T00:00:00Z': '1970-01-01T00:00:00Z',
  };
  it('are points in time in UTC for any stored offset', async () => {
    for (const [index, [createdAt, written]] of Object.entries(INSTANTS).entries()) {
      const id = 100 + index;
      await insertApplicationVersion(api.owner, {
        ...{ application_version_id: id, application_id: 10_000, created_at: createdAt },
      });
      const path = { applicationId: '10000', applicationVersionId: String(id) };
      const page = await askDetail(api, applicationVersion, path, { $select: 'CreatedAt' });
      expect(write(page, 'json', api)).to.equal(`{"applicationVersion":{"createdAt":"${written}"}}`);
      expect(write(page, 'xml', api)).to.include(`<CreatedAt>${written}</CreatedAt>`);
    }
  });

  it('are absolute links with $format and $db of the request', async () => {
    await insertStructureVersions(api.owner, [{ id: 5 }]);
    const $select = 'ProductStructureVersionLink';
    const address = 'https://takt.example/api/product/structure-versions/5';
    const linkOf = async (parameters: Parameters) => {
      const { json, xml } = await listed({ $select, ...parameters });
      const [row] = JSON.parse(json).productStructureVersionAggregatedProductionTimes;
      const [element] = elementsAt(
        parseXml(xml),
        `${ITEM}.ProductStructureVersion.ProductStructureVersionLink`,
      );
      expect(element?.text).to.equal(row.productStructureVersion.productStructureVersionLink);
      return element?.text;
    };
    expect(await linkOf({})).to.equal(address);
    expect(await linkOf({ $format: 'xml' })).to.equal(`${address}?$format=xml`);
    expect(await linkOf({ $db: 'TEM-NO', $top: 3 })).to.equal(`${address}?$db=TEM-NO`);
    expect(await linkOf({ $FORMAT: 'json', $db: 'a&b=<c>', $access_token: 'secret' })).to.equal(
      `${address}?$format=json&$db=a%26b%3D%3Cc%3E`,
    );
  });

  it('are lists in the order of the languages if they are translations', async () => {
    await replaceErrorMessages(api.owner, [
      { id: 100_000, translations: { swe: 'Å <b>', deu: 'Ä & "x"', eng: "It's" } },
      { id: 100_001 },
    ]);
    const page = await askDetail(api, errorMessage, { errorMessageId: '100000' });
    expect(JSON.parse(write(page, 'json', api)).errorMessage.translations).to.deep.equal([
      { language: 'deu', message: 'Ä & "x"' },
      { language: 'eng', message: "It's" },
      { language: 'swe', message: 'Å <b>' },
    ]);
    const root = parseXml(write(page, 'xml', api));
    expect(elementsAt(root, 'Translations.Translation.Message').map(({ text }) => text)).to.deep.equal([
      'Ä & "x"',
      "It's",
      'Å <b>',
    ]);
    const without = await askDetail(api, errorMessage, { errorMessageId: '100001' });
    expect(JSON.parse(write(without, 'json', api)).errorMessage.translations).to.deep.equal([]);
    expect(write(without, 'xml', api)).to.include('<Translations/>');
  });

  it('form one document, although rows are written in pieces', async () => {
    await replaceErrorMessages(api.owner, [{ id: 100_000 }, { id: 100_001 }, { id: 100_002 }]);
    const { json, xml } = await listed({}, errorMessages);
    expect(JSON.parse(json).errorMessages).to.have.lengthOf(3);
    expect(xml.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<ErrorMessages ')).to.equal(true);
    expect(xml.match(/xmlns:xsi=/g)).to.have.lengthOf(1);
  });
});
