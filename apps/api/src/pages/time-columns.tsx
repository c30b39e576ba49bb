import { type Column, type ColumnGroup, escapeHtml } from '@takt/pages';
import {
  browsedField,
  type Field,
  type FigureStyle,
  type Resource,
  type TimeComparison,
  type TimeFigure,
  timeFigures,
} from '@takt/resources';
import type { Row } from '../representations/page.js';
import { type DrawnTimes, drawComparison, scaleEndOf } from './comparison-drawing.js';
import { type ColumnStyle, SortLink, sortedBy } from './field-columns.js';
import type { ShownFields } from './sections.js';
import type { Wording } from './words.js';
import { percentText, signedText, tableFormat } from './write-value.js';

/** A tenth or more over the plan is what a planner looks for. */
export const NOTABLE_PERCENT = 10;

/** The plan's own figures of a comparison, by how their names end after its own. */
export const planFigures = {
  difference: 'Difference',
  percent: 'OverPlanPercent',
  hours: 'HoursOverPlan',
} as const;

export function planField(
  resource: Resource,
  { name }: TimeComparison,
  figure: keyof typeof planFigures,
): Field | undefined {
  return browsedField(resource, name + planFigures[figure]);
}

/** Reads the number of a field; null where there is none, or the field is not served. */
export function numberReader(field: Field | undefined, shown: ShownFields): (row: Row) => number | null {
  const index = field === undefined ? undefined : shown.get(field)?.index;
  return (row) => {
    const value = index === undefined ? null : row[index];
    return typeof value === 'number' ? value : null;
  };
}

export function timesReader(comparison: TimeComparison, shown: ShownFields): (row: Row) => DrawnTimes {
  const readers = timeFigures.map((figure) => [figure, numberReader(comparison[figure], shown)] as const);
  return (row) =>
    Object.fromEntries(readers.map(([figure, read]) => [figure, read(row)])) as unknown as DrawnTimes;
}

interface FigureColumn {
  readonly field: Field | undefined;
  readonly label: string;
  readonly group?: ColumnGroup | undefined;
  /** How the value is written; hours with two decimals if it is not said. */
  readonly as?: Exclude<FigureStyle, 'words'>;
}

/** A column of figures of one field; none where it is not served. */
export function figureColumns({ browse, shown }: ColumnStyle, column: FigureColumn): readonly Column<Row>[] {
  const { field, label, group, as = 'hours' } = column;
  if (field === undefined || !shown.has(field)) return [];
  const read = numberReader(field, shown);
  const format = formatsOf(browse.wording)[as];
  const isMarked = as === 'percent' || as === 'signed hours';
  const threshold = as === 'percent' ? NOTABLE_PERCENT : 0;
  return [
    {
      group,
      label,
      heading: <SortLink browse={browse} field={field} label={label} />,
      sorted: sortedBy(browse, field),
      align: 'end',
      write: (row) => {
        const value = read(row);
        return value === null ? '' : format(value);
      },
      markOf: isMarked ? (row) => markOf(read(row), threshold) : undefined,
    },
  ];
}

/** A column of what the keys of a domain mean; none where the field is not served. */
export function wordColumns(
  { browse, shown }: ColumnStyle,
  { field, label }: Pick<FigureColumn, 'field' | 'label'>,
): readonly Column<Row>[] {
  const index = field === undefined ? undefined : shown.get(field)?.index;
  if (field === undefined || index === undefined) return [];
  const { language } = browse.wording;
  return [
    {
      label,
      heading: <SortLink browse={browse} field={field} label={label} />,
      sorted: sortedBy(browse, field),
      align: 'start',
      write: (row) => {
        const key = String(row[index] ?? '');
        return escapeHtml(field.domain?.values[key]?.[language] ?? key);
      },
    },
  ];
}

/** Texts of figures in a language. */
export function formatsOf(wording: Wording) {
  const hours = tableFormat(wording);
  return {
    hours,
    percent: percentText(wording),
    'signed hours': signedText(hours),
    count: String,
  };
}

/** Over the plan by the threshold and more, or as far under it. */
export function markOf(value: number | null, threshold: number): string {
  if (value === null || value === 0 || Math.abs(value) < threshold) return '';
  return value > 0 ? 'over' : 'under';
}

/** One comparison in short, beside others: planned, average, and how far over the plan. */
export function shortColumns(comparison: TimeComparison, style: ColumnStyle): readonly Column<Row>[] {
  const { resource, wording } = style.browse;
  const { texts, language } = wording;
  const group: ColumnGroup = { heading: comparison.heading[language] };
  return [
    ...figureColumns(style, { field: comparison.planned, label: texts.planned, group }),
    ...figureColumns(style, { field: comparison.average, label: texts.average, group }),
    ...figureColumns(style, {
      field: planField(resource, comparison, 'percent'),
      label: texts.overPlan,
      group,
      as: 'percent',
    }),
  ];
}

/** One comparison in full, with its drawing. */
export function fullColumns(
  comparison: TimeComparison,
  rows: readonly Row[],
  style: ColumnStyle,
): readonly Column<Row>[] {
  const { resource, wording } = style.browse;
  const { texts } = wording;
  const group: ColumnGroup = { heading: `${comparison.heading[wording.language]} (h)` };
  const figure = (name: TimeFigure) =>
    figureColumns(style, { field: comparison[name], label: texts[name], group });
  return [
    ...figure('planned'),
    ...figure('average'),
    ...figureColumns(style, {
      field: planField(resource, comparison, 'percent'),
      label: texts.overPlan,
      group,
      as: 'percent',
    }),
    ...figureColumns(style, {
      field: planField(resource, comparison, 'hours'),
      label: texts.hoursOverPlan,
      group,
      as: 'signed hours',
    }),
    ...figure('shortest'),
    ...figure('longest'),
    ...figure('deviation'),
    ...drawingColumn(comparison, rows, group, style),
  ];
}

/** The times of each row on the one scale of the page; none without a range to draw. */
function drawingColumn(
  comparison: TimeComparison,
  rows: readonly Row[],
  group: ColumnGroup,
  { browse, shown }: ColumnStyle,
): readonly Column<Row>[] {
  const { shortest, longest } = comparison;
  const hasRange = [shortest, longest].every((field) => field !== undefined && shown.has(field));
  const read = timesReader(comparison, shown);
  const scaleEnd = scaleEndOf(rows.map(read));
  if (!hasRange || scaleEnd === 0) return [];
  const end = tableFormat(browse.wording)(scaleEnd);
  return [
    {
      group,
      label: '',
      heading: (
        <span class="scale">
          <span>0</span>
          <span>{end}</span>
        </span>
      ),
      align: 'start',
      write: (row) => drawComparison(read(row), scaleEnd),
    },
  ];
}
