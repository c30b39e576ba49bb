import { expect } from 'chai';
import { render, TimeChart } from '../src/index.js';

describe('the chart over time', () => {
  const HOUR_MS = 3_600_000;
  const draw = (seconds: number, unit: number) =>
    render(
      <TimeChart
        description="Lag"
        values={[
          { atMs: 0, value: 1 },
          { atMs: 2 * HOUR_MS, value: seconds },
        ]}
        startMs={0}
        endMs={24 * HOUR_MS}
        gapMs={3 * HOUR_MS}
        least={0.5}
        unit={unit}
        formatValue={(value) => `${value} s`}
        formatTick={(value) => `tick ${value}`}
        formatTime={(atMs) => `${atMs / HOUR_MS} o'clock`}
      />,
    );
  const marksOf = (svg: string) =>
    [...svg.matchAll(/y="([\d.]+)"[^>]*>tick ([\d.]+)</g)].map(([, y, value]) => [
      Number(value),
      Number(y) - 4,
    ]);

  it('has marks at round multiples of the unit, and its line at the same scale', () => {
    const svg = draw(420, 60);
    const marks = marksOf(svg);
    expect(marks.map(([value]) => value)).to.deep.equal([0, 120, 240, 360, 480]);
    const [, bottom = 0] = marks[0] ?? [];
    const [, top = 0] = marks[4] ?? [];
    const [, y = 0] = /<circle[^>]*cy="([\d.]+)"/.exec(svg)?.map(Number) ?? [];
    expect(y).to.be.closeTo(bottom - ((bottom - top) * 7) / 8, 0.1);
    expect(marksOf(draw(90, 60)).map(([value]) => value)).to.deep.equal([0, 60]);
    expect(marksOf(draw(1.2, 1)).map(([value]) => value)).to.deep.equal([0, 0.5, 1, 1.5]);
  });

  it('names the highest value and its time', () => {
    expect(draw(480, 60)).to.include('>480 s, 2 o&#39;clock<');
  });
});
