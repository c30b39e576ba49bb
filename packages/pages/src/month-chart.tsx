import { scaleBand, scaleLinear } from 'd3-scale';
import { area, line } from 'd3-shape';
import type { Markup } from './markup.js';

/** The figures of one month; null for an unknown figure. */
export interface ChartedMonth {
  /** The month as yyyy-MM. */
  readonly month: string;
  readonly count: number;
  readonly average: number | null;
  readonly shortest: number | null;
  readonly longest: number | null;
}

/** A figure that is the same for all months. It is drawn as a horizontal line. */
export interface Level {
  readonly value: number;
  readonly label: string;
  /**
   * The kind of the line. A plan is a dashed line with its label at the right; an earlier average is a dotted line with
   * its label at the left.
   */
  readonly kind: 'plan' | 'earlier';
}

interface MonthChartProps {
  /** The id of the chart, which must be unique on the page. */
  readonly id: string;
  readonly title: string;
  /** A text that replaces the chart for readers who cannot see it. */
  readonly description: string;
  /** The months, in any order. A month that is missing between two others stays empty. */
  readonly months: readonly ChartedMonth[];
  /** The lines that cross all months. */
  readonly levels: readonly Level[];
  readonly countLabel: string;
  readonly formatNumber: (value: number) => string;
  readonly formatMonth: (month: string) => string;
  /** Returns the figures of a month in words. */
  readonly describeMonth: (month: ChartedMonth) => string;
}

/** The size of the drawing in pixels. The drawing is scaled to the available width. */
const SIZE = { width: 760, height: 270 };
const PLOT = { left: 52, right: 744, top: 16, bottom: 186 };
/** The vertical positions between which the bars for the counts are drawn. */
const BARS = { top: 206, bottom: 240 };
const TICKS = 4;
/** The maximum number of labels for months. No more labels fit side by side. */
const MONTH_LABELS = 9;
const COUNT_LABELS = 18;
/** The distance in pixels between a line and the baseline of its label, above or below the line. */
const LABEL = { above: -8, below: 17 };

/**
 * Draws a figure for each month. Averages are a line with points, the range is a band, constant levels are lines, and
 * counts are bars below. The same figures are in a table next to the chart.
 */
export function MonthChart(props: MonthChartProps): Markup {
  const { id, title, description, levels } = props;
  const months = withGaps(props.months);
  const x = scaleBand(
    months.map(({ month }) => month),
    [PLOT.left, PLOT.right],
  ).padding(0.25);
  const top = Math.max(
    0,
    ...levels.map(({ value }) => value),
    ...months.map(({ average, longest }) => longest ?? average ?? 0),
  );
  const y = scaleLinear([0, top || 1], [PLOT.bottom, PLOT.top]).nice(TICKS);
  const at = ({ month }: ChartedMonth) => round((x(month) ?? 0) + x.bandwidth() / 2);
  const scales: Scales = { at, y: (value) => round(y(value)), step: x.step(), width: x.bandwidth() };
  return (
    <svg
      class="month-chart"
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      role="img"
      aria-labelledby={`${id}-t ${id}-d`}
    >
      <title id={`${id}-t`}>{title}</title>
      <desc id={`${id}-d`}>{description}</desc>
      <Axis ticks={y.ticks(TICKS)} scales={scales} {...props} />
      <Shapes months={months} scales={scales} />
      <Counts {...props} months={months} scales={scales} />
      <Hits {...props} months={months} scales={scales} />
      {levels.map((level) => (
        <LevelLine {...props} months={months} level={level} scales={scales} />
      ))}
    </svg>
  );
}

interface Scales {
  /** Returns the horizontal position of the middle of a month. */
  readonly at: (month: ChartedMonth) => number;
  readonly y: (value: number) => number;
  /** The width of a month in the chart, and the width of its bar. */
  readonly step: number;
  readonly width: number;
}

interface Drawn {
  readonly months: readonly ChartedMonth[];
  readonly scales: Scales;
}

function Axis({
  ticks,
  scales,
  formatNumber,
}: MonthChartProps & { readonly ticks: readonly number[]; readonly scales: Scales }): Markup {
  return (
    <g class="axis">
      {ticks.map((tick) => (
        <>
          <path d={`M${PLOT.left} ${scales.y(tick)}H${PLOT.right}`} />
          <text x={PLOT.left - 8} y={scales.y(tick) + 4} text-anchor="end">
            {formatNumber(tick)}
          </text>
        </>
      ))}
    </g>
  );
}

function Shapes({ months, scales: { at, y } }: Drawn): Markup {
  const band = area<ChartedMonth>(
    at,
    ({ shortest }) => y(shortest ?? 0),
    ({ longest }) => y(longest ?? 0),
  );
  const hasRange = ({ shortest, longest }: ChartedMonth) => shortest !== null && longest !== null;
  const averages = line<ChartedMonth>(at, ({ average }) => y(average ?? 0));
  return (
    <>
      <path class="band" d={band.defined(hasRange)([...months]) ?? ''} />
      {months.filter(hasRange).map((month) => (
        <path class="range" d={`M${at(month)} ${y(month.longest ?? 0)}V${y(month.shortest ?? 0)}`} />
      ))}
      <path class="avg" d={averages.defined(({ average }) => average !== null)([...months]) ?? ''} />
      {months.map((month) =>
        month.average === null ? null : <circle class="point" cx={at(month)} cy={y(month.average)} r={3} />,
      )}
    </>
  );
}

const LEVEL_CLASSES = {
  plan: ['plan-line', 'plan-label'],
  earlier: ['earlier-line', 'earlier-label'],
} as const;

/**
 * Draws the line of a level. The label is above or below the line, on the side that is away from the nearest average.
 */
function LevelLine({
  level: { value, label, kind },
  formatNumber,
  months,
  scales,
}: MonthChartProps & Drawn & { readonly level: Level }): Markup {
  const height = scales.y(value);
  const [lineClass, labelClass] = LEVEL_CLASSES[kind];
  const isPlan = kind === 'plan';
  const hasAverage = ({ average }: ChartedMonth) => average !== null;
  const nearest = (isPlan ? months.findLast(hasAverage) : months.find(hasAverage))?.average ?? value;
  const isBelow = nearest > value && height + LABEL.below < PLOT.bottom;
  return (
    <>
      <path class={lineClass} d={`M${PLOT.left} ${height}H${PLOT.right}`} />
      <text
        class={labelClass}
        x={isPlan ? PLOT.right : PLOT.left}
        y={height + (isBelow ? LABEL.below : LABEL.above)}
        text-anchor={isPlan ? 'end' : 'start'}
      >
        {label} {formatNumber(value)}
      </text>
    </>
  );
}

function Counts({ months, scales, countLabel, formatMonth }: MonthChartProps & Drawn): Markup {
  const most = Math.max(1, ...months.map(({ count }) => count));
  const every = Math.ceil(months.length / MONTH_LABELS);
  return (
    <g class="counts">
      <text x={PLOT.left - 8} y={BARS.bottom} text-anchor="end">
        {countLabel}
      </text>
      {months.map((month, index) => {
        const height = round(((BARS.bottom - BARS.top) * month.count) / most);
        const isNamed = (months.length - 1 - index) % every === 0;
        return (
          <>
            {month.count > 0 && (
              <rect
                x={round(scales.at(month) - scales.width / 2)}
                y={BARS.bottom - height}
                width={round(scales.width)}
                height={height}
              />
            )}
            {month.count > 0 && months.length <= COUNT_LABELS && (
              <text x={scales.at(month)} y={BARS.bottom - height - 3} text-anchor="middle">
                {month.count}
              </text>
            )}
            {isNamed && (
              <text x={scales.at(month)} y={SIZE.height - 12} text-anchor="middle">
                {formatMonth(month.month)}
              </text>
            )}
          </>
        );
      })}
    </g>
  );
}

/** Invisible shapes that show the figures of a month under the pointer. */
function Hits({ months, scales: { at, step }, describeMonth }: MonthChartProps & Drawn): Markup {
  return (
    <>
      {months
        .filter(({ count }) => count > 0)
        .map((month) => (
          <rect
            class="hit"
            x={round(at(month) - step / 2)}
            y={PLOT.top}
            width={round(step)}
            height={BARS.bottom - PLOT.top}
          >
            <title>{describeMonth(month)}</title>
          </rect>
        ))}
    </>
  );
}

/** Returns all months from the first to the last, in order. Months without figures are included. */
function withGaps(months: readonly ChartedMonth[]): readonly ChartedMonth[] {
  const known = new Map(months.map((month) => [month.month, month]));
  const numbers = [...known.keys()].map(numberOf);
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)];
  return Array.from({ length: numbers.length === 0 ? 0 : last - first + 1 }, (_, index) => {
    const month = nameOf(first + index);
    return known.get(month) ?? { month, count: 0, average: null, shortest: null, longest: null };
  });
}

const MONTHS = 12;

function numberOf(month: string): number {
  const [year = 0, ofYear = 1] = month.split('-').map(Number);
  return year * MONTHS + ofYear - 1;
}

function nameOf(number: number): string {
  const year = String(Math.floor(number / MONTHS)).padStart(4, '0');
  return `${year}-${String((number % MONTHS) + 1).padStart(2, '0')}`;
}

/** Rounds a number of pixels, because more decimals would not be visible. */
function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
