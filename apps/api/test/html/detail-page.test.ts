import { expect } from 'chai';
import { htmlWriter } from '../../src/pages/index.js';
import {
  contextOf,
  detailPageOf,
  operationsPage,
  productionTimeRow,
  productionTimesDetail,
} from './sample-pages.js';

describe('The HTML page of a structure version', () => {
  const written = (...given: Parameters<typeof productionTimesDetail>) =>
    [...htmlWriter.detail(productionTimesDetail(...given), contextOf())].join('');
  const main = (html: string) => /<main.*<\/main>/s.exec(html)?.[0] ?? '';

  it('compares the actual times with the planned times', () => {
    expect(main(written()))
      .to.include('<h2>Plan and actual, in hours</h2>')
      .and.to.include('</svg> Planned</li>')
      .and.to.include('Dashed: plan.');
  });

  /** The sentences of verdicts on a page whose run time has these values and this number of operations. */
  const verdictsOn = (count: number, values: Readonly<Record<string, string | number>>) => {
    const page = detailPageOf(
      'ProductStructureVersionAggregatedProductionTime',
      (path, field) => values[field.name] ?? productionTimeRow(1)(path, field),
    );
    const distribution = detailPageOf('AggregatedProductionTimeDistribution', (_path, { name }) =>
      name === 'Count' ? count : 0,
    );
    const html = [
      ...htmlWriter.detail({ ...page, parts: new Map([['distribution run', distribution]]) }, contextOf()),
    ].join('');
    return /<ul class="verdicts">.*?<\/ul>/s.exec(html)?.[0] ?? '';
  };
  const OTHERS = { SetupTimeVerdict: 'unsure', CleanupTimeVerdict: 'unsure' };
  const OVER = { ...OTHERS, RunTimeVerdict: 'over', RunTime: 2, AverageRunTime: 2.5 };

  it('gives a verdict if there are at least five operations', () => {
    expect(verdictsOn(4, OVER)).to.include(
      'too few operations (4) to be sure. Keep the plan until there are 5.',
    );
    expect(verdictsOn(5, OVER)).to.include('sure to 95 %').and.to.include('Enter 2.50&nbsp;h');
  });

  it('colours only a difference of at least a tenth, as lists do', () => {
    const classOf = (percent: number) =>
      /<li(?: class="(\w+)")?>/.exec(verdictsOn(5, { ...OVER, RunTimeOverPlanPercent: percent }))?.[1];
    expect([9.5, 9.4].map(classOf)).to.deep.equal(['over', undefined]);
  });

  it('does not suggest a plan if chance can explain the difference, or if the average is as planned', () => {
    expect(verdictsOn(5, { ...OVER, RunTimeVerdict: 'unsure' }))
      .to.include('chance can explain it')
      .and.not.to.include('Enter');
    expect(verdictsOn(5, { ...OVER, RunTime: 2.502, AverageRunTime: 2.498 }))
      .to.include('2.50&nbsp;h, as planned')
      .and.not.to.include('Enter');
  });

  it('suggests a plan below a hundredth of an hour with all its decimals', () => {
    const enterFor = (average: number) =>
      /Enter ([^ &]+)/.exec(verdictsOn(5, { ...OVER, AverageRunTime: average }))?.[1];
    expect([0.0071, 0.004_2, 0.01].map(enterFor)).to.deep.equal(['0.0071', '0.0042', '0.01']);
  });

  it('links to the operations that are farthest over plan, and sorts nothing by their headings', () => {
    const parts = new Map([['operations', operationsPage()]]);
    const html = [
      ...htmlWriter.detail({ ...productionTimesDetail(), parts }, contextOf({ timeUnit: 'min' })),
    ].join('');
    const [table = ''] =
      /<table class="list fields">(?=(?:(?!<\/table>).)*Operation ID).*?<\/table>/s.exec(html) ?? [];
    expect(table)
      .to.match(/<th scope="row"><a href="[^"]*\/product\/work-order-operations\/1000001[^"]*">1000001<\/a>/)
      .and.include('data-l="Run time (min)">150.0</td>')
      .and.include('>&minus;15.0</td>');
    expect(table).not.to.include('class="sort').and.not.include('Link to the operation');
  });

  it('does not mention plans to a reader who may not see planned times', () => {
    const html = main(written([]));
    expect(html)
      .to.include('<h2>Actual times, in hours</h2>')
      .and.to.include('Band: from shortest to longest.');
    expect(html).not.to.match(/plan/i);
  });
});
