import { browsedField, type Resource, type TimeComparison } from '@takt/catalogue/resources';
import type { ListPage, Row } from '../representations/writer.js';
import { numberReader, type ShownFields, sectionsOf, shownFieldsOf } from './sections.js';

/**
 * The class of a figure that compares with the plan: over or under it for sure, or a difference that chance can explain.
 * Only what is sure has a colour. Empty if the difference is small, or if there is no verdict.
 */
export type Mark = '' | 'over' | 'under' | 'unsure';

/** The difference from which a figure is marked, in percent. Planners look for times that are a tenth over the plan. */
const NOTABLE_PERCENT = 10;

/** True for a difference that is marked, judged by the whole percents that a page shows. */
export const isNotable = (percent: number): boolean => Math.abs(Math.round(percent)) >= NOTABLE_PERCENT;

/**
 * Returns a function that reads the mark of a row from the verdict and the percentage of a comparison. Without a
 * comparison, the row itself has them. Returns undefined if the page shows no verdicts.
 */
export function markReader(
  resource: Resource,
  comparison: TimeComparison | undefined,
  shown: ShownFields,
): ((row: Row) => Mark) | undefined {
  const of = comparison?.name ?? '';
  const verdict = browsedField(resource, `${of}Verdict`);
  const index = verdict && shown.get(verdict)?.index;
  if (index === undefined) return undefined;
  const readPercent = numberReader(browsedField(resource, `${of}OverPlanPercent`), shown);
  return (row) => {
    const percent = readPercent(row);
    return percent !== null && !isNotable(percent) ? '' : ((row[index] ?? '') as Mark);
  };
}

/** The share of the plan that a drawing shows on each side of it, in percent. */
const SHOWN_PERCENT = 60;
/** Half the width of a drawing, in pixels. The style sheet has the size of the drawing, and draws the plan as a line. */
const HALF_WIDTH = 22;

/**
 * Returns a function that draws the 95 % confidence interval of a row's average as a bar. The plan is in the middle. A
 * bar that does not reach the middle is a difference for sure. The drawing is empty without a plan or an interval.
 */
export function intervalWriter(
  resource: Resource,
  comparison: TimeComparison,
  shown: ShownFields,
): (row: Row) => string {
  const [low, high] = ['MeanLow', 'MeanHigh'].map((end) =>
    numberReader(browsedField(resource, comparison.name + end), shown),
  );
  const planned = numberReader(comparison.planned, shown);
  return (row) => {
    const plan = planned(row);
    const from = low?.(row) ?? null;
    const to = high?.(row) ?? null;
    if (plan === null || plan === 0 || from === null || to === null) return '';
    const at = (hours: number) => {
      const percent = Math.max(-SHOWN_PERCENT, Math.min(SHOWN_PERCENT, (hours / plan - 1) * 100));
      return Math.round(HALF_WIDTH * (1 + percent / SHOWN_PERCENT));
    };
    const start = at(from);
    return `<svg class="interval-bar" aria-hidden="true"><path d="M${start} 6h${Math.max(2, at(to) - start)}"/></svg>`;
  };
}

/** The error of the hours over plan of a row that sums up other objects. */
interface SumError {
  /** The number of objects that the row sums up and that are known. */
  readonly parts: number;
  /** Half the width of the 95 % confidence interval of the hours that have one. */
  readonly margin: number;
  /** The size of hours that have no interval: the average of a single operation has none. */
  readonly unknown: number;
}

/**
 * Returns a function that gives the error of a row's hours over plan. The row sums up objects of another list, whose
 * averages have intervals of their own. Their errors are independent, so the squares of their widths add up.
 * @param summed the objects; undefined if they are not known
 */
export function sumErrorReader(list: ListPage, summed: ListPage | undefined): (row: Row) => SumError {
  const { resource, outline } = list;
  const keyIndex = shownFieldsOf(sectionsOf(outline)).get(resource.key)?.index;
  if (summed === undefined || keyIndex === undefined) return () => ({ parts: 0, margin: 0, unknown: 0 });
  const shown = shownFieldsOf(sectionsOf(summed.outline));
  const readParent = numberReader(browsedField(summed.resource, resource.opens?.field ?? ''), shown);
  const errorsOf = errorReader(summed, shown);
  return (row) => {
    const parts = summed.rows.filter((part) => readParent(part) === row[keyIndex]);
    const errors = parts.flatMap(errorsOf);
    return {
      parts: parts.length,
      margin: Math.hypot(...errors.map(({ margin }) => margin)),
      unknown: errors.reduce((sum, { unknown }) => sum + unknown, 0),
    };
  };
}

/** Returns a function that gives the errors of the hours over plan of a row, one for each kind of time with a plan. */
function errorReader(
  { resource }: ListPage,
  shown: ShownFields,
): (row: Row) => readonly Omit<SumError, 'parts'>[] {
  const readers = resource.comparisons.map(({ name }) => {
    const read = (figure: string) => numberReader(browsedField(resource, `${name}${figure}`), shown);
    return {
      hours: read('HoursOverPlan'),
      count: read('Count'),
      low: read('MeanLow'),
      high: read('MeanHigh'),
    };
  });
  return (row) =>
    readers.flatMap(({ hours, count, low, high }) => {
      const [overPlan, from, to] = [hours(row), low(row), high(row)];
      if (overPlan === null) return [];
      if (from === null || to === null) return [{ margin: 0, unknown: Math.abs(overPlan) }];
      return [{ margin: ((count(row) ?? 0) * (to - from)) / 2, unknown: 0 }];
    });
}
