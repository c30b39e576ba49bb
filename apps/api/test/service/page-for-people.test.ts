import { newestOf, resourceFamilies, restrictFamily } from '@takt/catalogue/resources';
import type { QueryParameter } from '@takt/query';
import { expect } from 'chai';
import { openingAddress } from '../../src/pages/index.js';
import { readPageForm } from '../../src/pages/page-form.js';
import { contextOf } from '../html/sample-pages.js';
import { productionTimes } from '../support/resources.js';

const family = resourceFamilies.find(({ identifier }) => identifier === productionTimes.identifier);
if (family === undefined) throw new Error('the production times are not served');

const parameters = (values: Readonly<Record<string, string>>): readonly QueryParameter[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

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
});
