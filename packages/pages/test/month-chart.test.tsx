import { expect } from 'chai';
import { MonthChart, render } from '../src/index.js';

describe('the chart of months', () => {
  it('has a scale that includes the constant lines, even far above all figures', () => {
    const svg = render(
      <MonthChart
        id={'a'}
        title={'Run time'}
        description={'In words'}
        countLabel={'Operations'}
        months={[{ month: '2026-01', count: 3, average: 1, shortest: 0.5, longest: 2 }]}
        levels={[{ value: 40, label: 'plan', kind: 'plan' }]}
        formatNumber={String}
        formatMonth={String}
        describeMonth={({ month }) => month}
      />,
    );
    const [, , height = 0] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.map(Number) ?? [];
    const [, line = Number.NaN] = /class="plan-line" d="M\d+ (-?[\d.]+)H/.exec(svg)?.map(Number) ?? [];
    expect(line).to.be.within(0, height);
  });
});
