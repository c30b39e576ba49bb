import type { TimeFigure } from '@takt/catalogue/resources';
import { escapeHtml, type Markup, ready } from '@takt/pages';
import type { Wording } from './words.js';

/**
 * Width of a drawing in pixels. The drawing is small enough for a row of a table, and wide enough to show a tenth of
 * the scale.
 */
const DRAWING_WIDTH = 100;
const HEIGHT = 18;
const MIDDLE = HEIGHT / 2;
/**
 * Space in pixels at both ends of the scale. The diamond that marks the plan must fit into the drawing even at an end
 * of the scale.
 */
const MARGIN = 5;

/** The times to draw, in hours; null for an unknown time. */
export type DrawnTimes = Readonly<Record<TimeFigure, number | null>>;

/** The share of the rows whose times must always fit on the common scale. */
const SHARE_THAT_FITS = 0.9;
/** If there are fewer rows than this number, the times of all rows must fit on the scale. */
const FEW_ROWS = 10;

/**
 * The longest time that must fit on the common scale, in hours; 0 if there is nothing to draw. If the longest tenth of
 * the rows would more than double the scale, these rows are ignored. Otherwise a few outliers would reduce the drawings
 * of all other rows to dots.
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
 * Draws the times of a row on a scale from 0 to `scaleEnd` hours:
 * - a line from the shortest to the longest time,
 * - a box around the average that shows the deviation on both sides,
 * - a tick for the average,
 * - a diamond for the plan.
 * The shapes differ, so they can be told apart without colour. An arrow marks times beyond the scale. The drawing is
 * hidden from screen readers, because the figures are next to it.
 */
export function drawComparison(times: DrawnTimes, scaleEnd: number, width = DRAWING_WIDTH): string {
  const x = (hours: number) => round(MARGIN + (hours / scaleEnd) * (width - 2 * MARGIN));
  const shapes = scaleEnd > 0 ? shapesOf(withinScale(times, scaleEnd), x) : '';
  const arrow = scaleEnd > 0 && endOf(times) > scaleEnd ? arrowAt(width) : '';
  return `<svg class="draw" width="${width}" height="${HEIGHT}" aria-hidden="true">${shapes}${arrow}</svg>`;
}

/** Removes single times that lie beyond the scale, and cuts ranges at the end of the scale. */
function withinScale(times: DrawnTimes, scaleEnd: number): DrawnTimes {
  const { planned, average, shortest, longest, deviation } = times;
  if (endOf(times) <= scaleEnd) return times;
  const fits = (hours: number | null) => (hours !== null && hours <= scaleEnd ? hours : null);
  const isShortFit = fits(shortest) !== null;
  return {
    planned: fits(planned),
    average: fits(average),
    shortest: fits(shortest),
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

/** Rounds a number of pixels, because more decimals would not be visible. */
function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}

/** Width of a sample drawing in the legend, in pixels. */
const WIDTH = 36;

export const NOTHING_DRAWN = { planned: null, average: null, shortest: null, longest: null, deviation: null };

interface LegendProps {
  readonly wording: Wording;
  /** False if none of the drawings shows a planned time. */
  readonly withPlan: boolean;
}

/** The legend, which explains the shapes of the drawings. */
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
