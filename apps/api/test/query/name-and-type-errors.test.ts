import type { ListResource } from '@takt/catalogue/resources';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { askDetail, askList, type Parameters } from '../support/ask.js';
import { type Fault, faultOf } from '../support/fault-of.js';
import { openTestApi } from '../support/open-test-api.js';
import { filteredFields, productionTimeFields } from '../support/queried-fields.js';
import { applicationVersion, errorMessage, errorMessages, productionTimes } from '../support/resources.js';

const ERROR_MESSAGE_FIELDS = 'ErrorMessageId, Status, Namespace, HttpStatusCode, Message, CreatedBy';

/**
 * Each entry has a wrong `$filter` and the details of the wrongType error. The details are the position, the text there
 * and the expected type.
 */
const WRONG_TYPES: readonly (readonly [string, string, string, string])[] = [
  ["RunTime eq 'x'", '12', "'x'", 'number'],
  ['RunTime eq true', '12', 'true', 'number'],
  ["'x' eq RunTime", '1', "'x'", 'number'],
  ['ProductName eq 5', '16', '5', 'text'],
  ['5.50m lt ProductName', '1', '5.50m', 'text'],
  ['ProductName eq RunTime', '16', 'RunTime', 'text'],
  ['RunTime eq ProductName', '12', 'ProductName', 'number'],
  ["length(ProductName) eq 'x'", '24', "'x'", 'number'],
  ['length(RunTime) eq 1', '8', 'RunTime', 'text'],
  ["toLower(1) eq 'a'", '9', '1', 'text'],
  ["trim(length('a')) eq 'a'", '6', 'length(...)', 'text'],
  ["contains(RunTime,'1')", '10', 'RunTime', 'text'],
  ['contains(ProductName,1)', '22', '1', 'text'],
  ["substringof('a',RunTime)", '17', 'RunTime', 'text'],
  ['startswith(ProductName,true)', '24', 'true', 'text'],
  ["RunTime in (1,'2',3)", '15', "'2'", 'number'],
  ["ProductName in ('a',null,2)", '26', '2', 'text'],
  ['true in (true,1)', '15', '1', 'boolean'],
  ['true lt false', '1', 'true', 'number or text'],
  ['1 eq true', '1', '1', 'boolean'],
  ["RunTime add 'x' gt 1", '13', "'x'", 'number'],
  ['ProductName add 1 gt 1', '1', 'ProductName', 'number'],
  ['1 mul true gt 1', '7', 'true', 'number'],
  ['-ProductName gt 1', '2', 'ProductName', 'number'],
  ['ProductName eq RunTime mul 2', '24', 'mul', 'text'],
  ['ProductName eq -1', '16', '-1', 'text'],
  ['ProductName eq -RunTime', '16', '-', 'text'],
  ['concat(ProductName,1) eq null', '20', '1', 'text'],
  ["substring(ProductName,'1') eq 'a'", '23', "'1'", 'number'],
  ["substring(ProductName,1,'1') eq 'a'", '25', "'1'", 'number'],
  ["substring(RunTime,1) eq 'a'", '11', 'RunTime', 'text'],
  ['substring(ProductName,1) eq 1', '29', '1', 'text'],
  ['indexof(ProductName,1) eq 1', '21', '1', 'text'],
  ['round(ProductName) eq 1', '7', 'ProductName', 'number'],
  ["round(RunTime) eq 'a'", '19', "'a'", 'number'],
  ['floor(true) eq 1', '7', 'true', 'number'],
  ['ProductStatus eq ProductType', '18', 'ProductType', 'number'],
  ["ProductName eq '😀' and ProductName eq 5", '39', '5', 'text'],
  ['RunTime gt 1 and not (SetupTime le 2 or ProductName gt 1)', '56', '1', 'text'],
  [`RunTime eq '${'long'.repeat(20)}'`, '12', `'${'long'.repeat(20)}`.slice(0, 40).concat('…'), 'number'],
];

/** Each entry has a parameter with an unknown name, then the position of the name, and the name. */
const UNKNOWN: readonly (readonly ['$filter' | '$orderby', string, string, string])[] = [
  ['$filter', 'Colour eq 1', '1', 'Colour'],
  ['$filter', '1 eq Colour', '6', 'Colour'],
  ['$filter', 'RunTime eq 1 or length(Colour) gt 2', '24', 'Colour'],
  ['$filter', "ProductName eq '😀' and Colour eq null", '24', 'Colour'],
  ['$filter', 'null lt Colour', '9', 'Colour'],
  ['$filter', 'Colour in (1)', '1', 'Colour'],
  ['$filter', "contains(Colour,'a')", '10', 'Colour'],
  ['$filter', 'Name eq 1', '1', 'Name'],
  ['$filter', 'ProductDescription eq null', '1', 'ProductDescription'],
  ['$filter', 'Product/Colour eq 1', '1', 'Product/Colour'],
  ['$filter', 'Product.Description eq 1', '1', 'Product.Description'],
  ['$filter', '1 eq ProductStructureVersion/RunTime', '6', 'ProductStructureVersion/RunTime'],
  ['$filter', 'RunTime/Product eq 1', '1', 'RunTime/Product'],
  ['$filter', 'constructor/name eq 1', '1', 'constructor/name'],
  ['$filter', 'constructor eq 1', '1', 'constructor'],
  ['$filter', '__proto__ eq null', '1', '__proto__'],
  ['$filter', 'toString eq null', '1', 'toString'],
  ['$orderby', 'Colour', '1', 'Colour'],
  ['$orderby', 'RunTime desc, Colour asc', '15', 'Colour'],
  ['$orderby', 'Product.Name', '1', 'Product.Name'],
  ['$orderby', 'ProductStructureVersionId', '1', 'ProductStructureVersionId'],
  ['$orderby', '__proto__ desc', '1', '__proto__'],
];

describe('the error for an unsuitable name or value', () => {
  const api = opened(openTestApi);

  const faultIn = (parameters: Parameters, resource: ListResource = productionTimes): Promise<Fault> =>
    faultOf(askList(api, resource, parameters));

  for (const [$filter, position, found, expected] of WRONG_TYPES) {
    it(`reports a wrong type in ${$filter} at position ${position}`, async () => {
      expect(await faultIn({ $filter })).to.deep.equal({
        code: 'wrongType',
        parameters: ['$filter', position, found, expected],
      });
    });
  }

  for (const [parameter, text, position, found] of UNKNOWN) {
    it(`reports an unknown field in ${parameter}=${text} at position ${position}`, async () => {
      const { code, parameters } = await faultIn({ [parameter]: text });
      expect({ code, parameters: parameters.slice(0, 3) }).to.deep.equal({
        code: 'unknownField',
        parameters: [parameter, position, found],
      });
      const known = parameters[3]?.split(', ') ?? [];
      const fields = parameter === '$filter' ? filteredFields : productionTimeFields;
      expect(known.toSorted()).to.deep.equal(Object.keys(fields).toSorted());
    });
  }

  it('lists the known fields of the resource', async () => {
    for (const parameter of ['$filter', '$orderby']) {
      const fault = await faultIn({ [parameter]: parameter === '$filter' ? 'X eq 1' : 'X' }, errorMessages);
      expect(fault.parameters).to.deep.equal([parameter, '1', 'X', ERROR_MESSAGE_FIELDS]);
    }
    const unfiltered = await faultIn({ $filter: "AvailableTranslations eq 'eng'" }, errorMessages);
    expect(unfiltered.code).to.equal('unknownField');
  });

  it('also reports a repeated field in $orderby', async () => {
    expect(await faultIn({ $orderby: 'RunTime, SetupTime, runtime desc' })).to.deep.equal({
      ...{ code: 'repeatedField', parameters: ['$orderby', '21', 'runtime'] },
    });
  });

  it('is not sent for another letter case', async () => {
    await askList(api, productionTimes, { $orderby: 'RUNTIME DESC, productname Asc' });
    await askList(api, productionTimes, { $filter: 'RUNTIME GT 1 AND productname NE NULL' });
  });

  describe('in a path', () => {
    const detail = (applicationId: string, applicationVersionId: string): Promise<Fault> =>
      faultOf((async () => askDetail(api, applicationVersion, { applicationId, applicationVersionId }))());

    for (const text of [
      '9999',
      '0',
      '-10000',
      '1e5',
      '10000.5',
      '0x2710',
      ' 10000',
      'abc',
      '',
      '１００００',
    ]) {
      it(`reports that '${text}' is not an application identifier`, async () => {
        expect(await detail(text, '100')).to.deep.equal({
          code: 'invalidIdentifier',
          parameters: ['applicationId', text, '10000'],
        });
      });
    }

    it('reports a version identifier that is below the minimum for application versions', async () => {
      expect(await detail('10000', '99')).to.deep.equal({
        code: 'invalidIdentifier',
        parameters: ['applicationVersionId', '99', '100'],
      });
    });

    for (const text of ['10001', '9007199254740991', '9007199254740992', '9'.repeat(40)]) {
      it(`reports a missing object for the valid identifier ${text}`, async () => {
        expect(await detail(text, '100')).to.deep.equal({ code: 'permissionNotFound', parameters: [] });
        const errorMessageId = `1${text}`.slice(0, 40);
        expect(await faultOf(askDetail(api, errorMessage, { errorMessageId }))).to.deep.equal({
          code: 'errorMessageNotFound',
          parameters: [errorMessageId],
        });
      });
    }
  });
});
