import { expect } from 'chai';
import { drawComparison, scaleEndOf } from '../../src/pages/comparison-drawing.js';

const nothing = { planned: null, average: null, shortest: null, longest: null, deviation: null };

describe('The drawing of a comparison', () => {
  it('has a scale on which the longest of all times fits', () => {
    expect(scaleEndOf([])).to.equal(0);
    expect(scaleEndOf([nothing, { ...nothing, planned: 2 }])).to.equal(2);
    expect(scaleEndOf([{ ...nothing, average: 2, deviation: 1.5, longest: 3 }])).to.equal(3.5);
  });

  it('places times in proportion between its margins', () => {
    const drawn = drawComparison({ ...nothing, shortest: 0, average: 1, longest: 2 }, 2);
    expect(drawn).to.include('M5 9H95');
    expect(drawn).to.include('M50 2v14');
  });

  it('does not draw a deviation below zero hours', () => {
    expect(drawComparison({ ...nothing, average: 1, deviation: 3 }, 4)).to.include('x="5" y="4" width="90"');
  });

  it('is empty where nothing is known', () => {
    expect(drawComparison(nothing, 5)).to.match(/^<svg[^>]*><\/svg>$/);
    expect(drawComparison({ ...nothing, planned: 0 }, 0)).to.match(/^<svg[^>]*><\/svg>$/);
  });
});
