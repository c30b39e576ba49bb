import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { askList, type Parameters, write } from '../support/ask.js';
import { insertStructureVersions } from '../support/insert-rows.js';
import { OTHER_COMPANY, openTestApi } from '../support/open-test-api.js';
import { planSuggestions } from '../support/resources.js';

describe('the list of plan suggestions', () => {
  const api = opened(openTestApi);

  before(async () => {
    const many = (hours: string, count = 20) => Array.from({ length: count }, () => hours);
    await insertStructureVersions(api.owner, [
      {
        ...{ id: 1, productName: 'Frame', name: 'Weld', planned: { run: '1.000000', setup: '0.500000' } },
        actual: { run: many('1.250000'), setup: many('0.400000') },
      },
      { id: 2, productName: 'door', planned: { run: '2.000000' }, actual: { run: many('1.000000', 30) } },
      { id: 3, productName: 'Lid', planned: { run: '1.000000' }, actual: { run: many('9.000000', 19) } },
      { id: 4, productName: 'Émail', planned: { run: '0.000000' }, actual: { run: many('0.000001') } },
      { id: 5, isListed: false, actual: { run: many('9.000000') } },
      {
        ...{ id: 6, companyId: OTHER_COMPANY, planned: { run: '1.000000' } },
        actual: { run: many('7.000000') },
      },
    ]);
    await api.owner.query(
      `INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month,
         number_of_completed_operations, setup_time_count)
       VALUES (1, 1, '2024-01-01', 10, 10), (1, 1, '2025-01-01', 6, 2), (1, 1, '2025-02-01', 4, 8), (1, 2, '2025-01-01', 30, 0)`,
    );
  });

  const ask = async (parameters: Parameters = {}) => {
    const page = await askList(api, planSuggestions, { $inlinecount: 'allpages', ...parameters });
    const { productStructureVersionPlanSuggestions: items, paging } = JSON.parse(write(page, 'json', api));
    return { items, size: paging.size, ids: items.map(({ planSuggestionId }: never) => planSuggestionId) };
  };

  it('has a row for each time with enough operations whose average differs from its plan', async () => {
    const { items, ids, size } = await ask();
    expect(ids).to.deep.equal(['1-run', '1-setup', '2-run', '4-run']);
    expect(size).to.equal(4);
    expect(items[0].productStructureVersion.name).to.equal('Weld');
    expect(items.map(({ planSuggestion }: never) => planSuggestion)).to.deep.equal([
      row('run', 1, 1.25, { difference: 0.25, percent: 25, hours: 5, hoursAYear: 2.5 }),
      row('setup', 0.5, 0.4, { difference: -0.1, percent: -20, hours: -2, hoursAYear: -1 }),
      row('run', 2, 1, { difference: -1, percent: -50, operations: 30, hours: -30, hoursAYear: -30 }),
      row('run', 0, 0.000001, { difference: 0.000001, percent: null, hours: 0.00002, hoursAYear: 0 }),
    ]);
  });

  it('can be filtered, ordered and searched like any other list, even by computed fields', async () => {
    expect((await ask({ $orderby: 'HoursAYear desc' })).ids).to.deep.equal([
      '1-run',
      '4-run',
      '1-setup',
      '2-run',
    ]);
    expect((await ask({ $orderby: 'HoursOverPlan' })).ids).to.deep.equal([
      '2-run',
      '1-setup',
      '4-run',
      '1-run',
    ]);
    expect((await ask({ $orderby: 'OverPlanPercent' })).ids).to.deep.equal([
      '4-run',
      '2-run',
      '1-setup',
      '1-run',
    ]);
    // The order follows the collation of all text columns, not the default collation of the database. É comes among the
    // letters, and lower case beside upper case.
    expect((await ask({ $orderby: 'ProductName,PlannedTime' })).ids).to.deep.equal([
      ...['2-run', '4-run', '1-setup', '1-run'],
    ]);
    expect((await ask({ $filter: "Kind eq 'run' and HoursAYear lt 0" })).ids).to.deep.equal(['2-run']);
    expect((await ask({ $filter: 'OverPlanPercent eq null' })).ids).to.deep.equal(['4-run']);
    expect((await ask({ $filter: "ProductName eq 'FRAME'" })).ids).to.deep.equal(['1-run', '1-setup']);
    expect((await ask({ $filter: "ProductType eq 'K'", search: 'wel' })).ids).to.deep.equal([
      '1-run',
      '1-setup',
    ]);
  });

  it('returns each row once on its pages, in any order', async () => {
    for (const $orderby of ['HoursAYear desc', 'OverPlanPercent', 'ProductName desc', undefined]) {
      const walked: string[] = [];
      let $pageKey: string | undefined;
      do {
        const page = await askList(api, planSuggestions, { $top: 1, $orderby, $pageKey });
        walked.push(...page.rows.map(([id]) => String(id)));
        $pageKey = page.paging.next?.key;
      } while ($pageKey !== undefined);
      expect(walked, $orderby).to.deep.equal((await ask({ $orderby })).ids);
    }
  });
});

interface Expected {
  readonly difference: number;
  readonly percent: number | null;
  readonly operations?: number;
  readonly hours: number;
  readonly hoursAYear: number;
}

function row(kind: string, planned: number, suggested: number, expected: Expected) {
  const { difference, percent, operations = 20, hours, hoursAYear } = expected;
  return {
    ...{ kind, plannedTime: planned, suggestedTime: suggested, timeDifference: difference },
    ...{ overPlanPercent: percent, numberOfOperations: operations, hoursOverPlan: hours, hoursAYear },
    // All operations took the same time, so the range of the mean is a single value.
    ...{ meanLow: suggested, meanHigh: suggested, verdict: difference > 0 ? 'over' : 'under' },
  };
}
