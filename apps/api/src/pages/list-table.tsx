import { browsedField, type FigureStyle, type ListResource } from '@takt/catalogue/resources';
import type { Markup } from '@takt/pages';
import type { ListPage, Row } from '../representations/writer.js';
import type { Browse } from './browse.js';
import { markReader } from './certainty.js';
import { hiddenColumns } from './column-choice.js';
import { DeviationNote, Legend } from './comparison-drawing.js';
import { type ColumnStyle, fieldColumns, type ListColumn, nameColumn } from './field-columns.js';
import { timeFormat } from './number-format.js';
import { comparedText } from './period.js';
import { numberReader, sectionsOf, shownFieldsOf } from './sections.js';
import {
  figureColumns,
  figureField,
  fullColumns,
  shortColumns,
  showsPlan,
  wordColumns,
} from './time-columns.js';
import { fill, unitName, type Wording } from './words.js';

export interface ListTable {
  readonly columns: readonly ListColumn[];
  readonly className: string;
  /** The legend of the drawings. It is shown above the table in place of the totals. */
  readonly legend?: Markup;
  /** Explanations that are shown below the table. */
  readonly notes?: Markup;
}

/**
 * Determines the columns of a list. A list that compares times with plans has the columns of its view. Any other list
 * has a column for each field.
 */
export function tableOf(page: Pick<ListPage, 'resource' | 'outline' | 'rows'>, browse: Browse): ListTable {
  const { resource, outline, rows } = page;
  const sections = sectionsOf(outline);
  if (resource.browsing === undefined) {
    return { columns: fieldColumns(sections, rows, browse), className: 'list fields stacked' };
  }
  const style: ColumnStyle = { browse, shown: shownFieldsOf(sections) };
  const comparison = resource.comparisons.find(({ name }) => name === browse.view?.comparison);
  const hidden = hiddenColumns(browse.context);
  const columns = [
    nameColumn(style, { isChosen: comparison === undefined }),
    ...rowFigures(style, rows, comparison === undefined),
    ...(comparison === undefined
      ? resource.comparisons.flatMap((one) => (hidden.has(one.name) ? [] : shortColumns(one, rows, style)))
      : fullColumns(comparison, rows, style)),
  ];
  return {
    columns,
    className: resource.comparisons.some((one) => figureField(resource, one, 'change') !== undefined)
      ? 'list figures two-periods'
      : 'list figures',
    ...(comparison === undefined
      ? { notes: <UnitNote {...style} /> }
      : {
          legend: <Legend wording={browse.wording} withPlan={showsPlan([comparison], style.shown)} />,
          notes: <DeviationNote wording={browse.wording} />,
        }),
  };
}

/**
 * The columns of figures that concern the row as a whole. `withSigned` is false if the table shows only one comparison:
 * then figures in signed hours are left out, because they do not fit a single comparison.
 */
export function rowFigures(
  style: ColumnStyle,
  rows: readonly Row[],
  withSigned: boolean,
): readonly ListColumn[] {
  const { resource, wording } = style.browse;
  const figures = resource.browsing?.figures ?? [];
  const hidden = hiddenColumns(style.browse.context);
  const mark = markReader(resource, undefined, style.shown);
  const readers = figures
    .filter(({ as }) => as === 'hours')
    .map(({ field }) => numberReader(browsedField(resource, field), style.shown));
  const time = timeFormat(
    wording,
    rows.map((row) => readers.map((read) => read(row))),
  );
  return figures
    .filter(({ field, as }) => !hidden.has(field) && (withSigned || as !== 'signed hours'))
    .flatMap(({ field: name, heading, as }) => {
      const field = browsedField(resource, name);
      const label =
        labelOf(name, heading[wording.language], style) + (as === 'hours' ? ` (${wording.timeUnit})` : '');
      return as === 'words'
        ? wordColumns(style, { field, label })
        : figureColumns(style, { field, label, time, markOf: isSigned(as) ? mark : undefined }, as);
    });
}

/** The heading of a figure. The hours of the second period are headed by the months of this period. */
function labelOf(name: string, heading: string, { browse: { resource, context } }: ColumnStyle): string {
  return (name === 'ComparedHoursOverPlan' ? comparedText(resource, context) : undefined) ?? heading;
}

const isSigned = (as: FigureStyle): boolean => as === 'percent' || as === 'signed hours';

/** A note that explains the units. It does not explain columns that are hidden from the reader. */
function UnitNote({ browse: { resource, wording }, shown }: ColumnStyle): Markup | null {
  const { texts } = wording;
  const { figures = [], figuresHelp } = resource.browsing ?? {};
  const isExplained = figures.some(({ field, as }) => {
    const figure = as === 'words' || as === 'count' ? undefined : browsedField(resource, field);
    return figure !== undefined && shown.has(figure);
  });
  if (figuresHelp !== undefined && !isExplained) return null;
  const comparesWithPlan = resource.comparisons.some(
    (one) => figureField(resource, one, 'percent') !== undefined,
  );
  const meaning = meaningOfFigures(resource, wording);
  return (
    <p class="hint">
      {comparesWithPlan ? `${meaning} ${texts.overPlanHelp} ${texts.certaintyHelp}` : meaning}
    </p>
  );
}

/** Explains the figures of a list and the unit of its times. */
export function meaningOfFigures({ browsing, comparisons }: ListResource, wording: Wording): string {
  const help = browsing?.figuresHelp?.[wording.language];
  const hasTimes = comparisons.length > 0 || browsing?.figures.some(({ as }) => as === 'hours') === true;
  const unit = fill(wording.texts.unitHelp, unitName(wording));
  return [help, ...(hasTimes || help === undefined ? [unit] : [])].filter(Boolean).join(' ');
}
