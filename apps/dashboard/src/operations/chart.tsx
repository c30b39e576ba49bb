import { FLOW_RANGES, type FlowRange, type FlowSlot } from '@takt/database/monitoring';
import type { Markup } from '@takt/pages';
import type { DashboardText, Words } from '../words.js';

const WIDTH = 300;
const HEIGHT = 64;

export const RANGE_NAMES: Readonly<Record<FlowRange, DashboardText>> = {
  hour: 'lastHour',
  day: 'lastDay',
  month: 'lastMonth',
};

/** The durations of the ranges as text, which is the same in all languages. */
const RANGE_SPANS: Readonly<Record<FlowRange, string>> = { hour: '1 h', day: '24 h', month: '30 d' };

interface ChartProps {
  readonly range: FlowRange;
  /** End of the range in ms since 1970. */
  readonly endMs: number;
  readonly history: readonly FlowSlot[];
  readonly words: Words;
  /** The name of the figure, including its unit. */
  readonly label: string;
  readonly figureOf: (slot: FlowSlot) => number | null;
  /** Formats a value together with its unit. */
  readonly format: (value: number) => string;
  /** The scale reaches at least up to this value, so that noise looks small. */
  readonly least: number;
}

interface Moment {
  readonly atMs: number;
  readonly value: number;
}

/** Draws one figure over a range as SVG, with the scale as text. A period without reports is drawn as a gap. */
export function Chart({ range, endMs, history, words, label, figureOf, format, least }: ChartProps): Markup {
  const { slotSeconds, seconds } = FLOW_RANGES[range];
  const known = history.flatMap((slot) => {
    const value = figureOf(slot);
    return value === null ? [] : [{ atMs: slot.beginsAt.getTime() + slotSeconds * 500, value }];
  });
  const highest = Math.max(...known.map(({ value }) => value));
  const top = Math.max(least, highest);
  const x = (atMs: number) => Math.max(0, WIDTH * (1 - (endMs - atMs) / (seconds * 1_000))).toFixed(1);
  const y = (value: number) => (HEIGHT - 2 - ((HEIGHT - 6) * value) / top).toFixed(1);
  const runs = withoutGaps(known, slotSeconds * 1_500);
  const lines = runs.map((run) => {
    const points = run.map(({ atMs, value }) => `${x(atMs)} ${y(value)}`);
    // A single value is drawn as a dot: a line of length zero with round ends.
    return `M${points.length === 1 ? [...points, ...points].join('L') : points.join('L')}`;
  });
  const areas = runs
    .filter((run) => run.length > 1)
    .map((run) => {
      const [first, last] = [run[0]?.atMs ?? endMs, run.at(-1)?.atMs ?? endMs];
      const points = run.map(({ atMs, value }) => `L${x(atMs)} ${y(value)}`).join('');
      return `M${x(first)} ${HEIGHT}${points}L${x(last)} ${HEIGHT}Z`;
    });
  const { say } = words;
  const said = known.length === 0 ? say('nothingYet') : say('upTo', format(highest));
  return (
    <figure class="chart">
      <p class="note">{label}</p>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}. ${say(RANGE_NAMES[range])}: ${said}`}
      >
        <path class="base" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
        <path class="area" d={areas.join('')} />
        <path class="line" d={lines.join('')} />
      </svg>
      <figcaption>
        <span>{say('ago', RANGE_SPANS[range])}</span>
        <span>{said}</span>
        <span>{say('now')}</span>
      </figcaption>
    </figure>
  );
}

/** Splits the moments into parts that have no gaps. */
function withoutGaps(moments: readonly Moment[], gapMs: number): readonly (readonly Moment[])[] {
  const runs: Moment[][] = [];
  for (const moment of moments) {
    const run = runs.at(-1);
    const isNew = run === undefined || moment.atMs - (run.at(-1)?.atMs ?? 0) > gapMs;
    if (isNew) {
      runs.push([moment]);
    } else {
      run.push(moment);
    }
  }
  return runs;
}
