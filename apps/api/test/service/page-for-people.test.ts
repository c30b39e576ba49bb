import { newestOf, resourceFamilies, restrictFamily } from '@takt/catalogue/resources';
import type { QueryParameter } from '@takt/query';
import { expect } from 'chai';
import { openingParameters, readPageForm } from '../../src/pages/page-form.js';

const [family] = resourceFamilies.filter((one) => {
  const resource = newestOf(one);
  return resource.kind === 'list' && resource.browsing !== undefined;
});
if (family === undefined) throw new Error('no list has views');

const parameters = (values: Readonly<Record<string, string>>): readonly QueryParameter[] =>
  Object.entries(values).map(([name, value]) => ({ name, value }));

describe('A page for people', () => {
  it('opens on the first view where its address names none of its places', () => {
    const opened = [...parameters({ $filter: 'HoursOverPlan gt 0', $orderby: 'HoursOverPlan desc' })];
    expect(openingParameters(family, [])).to.deep.equal(opened);
    expect(openingParameters(family, parameters({ $TOP: '5' }))).to.deep.equal([
      ...parameters({ $TOP: '5' }),
      ...opened,
    ]);
    for (const name of ['$filter', '$ORDERBY', 'search', '$pageKey']) {
      expect(openingParameters(family, parameters({ [name]: '' }))).to.deep.equal(parameters({ [name]: '' }));
    }
  });

  it('opens on what is left to who may not know the plan', () => {
    expect(openingParameters(restrictFamily(family, []), [])).to.deep.equal(
      parameters({ $orderby: 'ProductName asc' }),
    );
  });

  it('leads from its form to the address of what the form asks', () => {
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
    expect(readPageForm(family, parameters(form))?.parameters).to.deep.equal(
      parameters({
        $filter:
          "contains(Revision,'A') and HoursOverPlan gt 0 and NumberOfCompletedProductionWorkOrders ge 20.0",
        $orderby: 'HoursOverPlan desc',
        $lang: 'deu',
      }),
    );
    expect(readPageForm(family, parameters({ $filter: 'RunTime gt 1,5' }))).to.equal(undefined);
  });

  it('leads from its expression to one with decimal points', () => {
    expect(
      readPageForm(
        family,
        parameters({ form: 'advanced', $filter: "RunTime gt 1,5 and Revision in ('1,5')" }),
      )?.parameters,
    ).to.deep.equal(parameters({ $filter: "RunTime gt 1.5 and Revision in ('1,5')" }));
    const unreadable = { $filter: 'RunTime gt 1 and' };
    expect(readPageForm(family, parameters({ form: 'advanced', ...unreadable }))).to.deep.equal({
      parameters: parameters(unreadable),
      faulty: undefined,
    });
  });

  it('does not fall back to its first view from an empty form', () => {
    expect(readPageForm(family, parameters({ form: 'advanced', $filter: '' }))?.parameters).to.deep.equal(
      parameters({ $filter: '' }),
    );
  });
});
