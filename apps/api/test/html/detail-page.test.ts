import { expect } from 'chai';
import { htmlWriter } from '../../src/pages/index.js';
import { contextOf, detailPageOf, productionTimeRow, productionTimesDetail } from './sample-pages.js';

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

  it('gives a verdict if there are at least five operations', () => {
    const page = detailPageOf('ProductStructureVersionAggregatedProductionTime', (path, field) =>
      field.name === 'RunTimeVerdict' ? 'over' : productionTimeRow(1)(path, field),
    );
    const verdictOn = (count: number) => {
      const distribution = detailPageOf('AggregatedProductionTimeDistribution', (_path, { name }) =>
        name === 'Count' ? count : 0,
      );
      const html = [
        ...htmlWriter.detail({ ...page, distributions: new Map([['run', distribution]]) }, contextOf()),
      ].join('');
      return /<ul class="verdicts">.*?<\/ul>/s.exec(html)?.[0];
    };
    expect(verdictOn(4)).to.include('too few operations (4) to be sure. Keep the plan until there are 5.');
    expect(verdictOn(5)).to.include('sure to 95 %');
  });

  it('does not mention plans to a reader who may not see planned times', () => {
    const html = main(written([]));
    expect(html)
      .to.include('<h2>Actual times, in hours</h2>')
      .and.to.include('Band: from shortest to longest.');
    expect(html).not.to.match(/plan/i);
  });
});
