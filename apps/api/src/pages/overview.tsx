import { browsedField, isOfPeriods, viewsOf } from '@takt/catalogue/resources';
import { type Bar, BarChart, type Column, escapeHtml, type Markup, ready, Table } from '@takt/pages';
import { languageTag } from '@takt/texts';
import type { ListPage, Row } from '../representations/writer.js';
import { type Browse, viewParameters } from './browse.js';
import { changeMarker, HOURS, HOURS_CHANGE, marginReader } from './certainty.js';
import { type ColumnStyle, nameColumn } from './field-columns.js';
import { rowFigures } from './list-table.js';
import { asText, countFormat, type FormatNumber, signedText, sumFormat } from './number-format.js';
import { pageAddress, parametersNamed } from './own-links.js';
import { FELL_MOST, GREW_MOST, listPart } from './page-parts.js';
import { countText } from './pager.js';
import {
  monthsBetween,
  overviewPeriods,
  type Period,
  parametersOfPeriods,
  periodWords,
  textOf,
} from './period.js';
import { numberReader, sectionsOf, shownFieldsOf } from './sections.js';
import { figureColumn } from './time-columns.js';
import { TotalsSentence } from './totals-sentence.js';
import { fill } from './words.js';

interface OverviewProps {
  readonly page: ListPage;
  readonly browse: Browse;
}

interface FirstRowsProps extends OverviewProps {
  /** Writes what is shown below an expanded row. */
  readonly below: ((row: Row) => string) | undefined;
}

/**
 * Shows the first rows of a list with their certainty, the hours over plan by month, and the rows that grew most since
 * the period before.
 */
export function Overview({ page, browse, below }: FirstRowsProps): Markup {
  const { texts } = browse.wording;
  const { resource, context } = browse;
  const [view] = viewsOf(resource);
  return (
    <>
      <TotalsSentence page={page} browse={browse} />
      <div class="overview">
        <Months page={page} browse={browse} />
        <Changes page={page} browse={browse} />
      </div>
      <FirstRows page={page} browse={browse} below={below} />
      <p>
        {view !== undefined && (
          <a href={pageAddress(context, resource.path, viewParameters(view))}>
            {fill(texts.allRows, countText(page.paging.size ?? page.rows.length, context.language))}
          </a>
        )}
      </p>
      <p class="hint">
        {texts.intervalOfHours} {texts.unsureHours}
      </p>
    </>
  );
}

/** Writes whole hours with a sign, as plain text. */
const wholeHours = ({ wording }: Browse): FormatNumber => {
  const write = asText(signedText(countFormat(wording)));
  return (hours) => write(Math.round(hours));
};

/** The hours over plan of each month as bars. The months of the page's period are emphasised. */
function Months({ page, browse }: OverviewProps): Markup | null {
  const { wording, context } = browse;
  const months = listPart(page, 'months');
  const hoursOf = months && hoursByMonth(months);
  if (hoursOf === undefined || hoursOf.size < 2) return null;
  const { shown, period } = overviewPeriods(context);
  const write = wholeHours(browse);
  const format = new Intl.DateTimeFormat(languageTag(wording.language), { month: 'short', timeZone: 'UTC' });
  const named = monthsBetween(shown).filter((month) => hoursOf.has(month) || month >= firstOf(hoursOf));
  const bars = named.map((month): Bar => {
    const instant = new Date(`${month}-01T00:00:00Z`);
    const year = month.endsWith('-01') || named.length > 12 ? ` ${month.slice(2, 4)}` : '';
    return {
      name: format.format(instant) + year,
      value: hoursOf.get(month) ?? null,
      isEmphasised: period.from <= month && month <= period.to,
    };
  });
  return (
    <figure>
      <figcaption>
        <h2>
          {wording.texts.hoursByMonth}: {ready(periodWords(shown, context.language))}
        </h2>
      </figcaption>
      <BarChart
        description={descriptionOf(bars, wording.texts.hoursByMonth, write)}
        bars={bars}
        formatValue={write}
      />
    </figure>
  );
}

const firstOf = (hoursOf: ReadonlyMap<string, number>) => [...hoursOf.keys()].sort()[0] ?? '';

function descriptionOf(bars: readonly Bar[], title: string, write: FormatNumber): string {
  const known = bars.filter(({ value }) => value !== null);
  return `${title}. ${known.map(({ name, value }) => `${name}: ${write(value ?? 0)}`).join(', ')}`;
}

/** The hours over plan of the months that have any, by their names such as `2026-01`. */
function hoursByMonth({ resource, outline, rows }: ListPage): ReadonlyMap<string, number> {
  const shown = shownFieldsOf(sectionsOf(outline));
  const index = shown.get(resource.key)?.index ?? -1;
  const hours = numberReader(browsedField(resource, HOURS), shown);
  return new Map(
    rows.flatMap((row) => {
      const value = hours(row);
      return value === null ? [] : [[String(row[index]), value] as const];
    }),
  );
}

/** The rows whose hours over plan grew most since the period before, and the hours of both periods. */
function Changes({ page, browse }: OverviewProps): Markup | null {
  const { wording, context } = browse;
  const { texts } = wording;
  const { period, before } = overviewPeriods(context);
  const changes = listPart(page, 'changes');
  const months = listPart(page, 'months');
  if (changes === undefined || months === undefined) return null;
  const hoursOf = hoursByMonth(months);
  const write = wholeHours(browse);
  const sum = (of: Period) => monthsBetween(of).reduce((all, month) => all + (hoursOf.get(month) ?? 0), 0);
  const together = monthsBetween({ from: before.from, to: period.to });
  const isKnown = together.length <= months.resource.maximumPageSize;
  const style: ColumnStyle = {
    browse: { ...browse, resource: changes.resource },
    shown: shownFieldsOf(sectionsOf(changes.outline)),
  };
  const markOfChange = changeMarker(
    changes,
    listPart(page, 'changesSummed'),
    listPart(page, 'changesSummedBefore'),
  );
  const columns = ['ComparedHoursOverPlan', HOURS, HOURS_CHANGE].map((name, index) => {
    const field = browsedField(changes.resource, name);
    const label = [texts.earlier, texts.now, texts.change][index] ?? '';
    return figureColumn<Row>({
      label,
      read: numberReader(field, style.shown),
      format: signedText(sumFormat(wording)),
      markOf: label === texts.change ? markOfChange : undefined,
    });
  });
  const name = textColumn(texts.grewMost, style);
  return (
    <section>
      <h2>{fill(texts.comparedWith, textOf(period, context), textOf(before, context))}</h2>
      {isKnown && <p>{fill(texts.hoursBefore, write(sum(period)), write(sum(before)))}</p>}
      {changes.rows.length > 0 && (
        <>
          <Table
            caption={texts.grewMost}
            className="list brief"
            columns={[name, ...columns]}
            rows={changes.rows}
          />
          <p>
            <a href={changesAddress(browse, { $orderby: GREW_MOST.$orderby })}>{texts.allChanges}</a>{' '}
            <a href={changesAddress(browse, FELL_MOST)}>{texts.fellMost}</a>
          </p>
        </>
      )}
    </section>
  );
}

/** The column with the name of each row, which links to the row's page. */
function textColumn(label: string, { browse: { resource, context }, shown }: ColumnStyle): Column<Row> {
  const name = browsedField(resource, resource.browsing?.name ?? '');
  const [names, keys] = [name && shown.get(name), shown.get(resource.key)];
  const path = resource.itemPath ?? '';
  return {
    label,
    heading: label,
    align: 'start',
    write: (row) => {
      const key = String(keys === undefined ? '' : row[keys.index]);
      const href = pageAddress(context, path.replace('{}', encodeURIComponent(key)));
      const text = names === undefined ? key : String(row[names.index] ?? key);
      return `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;
    },
  };
}

/** The address of the list of two periods, with the given filter and order. */
function changesAddress(
  { context, resource: { path } }: Browse,
  named: Readonly<Record<string, string>>,
): string {
  const { period, before } = overviewPeriods(context);
  const ofReader = context.parameters.filter(({ name }) => !isOfPeriods(name));
  return pageAddress({ ...context, parameters: ofReader }, path, [
    ...parametersOfPeriods(period, before),
    ...parametersNamed(named),
  ]);
}

/** The first rows of the list. Each has a bar for its hours over plan with their certainty. */
function FirstRows({ page, browse, below }: FirstRowsProps): Markup {
  const { rows } = page;
  const { resource, wording } = browse;
  const style: ColumnStyle = { browse, shown: shownFieldsOf(sectionsOf(page.outline)) };
  const hours = browsedField(resource, HOURS);
  const read = numberReader(hours, style.shown);
  const draw = barWriter(rows, read, marginReader(page, listPart(page, 'summed')));
  const figures = rowFigures(style, page, true).map((column) => {
    const plain = { ...column, heading: column.label, sorted: undefined };
    const isOfHours = column.label === hours?.heading[wording.language];
    return isOfHours ? { ...plain, write: (row: Row) => draw(row) + column.write(row) } : plain;
  });
  const name = nameColumn(style);
  return (
    <Table
      caption={fill(wording.texts.tableOf, resource.title[wording.language])}
      className="list figures"
      columns={[{ ...name, heading: name.label, sorted: undefined }, ...figures]}
      rows={rows}
      below={below}
    />
  );
}

/** The size of a bar in pixels, and where it begins: an interval may reach below zero. It is smaller on a narrow screen. */
const BAR = { width: 120, height: 12, zero: 20 };

/** Returns a function that draws the hours over plan of a row as a bar, with a line for their interval. */
function barWriter(
  rows: readonly Row[],
  read: (row: Row) => number | null,
  marginOf: (row: Row) => number | undefined,
): (row: Row) => string {
  const longest = Math.max(...rows.map((row) => (read(row) ?? 0) + (marginOf(row) ?? 0)));
  const at = (hours: number) =>
    Math.max(0, BAR.zero + Math.round(((BAR.width - BAR.zero) * hours) / longest));
  return (row) => {
    const hours = read(row);
    if (hours === null || longest <= 0) return '';
    const margin = marginOf(row);
    const line = margin === undefined ? '' : `M${at(hours - margin)} 6H${at(hours + margin)}`;
    return `<svg class="hours-bar" viewBox="0 0 ${BAR.width} ${BAR.height}" aria-hidden="true"><rect x="${BAR.zero}" y="1" height="10" width="${Math.max(0, at(hours) - BAR.zero)}"/><path d="${line}"/></svg>`;
  };
}
