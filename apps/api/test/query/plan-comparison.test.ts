import { restrictFamily } from '@takt/resources';
import { parseXml } from '@takt/test-support';
import { expect } from 'chai';
import { createService } from '../../src/service/create-service.js';
import { askList, columnOf, type Parameters, write } from '../harness/ask.js';
import { faultOf } from '../harness/fault-of.js';
import { grantFor } from '../harness/grant-for.js';
import { insertStructureVersions } from '../harness/insert-rows.js';
import { COMPANY, openTestApi, type TestApi } from '../harness/open-test-api.js';
import { productionTimes } from '../harness/resources.js';
import { identifiersOf, walk } from '../harness/walk.js';
import { wholeOf } from '../harness/whole-of.js';

const { identifier, path } = productionTimes;
const withoutDuty = restrictFamily({ identifier, path, versions: [productionTimes] }, []).versions[0];

/** Hours over plan of more than a JavaScript number holds exactly, next to each other, with a null and the bounds. */
const HUGE = [
  ...['9007199254.740993', '9007199254.740994', '9007199254.740995', '-9007199254.740993', '0.000001'],
  ...['9000000000000.000000', '-9000000000000.000000', '20000000000000.000000'],
];

describe('PlanComparison', () => {
  let api: TestApi;
  before(async () => {
    api = await openTestApi();
    await insertStructureVersions(api.owner, [
      {
        ...{ id: 1, planned: { run: '2', setup: '0.3', cleanup: '0' } },
        actual: { run: ['2.5', '3'], setup: ['0.2'], cleanup: ['0.000001'] },
      },
      { id: 2, planned: { setup: '1' }, actual: { run: ['1'] } },
      { id: 3, actual: { run: ['1'], setup: ['1'] } },
      ...HUGE.map((_, index) => ({ id: 10 + index })),
    ]);
    for (const [index, hours] of HUGE.entries()) {
      await api.owner.query(
        `UPDATE takt.product_structure_versions SET run_time = 0, run_time_sum = $2
         WHERE product_structure_version_id = $1`,
        [10 + index, hours],
      );
    }
  });
  after(() => api.close());

  const rowsOf = async (parameters: Parameters) =>
    JSON.parse(write(await askList(api, productionTimes, parameters), 'json', api))[
      'productStructureVersionAggregatedProductionTimes'
    ];
  const idsOf = async (parameters: Parameters) =>
    columnOf(await askList(api, productionTimes, { $top: '$max', ...parameters })).map(Number);

  const whole = {
    hoursOverPlan: 1.400001,
    processing: { runTimeDifference: 0.75, runTimeOverPlanPercent: 37.5, runTimeHoursOverPlan: 1.5 },
    changeover: {
      setup: { setupTimeDifference: -0.1, setupTimeOverPlanPercent: -33.33, setupTimeHoursOverPlan: -0.1 },
      cleanup: {
        ...{ cleanupTimeDifference: 0.000001, cleanupTimeOverPlanPercent: null },
        ...{ cleanupTimeHoursOverPlan: 0.000001 },
      },
    },
  };

  it('is in no answer unless it is asked for', async () => {
    for (const parameters of [{}, { $select: 'RunTime' }, { $orderby: 'HoursOverPlan' }]) {
      for (const row of await rowsOf(parameters)) expect(row).not.to.have.property('planComparison');
    }
  });

  it('is served where it is selected, and nothing else', async () => {
    const [first] = await rowsOf({ $select: 'PlanComparison' });
    expect(first).to.deep.equal({ planComparison: whole });
  });

  it('is served where it is expanded, with what is selected besides', async () => {
    const $expand = 'PlanComparison';
    const [first] = await rowsOf({ $expand });
    expect(first.planComparison).to.deep.equal(whole);
    expect(Object.keys(first).at(-1)).to.equal('planComparison');
    expect(await rowsOf({ $expand, $select: 'RunTime', $top: 1 })).to.deep.equal([
      { plannedProductionTimes: { processing: { runTime: 2 } }, planComparison: whole },
    ]);
  });

  it('is null in every kind that has no plan', async () => {
    const [second, third] = await rowsOf({ $expand: 'PlanComparison', $skip: 1, $top: 2 });
    const { processing, changeover, hoursOverPlan } = second.planComparison;
    expect(new Set(Object.values(processing))).to.deep.equal(new Set([null]));
    expect(hoursOverPlan).to.equal(0);
    // Planned and never reported: nothing to compare the plan with, and no hour beyond it.
    expect(changeover.setup).to.deep.equal({
      ...{ setupTimeDifference: null, setupTimeOverPlanPercent: null, setupTimeHoursOverPlan: 0 },
    });
    expect(third.planComparison.hoursOverPlan).to.equal(null);
  });

  it('is the same in XML, decimals written out', async () => {
    const page = await askList(api, productionTimes, { $expand: 'PlanComparison', $top: 1 });
    const xml = write(page, 'xml', api);
    parseXml(xml);
    expect(xml)
      .to.include('<PlanComparison><HoursOverPlan>1.400001</HoursOverPlan>')
      .and.include('<CleanupTimeDifference>0.000001</CleanupTimeDifference>')
      .and.include('<SetupTimeOverPlanPercent>-33.33</SetupTimeOverPlanPercent>');
  });

  it('is shown to people without asking', async () => {
    const companies = [{ companyId: COMPANY, code: 'TEM-NO', name: 'Tem', key: api.keys.get(COMPANY) ?? '' }];
    const { routes } = createService({ ...api, findToken: async () => grantFor(companies) });
    const route = routes.find(
      (one) =>
        one.path === '/product/structure-versions/{productStructureVersionId}/aggregated-production-times',
    );
    if (route === undefined) throw new Error('production times are served');
    const headers = { accept: 'text/html', authorization: 'Bearer known' };
    const pathParameters = { productStructureVersionId: '1' };
    const request = {
      path: route.path,
      queryText: '',
      id: 'request-1',
      address: '',
      pathParameters,
      headers,
    };
    expect(wholeOf(await route.answer(request)).toString())
      .to.include('Hours over plan')
      .and.include('+0.75')
      .and.include('+38&nbsp;%');
  });

  it('is unknown without the duty for plans', async () => {
    if (withoutDuty.kind !== 'list') throw new Error('a list stays one');
    for (const parameter of ['$expand', '$select', '$filter', '$orderby']) {
      const named = parameter === '$expand' ? 'PlanComparison' : 'HoursOverPlan';
      const value = parameter === '$filter' ? `${named} gt 1` : named;
      const fault = await faultOf(askList(api, withoutDuty, { [parameter]: value }));
      expect(fault.code, parameter).to.equal('unknownField');
      expect(fault.parameters.at(-1)).not.to.match(/OverPlan|PlanComparison|Difference/);
    }
  });

  // By value, the two beyond the upper bound and at it as one.
  const ascending = [3, 16, 13, 2, 14, 1, 10, 11, 12, 15, 17];

  for (const step of ['next', 'previous'] as const) {
    it(`is walked through in order to the last digit, page by page (${step})`, async () => {
      for (const [direction, expected] of [
        ['asc', ascending],
        ['desc', ascending.toReversed()],
      ] as const) {
        const $orderby = `HoursOverPlan ${direction}`;
        const [first] = await walk(api, productionTimes, { $orderby, $top: 1 }, 'next');
        const key = new URL(first?.paging.last.href ?? '').searchParams.get('$pageKey') ?? '';
        const start = step === 'next' ? {} : { $pageKey: key };
        const pages = await walk(api, productionTimes, { $orderby, $top: 1, ...start }, step);
        expect(identifiersOf(pages, step)).to.deep.equal(expected);
      }
    });
  }

  it('is filtered to the last digit, and beyond its bounds nothing is found', async () => {
    const found: Readonly<Record<string, readonly number[]>> = {
      'HoursOverPlan eq 9007199254.740994': [11],
      'HoursOverPlan gt 9007199254.740994 and HoursOverPlan lt 9e12': [12],
      'HoursOverPlan in (-9007199254.740993, 0.000001, null)': [3, 13, 14],
      'HoursOverPlan eq 9007199254.7409941': [],
      'HoursOverPlan ge 9e12': [15, 17],
      'HoursOverPlan gt 9e12': [],
      'HoursOverPlan lt -9e12': [],
      'HoursOverPlan le -9e12': [16],
      'HoursOverPlan lt -1e300': [],
      'HoursOverPlan eq 9223372036854.775807': [],
      'HoursOverPlan eq -9223372036854.775808': [],
      'HoursOverPlan in (1e300, -1e300, 9223372036854.775807)': [],
      'HoursOverPlan eq null': [3],
      'RunTimeOverPlanPercent eq 37.5': [1],
      'RunTimeOverPlanPercent eq 37.505': [],
      'SetupTimeOverPlanPercent le -33.33 and SetupTimeOverPlanPercent gt -33.331': [1],
      'SetupTimeOverPlanPercent lt -33.33': [],
      'RunTimeOverPlanPercent gt RunTime': [1],
      'RunTimeOverPlanPercent lt AverageRunTime': [],
      'RunTimeDifference lt RunTime and RunTimeDifference gt 0': [1],
      'AverageRunTime sub RunTime eq RunTimeDifference': [1],
    };
    for (const [$filter, expected] of Object.entries(found)) {
      const ids = await idsOf({ $filter });
      expect(
        ids.filter((id) => id < 10 || $filter.startsWith('Hours')),
        $filter,
      ).to.deep.equal(expected);
    }
  });
});
