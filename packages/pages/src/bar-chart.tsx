import { scaleBand, scaleLinear } from 'd3-scale';
import type { Markup } from './markup.js';

/** A value of a period, which may be negative; null if it is unknown. */
export interface Bar {
  readonly name: string;
  readonly value: number | null;
  /** True for the bars that the page is about. */
  readonly isEmphasised: boolean;
}

interface BarChartProps {
  /** A text that replaces the chart for readers who cannot see it. */
  readonly description: string;
  readonly bars: readonly Bar[];
  readonly formatValue: (value: number) => string;
}

/** The size of the drawing in pixels. The drawing is scaled to the available width. */
const SIZE = { width: 560, height: 170 };
const PLOT = { left: 4, right: 556, top: 20, bottom: 140 };
/** The maximum number of labels that fit side by side. */
const LABELS = { values: 14, names: 12 };

/** Draws a bar for each value, up or down from zero, with the value at its end and its name below the chart. */
export function BarChart({ description, bars, formatValue }: BarChartProps): Markup {
  const values = bars.map(({ value }) => value ?? 0);
  const x = scaleBand(
    bars.map(({ name }) => name),
    [PLOT.left, PLOT.right],
  ).padding(0.2);
  const [lowest, highest] = [Math.min(0, ...values), Math.max(0, ...values)];
  const y = scaleLinear([lowest, highest === lowest ? 1 : highest], [PLOT.bottom, PLOT.top]);
  const zero = round(y(0));
  const everyName = Math.ceil(bars.length / LABELS.names);
  return (
    <svg class="bar-chart" viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} role="img" aria-label={description}>
      {bars.map(({ name, value, isEmphasised }, index) => {
        const left = x(name) ?? 0;
        const middle = round(left + x.bandwidth() / 2);
        const end = round(y(value ?? 0));
        const isNamed = (bars.length - 1 - index) % everyName === 0;
        return (
          <>
            {value !== null && (
              <rect
                class={isEmphasised ? 'emphasised' : undefined}
                x={round(left)}
                y={Math.min(zero, end)}
                width={round(x.bandwidth())}
                height={Math.max(1, Math.abs(end - zero))}
              />
            )}
            {value !== null && bars.length <= LABELS.values && (
              <text class="value" x={middle} y={value < 0 ? end + 14 : end - 5} text-anchor="middle">
                {formatValue(value)}
              </text>
            )}
            {isNamed && (
              <text x={middle} y={SIZE.height - 6} text-anchor="middle">
                {name}
              </text>
            )}
            {value !== null && (
              <rect
                class="hit"
                x={round(left)}
                y={PLOT.top}
                width={round(x.bandwidth())}
                height={SIZE.height - PLOT.top}
              >
                <title>{`${name}: ${formatValue(value)}`}</title>
              </rect>
            )}
          </>
        );
      })}
      <path class="zero" d={`M${PLOT.left} ${zero}H${PLOT.right}`} />
    </svg>
  );
}

const round = (pixels: number) => Math.round(pixels * 10) / 10;
