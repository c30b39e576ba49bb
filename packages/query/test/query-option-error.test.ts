import { expect } from 'chai';
import { type Acceptance, parseQueryString, QueryOptionError, readQueryOptions } from '../src/index.js';
import { queryOptionErrors } from '../src/query-option-error.js';
import { faultOf } from './support/fault-of.js';

const list: Acceptance = { kind: 'list', takesSearch: true, defaultPageSize: 10, maximumPageSize: 80 };

/**
 * An example for each code of an error: a query that causes the error. It queries a list unless the example says
 * otherwise.
 */
const examples: Readonly<Record<keyof typeof queryOptionErrors, readonly [string, Partial<Acceptance>?]>> = {
  malformedEncoding: ['a=%zz'],
  queryTooLong: ['a'.repeat(32_001)],
  tooManyParameters: ['a&'.repeat(51)],
  unknownParameter: ['$a'],
  brokenParameter: ['$filter=a+eq+1+&+b+eq+2'],
  parameterWithoutDollar: ['filter=a+eq+1'],
  parameterOfOthers: ['from=2026-01'],
  repeatedParameter: ['$top=1&$TOP=2'],
  missingParameter: ['uri=+', { own: [{ name: 'uri', isRequired: true }] }],
  controlCharacter: ['a=%00'],
  parameterNotAccepted: ['$top=1', { kind: 'detail' }],
  invalidParameterValue: ['$top=a'],
  parameterTooLong: [`$db=${'a'.repeat(4_001)}`],
  syntaxError: ['$filter=('],
  unquotedInstant: ['$filter=a+gt+2026-01-31'],
  expressionTooLarge: [`$filter=${'('.repeat(21)}`],
  unknownFunction: ['$filter=a(b)'],
  tooManyOrderFields: ['$orderby=a,b,c,d,e'],
  skipWithPageKey: ['$skip=1&$pageKey=a'],
  exportOfOneObject: ['$format=csv', { kind: 'detail' }],
  parameterOfPages: ['$format=csv&$top=1'],
  decimalWithoutCsv: ['$decimal=comma'],
};

describe('QueryOptionError', () => {
  it('has a code and parameters, but no text for readers', () => {
    const error = new QueryOptionError('tooManyOrderFields', { limit: '4' });
    expect(error).to.be.instanceOf(Error);
    expect(error.name).to.equal('QueryOptionError');
    expect(error.message).to.equal('tooManyOrderFields {"limit":"4"}');
    expect(Object.isFrozen(error.parameters)).to.equal(true);
  });

  for (const [code, [query, acceptance]] of Object.entries(examples)) {
    it(`occurs with the code ${code} and the documented parameters`, () => {
      const fault = faultOf(() => {
        const { parameters, problem } = parseQueryString(query);
        if (problem !== undefined) throw problem;
        readQueryOptions(parameters, { ...list, ...acceptance });
      });
      expect(fault.code).to.equal(code);
      const listed = Object.entries(queryOptionErrors).find(([name]) => name === code)?.[1];
      expect(Object.keys(fault.parameters)).to.have.members([...(listed ?? [])]);
    });
  }
});
