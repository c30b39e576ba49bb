import { elementsAt, opened, type ParsedElement, parseXml } from '@takt/test-support';
import { expect } from 'chai';
import { askDetail, askList, type Parameters, write } from '../support/ask.js';
import {
  insertApplicationVersion,
  insertStructureVersions,
  replaceErrorMessages,
} from '../support/insert-rows.js';
import { jsonAt, jsonPathOf } from '../support/json-at.js';
import { openTestApi, type TestApi } from '../support/open-test-api.js';
import { applicationVersion, errorMessages, productionTimes } from '../support/resources.js';
import {
  applicationVersionTable,
  errorMessageTable,
  FORMS,
  pagingTable,
  productionTimeTable,
  type SpecifiedField,
} from './specification-tables.js';

interface Documents {
  readonly json: unknown;
  readonly xml: ParsedElement;
}

describe('a document of the API', () => {
  const api = opened(openTestApi);
  let times: Documents;
  let messages: Documents;
  let secondPage: Documents;
  let application: Documents;

  before(async () => {
    await insertRows(api);
    times = await listDocuments(productionTimes, {});
    messages = await listDocuments(errorMessages, { $filter: 'ErrorMessageId eq 123456' });
    const paged = { $top: 2, $expand: 'PagingDetails', $inlinecount: 'allpages' };
    const first = await askList(api, errorMessages, paged);
    secondPage = await listDocuments(errorMessages, { ...paged, $pageKey: first.paging.next?.key });
    const path = { applicationId: '10000', applicationVersionId: '9007199254740991' };
    const page = await askDetail(api, applicationVersion, path);
    application = toDocuments(write(page, 'json', api), write(page, 'xml', api));
  });

  const listDocuments = async (
    resource: typeof productionTimes,
    parameters: Parameters,
  ): Promise<Documents> => {
    const page = await askList(api, resource, parameters);
    return toDocuments(write(page, 'json', api), write(page, 'xml', api));
  };

  const around = {
    times: 'ProductStructureVersionAggregatedProductionTime',
    json: 'productStructureVersionAggregatedProductionTimes.0',
  };

  for (const field of productionTimeTable) {
    it(`has the specified field ${field[0]} in a list item of production times`, () => {
      expect(times.xml.name).to.equal('ProductStructureVersionAggregatedProductionTimes');
      expectField(times, field, { xml: around.times, json: around.json });
    });
  }

  for (const field of errorMessageTable) {
    it(`has the specified field ${field[0]} in an error message`, () => {
      expect(messages.xml.name).to.equal('ErrorMessages');
      expectField(messages, field, { xml: 'ErrorMessage', json: 'errorMessages.0' });
    });
  }

  for (const field of pagingTable) {
    it(`has the specified field ${field[0]} in Paging`, () => {
      expectField(secondPage, field, { xml: 'Paging', json: 'paging' });
    });
  }

  for (const field of applicationVersionTable) {
    it(`has the specified field ${field[0]} in an application version`, () => {
      expect(application.xml.name).to.equal('ApplicationVersion');
      expectField(application, field, { xml: '', json: 'applicationVersion' });
    });
  }

  it('has no field outside the specification', () => {
    const tables: readonly (readonly [ParsedElement | undefined, readonly SpecifiedField[]])[] = [
      [elementsAt(times.xml, around.times)[0], productionTimeTable],
      [elementsAt(messages.xml, 'ErrorMessage')[0], errorMessageTable],
      [elementsAt(secondPage.xml, 'Paging')[0], pagingTable],
      [application.xml, applicationVersionTable],
    ];
    for (const [element, table] of tables) {
      if (element === undefined) throw new Error('the element is missing');
      expect(pathsOf(element)).to.have.members(table.map(([path]) => path));
      expect(pathsOf(element)).to.have.lengthOf(table.length);
    }
  });

  it('has only the array and then the paging if it is a list in JSON', () => {
    expect(Object.keys(Object(messages.json))).to.deep.equal(['errorMessages', 'paging']);
    expect(Object.keys(Object(times.json))).to.deep.equal([
      'productStructureVersionAggregatedProductionTimes',
      'paging',
    ]);
    expect(Object.keys(Object(application.json))).to.deep.equal(['applicationVersion']);
  });

  it('has an empty array in JSON and only Paging in XML if it is an empty list', async () => {
    const empty = await listDocuments(errorMessages, { $filter: 'ErrorMessageId eq 1' });
    expect(jsonAt(empty.json, 'errorMessages')).to.deep.equal([]);
    expect(empty.xml.children.map(({ name }) => name)).to.deep.equal(['Paging']);
  });

  it('has the size 0 if it is an empty list whose rows are counted', async () => {
    const counted = { $filter: 'ErrorMessageId eq 1', $inlinecount: 'allpages' };
    const empty = await listDocuments(errorMessages, counted);
    expect(jsonAt(empty.json, 'paging.size')).to.equal(0);
    expect(elementsAt(empty.xml, 'Paging.Size').map(({ text }) => text)).to.deep.equal(['0']);
  });

  it('has one XML element and one JSON object for each row of a list', async () => {
    const three = await listDocuments(errorMessages, { $top: 3 });
    expect(jsonAt(three.json, 'errorMessages')).to.have.lengthOf(3);
    expect(three.xml.children.map(({ name }) => name)).to.deep.equal([
      'ErrorMessage',
      'ErrorMessage',
      'ErrorMessage',
      'Paging',
    ]);
  });
});

function toDocuments(json: string, xml: string): Documents {
  const parsed = parseXml(xml);
  return { json: JSON.parse(json), xml: parsed };
}

/** Expects both documents to contain the field exactly once in its place, with the right type and value. */
function expectField(
  { json, xml }: Documents,
  [path, type, value]: SpecifiedField,
  around: { readonly json: string; readonly xml: string },
): void {
  const { isJson, xml: form } = FORMS[type];
  const found = jsonAt(json, `${around.json}.${jsonPathOf(path)}`);
  expect(isJson(found), String(found)).to.equal(true);
  const elements = elementsAt(xml, around.xml === '' ? path : `${around.xml}.${path}`);
  expect(elements).to.have.lengthOf(1);
  expect(elements[0]).to.include({ isNil: false, text: String(found) });
  expect(elements[0]?.children).to.deep.equal([]);
  expect(elements[0]?.text).to.match(form);
  if (value !== undefined) expect(found).to.equal(value);
}

/** Returns the paths of all elements that have no child elements. */
function pathsOf({ children }: ParsedElement, before = ''): readonly string[] {
  return children.flatMap((child) =>
    child.children.length === 0 ? [before + child.name] : pathsOf(child, `${before}${child.name}.`),
  );
}

async function insertRows({ owner }: TestApi): Promise<void> {
  await insertStructureVersions(owner, [
    {
      ...{ id: 501, status: 9, name: 'Frame, welded', version: 12, revision: 'B' },
      ...{ productId: 9_007_199_254_740_991, productStatus: 7, productName: 'Frame', productType: 'KA' },
      productDescription: 'Frame of the conveyor',
      planned: { run: '1.25', setup: '0.125', cleanup: '0.0625' },
      actual: { run: ['4.5', '7.5'], setup: ['0.7', '0.3'], cleanup: ['10', '16'] },
    },
  ]);
  await replaceErrorMessages(owner, [
    { id: 123_456, namespace: 'query', httpStatusCode: 404, message: 'Not found: {0}', createdBy: 77 },
    { id: 123_457 },
    { id: 123_458 },
    { id: 123_459 },
    { id: 123_460 },
  ]);
  await insertApplicationVersion(owner, {
    ...{ application_version_id: 9_007_199_254_740_991, application_id: 10_000, status: 4, type: 'WIDGET' },
    ...{ name: 'Board', descriptive_name: 'Planning board', description: 'Shows <what> runs & when' },
    ...{ namespace: 'planning', master_url: 'https://takt.example/board?a=1&b=2', lookup_key: 'board' },
    ...{ lookup_priority: 0, content_type: 'HTML5', change_description: 'Größer' },
    ...{ created_at: '2026-03-01T12:34:56.789+02:00', created_by_user_id: 31 },
    ...{ created_by_first_name: 'Ada', created_by_name: 'Berg', restricted_to_company_id: 41 },
    ...{ restricted_to_database: 'TEM-NO', permission_id: 51, permission_name: 'Plan', scope: 'LOCAL' },
    ...{ is_changed: true, changed_by_user_id: 61, changed_by_name: 'Dahl', changed_by_first_name: 'Bo' },
    ...{ is_pending_deployment: false, field_order: '{"a":["b"]}' },
  });
}
