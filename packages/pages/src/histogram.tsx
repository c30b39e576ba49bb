import { scaleLinear } from 'd3-scale';
import type { Markup } from './markup.js';

/** The number of values in one interval. The lower border belongs to the interval, the upper border does not. */
export interface HistogramBin {
  readonly from: number;
  /** The upper border; null if there is none. */
  readonly to: number | null;
  readonly count: number;
}

interface HistogramProps {
  /** The id of the drawing, which must be unique on the page. */
  readonly id: string;
  readonly title: string;
  /** A text that replaces the drawing for readers who cannot see it. */
  readonly description: string;
  /** The bins. There is at least one; they follow one another without gaps and have the same width. */
  readonly bins: readonly HistogramBin[];
  /** The value at which a line crosses the bins; null for no line. */
  readonly planned: number | null;
  readonly plannedLabel: string;
  readonly formatNumber: (value: number) => string;
}

/** The size of the drawing in pixels. The drawing is scaled to the available width. */
const SIZE = { width: 760, height: 270 };
const PLOT = { left: 52, right: 744, top: 32, bottom: 232 };
const TICKS = { x: 6, y: 4 };
const GAP = 1;

/**
 * Draws a bar for the number of values in each bin, and a dashed line for the plan. If the last bin has no upper
 * border, it is hatched.
 */
export function Histogram(props: HistogramProps): Markup {
  const { id, title, description, bins, planned, plannedLabel, formatNumber } = props;
  const [first] = bins;
  const width = first === undefined || first.to === null ? 1 : first.to - first.from;
  const drawn = bins.map((bin) => ({ ...bin, end: bin.from + width, isOpen: bin.to === null }));
  const [start, end] = [first?.from ?? 0, drawn.at(-1)?.end ?? 1];
  const x = scaleLinear(
    [Math.min(start, planned ?? start), Math.max(end, planned ?? end)],
    [PLOT.left, PLOT.right],
  );
  const y = scaleLinear([0, Math.max(1, ...bins.map(({ count }) => count))], [PLOT.bottom, PLOT.top]).nice(
    TICKS.y,
  );
  const planX = planned === null ? 0 : round(x(planned));
  return (
    <svg
      class="histogram"
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      role="img"
      aria-labelledby={`${id}-t ${id}-d`}
    >
      <title id={`${id}-t`}>{title}</title>
      <desc id={`${id}-d`}>{description}</desc>
      <g class="axis">
        {y
          .ticks(TICKS.y)
          .filter(Number.isInteger)
          .map((tick) => (
            <>
              <path d={`M${PLOT.left} ${round(y(tick))}H${PLOT.right}`} />
              <text x={PLOT.left - 8} y={round(y(tick)) + 4} text-anchor="end">
                {tick}
              </text>
            </>
          ))}
        {x.ticks(TICKS.x).map((tick) => (
          <text x={round(x(tick))} y={PLOT.bottom + 20} text-anchor="middle">
            {formatNumber(tick)}
          </text>
        ))}
      </g>
      <g class="bins">
        {drawn.map(({ from, end, count, isOpen }) => (
          <rect
            class={isOpen ? 'hit endless' : 'hit'}
            x={round(x(from))}
            y={round(y(count))}
            width={Math.max(1, round(x(end) - x(from) - GAP))}
            height={round(PLOT.bottom - y(count))}
          >
            <title>{`${formatNumber(from)}${isOpen ? '–' : `–${formatNumber(end)}`}: ${count}`}</title>
          </rect>
        ))}
      </g>
      {planned !== null && (
        <>
          <path class="plan-line" d={`M${planX} ${PLOT.top - 8}V${PLOT.bottom}`} />
          <text
            class="plan-label"
            x={planX}
            y={PLOT.top - 14}
            text-anchor={planX > (PLOT.left + PLOT.right) / 2 ? 'end' : 'start'}
          >
            {plannedLabel} {formatNumber(planned)}
          </text>
        </>
      )}
    </svg>
  );
}

/** Rounds a number of pixels, because more decimals would not be visible. */
function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
