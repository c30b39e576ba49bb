import type { TimeFigure } from '@takt/catalogue/resources';
import { escapeHtml, type Markup, ready } from '@takt/pages';
import type { Wording } from './words.js';

/** Width in pixels: small enough for a table row, wide enough to see a tenth of the scale. */
const DRAWING_WIDTH = 100;
const HEIGHT = 18;
const MIDDLE = HEIGHT / 2;
/** Pixels that keep the plan's diamond inside the drawing at both ends of the scale. */
const MARGIN = 5;

/** Hours; null: unknown. */
export type DrawnTimes = Readonly<Record<TimeFigure, number | null>>;

/** Share of the rows whose times must fit on their common scale. */
const SHARE_THAT_FITS = 0.9;
/** With fewer rows the scale fits all of them. */
const FEW_ROWS = 10;

/**
 * The longest time that must fit on the scale, in hours; 0 if there is nothing to draw. If a tenth of the rows would
 * more than double the scale, the other rows determine it: otherwise outliers would reduce the others to dots.
 */
export function scaleEndOf(drawn: Iterable<DrawnTimes>): number {
  const ends = Array.from(drawn, endOf).sort((one, other) => one - other);
  const longest = ends.at(-1) ?? 0;
  const fitting = ends[Math.ceil(ends.length * SHARE_THAT_FITS) - 1] ?? 0;
  return ends.length < FEW_ROWS || fitting === 0 || longest <= 2 * fitting ? longest : fitting;
}

function endOf({ planned, average, shortest, longest, deviation }: DrawnTimes): number {
  return Math.max(planned ?? 0, shortest ?? 0, longest ?? 0, (average ?? 0) + (deviation ?? 0));
}

/**
 * Draws a row's times on a scale from 0 to `scaleEnd` hours: a line from the shortest to the longest, a box for the
 * average with its deviation on both sides, a tick for the average, a diamond for the plan. Shapes differ, so colour is
 * not needed to tell them apart. An arrow marks times beyond the scale. Hidden from screen readers, because the figures
 * are next to the drawing.
 */
export function drawComparison(times: DrawnTimes, scaleEnd: number, width = DRAWING_WIDTH): string {
  const x = (hours: number) => round(MARGIN + (hours / scaleEnd) * (width - 2 * MARGIN));
  const shapes = scaleEnd > 0 ? shapesOf(withinScale(times, scaleEnd), x) : '';
  const arrow = scaleEnd > 0 && endOf(times) > scaleEnd ? arrowAt(width) : '';
  return `<svg class="draw" width="${width}" height="${HEIGHT}" aria-hidden="true">${shapes}${arrow}</svg>`;
}

/** Removes single times beyond the scale, and ends ranges at its edge. */
function withinScale(times: DrawnTimes, scaleEnd: number): DrawnTimes {
  const { planned, average, shortest, longest, deviation } = times;
  if (endOf(times) <= scaleEnd) return times;
  const fits = (hours: number | null) => (hours !== null && hours <= scaleEnd ? hours : null);
  const isShortFit = fits(shortest) !== null;
  return {
    ...{ planned: fits(planned), average: fits(average), shortest: fits(shortest) },
    longest: isShortFit && longest !== null ? Math.min(longest, scaleEnd) : null,
    deviation: deviation === null ? null : Math.min(deviation, Math.max(0, scaleEnd - (average ?? 0))),
  };
}

function arrowAt(width: number): string {
  return `<path class="range" d="M${width - 5} ${MIDDLE - 4}l4 4-4 4"/>`;
}

function shapesOf(
  { planned, average, shortest, longest, deviation }: DrawnTimes,
  x: (hours: number) => number,
): string {
  let shapes = '';
  if (shortest !== null && longest !== null) shapes += rangeLine(x(shortest), x(longest));
  if (average !== null && deviation !== null) {
    shapes += deviationBox(x(Math.max(0, average - deviation)), x(average + deviation));
  }
  if (average !== null) shapes += `<path class="avg" d="M${x(average)} 2v${HEIGHT - 4}"/>`;
  if (planned !== null) shapes += `<path class="plan" d="M${x(planned)} ${MIDDLE - 4}l4 4-4 4-4-4z"/>`;
  return shapes;
}

function rangeLine(from: number, to: number): string {
  return `<path class="range" d="M${from} ${MIDDLE}H${to}M${from} ${MIDDLE - 3}v6M${to} ${MIDDLE - 3}v6"/>`;
}

function deviationBox(from: number, to: number): string {
  return `<rect class="dev" x="${from}" y="${MIDDLE - 5}" width="${round(to - from)}" height="10"/>`;
}

/** Rounds pixels; more decimals would be invisible. */
function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

/** Width of a sample drawing in the legend, in pixels. */
const WIDTH = 36;

export const NOTHING_DRAWN = { planned: null, average: null, shortest: null, longest: null, deviation: null };

interface LegendProps {
  readonly wording: Wording;
  /** False if no drawing shows a planned time. */
  readonly withPlan: boolean;
}

/** Explains the shapes of the drawings. */
export function Legend({ wording: { texts }, withPlan }: LegendProps): Markup {
  const entries: readonly (readonly [DrawnTimes, string])[] = [
    [
      { ...NOTHING_DRAWN, shortest: 0, longest: 1 },
      `${escapeHtml(texts.shortest)} &ndash; ${escapeHtml(texts.longest)}`,
    ],
    [
      { ...NOTHING_DRAWN, average: 0.5, deviation: 0.3 },
      `${escapeHtml(texts.average)} ± ${escapeHtml(texts.deviation)}`,
    ],
    ...(withPlan ? [[{ ...NOTHING_DRAWN, planned: 0.5 }, escapeHtml(texts.planned)] as const] : []),
  ];
  return (
    <ul class="legend" aria-label={texts.legend}>
      {entries.map(([times, text]) => (
        <li>{ready(`${drawComparison(times, 1, WIDTH)} ${text}`)}</li>
      ))}
    </ul>
  );
}

export function DeviationNote({ wording: { texts } }: Pick<LegendProps, 'wording'>): Markup {
  return (
    <p class="hint">
      <b>{texts.deviation}</b>: {texts.deviationHelp}
    </p>
  );
}
