import { newestOf, resourceFamilies, restrictFamily } from '@takt/catalogue/resources';
import type { QueryParameter } from '@takt/query';
import type { Language } from '@takt/texts';
import { expect } from 'chai';
import { openingAddress } from '../../src/pages/index.js';
import { readPageForm } from '../../src/pages/page-form.js';
import { contextOf } from '../html/sample-pages.js';
import { productionTimes } from '../support/resources.js';

const family = resourceFamilies.find(({ identifier }) => identifier === productionTimes.identifier);
if (family === undefined) throw new Error('the production times are not served');

const parameters = (values: Readonly<Record<string, string>>): readonly QueryParameter[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

const asSent = (conditionField: string, conditionOperator: string, conditionValue: string) => ({
  conditionField,
  conditionOperator,
  conditionValue,
});

describe('An HTML page', () => {
  it('opens a list with a filter and an order that suit the duties of the reader', () => {
    const context = contextOf({ path: '/', parameters: parameters({ $db: 'TEM-NO', $top: '5' }) });
    const opened = (duties: Parameters<typeof restrictFamily>[1]) =>
      decodeURIComponent(openingAddress(context, newestOf(restrictFamily(family, duties))));
    const path = `${context.baseUrl}${productionTimes.path}`;
    expect(opened('all')).to.equal(
      `${path}?$db=TEM-NO&$filter=HoursOverPlan gt 0&$orderby=HoursOverPlan desc`,
    );
    expect(opened([])).to.equal(`${path}?$db=TEM-NO&$orderby=ProductName asc`);
  });

  it('redirects from its filter form to an address with the conditions in $filter', () => {
    const form = {
      form: 'quick',
      $filter: "contains(Revision,'A')",
      $orderby: 'HoursOverPlan desc',
      search: ' ',
      HoursOverPlan: '0',
      NumberOfCompletedProductionWorkOrders: '20,0',
      ProductStructureVersionStatus: '',
      $lang: 'deu',
    };
    expect(readPageForm(family, parameters(form), 'eng')?.parameters).to.deep.equal(
      parameters({
        $filter:
          "contains(Revision,'A') and HoursOverPlan gt 0 and NumberOfCompletedProductionWorkOrders ge 20.0",
        $orderby: 'HoursOverPlan desc',
        $lang: 'deu',
      }),
    );
    expect(readPageForm(family, parameters({ $filter: 'RunTime gt 1,5' }), 'eng')).to.equal(undefined);
  });

  it('redirects from an expression with decimal commas to an address with decimal points', () => {
    expect(
      readPageForm(
        family,
        parameters({ form: 'advanced', $filter: "RunTime gt 1,5 and Revision in ('1,5')" }),
        'nob',
      )?.parameters,
    ).to.deep.equal(parameters({ $filter: "RunTime gt 1.5 and Revision in ('1,5')" }));
    const unreadable = { $filter: 'RunTime gt 1 and' };
    expect(readPageForm(family, parameters({ form: 'advanced', ...unreadable }), 'eng')).to.deep.equal({
      parameters: parameters(unreadable),
      faulty: undefined,
    });
  });

  it('adds the condition of its form to the filter, as an expression that suits the field', () => {
    const read = (field: string, operator: string, value: string, language: Language = 'eng') => {
      const form = {
        form: 'condition',
        $filter: 'RunTime gt 1',
        $top: '40',
        ...asSent(field, operator, value),
      };
      return readPageForm(family, parameters(form), language);
    };
    const filterOf = (field: string, operator: string, value: string, language?: Language) =>
      read(field, operator, value, language)?.parameters.find(({ name }) => name === '$filter')?.value;
    for (const [field, operator, value, added] of [
      ['SetupTime', 'ge', '1,200.5', 'SetupTime ge 1200.5'],
      ['RunTimeDifference', 'lt', '-0.5', 'RunTimeDifference lt -0.5'],
      ['ProductName', 'contains', "O'Neill", "contains(ProductName, 'O''Neill')"],
      ['Revision', 'startswith', '4', "startswith(Revision, '4')"],
      ['RunTimeVerdict', 'eq', 'Over plan for sure', "RunTimeVerdict eq 'over'"],
      ['AverageSetupTime', 'missing', '7', 'AverageSetupTime eq null'],
      ['AverageSetupTime', 'present', '', 'AverageSetupTime ne null'],
    ] as const) {
      expect(filterOf(field, operator, value), field).to.equal(`RunTime gt 1 and ${added}`);
    }
    expect(filterOf('SetupTime', 'lt', '2,5', 'deu')).to.equal('RunTime gt 1 and SetupTime lt 2.5');
    const nothingIn = [
      ['SetupTime', 'ge', ' '],
      ['Nope', 'ge', '1'],
      ['SetupTime', 'toString', '1'],
    ] as const;
    for (const [field, operator, value] of nothingIn) {
      expect(read(field, operator, value)?.parameters, field + operator).to.deep.equal(
        parameters({ $filter: 'RunTime gt 1', $top: '40' }),
      );
    }
  });

  it('keeps a value that is no number, with its field and operator, and says what is wrong', () => {
    const form = { form: 'condition', ...asSent('SetupTime', 'ge', 'much') };
    const { faulty } = readPageForm(family, parameters(form), 'eng') ?? {};
    expect(faulty?.error.code).to.equal('noNumber');
    expect(faulty?.sent).to.deep.equal({ field: 'SetupTime', operator: 'ge', value: 'much' });
  });

  it('names the known values if a value of a domain is none of them', () => {
    const read = (operator: string, value: string) =>
      readPageForm(
        family,
        parameters({ form: 'condition', ...asSent('RunTimeVerdict', operator, value) }),
        'deu',
      );
    const { faulty } = read('eq', 'sicher über Plan') ?? {};
    expect(faulty?.error.code).to.equal('unknownValue');
    expect(faulty?.error.parameters).to.deep.equal([
      'sicher über Plan',
      'sicher über dem Plan, sicher unter dem Plan, unsicher',
    ]);
    for (const known of ['sicher über dem Plan', 'over', 'OVER']) {
      expect(read('ne', known)?.parameters, known).to.deep.equal(
        parameters({ $filter: "RunTimeVerdict ne 'over'" }),
      );
    }
    // An event may have a status or a type that has no description.
    for (const [field, value, written] of [
      ['ProductStatus', '8', '8'],
      ['ProductType', 'Z', "'Z'"],
    ] as const) {
      const form = { form: 'condition', ...asSent(field, 'eq', value) };
      expect(readPageForm(family, parameters(form), 'deu')?.parameters).to.deep.equal(
        parameters({ $filter: `${field} eq ${written}` }),
      );
    }
    // A part of a key is a text like any other.
    expect(read('startswith', 'ov')?.faulty).to.equal(undefined);
  });

  it('leaves out the columns whose boxes have no tick', () => {
    const read = (...shown: readonly string[]) =>
      readPageForm(
        family,
        [
          ...parameters({ form: 'columns', $filter: 'RunTime gt 1' }),
          ...shown.map((value) => ({ name: 'show', value })),
        ],
        'eng',
      )?.parameters;
    const all = [
      'NumberOfCompletedProductionWorkOrders',
      'HoursOverPlan',
      'RunTime',
      'SetupTime',
      'CleanupTime',
    ];
    expect(read(...all)).to.deep.equal(parameters({ $filter: 'RunTime gt 1' }));
    expect(read('HoursOverPlan', 'RunTime', 'Nope')).to.deep.equal(
      parameters({
        $filter: 'RunTime gt 1',
        hide: 'NumberOfCompletedProductionWorkOrders,SetupTime,CleanupTime',
      }),
    );
  });
});
