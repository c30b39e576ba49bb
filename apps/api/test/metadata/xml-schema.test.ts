import { expect } from 'chai';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { createXmlSchema } from '../../src/metadata/create-xml-schema.js';
import {
  applicationVersionDocument,
  errorDocument,
  errorMessageDocument,
  errorMessagesDocument,
  pageKeys,
  productionTimesDocument,
} from './sample-documents.js';
import { toXml } from './to-xml.js';

const list = (container: string, item: string, rows: readonly object[], paging: object) =>
  toXml(container, [...rows.map((row) => [item, row] as const), ['paging', paging] as const]);

const errorMessages = (rows: readonly object[], paging: object = errorMessagesDocument.paging) =>
  list('ErrorMessages', 'errorMessage', rows, paging);

describe('the XML schema', () => {
  let validator: XsdValidator;

  before(() => {
    using schema = XmlDocument.fromString(createXmlSchema());
    validator = XsdValidator.fromDoc(schema);
  });

  after(() => validator.dispose());

  function findFault(xml: string): string | undefined {
    using document = XmlDocument.fromString(xml);
    try {
      validator.validate(document);
      return undefined;
    } catch (error) {
      return String(error);
    }
  }

  const [listed] = errorMessagesDocument.errorMessages;

  it('accepts every document of the specification, including missing values', () => {
    const rows = productionTimesDocument.productStructureVersionAggregatedProductionTimes;
    const container = 'ProductStructureVersionAggregatedProductionTimes';
    const item = 'productStructureVersionAggregatedProductionTime';
    for (const document of [
      errorMessages(errorMessagesDocument.errorMessages),
      list(container, item, rows, productionTimesDocument.paging),
      toXml('ApplicationVersion', Object.entries(applicationVersionDocument.applicationVersion)),
      toXml('ErrorMessage', Object.entries(errorMessageDocument.errorMessage)),
      toXml('Error', Object.entries(errorDocument)),
    ]) {
      expect(findFault(document), document).to.equal(undefined);
    }
  });

  it('accepts an empty list, an answer to $select, a domain description, page keys and a size', () => {
    expect(findFault(errorMessages([]))).to.equal(undefined);
    expect(findFault(errorMessages([{ message: 'Permission not found' }]))).to.equal(undefined);
    const described = { errorMessageId: 1, status: '4', statusDescription: null, namespace: 'a' };
    expect(findFault(errorMessages([described]))).to.equal(undefined);
    const { pageSize, position, page } = errorMessagesDocument.paging;
    const { firstPage, previousPage, nextPage, lastPage } = errorMessagesDocument.paging;
    const { firstPageKey, previousPageKey, nextPageKey, lastPageKey } = pageKeys;
    const paging = {
      ...{ pageSize, position, page, firstPageKey, firstPage, previousPageKey, previousPage },
      ...{ nextPageKey, nextPage, lastPageKey, lastPage, size: 42 },
    };
    expect(findFault(errorMessages([], paging))).to.equal(undefined);
  });

  it('has different types for the error message inside an error and for the error message as a resource', () => {
    const { errorMessage } = errorDocument;
    expect(findFault(toXml('ErrorMessage', Object.entries(errorMessage)))).to.include('ErrorMessageLink');
    const wrong = { ...errorDocument, errorMessage: listed };
    expect(findFault(toXml('Error', Object.entries(wrong)))).to.include('Status');
  });

  it('rejects an unknown field, a wrong order or type, and null in a required field', () => {
    expect(findFault(errorMessages([{ ...listed, surplus: 1 }]))).to.include('Surplus');
    expect(findFault(errorMessages([{ status: '4', errorMessageId: 1 }]))).to.include('ErrorMessageId');
    expect(findFault(errorMessages([{ errorMessageId: 'x' }]))).to.include('xs:long');
    expect(findFault(errorMessages([{ errorMessageId: null }]))).to.include('nil');
  });

  it('rejects a list without paging or without one of the links in paging', () => {
    expect(findFault(toXml('ErrorMessages', []))).to.include('Paging');
    const { nextPage: _, ...paging } = errorMessagesDocument.paging;
    expect(findFault(errorMessages([], paging))).to.include('NextPage');
  });

  it('rejects an error with a missing field, even in an inner error at any depth', () => {
    const [inner] = errorDocument.innerErrors;
    const deep = { ...inner, innerErrors: [{ message: 'alone' }] };
    const { message: _, ...rest } = errorDocument;
    expect(findFault(toXml('Error', Object.entries(rest)))).to.include('TranslatedMessage');
    expect(findFault(toXml('Error', Object.entries({ ...errorDocument, innerErrors: [deep] })))).to.include(
      'InnerError',
    );
  });
});
