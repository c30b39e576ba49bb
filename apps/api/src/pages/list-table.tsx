import { browsedField, type FigureStyle, type ListResource } from '@takt/catalogue/resources';
import type { Markup } from '@takt/pages';
import type { ListPage, Row } from '../representations/writer.js';
import type { Browse } from './browse.js';
import { changeMarker, HOURS, HOURS_CHANGE, marginReader, markOfHours, markReader } from './certainty.js';
import { hiddenColumns } from './column-choice.js';
import { DeviationNote, Legend } from './comparison-drawing.js';
import { type ColumnStyle, fieldColumns, type ListColumn, nameColumn } from './field-columns.js';
import { timeFormat } from './number-format.js';
import { listPart } from './page-parts.js';
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

/** The page of a table. A file has no parts. */
type TablePage = Omit<ListPage, 'paging' | 'summary'>;

/**
 * Determines the columns of a list. A list that compares times with plans has the columns of its view. Any other list
 * has a column for each field.
 */
export function tableOf(page: TablePage, browse: Browse): ListTable {
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
    ...rowFigures(style, page, comparison === undefined),
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
      ? { notes: <UnitNote style={style} page={page} /> }
      : {
          legend: <Legend wording={browse.wording} withPlan={showsPlan([comparison], style.shown)} />,
          notes: (
            <>
              <DeviationNote wording={browse.wording} />
              {showsPlan([comparison], style.shown) && (
                <p class="hint">{browse.wording.texts.certaintyHelp}</p>
              )}
            </>
          ),
        }),
  };
}

/**
 * The columns of figures that concern the row as a whole. `withSigned` is false if the table shows only one comparison:
 * then figures in signed hours are left out, because they do not fit a single comparison.
 */
export function rowFigures(style: ColumnStyle, page: TablePage, withSigned: boolean): readonly ListColumn[] {
  const { resource, wording } = style.browse;
  const figures = resource.browsing?.figures ?? [];
  const hidden = hiddenColumns(style.browse.context);
  const markOf = figureMarkers(style, page);
  const readers = figures
    .filter(({ as }) => as === 'hours')
    .map(({ field }) => numberReader(browsedField(resource, field), style.shown));
  const time = timeFormat(
    wording,
    page.rows.map((row) => readers.map((read) => read(row))),
  );
  return figures
    .filter(({ field, as }) => !hidden.has(field) && (withSigned || as !== 'signed hours'))
    .flatMap(({ field: name, heading, as }) => {
      const field = browsedField(resource, name);
      const label =
        labelOf(name, heading[wording.language], style) + (as === 'hours' ? ` (${wording.timeUnit})` : '');
      return as === 'words'
        ? wordColumns(style, { field, label })
        : figureColumns(style, { field, label, time, markOf: isSigned(as) ? markOf(name) : undefined }, as);
    });
}

/** The heading of a figure. The hours of the second period are headed by the months of this period. */
function labelOf(name: string, heading: string, { browse: { resource, context } }: ColumnStyle): string {
  return (name === 'ComparedHoursOverPlan' ? comparedText(resource, context) : undefined) ?? heading;
}

/** Returns a function that gives the marker of a figure by the name of its field. */
function figureMarkers({ browse: { resource }, shown }: ColumnStyle, page: TablePage) {
  const mark = markReader(resource, undefined, shown);
  if (mark !== undefined) return () => mark;
  const [summed, summedBefore] = [listPart(page, 'summed'), listPart(page, 'summedBefore')];
  const hours = numberReader(browsedField(resource, HOURS), shown);
  const margin = marginReader(page, summed);
  const markChange = changeMarker(page, summed, summedBefore);
  return (name: string) => {
    if (name === HOURS) return (row: Row) => markOfHours(hours(row), margin(row));
    return name === HOURS_CHANGE ? markChange : undefined;
  };
}

const isSigned = (as: FigureStyle): boolean => as === 'percent' || as === 'signed hours';

interface UnitNoteProps {
  readonly style: ColumnStyle;
  readonly page: TablePage;
}

/** A note that explains the units. It does not explain columns that are hidden from the reader. */
function UnitNote({ style, page }: UnitNoteProps): Markup | null {
  const { resource, wording } = style.browse;
  const { texts } = wording;
  const { figures = [], figuresHelp } = resource.browsing ?? {};
  const isExplained = figures.some(({ field, as }) => {
    const figure = as === 'words' || as === 'count' ? undefined : browsedField(resource, field);
    return figure !== undefined && style.shown.has(figure);
  });
  if (figuresHelp !== undefined && !isExplained) return null;
  const comparesWithPlan = resource.comparisons.some(
    (one) => figureField(resource, one, 'percent') !== undefined,
  );
  const sentences = [
    meaningOfFigures(resource, wording),
    ...(comparesWithPlan ? [texts.overPlanHelp, texts.certaintyHelp] : []),
    ...(listPart(page, 'summed') === undefined ? [] : [texts.unsureHours]),
  ];
  return <p class="hint">{sentences.join(' ')}</p>;
}

/** Explains the figures of a list and the unit of its times. */
export function meaningOfFigures({ browsing, comparisons }: ListResource, wording: Wording): string {
  const help = browsing?.figuresHelp?.[wording.language];
  const hasTimes = comparisons.length > 0 || browsing?.figures.some(({ as }) => as === 'hours') === true;
  const unit = fill(wording.texts.unitHelp, unitName(wording));
  return [help, ...(hasTimes || help === undefined ? [unit] : [])].filter(Boolean).join(' ');
}
