import { browsedField, isOfPeriods, viewsOf } from '@takt/catalogue/resources';
import { type Bar, BarChart, type Column, escapeHtml, type Markup, Table } from '@takt/pages';
import { languageTag } from '@takt/texts';
import type { ListPage, Row } from '../representations/writer.js';
import { type Browse, viewParameters } from './browse.js';
import { type ColumnStyle, nameColumn } from './field-columns.js';
import { rowFigures } from './list-table.js';
import { asText, countFormat, type FormatNumber, signedText, sumFormat } from './number-format.js';
import { pageAddress } from './own-links.js';
import { listPart, MOST_CHANGED_FIRST } from './page-parts.js';
import { countText } from './pager.js';
import { monthsBetween, overviewPeriods, type Period, parametersOfPeriods, textOf } from './period.js';
import { numberReader, type ShownFields, sectionsOf, shownFieldsOf } from './sections.js';
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
      <p class="hint">{texts.certaintyOfHours}</p>
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
        <h2>{wording.texts.hoursByMonth}</h2>
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

const HOURS = 'HoursOverPlan';

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
  const columns = ['ComparedHoursOverPlan', HOURS, 'HoursOverPlanChange'].map((name, index) => {
    const field = browsedField(changes.resource, name);
    const label = [texts.earlier, texts.now, texts.change][index] ?? '';
    return figureColumn<Row>({
      label,
      read: numberReader(field, style.shown),
      format: signedText(sumFormat(wording)),
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
            <a href={changesAddress(browse)}>{texts.allChanges}</a>
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

/** The address of the list of two periods, of which the rows that grew most come first. */
function changesAddress({ context, resource: { path } }: Browse): string {
  const { period, before } = overviewPeriods(context);
  const ofReader = context.parameters.filter(({ name }) => !isOfPeriods(name));
  const order = { name: '$orderby', value: MOST_CHANGED_FIRST };
  return pageAddress({ ...context, parameters: ofReader }, path, [
    ...parametersOfPeriods(period, before),
    order,
  ]);
}

/** The first rows of the list. Each has a bar for its hours over plan with their certainty. */
function FirstRows({ page, browse, below }: FirstRowsProps): Markup {
  const { rows } = page;
  const { resource, wording } = browse;
  const style: ColumnStyle = { browse, shown: shownFieldsOf(sectionsOf(page.outline)) };
  const hours = browsedField(resource, HOURS);
  const read = numberReader(hours, style.shown);
  const marginOf = marginReader(page, style);
  const markOf = (row: Row) => {
    const margin = marginOf(row);
    return margin === undefined ? '' : margin < Math.abs(read(row) ?? 0) ? 'over' : 'unsure';
  };
  const draw = barWriter(rows, read, marginOf);
  const figures = rowFigures(style, rows, true).map((column) => {
    const plain = { ...column, heading: column.label, sorted: undefined };
    const isOfHours = column.label === hours?.heading[wording.language];
    return isOfHours ? { ...plain, markOf, write: (row: Row) => draw(row) + column.write(row) } : plain;
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

/**
 * Returns a function that gives half the width of the 95 % confidence interval of a row's hours over plan. A row sums up
 * other objects whose averages have intervals of their own. Their errors are independent, so the squares of their widths
 * add up. The average of a single operation has no interval, so all its hours over plan are uncertain. The function
 * returns undefined if not all objects of a row are known.
 */
function marginReader(page: ListPage, { shown }: ColumnStyle): (row: Row) => number | undefined {
  const { resource } = page;
  const summed = listPart(page, 'summed');
  const keyIndex = shown.get(resource.key)?.index;
  const countOf = numberReader(browsedField(resource, 'NumberOfStructureVersions'), shown);
  if (summed === undefined || keyIndex === undefined) return () => undefined;
  const ofSummed = shownFieldsOf(sectionsOf(summed.outline));
  const readParent = numberReader(browsedField(summed.resource, resource.opens?.field ?? ''), ofSummed);
  const errorsOf = errorReader(summed, ofSummed);
  return (row) => {
    const parts = summed.rows.filter((part) => readParent(part) === row[keyIndex]);
    if (parts.length === 0 || parts.length < (countOf(row) ?? 0)) return undefined;
    const errors = parts.flatMap(errorsOf);
    return (
      errors.reduce((sum, { unknown }) => sum + unknown, 0) +
      Math.sqrt(errors.reduce((sum, { margin }) => sum + margin ** 2, 0))
    );
  };
}

interface HoursError {
  /** Half the width of the interval of the hours over plan. */
  readonly margin: number;
  /** The size of hours over plan that have no interval. */
  readonly unknown: number;
}

/** Returns a function that gives the errors of the hours over plan of a row, one for each kind of time with a plan. */
function errorReader({ resource }: ListPage, shown: ShownFields): (row: Row) => readonly HoursError[] {
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

/** The size of a bar in pixels. On a narrow screen it is smaller. */
const BAR = { width: 120, height: 12 };

/** Returns a function that draws the hours over plan of a row as a bar, with a line for their interval. */
function barWriter(
  rows: readonly Row[],
  read: (row: Row) => number | null,
  marginOf: (row: Row) => number | undefined,
): (row: Row) => string {
  const longest = Math.max(...rows.map((row) => (read(row) ?? 0) + (marginOf(row) ?? 0)));
  const at = (hours: number) => Math.round((BAR.width * Math.max(0, hours)) / longest);
  return (row) => {
    const hours = read(row);
    if (hours === null || longest <= 0) return '';
    const margin = marginOf(row);
    const line = margin === undefined ? '' : `M${at(hours - margin)} 6H${at(hours + margin)}`;
    return `<svg class="hours-bar" viewBox="0 0 ${BAR.width} ${BAR.height}" aria-hidden="true"><rect y="1" height="10" width="${at(hours)}"/><path d="${line}"/></svg>`;
  };
}
