import { expect } from 'chai';
import { type Acceptance, parseQueryString, readQueryOptions } from '../src/index.js';
import { faultOf } from './support/fault-of.js';

const fields: Readonly<Record<string, readonly string[]>> = {
  Product: ['Status', 'Type'],
  Company: ['Size'],
};

const acceptance: Acceptance = {
  ...{ kind: 'list', takesSearch: false, defaultPageSize: 10, maximumPageSize: 80 },
  own: [
    { name: 'object', isRequired: true, known: () => Object.keys(fields) },
    { name: 'field', isRequired: true, known: (before) => fields[before.get('object') ?? ''] ?? [] },
    { name: 'unit', isRequired: false, known: () => ['h', 'min'] },
  ],
};

const read = (query: string) => readQueryOptions(parseQueryString(query).parameters, acceptance);
const own = (query: string) => Object.fromEntries(read(query).own);
const faultIn = (query: string) => faultOf(() => read(query));

describe('a parameter whose possible values are known', () => {
  it('is accepted in any case, and returned in the spelling of the service', () => {
    expect(own('object=Product&field=Type')).to.deep.equal({ object: 'Product', field: 'Type' });
    expect(own('FIELD=sTATUS&$top=2&Object=PRODUCT&unit=MIN')).to.deep.equal({
      ...{ object: 'Product', field: 'Status', unit: 'min' },
    });
    expect(own('object=company&field=size&unit=')).to.deep.equal({ object: 'Company', field: 'Size' });
  });

  it('is reported with all possible values if it is required but missing or blank', () => {
    const missing = (parameter: string, expected: string) => ({
      code: 'invalidParameterValue',
      parameters: { parameter, found: 'nothing', expected },
    });
    const objects = "'Product' or 'Company'";
    for (const query of ['', 'field=Status', 'object=&field=Status', 'object=%20&field=Status']) {
      const { code, parameters } = faultIn(query);
      expect([code, parameters['parameter'], parameters['expected']], query).to.deep.equal([
        ...['invalidParameterValue', 'object', objects],
      ]);
    }
    expect(faultIn('object=Product')).to.deep.equal(missing('field', "'Status' or 'Type'"));
    expect(faultIn('object=company&field')).to.deep.equal(missing('field', "'Size'"));
  });

  it('accepts only values that fit the values of earlier parameters', () => {
    for (const [query, parameter, found] of [
      ['object=Produkt&field=Status', 'object', 'Produkt'],
      ['object=constructor&field=Status', 'object', 'constructor'],
      ['object=Product&field=Size', 'field', 'Size'],
      ['object=Product&field=Status%20', 'field', 'Status '],
      ['object=Product&field=Status&unit=s', 'unit', 's'],
    ] as const) {
      const { code, parameters } = faultIn(query);
      expect([code, parameters['parameter'], parameters['found']], query).to.deep.equal([
        ...['invalidParameterValue', parameter, found],
      ]);
    }
  });

  it('may occur only once', () => {
    expect(faultIn('object=Product&field=Type&FIELD=Type')).to.deep.equal({
      code: 'repeatedParameter',
      parameters: { parameter: 'field' },
    });
  });
});
