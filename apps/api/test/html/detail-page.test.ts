import { expect } from 'chai';
import { htmlWriter } from '../../src/pages/index.js';
import { contextOf, productionTimesDetail } from './sample-pages.js';

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

  it('does not mention plans to a reader who may not see planned times', () => {
    const html = main(written([]));
    expect(html)
      .to.include('<h2>Actual times, in hours</h2>')
      .and.to.include('Band: from shortest to longest.');
    expect(html).not.to.match(/plan/i);
  });
});
