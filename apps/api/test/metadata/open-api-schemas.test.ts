import { expect } from 'chai';
import { compileSchemas } from './compile-schemas.js';
import {
  applicationVersionDocument,
  errorDocument,
  errorMessageDocument,
  errorMessagesDocument,
  pageKeys,
  productionTimesDocument,
} from './sample-documents.js';

const documents = {
  ErrorMessages: errorMessagesDocument,
  ErrorMessageDocument: errorMessageDocument,
  ProductStructureVersionAggregatedProductionTimes: productionTimesDocument,
  ApplicationVersionDocument: applicationVersionDocument,
  Error: errorDocument,
};

describe('the schemas of the OpenAPI document', () => {
  const { names, findFaults } = compileSchemas();

  it('compile in strict mode under JSON Schema 2020-12', () => {
    for (const name of names) expect(() => findFaults(name, {}), name).not.to.throw();
  });

  for (const [name, document] of Object.entries(documents)) {
    it(`accept the document of the specification for ${name}`, () => {
      expect(findFaults(name, document)).to.deep.equal([]);
    });

    it(`reject ${name} with an unknown field`, () => {
      expect(findFaults(name, { ...document, surplus: 1 })).to.deep.equal([
        ' must NOT have additional properties',
      ]);
    });
  }

  const [listed] = errorMessagesDocument.errorMessages;
  const withItem = (item: object) => ({ ...errorMessagesDocument, errorMessages: [item] });
  const withPaging = (more: object) => ({
    ...errorMessagesDocument,
    paging: { ...errorMessagesDocument.paging, ...more },
  });

  it('accept an empty list', () => {
    expect(findFaults('ErrorMessages', { ...errorMessagesDocument, errorMessages: [] })).to.deep.equal([]);
  });

  it('require every field that everybody gets without $select, even inside groups', () => {
    const { createdBy: _person, ...everybodys } = listed ?? {};
    expect(findFaults('ErrorMessages', withItem({}))).to.have.lengthOf(Object.keys(everybodys).length);
    const { applicationVersion } = applicationVersionDocument;
    for (const field of Object.keys(applicationVersion)) {
      const { [field]: _, ...others } = Object(applicationVersion);
      const faults = findFaults('ApplicationVersionDocument', { applicationVersion: others });
      const isForSome = ['createdBy', 'changedBy'].includes(field);
      const expected = isForSome ? [] : [`/applicationVersion must have required property '${field}'`];
      expect(faults, field).to.deep.equal(expected);
    }
    const [row] = productionTimesDocument.productStructureVersionAggregatedProductionTimes;
    const without = { ...row, plannedProductionTimes: { processing: {}, changeover: {} } };
    const name = 'ProductStructureVersionAggregatedProductionTimes';
    const document = {
      ...productionTimesDocument,
      productStructureVersionAggregatedProductionTimes: [without],
    };
    expect(findFaults(name, document).map((fault) => fault.split(' ').at(-1))).to.deep.equal([
      "'runTime'",
      "'setupTime'",
      "'cleanupTime'",
    ]);
  });

  it('accept unknown domain values of the right type only', () => {
    const withStatus = (status: unknown) => findFaults('ErrorMessages', withItem({ ...listed, status }));
    expect(withStatus('77')).to.deep.equal([]);
    expect(withStatus(4)).not.to.deep.equal([]);
  });

  it('report only missing fields in an answer to $select', () => {
    const faults = findFaults('ErrorMessages', withItem({ message: 'Permission not found' }));
    expect(
      faults.filter((fault) => !/^\/errorMessages\/0 must have required property/.test(fault)),
    ).to.deep.equal([]);
    expect(findFaults('ErrorMessages', withItem({ ...listed, statusDescription: null }))).to.deep.equal([]);
    expect(findFaults('ErrorMessages', withPaging({ ...pageKeys, size: 42 }))).to.deep.equal([]);
  });

  it('reject a description of a field that has no domain', () => {
    expect(findFaults('ErrorMessages', withItem({ ...listed, namespaceDescription: 'x' }))).to.have.lengthOf(
      1,
    );
  });

  it('reject a list without paging or without one of the links in paging', () => {
    const { errorMessages } = errorMessagesDocument;
    expect(findFaults('ErrorMessages', { errorMessages })).to.deep.equal([
      " must have required property 'paging'",
    ]);
    const { nextPage: _, ...paging } = errorMessagesDocument.paging;
    expect(findFaults('ErrorMessages', { errorMessages, paging })).to.deep.equal([
      "/paging must have required property 'nextPage'",
    ]);
  });

  it('reject a wrong type, and null in a required field', () => {
    for (const wrong of [
      { httpStatusCode: '404' },
      { status: 4 },
      { errorMessageId: null },
      { createdBy: 1.5 },
    ]) {
      const faults = findFaults('ErrorMessages', withItem({ ...listed, ...wrong }));
      expect(faults, JSON.stringify(wrong)).not.to.have.lengthOf(0);
    }
    expect(findFaults('ErrorMessages', withPaging({ size: null }))).to.have.lengthOf(1);
  });

  it('reject hours as text, and a point in time without an offset', () => {
    const [row] = productionTimesDocument.productStructureVersionAggregatedProductionTimes;
    const wrong = {
      ...row,
      plannedProductionTimes: { ...row?.plannedProductionTimes, processing: { runTime: '1.5' } },
    };
    expect(
      findFaults('ProductStructureVersionAggregatedProductionTimes', {
        ...productionTimesDocument,
        productStructureVersionAggregatedProductionTimes: [wrong],
      }),
    ).to.have.lengthOf(1);
    const { applicationVersion } = applicationVersionDocument;
    expect(
      findFaults('ApplicationVersionDocument', {
        applicationVersion: { ...applicationVersion, createdAt: '2026-01-02T03:04:05' },
      }),
    ).to.have.lengthOf(1);
  });

  it('reject an error with a wrong inner error at any depth', () => {
    const { innerErrors } = errorDocument;
    const withStatus = { ...innerErrors[0], hTTPStatusCode: '400' };
    expect(findFaults('Error', { ...errorDocument, innerErrors: [withStatus] })).to.deep.equal([
      '/innerErrors/0 must NOT have additional properties',
    ]);
    const deep = { ...innerErrors[0], innerErrors: [{ message: 'alone' }] };
    expect(findFaults('Error', { ...errorDocument, innerErrors: [deep] }).join()).to.include(
      '/innerErrors/0/innerErrors/0',
    );
  });
});
