import { browsedField, type FigureStyle, type TimeComparison } from '@takt/catalogue/resources';
import { type Column, escapeHtml, type Markup, ready, Table } from '@takt/pages';
import type { ListPage, Row } from '../representations/writer.js';
import { type Browse, filteredAddress, openingAddress } from './browse.js';
import { intervalWriter, markReader } from './certainty.js';
import { type ColumnStyle, nameColumn } from './field-columns.js';
import { type FormatNumber, signedText, sumFormat } from './number-format.js';
import { writtenIn } from './own-links.js';
import { PeriodForm } from './period.js';
import { numberReader, sectionsOf, shownFieldsOf } from './sections.js';
import {
  comparedFigures,
  comparesWithPlan,
  figureField,
  figureFormat,
  figureLabel,
  formatBeside,
  styleOf,
} from './time-columns.js';
import { fill, unitName, type Wording } from './words.js';

/** The value of the parameter `view` that shows the rows of a list as columns, to compare them. */
export const COMPARE_VIEW = 'compare';

/** The maximum number of structure versions in one comparison. More would not fit on a page. */
export const MOST_COMPARED = 4;

/** True if the page shows the rows of its list side by side. */
export const isSideBySide = ({ context, resource }: Browse): boolean =>
  resource.comparisons.length > 0 && writtenIn(context, 'view') === COMPARE_VIEW;

/** A line of the comparison: one figure for all compared rows. */
interface Line {
  readonly label: string;
  readonly read: (row: Row) => number | null;
  readonly format: FormatNumber;
  readonly markOf?: ((row: Row) => string) | undefined;
  /** Draws the certainty of the figure before its value. */
  readonly draw?: ((row: Row) => string) | undefined;
  /** How a difference from the first row is written; absent if a difference says nothing. */
  readonly formatDifference?: FormatNumber;
  /** Half the width of the 95 % confidence interval of the figure. */
  readonly marginOf?: (row: Row) => number | null;
}

/** Shows the rows of a list as columns. Each figure has a line. */
export function SideBySide({ page: found, browse }: SideBySideProps): Markup {
  const page = { ...found, rows: inChosenOrder(found, browse) };
  const style: ColumnStyle = { browse, shown: shownFieldsOf(sectionsOf(page.outline)) };
  const { texts, language } = browse.wording;
  const missing = missingIds(page, browse);
  const lines = linesOf(style, page.rows).filter(({ read }) => page.rows.some((row) => read(row) !== null));
  const columns: readonly Column<Line>[] = [
    {
      heading: texts.figure,
      label: '',
      align: 'start',
      write: ({ label }) => escapeHtml(label),
    },
    ...page.rows.flatMap((row, index): readonly Column<Line>[] => {
      const [first] = page.rows;
      const column = rowColumn(row, style);
      if (first === undefined || index === 0) return [column];
      const heading = page.rows.length > 2 ? <FirstLink row={row} page={page} browse={browse} /> : '';
      return [column, differenceColumn({ first, row, heading }, texts)];
    }),
  ];
  return (
    <>
      <div class="title">
        <h1>{texts.sideBySide}</h1>
      </div>
      <p class="lead">
        <a href={openingAddress(browse.context, browse.resource)}>{browse.resource.title[language]}</a>
      </p>
      <div class="filters">
        <PeriodForm resource={browse.resource} context={browse.context} />
      </div>
      {page.rows.length === 0 ? (
        <p class="nothing">{texts.nothingFound}</p>
      ) : (
        <Table caption={texts.sideBySide} className="list beside" columns={columns} rows={lines} />
      )}
      <p class="hint">
        {missing.length > 0 && fill(texts.notCompared, missing.join(', '))}{' '}
        {fill(texts.unitHelp, unitName(browse.wording))} {page.rows.length > 1 && texts.differenceHelp}{' '}
        {lines.some(({ draw }) => draw !== undefined) && texts.certaintyHelp}
      </p>
    </>
  );
}

/** The column with the figures of a row. */
function rowColumn(row: Row, style: ColumnStyle): Column<Line> {
  return {
    heading: <Name row={row} style={style} />,
    label: '',
    align: 'end',
    write: ({ read, format, draw }) => {
      const value = read(row);
      return value === null ? '' : (draw?.(row) ?? '') + format(value);
    },
    markOf: ({ markOf }) => markOf?.(row) ?? '',
  };
}

/**
 * The column with the differences of a row from the first one. A difference of averages is marked: chance can explain it
 * unless it is larger than the error of both averages together. The errors are independent, so the squares of their
 * sizes add up.
 */
function differenceColumn(
  { first, row, heading }: { readonly first: Row; readonly row: Row; readonly heading: Markup | string },
  texts: Wording['texts'],
): Column<Line> {
  const differenceOf = ({ read }: Line) => {
    const [one, other] = [read(first), read(row)];
    return one === null || other === null ? null : other - one;
  };
  return {
    heading: (
      <>
        <span>{texts.difference}</span>
        {heading}
      </>
    ),
    label: texts.difference,
    align: 'end',
    write: (line) => {
      const difference = differenceOf(line);
      return difference === null ? '' : (line.formatDifference?.(difference) ?? '');
    },
    markOf: (line) => {
      const difference = differenceOf(line);
      if (difference === null || difference === 0 || line.marginOf === undefined) return '';
      const [one, other] = [line.marginOf(first), line.marginOf(row)];
      const isSure = one !== null && other !== null && Math.abs(difference) > Math.hypot(one, other);
      return isSure ? (difference > 0 ? 'over' : 'under') : 'unsure';
    },
  };
}

/** The identifiers in a filter that names them. */
const CHOSEN = / in \(([\d, ]+)\)/;

/** The identifiers that the filter names, in its order. */
function chosenIds({ context }: Browse): readonly string[] {
  const [, named = ''] = CHOSEN.exec(writtenIn(context, '$filter')) ?? [];
  return named === '' ? [] : named.split(',').map((id) => id.trim());
}

/** Returns a function that reads the identifier of a row. */
function idReader({ outline, resource }: ListPage): (row: Row) => string {
  const index = shownFieldsOf(sectionsOf(outline)).get(resource.key)?.index ?? -1;
  return (row) => String(row[index]);
}

/** The rows in the order in which the filter names them, so that a link can put another one first. */
function inChosenOrder(page: ListPage, browse: Browse): readonly Row[] {
  const [ids, idOf] = [chosenIds(browse), idReader(page)];
  return page.rows.toSorted((one, other) => ids.indexOf(idOf(one)) - ids.indexOf(idOf(other)));
}

/** The identifiers in the filter for which the list has no row. */
function missingIds(page: ListPage, browse: Browse): readonly string[] {
  const found = new Set(page.rows.map(idReader(page)));
  return chosenIds(browse).filter((id) => !found.has(id));
}

interface FirstLinkProps extends SideBySideProps {
  readonly row: Row;
}

/** A link to the same comparison in which this row is the first one, with which all others are compared. */
function FirstLink({ row, page, browse }: FirstLinkProps): Markup {
  const first = idReader(page)(row);
  const ids = [first, ...chosenIds(browse).filter((id) => id !== first)];
  const filter = writtenIn(browse.context, '$filter').replace(CHOSEN, ` in (${ids.join(',')})`);
  return <a href={filteredAddress(browse, [filter])}>{browse.wording.texts.compareWithThis}</a>;
}

/** The name of a row, as a link to the row's page. */
function Name({ row, style }: { readonly row: Row; readonly style: ColumnStyle }): Markup {
  const { resource } = style.browse;
  const field = browsedField(resource, resource.browsing?.name ?? '');
  const index = field === undefined ? undefined : style.shown.get(field)?.index;
  return (
    <>
      {index !== undefined && <span>{String(row[index] ?? '')}</span>}
      {ready(nameColumn(style, { isOpened: true }).write(row))}
    </>
  );
}

interface SideBySideProps {
  readonly page: ListPage;
  readonly browse: Browse;
}

function linesOf(style: ColumnStyle, rows: readonly Row[]): readonly Line[] {
  const { browse, shown } = style;
  const { resource, wording } = browse;
  const own = (resource.browsing?.figures ?? []).flatMap(({ field: name, as }): readonly Line[] => {
    const field = browsedField(resource, name);
    if (as === 'words' || field === undefined) return [];
    const label = field.heading[wording.language];
    const format = figureFormat(as, wording);
    return [
      {
        label,
        read: numberReader(field, shown),
        format,
        formatDifference: signedText(unsigned(as, wording)),
      },
    ];
  });
  return [...own, ...resource.comparisons.flatMap((one) => comparisonLines(one, rows, style))];
}

function comparisonLines(
  comparison: TimeComparison,
  rows: readonly Row[],
  style: ColumnStyle,
): readonly Line[] {
  const { browse, shown } = style;
  const { resource, wording } = browse;
  const time = formatBeside(comparison, rows, style);
  const mark = markReader(resource, comparison, shown);
  // The difference is left out, because the percentage and the hours already show it.
  const figures = comparedFigures.filter((figure) => figure !== 'difference');
  const [low, high] = ['MeanLow', 'MeanHigh'].map((end) =>
    numberReader(browsedField(resource, comparison.name + end), shown),
  );
  const marginOf = (row: Row) => {
    const [from, to] = [low?.(row) ?? null, high?.(row) ?? null];
    return from === null || to === null ? null : (to - from) / 2;
  };
  return figures.map((figure): Line => {
    const style = styleOf(figure);
    const unit = style === 'hours' ? ` (${wording.timeUnit})` : '';
    return {
      label: `${comparison.heading[wording.language]}: ${figureLabel(figure, wording)}${unit}`,
      read: numberReader(figureField(resource, comparison, figure), shown),
      format: figureFormat(style, wording, time),
      markOf: comparesWithPlan(figure) ? mark : undefined,
      ...(figure === 'percent' && { draw: intervalWriter(resource, comparison, shown) }),
      // A difference of percentages would be read as a percentage.
      ...(style !== 'percent' && { formatDifference: signedText(unsigned(style, wording, time)) }),
      ...(figure === 'average' && { marginOf }),
    };
  });
}

/** The format of the size of a figure. */
const unsigned = (as: Exclude<FigureStyle, 'words'>, wording: Wording, time?: FormatNumber): FormatNumber =>
  as === 'signed hours' ? sumFormat(wording) : figureFormat(as, wording, time);
