import { type Field, type TimeComparison, timeFigures } from '@takt/resources';
import type { Row } from '../page.js';
import { type DrawnTimes, drawComparison, scaleEndOf } from './comparison-drawing.js';
import type { SortHeadings } from './field-columns.js';
import type { Wording } from './languages/eng.js';
import type { ShownField } from './sections.js';
import type { Column, ColumnGroup } from './table.js';
import { fill, headingOf, withUnit } from './words.js';
import { type FormatNumber, missingValue, numberElement, tableFormat } from './write-value.js';

/** A difference from the plan of a tenth or more is what a planner looks for. */
const NOTABLE_PERCENT = 10;

/** Reads a row's times of one kind; what is not served is null. */
type ReadTimes = (row: Row) => DrawnTimes;

export function timesReader(comparison: TimeComparison, shown: ReadonlyMap<Field, ShownField>): ReadTimes {
  const reader = (field: Field | undefined) => {
    const index = field === undefined ? undefined : shown.get(field)?.index;
    return (row: Row): number | null => {
      const value = index === undefined ? null : row[index];
      return typeof value === 'number' ? value : null;
    };
  };
  const planned = reader(comparison.planned);
  const average = reader(comparison.average);
  const shortest = reader(comparison.shortest);
  const longest = reader(comparison.longest);
  const deviation = reader(comparison.deviation);
  return (row) => ({
    planned: planned(row),
    average: average(row),
    shortest: shortest(row),
    longest: longest(row),
    deviation: deviation(row),
  });
}

/** The columns of one kind of time, as far as its fields are served: plan, average with deviation, range. */
export function comparisonColumns(
  comparison: TimeComparison,
  shown: ReadonlyMap<Field, ShownField>,
  rows: readonly Row[],
  wording: Wording,
  sort: SortHeadings,
): readonly Column[] {
  const { planned, average, deviation, shortest, longest } = comparison;
  const served = (...fields: readonly (Field | undefined)[]) =>
    fields.flatMap((field) => (field !== undefined && shown.has(field) ? field : []));
  const label = labelsOf(comparison, wording);
  const read = timesReader(comparison, shown);
  const scaleEnd = scaleEndOf(rows.map(read));
  const parts = [
    { fields: served(planned), separator: '', align: 'end', write: plannedWriter(read, wording) },
    {
      fields: served(average, deviation),
      separator: '&plusmn;',
      align: 'end',
      write: averageWriter(read, wording),
    },
    {
      fields: served(shortest, longest),
      separator: '&ndash;',
      align: 'start',
      write: rangeWriter(read, scaleEnd, wording),
    },
  ] as const;
  const group: ColumnGroup = { heading: groupHeading(comparison, scaleEnd, wording) };
  return parts
    .filter(({ fields }) => fields.length > 0)
    .map(({ fields, separator, align, write }) => ({
      group,
      // The second line of a heading keeps the columns as narrow as their figures.
      heading: fields.map((field) => sort.link(field, label(field))).join(`<br>${separator} `),
      sorted: sort.sortedBy(...fields),
      align,
      write,
    }));
}

function labelsOf(comparison: TimeComparison, { texts }: Wording): (field: Field) => string {
  const labels = new Map(timeFigures.map((figure) => [comparison[figure], texts[figure]]));
  return (field) => labels.get(field) ?? '';
}

function groupHeading(comparison: TimeComparison, scaleEnd: number, wording: Wording): string {
  const heading = withUnit(headingOf(comparison, wording), 'h');
  if (scaleEnd === 0) return heading;
  const scale = fill(wording.texts.scale, 0, tableFormat(wording)(scaleEnd));
  return `${heading} <span class="scale">${scale}</span>`;
}

function plannedWriter(read: ReadTimes, wording: Wording): Column['write'] {
  const write = timeWriter(wording);
  return (row) => write(read(row).planned);
}

function averageWriter(read: ReadTimes, wording: Wording): Column['write'] {
  const write = timeWriter(wording);
  return (row) => {
    const { planned, average, deviation } = read(row);
    const spread = deviation === null ? '' : ` <span class="pm">&plusmn; ${write(deviation)}</span>`;
    return (
      (average === null && spread !== '' ? '' : write(average)) + spread + differenceFrom(planned, average)
    );
  };
}

/** How far the average is from the plan, which is what a plan is corrected by. */
function differenceFrom(planned: number | null, average: number | null): string {
  if (planned === null || average === null || planned <= 0) return '';
  const percent = Math.round((100 * (average - planned)) / planned);
  const sign = percent > 0 ? '+' : percent < 0 ? '&minus;' : '&plusmn;';
  const kind = percent >= NOTABLE_PERCENT ? ' over' : percent <= -NOTABLE_PERCENT ? ' under' : '';
  return `<span class="note${kind}">${sign}${Math.abs(percent)}&nbsp;%</span>`;
}

function rangeWriter(read: ReadTimes, scaleEnd: number, wording: Wording): Column['write'] {
  const write = timeWriter(wording);
  return (row) => {
    const times = read(row);
    const { shortest, longest } = times;
    const drawing = drawComparison(times, scaleEnd);
    if (shortest === null && longest === null) {
      return `${drawing}<span class="note ends">${missingValue(wording)}</span>`;
    }
    return `${drawing}<span class="note ends">${write(shortest)} &ndash; ${write(longest)}</span>`;
  };
}

function timeWriter(wording: Wording): (hours: number | null) => string {
  const format: FormatNumber = tableFormat(wording);
  const missing = missingValue(wording);
  return (hours) => (hours === null ? missing : numberElement(hours, format));
}
