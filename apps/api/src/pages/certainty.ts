import {
  browsedField,
  type ListResource,
  type Resource,
  type TimeComparison,
} from '@takt/catalogue/resources';
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
 * @param isOfHours true for the mark of hours, which does not depend on the percentage
 */
export function markReader(
  resource: Resource,
  comparison: TimeComparison | undefined,
  shown: ShownFields,
  isOfHours = false,
): ((row: Row) => Mark) | undefined {
  const of = comparison?.name ?? '';
  const verdict = browsedField(resource, `${of}Verdict`);
  const index = verdict && shown.get(verdict)?.index;
  if (index === undefined) return undefined;
  const readPercent = numberReader(browsedField(resource, `${of}OverPlanPercent`), shown);
  return (row) => {
    const percent = readPercent(row);
    return !isOfHours && percent !== null && !isNotable(percent) ? '' : ((row[index] ?? '') as Mark);
  };
}

/** The fields with the hours over plan, and with their change between two periods. */
export const HOURS = 'HoursOverPlan';
export const HOURS_CHANGE = 'HoursOverPlanChange';

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

/**
 * The maximum number of objects that are read for the certainty of the sums on a page. A page of 80 products has some 400
 * structure versions.
 */
export const MOST_SUMMED = 800;

/** The names of the fields from which the error of an object's hours over plan follows. */
export function errorFields(resource: ListResource): readonly string[] {
  return resource.comparisons.flatMap((comparison) =>
    errorFieldsOf(resource, comparison).flatMap((field) => field?.name ?? []),
  );
}

/** The hours over plan of a kind of time, the number of operations that reported it, and their deviation. */
const errorFieldsOf = (resource: Resource, { name, deviation }: TimeComparison) =>
  [
    browsedField(resource, `${name}HoursOverPlan`),
    browsedField(resource, `${name}Count`),
    deviation,
  ] as const;

/**
 * Returns a function that gives half the width of the 95 % confidence interval of a row's hours over plan. It gives
 * undefined if not all structure versions of the row were read.
 */
export function marginReader(list: ReadList, summed: ListPage | undefined): (row: Row) => number | undefined {
  const errorOf = sumErrorReader(list, summed);
  const shown = shownFieldsOf(sectionsOf(list.outline));
  const countOf = numberReader(browsedField(list.resource, 'NumberOfStructureVersions'), shown);
  return (row) => {
    const { parts, margin, unknown } = errorOf(row);
    return parts > 0 && parts >= (countOf(row) ?? 0) ? unknown + margin : undefined;
  };
}

/**
 * Half the width of the 95 % confidence interval of the hours over plan of a whole list of structure versions. undefined
 * if the page has only a part of the list, or no deviations.
 */
export function marginOfList(page: ListPage): number | undefined {
  const isWhole = page.rows.length === page.paging.size;
  if (!isWhole || errorFields(page.resource).length === 0) return undefined;
  const { margin, unknown } = errorOfAll(
    page.rows,
    errorReader(page, shownFieldsOf(sectionsOf(page.outline))),
  );
  return margin + unknown;
}

/**
 * Returns a function that marks the change of a row's hours over plan between two periods. undefined if the structure
 * versions of a period were not read, or not all of them.
 */
export function changeMarker(
  list: ReadList,
  now: ListPage | undefined,
  before: ListPage | undefined,
): ((row: Row) => Mark) | undefined {
  const areComplete = [now, before].every(
    (summed) => summed !== undefined && summed.rows.length < MOST_SUMMED,
  );
  if (!areComplete) return undefined;
  const errorsOf = [sumErrorReader(list, now), sumErrorReader(list, before)];
  const shown = shownFieldsOf(sectionsOf(list.outline));
  const change = numberReader(browsedField(list.resource, HOURS_CHANGE), shown);
  return (row) => {
    const errors = errorsOf.map((errorOf) => errorOf(row));
    // If nothing was made in one of the periods, the change is not one of times.
    if (errors.some(({ parts }) => parts === 0)) return '';
    const unknown = errors.reduce((sum, error) => sum + error.unknown, 0);
    return markOfHours(change(row), unknown + Math.hypot(...errors.map(({ margin }) => margin)));
  };
}

/** The mark of hours by the margin of their error. Without a margin there is no mark. */
export function markOfHours(hours: number | null, margin: number | undefined): Mark {
  if (hours === null || hours === 0 || margin === undefined) return '';
  if (margin >= Math.abs(hours)) return 'unsure';
  return hours > 0 ? 'over' : 'under';
}

type ReadList = Pick<ListPage, 'resource' | 'outline'>;

/** The error of the hours over plan of a row that sums up other objects. */
interface SumError {
  /** The number of objects that the row sums up and that are known. */
  readonly parts: number;
  /** Half the width of the 95 % confidence interval of the hours that have one. */
  readonly margin: number;
  /** The size of hours that have no interval: a single operation has none. */
  readonly unknown: number;
}

/**
 * Returns a function that gives the error of a row's hours over plan. The row sums up objects of another list, whose
 * hours have errors of their own.
 * @param summed the objects; undefined if they are not known
 */
function sumErrorReader(list: ReadList, summed: ListPage | undefined): (row: Row) => SumError {
  const { resource, outline } = list;
  const keyIndex = shownFieldsOf(sectionsOf(outline)).get(resource.key)?.index;
  if (summed === undefined || keyIndex === undefined) return () => ({ parts: 0, margin: 0, unknown: 0 });
  const shown = shownFieldsOf(sectionsOf(summed.outline));
  const readParent = numberReader(browsedField(summed.resource, resource.opens?.field ?? ''), shown);
  const errorsOf = errorReader(summed, shown);
  return (row) => {
    const parts = summed.rows.filter((part) => readParent(part) === row[keyIndex]);
    return errorOfAll(parts, errorsOf);
  };
}

/** The error of the sum of all rows. Their errors are independent, so the squares of their sizes add up. */
function errorOfAll(rows: readonly Row[], errorsOf: ReturnType<typeof errorReader>): SumError {
  const errors = rows.flatMap(errorsOf);
  return {
    parts: rows.length,
    margin: Math.hypot(...errors.map(({ margin }) => margin)),
    unknown: errors.reduce((sum, { unknown }) => sum + unknown, 0),
  };
}

/** Returns a function that gives the errors of the hours over plan of a row, one for each kind of time with a plan. */
function errorReader(
  { resource }: ListPage,
  shown: ShownFields,
): (row: Row) => readonly Omit<SumError, 'parts'>[] {
  const readers = resource.comparisons.map((comparison) =>
    errorFieldsOf(resource, comparison).map((field) => numberReader(field, shown)),
  );
  return (row) =>
    readers.flatMap((read) => {
      const [hours = null, count = null, deviation = null] = read.map((value) => value(row));
      if (hours === null) return [];
      if (count === null || count < 2 || deviation === null) return [{ margin: 0, unknown: Math.abs(hours) }];
      return [{ margin: marginOfSum(count, deviation), unknown: 0 }];
    });
}

/**
 * Half the width of the 95 % confidence interval of the sum of `count` times: count * t * s / sqrt(count). `deviation`
 * is the population deviation, so the sample deviation s is deviation * sqrt(count / (count - 1)).
 */
const marginOfSum = (count: number, deviation: number): number =>
  (studentT(count - 1) * count * deviation) / Math.sqrt(count - 1);

/**
 * The 0.975 quantile of Student's t distribution: the first terms of its expansion in 1 / degrees (Fisher and Cornish,
 * 1960), to 1 % for one degree of freedom and to 0.1 % from two on. Sums are drawn and marked by it, and are never
 * shown as figures, so these digits are enough.
 */
export function studentT(degrees: number): number {
  const terms = [0.128813, 0.62748, 0.732898, 1.589534, 2.55585, 2.822499, 2.372271, 1.959964];
  return terms.reduce((sum, term) => sum / degrees + term, 0);
}
