import { expect } from 'chai';
import { drawComparison, scaleEndOf } from '../../src/pages/comparison-drawing.js';

const nothing = { planned: null, average: null, shortest: null, longest: null, deviation: null };

describe('The chart of a comparison', () => {
  it('has a scale up to the longest time if the rows are few', () => {
    expect(scaleEndOf([])).to.equal(0);
    expect(scaleEndOf([nothing, { ...nothing, planned: 2 }])).to.equal(2);
    expect(scaleEndOf([{ ...nothing, average: 2, deviation: 1.5, longest: 3 }])).to.equal(3.5);
  });

  it('ignores one outlier in twenty rows in its scale, and draws an arrow for the outlier', () => {
    const rows = Array.from({ length: 19 }, (_, index) => ({
      ...nothing,
      shortest: 1,
      longest: 2 + index / 19,
    }));
    const outlier = { ...nothing, planned: 2, average: 40, deviation: 5, shortest: 1, longest: 60 };
    const end = scaleEndOf([...rows, outlier]);
    expect(end).to.be.within(2.5, 3);
    // The scale includes an outlier if there are few rows, or if the outlier is less than twice as long as the times of
    // the other rows.
    expect(scaleEndOf([...rows.slice(0, 8), outlier])).to.equal(60);
    expect(scaleEndOf([...rows, { ...outlier, average: 5, deviation: 0, longest: 5 }])).to.equal(5);
    const drawn = drawComparison(outlier, end);
    expect(drawn).to.match(/H95/).and.to.include('M95 5l4 4-4 4');
    expect(drawn).to.include('class="plan"').and.not.to.include('class="avg"');
    expect(drawComparison(rows[0] ?? nothing, end)).not.to.include('l4 4-4 4"/></svg>');
  });

  it('draws times in proportion to the width between its margins', () => {
    const drawn = drawComparison({ ...nothing, shortest: 0, average: 1, longest: 2 }, 2);
    expect(drawn).to.include('M5 9H95');
    expect(drawn).to.include('M50 2v14');
  });

  it('does not extend the range of the deviation below zero hours', () => {
    expect(drawComparison({ ...nothing, average: 1, deviation: 3 }, 4)).to.include('x="5" y="4" width="90"');
  });

  it('is empty if a row has no times', () => {
    expect(drawComparison(nothing, 5)).to.match(/^<svg[^>]*><\/svg>$/);
    expect(drawComparison({ ...nothing, planned: 0 }, 0)).to.match(/^<svg[^>]*><\/svg>$/);
  });
});
