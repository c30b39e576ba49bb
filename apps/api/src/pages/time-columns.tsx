import {
  browsedField,
  type Field,
  type FigureStyle,
  type Resource,
  type TimeComparison,
  type TimeFigure,
  timeFigures,
} from '@takt/catalogue/resources';
import { type Column, type ColumnGroup, escapeHtml } from '@takt/pages';
import type { CellStyle } from '../representations/export/export-columns.js';
import type { Row } from '../representations/writer.js';
import { intervalWriter, type Mark, markReader } from './certainty.js';
import { type DrawnTimes, drawComparison, scaleEndOf } from './comparison-drawing.js';
import { type ColumnStyle, type ListColumn, sortable } from './field-columns.js';
import {
  countFormat,
  type FormatNumber,
  percentText,
  signedText,
  sumFormat,
  timeFormat,
} from './number-format.js';
import { numberReader, type ShownFields } from './sections.js';
import type { Wording } from './words.js';

/**
 * Figures of a comparison that come from the plan or from the second period. The name of the field of each figure has
 * this ending.
 */
const figuresBeside = {
  difference: 'Difference',
  percent: 'OverPlanPercent',
  hours: 'HoursOverPlan',
  compared: 'ComparedAverage',
  change: 'Change',
} as const;

/** A figure about a kind of time, or about the comparison of this time with the plan. */
export type ComparedFigure = TimeFigure | keyof typeof figuresBeside;

/** All figures, in the order in which the full view shows them. */
export const comparedFigures: readonly ComparedFigure[] = [
  ...(['planned', 'average', 'difference', 'percent', 'hours', 'compared', 'change'] as const),
  ...(['shortest', 'longest', 'deviation'] as const),
];

/**
 * The field that contains a figure. undefined if the resource has no such field, or if the field is hidden from the
 * reader.
 */
export function figureField(
  resource: Resource,
  comparison: TimeComparison,
  figure: ComparedFigure,
): Field | undefined {
  return figure in comparison
    ? comparison[figure as TimeFigure]
    : browsedField(resource, comparison.name + figuresBeside[figure as keyof typeof figuresBeside]);
}

export function figureLabel(figure: ComparedFigure, { texts }: Wording): string {
  if (figure === 'percent') return texts.overPlan;
  if (figure === 'compared') return `${texts.average} (${texts.comparedPeriod})`;
  return figure === 'hours' ? texts.hoursOverPlan : texts[figure];
}

/** True for a figure that compares with the plan. Such a figure has a sign, and a mark if the difference is notable. */
export function comparesWithPlan(figure: ComparedFigure): boolean {
  return figure === 'percent' || figure === 'difference' || figure === 'hours';
}

interface FigureColumn<Item> extends Pick<Column<Item>, 'label' | 'group' | 'sorted' | 'markOf'> {
  readonly heading?: Column<Item>['heading'];
  readonly read: (item: Item) => number | null;
  readonly format: FormatNumber;
}

/** A column of figures. */
export function figureColumn<Item>(column: FigureColumn<Item>): Column<Item> {
  const { label, heading = label, read, format, ...placed } = column;
  return {
    ...placed,
    label,
    heading,
    align: 'end',
    write: (item) => {
      const value = read(item);
      return value === null ? '' : format(value);
    },
  };
}

/**
 * True if a page shows planned times. A page shows none if the reader lacks the right to see them, or if the request
 * leaves them out.
 */
export function showsPlan(comparisons: readonly TimeComparison[], shown: ShownFields): boolean {
  return comparisons.some(({ planned }) => planned !== undefined && shown.has(planned));
}

export function timesReader(comparison: TimeComparison, shown: ShownFields): (row: Row) => DrawnTimes {
  const readers = timeFigures.map((figure) => [figure, numberReader(comparison[figure], shown)] as const);
  return (row) =>
    Object.fromEntries(readers.map(([figure, read]) => [figure, read(row)])) as unknown as DrawnTimes;
}

interface ListedFigure {
  readonly field: Field | undefined;
  readonly label: string;
  readonly group?: ColumnGroup | undefined;
  /** The format of times; by default the format for times that have no others beside them. */
  readonly time?: FormatNumber | undefined;
  readonly markOf?: ((row: Row) => Mark) | undefined;
}

/**
 * The format of a figure.
 * @param time the format of the time of an operation
 */
export function figureFormat(
  as: Exclude<FigureStyle, 'words'>,
  wording: Wording,
  time = timeFormat(wording),
): FormatNumber {
  switch (as) {
    case 'hours':
      return time;
    case 'total hours':
      return sumFormat(wording);
    case 'percent':
      return percentText(wording);
    case 'signed hours':
      return signedText(sumFormat(wording));
    case 'count':
      return countFormat(wording);
  }
}

/** How a figure is formatted in a file. */
const cellStyles = {
  hours: 'hours',
  'total hours': 'hours',
  'signed hours': 'signed hours',
  percent: 'percent',
  count: 'integer',
} as const satisfies Readonly<Record<Exclude<FigureStyle, 'words'>, CellStyle>>;

/** The column of a figure. No column if the field of the figure is not served. */
export function figureColumns(
  { browse, shown }: ColumnStyle,
  { field, label, group, time, markOf }: ListedFigure,
  as: Exclude<FigureStyle, 'words'> = 'hours',
): readonly ListColumn[] {
  if (field === undefined || !shown.has(field)) return [];
  const read = numberReader(field, shown);
  const column = figureColumn<Row>({
    label,
    group,
    ...sortable(browse, field, label),
    read,
    format: figureFormat(as, browse.wording, time),
    markOf,
  });
  return [{ ...column, inFile: [{ name: label, style: cellStyles[as], read }] }];
}

/** A column that shows the descriptions of a domain's keys. No column if the field is not served. */
export function wordColumns(
  { browse, shown }: ColumnStyle,
  { field, label }: ListedFigure,
): readonly ListColumn[] {
  const index = field === undefined ? undefined : shown.get(field)?.index;
  if (field === undefined || index === undefined) return [];
  const { language } = browse.wording;
  const read = (row: Row) => {
    const key = String(row[index] ?? '');
    return field.domain?.values[key]?.[language] ?? key;
  };
  const write = (row: Row) => escapeHtml(read(row));
  const inFile = [{ name: label, style: 'text', read }] as const;
  return [{ label, ...sortable(browse, field, label), align: 'start', write, inFile }];
}

/**
 * The short columns of a comparison: the planned time, the average, and the percentage over plan. If there are two
 * periods, the change between them is shown in place of the plan.
 */
export function shortColumns(
  comparison: TimeComparison,
  rows: readonly Row[],
  style: ColumnStyle,
): readonly ListColumn[] {
  const group = groupOf(comparison, style.browse.wording);
  const change = figureField(style.browse.resource, comparison, 'change');
  return change === undefined
    ? comparedColumns(comparison, rows, style, { group, figures: ['planned', 'average', 'percent'] })
    : comparedColumns(comparison, rows, style, { group, figures: ['average', 'percent', 'change'] });
}

/** The heading above the columns of a kind of time, with the unit of the times. */
const groupOf = ({ heading }: TimeComparison, { language, timeUnit }: Wording): ColumnGroup => ({
  heading: `${heading[language]} (${timeUnit})`,
});

/** All columns of a comparison, including the drawing. */
export function fullColumns(
  comparison: TimeComparison,
  rows: readonly Row[],
  style: ColumnStyle,
): readonly ListColumn[] {
  const group = groupOf(comparison, style.browse.wording);
  const figures = comparedFigures.filter((figure) => figure !== 'difference');
  return [
    ...comparedColumns(comparison, rows, style, { group, figures }),
    ...drawingColumn(comparison, rows, group, style),
  ];
}

/** The format of a comparison's times, which tells planned and average times of the rows apart. */
export function formatBeside(
  comparison: TimeComparison,
  rows: readonly Row[],
  { browse, shown }: ColumnStyle,
): FormatNumber {
  const read = timesReader(comparison, shown);
  return timeFormat(
    browse.wording,
    rows.map(read).map(({ planned, average }) => [planned, average]),
  );
}

function comparedColumns(
  comparison: TimeComparison,
  rows: readonly Row[],
  style: ColumnStyle,
  { group, figures }: { readonly group: ColumnGroup; readonly figures: readonly ComparedFigure[] },
): readonly ListColumn[] {
  const { browse, shown } = style;
  const { resource, wording } = browse;
  const [mark, markOfHours] = [false, true].map((isOfHours) =>
    markReader(resource, comparison, shown, isOfHours),
  );
  const drawInterval = intervalWriter(resource, comparison, shown);
  const time = formatBeside(comparison, rows, style);
  return figures.flatMap((figure) => {
    const field = figureField(resource, comparison, figure);
    const label = figureLabel(figure, wording);
    const markOf = figure === 'hours' ? markOfHours : comparesWithPlan(figure) ? mark : undefined;
    const columns = figureColumns(style, { field, label, group, time, markOf }, styleOf(figure));
    return figure !== 'percent'
      ? columns
      : columns.map((column) => ({
          ...column,
          write: (row: Row) => drawInterval(row) + column.write(row),
        }));
  });
}

/** The style in which a figure is written. */
export function styleOf(figure: ComparedFigure): Exclude<FigureStyle, 'words'> {
  if (figure === 'percent' || figure === 'change') return 'percent';
  return figure === 'hours' ? 'signed hours' : 'hours';
}

/**
 * The column with a drawing of each row's times, on the scale that all rows of the page share. No column if there is
 * nothing to draw.
 */
function drawingColumn(
  comparison: TimeComparison,
  rows: readonly Row[],
  group: ColumnGroup,
  { browse, shown }: ColumnStyle,
): readonly ListColumn[] {
  const { shortest, longest } = comparison;
  const hasRange = [shortest, longest].every((field) => field !== undefined && shown.has(field));
  const read = timesReader(comparison, shown);
  const scaleEnd = scaleEndOf(rows.map(read));
  if (!hasRange || scaleEnd === 0) return [];
  const heading = (
    <span class="scale">
      <span>0</span>
      <span>{timeFormat(browse.wording)(scaleEnd)}</span>
    </span>
  );
  const write = (row: Row) => drawComparison(read(row), scaleEnd);
  return [{ group, label: '', heading, align: 'start', write, inFile: [] }];
}
