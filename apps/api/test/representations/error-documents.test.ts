import { describeError, type ErrorDescription, ServiceError } from '@takt/catalogue/errors';
import { errorObjectOf } from '@takt/http';
import { elementsAt, parseXml, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { jsonWriter } from '../../src/representations/json-writer.js';
import { xmlWriter } from '../../src/representations/xml-writer.js';
import { anyText, inXml } from '../support/any-text.js';
import { contextOf, type Parameters, readOf } from '../support/ask.js';
import { jsonAt, jsonPathOf } from '../support/json-at.js';
import { BASE_URL } from '../support/open-test-api.js';
import { errorTable, FORMS } from './specification-tables.js';

const around = { baseUrl: BASE_URL };

const asJson = (error: ErrorDescription, parameters: Parameters = {}): string =>
  [...jsonWriter.error(error, contextOf(readOf(parameters), around))].join('');
const asXml = (error: ErrorDescription, parameters: Parameters = {}): string =>
  [...xmlWriter.error(error, contextOf(readOf(parameters), around))].join('');

/** Returns an error 404 with two parameters and two inner errors. One of the inner errors has an inner error too. */
function nestedError(): ServiceError {
  const innermost = new ServiceError('permissionNotFound', {});
  const inner = new ServiceError(
    'wrongType',
    { parameter: '$filter', position: '3', found: '<a>', expected: [{ phrase: 'number' }] },
    { innerErrors: [innermost] },
  );
  const other = new ServiceError('companyNotPermitted', { database: 'X' });
  return new ServiceError(
    'resourceNotFound',
    { verb: 'POST', path: '/no/such' },
    { innerErrors: [inner, other] },
  );
}

const seed = testSeed();
const nested = (): ErrorDescription => describeError(nestedError(), 'deu');

describe('an error document', () => {
  for (const [path, type, value] of errorTable) {
    it(`has the field ${path} in the specified place in JSON and XML`, () => {
      const [json, xml] = [JSON.parse(asJson(nested())), parseXml(asXml(nested()))];
      const found = jsonAt(json, jsonPathOf(path));
      expect(FORMS[type].isJson(found), String(found)).to.equal(true);
      if (value !== undefined) expect(found).to.equal(value);
      const [element, another] = elementsAt(xml, path);
      expect(another).to.equal(undefined);
      expect(element?.text).to.equal(String(found));
      expect(element?.text).to.match(FORMS[type].xml);
    });
  }

  it('starts with hTTPStatusCode in JSON, as a string of digits', () => {
    for (const error of [nested(), describeError(new ServiceError('internalError', {}), 'eng')]) {
      expect(
        asJson(error).startsWith(`{"hTTPStatusCode":"${error.status}","hTTPStatusDescription":`),
      ).to.equal(true);
    }
  });

  it('has the same JSON from an app without resources', () => {
    expect(JSON.stringify(errorObjectOf(nestedError(), 'deu', BASE_URL))).to.equal(asJson(nested()));
  });

  it('has exactly the specified fields in the specified order', () => {
    const document = JSON.parse(asJson(nested()));
    expect(Object.keys(document)).to.deep.equal([
      ...['hTTPStatusCode', 'hTTPStatusDescription', 'message', 'translatedMessage', 'errorMessage'],
      ...['parameters', 'innerErrors'],
    ]);
    expect(Object.keys(document.errorMessage)).to.deep.equal(['errorMessageId', 'errorMessageLink']);
  });

  it('describes the error in English and in the requested language, with the same parameter values', () => {
    const document = JSON.parse(asJson(nested()));
    expect(document.message).to.include('POST').and.include('/no/such');
    expect(document.translatedMessage).to.include('POST').and.include('/no/such');
    expect(document.translatedMessage).to.not.equal(document.message);
  });

  it('lists the parameters with indexes from 0, or an empty list without parameters', () => {
    const document = JSON.parse(asJson(nested()));
    expect(document.parameters).to.deep.equal([
      { index: 0, value: 'POST' },
      { index: 1, value: '/no/such' },
    ]);
    const plain = describeError(new ServiceError('permissionNotFound', {}), 'eng');
    expect(JSON.parse(asJson(plain))).to.deep.include({ parameters: [], innerErrors: [] });
    expect(asXml(plain)).to.include('<Parameters/><InnerErrors/>');
  });

  it('contains inner errors at any depth in the same form without the status', () => {
    const { innerErrors } = JSON.parse(asJson(nested()));
    expect(innerErrors).to.have.lengthOf(2);
    const [inner, other] = innerErrors;
    for (const error of [inner, other, inner.innerErrors[0]]) {
      expect(Object.keys(error)).to.deep.equal([
        ...['message', 'translatedMessage', 'errorMessage', 'parameters', 'innerErrors'],
      ]);
    }
    expect(inner.parameters).to.deep.include({ index: 2, value: '<a>' });
    expect(inner.innerErrors[0].errorMessage.errorMessageId).to.equal(101_015);
    expect(other.innerErrors).to.deep.equal([]);
    const xml = parseXml(asXml(nested()));
    expect(xml.name).to.equal('Error');
    expect(elementsAt(xml, 'InnerErrors.InnerError')).to.have.lengthOf(2);
    expect(elementsAt(xml, 'InnerErrors.InnerError.HTTPStatusCode')).to.deep.equal([]);
    expect(
      elementsAt(xml, 'InnerErrors.InnerError.InnerErrors.InnerError.ErrorMessage.ErrorMessageId').map(
        ({ text }) => text,
      ),
    ).to.deep.equal(['101015']);
    expect(
      elementsAt(xml, 'InnerErrors.InnerError.Parameters.Parameter.Value').map(({ text }) => text),
    ).to.deep.equal(['$filter', '3', '<a>', 'Zahl', 'X']);
  });

  it('links to the error message in the format and the company of the request', () => {
    const error = describeError(new ServiceError('permissionNotFound', {}), 'eng');
    const linkOf = (parameters: Parameters) =>
      JSON.parse(asJson(error, parameters)).errorMessage.errorMessageLink;
    const address = `${BASE_URL}/system/error-messages/101015`;
    expect(linkOf({})).to.equal(address);
    expect(linkOf({ $format: 'json', $db: 'TEM-NO', $access_token: 'secret' })).to.equal(
      `${address}?$format=json&$db=TEM-NO`,
    );
    expect(asXml(error, { $format: 'xml', $db: 'a&b' })).to.include(
      `<ErrorMessageLink>${address}?$format=xml&amp;$db=a%26b</ErrorMessageLink>`,
    );
  });

  it(`escapes any text in parameters, even of inner errors (seed ${seed})`, () => {
    const errorOf = (outer: string, inner: string) => {
      const wrong = (database: string, innerErrors: readonly ServiceError[]) =>
        new ServiceError('companyNotPermitted', { database }, { innerErrors });
      return describeError(wrong(outer, [wrong(inner, [])]), 'deu');
    };
    const elementsOf = (xml: string) => xml.match(/<\/?[\w:]+/g);
    const plain = elementsOf(asXml(errorOf('a', 'b')));
    fc.assert(
      fc.property(anyText, anyText, (outer, inner) => {
        const error = errorOf(outer, inner);
        const document = JSON.parse(asJson(error));
        const [json] = document.innerErrors;
        expect([document.message, document.parameters[0].value]).to.deep.equal([error.message, outer]);
        expect([json.message, json.parameters[0].value]).to.deep.equal([
          error.innerErrors[0]?.message,
          inner,
        ]);
        const xml = asXml(error);
        expect(elementsOf(xml)).to.deep.equal(plain);
        const root = parseXml(xml);
        const textAt = (path: string) => elementsAt(root, path).map(({ text }) => text);
        expect(textAt('Message')).to.deep.equal([inXml(error.message)]);
        expect(textAt('Parameters.Parameter.Value')).to.deep.equal([inXml(outer)]);
        expect(textAt('InnerErrors.InnerError.Parameters.Parameter.Value')).to.deep.equal([inXml(inner)]);
      }),
      { seed, numRuns: 200 },
    );
  });
});
