import type { Markup } from '@takt/pages';
import { HISTORY_MS, type Point } from './sampler.js';

const WIDTH = 300;
const HEIGHT = 64;
/** A gap longer than this is a time in which nobody looked. */
const GAP_MS = 15_000;

export interface ChartProps {
  readonly history: readonly Point[];
  /** What it shows, in words, with the unit. */
  readonly label: string;
  readonly figureOf: (point: Point) => number | null | undefined;
  /** A value with its unit. */
  readonly format: (value: number) => string;
  /** The top of the chart is at least so much, so that noise is not drawn like an event. */
  readonly least: number;
}

/** The last minutes of one figure as SVG, and its scale in words: what is drawn is said too. */
export function Chart({ history, label, figureOf, format, least }: ChartProps): Markup {
  const end = history.at(-1)?.atMs ?? Date.now();
  const known = history.flatMap((point) => {
    const value = figureOf(point);
    return value === null || value === undefined ? [] : [{ atMs: point.atMs, value }];
  });
  const top = Math.max(least, ...known.map(({ value }) => value));
  const x = (atMs: number) => (WIDTH * (1 - (end - atMs) / HISTORY_MS)).toFixed(1);
  const y = (value: number) => (HEIGHT - 2 - ((HEIGHT - 6) * value) / top).toFixed(1);
  const runs: (typeof known)[] = [];
  for (const point of known) {
    const run = runs.at(-1);
    const isNew = run === undefined || point.atMs - (run.at(-1)?.atMs ?? 0) > GAP_MS;
    if (isNew) {
      runs.push([point]);
    } else {
      run.push(point);
    }
  }
  const lines = runs.map((run) => {
    const points = run.map(({ atMs, value }) => `${x(atMs)} ${y(value)}`);
    // A single moment is a dot, which a line of no length with round ends draws.
    return `M${points.length === 1 ? [...points, ...points].join('L') : points.join('L')}`;
  });
  const areas = runs
    .filter((run) => run.length > 1)
    .map((run) => {
      const [first, last] = [run[0]?.atMs ?? end, run.at(-1)?.atMs ?? end];
      const points = run.map(({ atMs, value }) => `L${x(atMs)} ${y(value)}`).join('');
      return `M${x(first)} ${HEIGHT}${points}L${x(last)} ${HEIGHT}Z`;
    });
  const highest = known.length === 0 ? undefined : Math.max(...known.map(({ value }) => value));
  const said = highest === undefined ? 'nothing yet' : `up to ${format(highest)}`;
  return (
    <figure class="chart">
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}, last 5 minutes: ${said}`}
      >
        <path class="base" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
        <path class="area" d={areas.join('')} />
        <path class="line" d={lines.join('')} />
      </svg>
      <figcaption>
        <span>5 min ago</span>
        <span>{said}</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}
