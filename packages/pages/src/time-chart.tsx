import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, line } from 'd3-shape';
import type { Markup } from './markup.js';

/** A value at an instant, in ms since 1970. */
export interface TimedValue {
  readonly atMs: number;
  readonly value: number;
}

interface TimeChartProps {
  /** A text that replaces the chart for readers who cannot see it. */
  readonly description: string;
  /** The values in the order of time. */
  readonly values: readonly TimedValue[];
  readonly startMs: number;
  readonly endMs: number;
  /** Values that are farther apart than this, in ms, are not joined: nobody knows what was between them. */
  readonly gapMs: number;
  /** The scale reaches at least up to this value, so that noise looks small. */
  readonly least: number;
  /** The scale has marks at round multiples of this. A duration in seconds that is written in minutes has 60. */
  readonly unit: number;
  readonly formatValue: (value: number) => string;
  /** Formats the values of the scale, in at most 7 characters. */
  readonly formatTick: (value: number) => string;
  readonly formatTime: (atMs: number) => string;
}

/** The size of the drawing in pixels. The drawing is scaled to the available width. */
const SIZE = { width: 360, height: 150 };
const PLOT = { left: 46, right: 350, top: 16, bottom: 126 };
const VALUE_TICKS = 3;
const TIME_TICKS = 4;
/**
 * From these distances in pixels to an edge of the plot, a label begins or ends at its point in place of being centred.
 */
const EDGE = { time: 40, highest: 70 };

/** Draws one figure over time, with a grid, the scales of both axes, and the highest value with its time. */
export function TimeChart(props: TimeChartProps): Markup {
  const { description, values, startMs, endMs, gapMs, least, unit, formatValue, formatTick, formatTime } =
    props;
  const highest = values.reduce<TimedValue | undefined>(
    (best, one) => (best === undefined || one.value > best.value ? one : best),
    undefined,
  );
  const x = scaleUtc([startMs, endMs], [PLOT.left, PLOT.right]);
  const units = Math.max(least, highest?.value ?? 0) / unit;
  const y = scaleLinear([0, units], [PLOT.bottom, PLOT.top]).nice(VALUE_TICKS);
  const marks = y.ticks(VALUE_TICKS).filter((tick) => unit === 1 || Number.isInteger(tick));
  const left = ({ atMs }: TimedValue) => round(x(Math.max(startMs, atMs)));
  const top = ({ value }: TimedValue) => round(y(value / unit));
  const runs = withoutGaps(values, gapMs);
  const drawLine = line<TimedValue>(left, top);
  const drawArea = area<TimedValue>(left, PLOT.bottom, top);
  return (
    <svg class="time-chart" viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} role="img" aria-label={description}>
      <g class="axis">
        {marks.map((tick) => (
          <>
            <path d={`M${PLOT.left} ${round(y(tick))}H${PLOT.right}`} />
            <text x={PLOT.left - 6} y={round(y(tick)) + 4} text-anchor="end">
              {formatTick(tick * unit)}
            </text>
          </>
        ))}
        {x.ticks(TIME_TICKS).map((tick) => (
          <>
            <path d={`M${round(x(tick))} ${PLOT.top}V${PLOT.bottom + 4}`} />
            <text x={round(x(tick))} y={SIZE.height - 8} text-anchor={anchorAt(x(tick), EDGE.time)}>
              {formatTime(tick.getTime())}
            </text>
          </>
        ))}
      </g>
      <path class="area" d={runs.map((run) => drawArea(run) ?? '').join('')} />
      <path class="line" d={runs.map((run) => drawLine(run) ?? '').join('')} />
      {highest !== undefined && highest.value > 0 && (
        <g class="highest">
          <circle cx={left(highest)} cy={top(highest)} r="3" />
          <text
            x={left(highest)}
            y={Math.max(12, top(highest) - 6)}
            text-anchor={anchorAt(left(highest), EDGE.highest)}
          >
            {formatValue(highest.value)}, {formatTime(highest.atMs)}
          </text>
        </g>
      )}
    </svg>
  );
}

function anchorAt(left: number, edge: number): 'start' | 'middle' | 'end' {
  if (left < PLOT.left + edge) return 'start';
  return left > PLOT.right - edge ? 'end' : 'middle';
}

const round = (pixels: number) => Math.round(pixels * 10) / 10;

/** Splits the values into parts that have no gaps. */
function withoutGaps(values: readonly TimedValue[], gapMs: number): TimedValue[][] {
  const runs: TimedValue[][] = [];
  for (const value of values) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || value.atMs - last.atMs > gapMs) {
      runs.push([value]);
    } else {
      run.push(value);
    }
  }
  return runs;
}
