import type { TimeComparison } from '@takt/catalogue/resources';
import {
  type ChartedMonth,
  type Column,
  escapeHtml,
  type Level,
  type Markup,
  MonthChart,
  Table,
} from '@takt/pages';
import { languageTag } from '@takt/texts';
import type { DetailPage, Row } from '../representations/writer.js';
import { DistributionChart } from './distribution-chart.js';
import { plainFormat, signedText, sumFormat, timeFormat } from './number-format.js';
import { objectPart } from './page-parts.js';
import { fieldsIn, numberReader, type ShownCollection, type ShownFields, sectionsOf } from './sections.js';
import { figureColumn, showsPlan } from './time-columns.js';
import type { Earlier } from './verdicts.js';
import { fill, type Wording } from './words.js';

interface MonthChartsProps {
  readonly page: DetailPage;
  readonly comparisons: readonly TimeComparison[];
  readonly months: ShownCollection;
  readonly shown: ShownFields;
  readonly wording: Wording;
  readonly timeZone: string;
  /** The averages in the time before the page's period; absent if there are none. */
  readonly earlier?: Earlier | undefined;
}

/** Draws a chart for each kind of time. It shows the figures of each month and the plan. */
export function MonthCharts(props: MonthChartsProps): Markup | null {
  const { page, comparisons, months, shown, wording, timeZone, earlier } = props;
  const { row } = page;
  const distributionOf = ({ kind }: TimeComparison) => objectPart(page, `distribution ${kind}`);
  const { texts, language } = wording;
  const items = rowsOf(row[months.index]);
  const charts = comparisons
    .map((comparison) => ({ comparison, charted: chartedMonths(comparison, months, items) }))
    .filter(({ charted }) => charted.some(({ average }) => average !== null));
  if (charts.length === 0) return null;
  const inMonths = fill(texts.chartHelp, timeZone);
  const help = [
    inMonths,
    ...(showsPlan(comparisons, shown) ? [texts.chartPlanHelp] : []),
    ...(earlier === undefined ? [] : [fill(texts.chartBeforeHelp, earlier.period)]),
  ].join(' ');
  const format = new Intl.DateTimeFormat(languageTag(language), {
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return (
    <section class="plain">
      <h2>{texts.byMonth}</h2>
      <div class="charts">
        {charts.flatMap(({ comparison, charted }) => {
          const planned = numberReader(comparison.planned, shown)(row);
          const distribution = distributionOf(comparison);
          return [
            <figure>
              <figcaption>
                {comparison.heading[language]} ({wording.timeUnit})
              </figcaption>
              <section class="drawn" tabindex={0} aria-label={comparison.heading[language]}>
                <MonthChart
                  id={`months-${comparison.name}`}
                  title={fill(texts.chartTitle, comparison.heading[language])}
                  description={help}
                  months={charted}
                  levels={levelsOf(planned, earlier?.averageOf(comparison) ?? null, texts)}
                  countLabel={texts.count}
                  formatNumber={plainFormat(wording)}
                  formatMonth={(month) => formatMonth(format, month)}
                  describeMonth={(month) => describeMonth(month, formatMonth(format, month.month), wording)}
                />
              </section>
            </figure>,
            distribution === undefined ? null : (
              <DistributionChart
                comparison={comparison}
                distribution={distribution}
                planned={planned}
                wording={wording}
              />
            ),
          ];
        })}
      </div>
      <p class="hint">
        {help} {comparisons.some(distributionOf) && texts.distributionHelp}
      </p>
      <MonthTable {...props} />
    </section>
  );
}

/** Formats a month such as `2024-01`. One beyond the calendar of Date, from before 1.1.0, stays as it is. */
function formatMonth(format: Intl.DateTimeFormat, month: string): string {
  const first = new Date(`${month}-01T00:00:00Z`);
  return Number.isNaN(first.getTime()) ? month : format.format(first);
}

/** The figures of a month, for the reader who points at it. */
function describeMonth(month: ChartedMonth, name: string, wording: Wording): string {
  const { texts } = wording;
  const time = plainFormat(wording);
  const figures = (['average', 'shortest', 'longest'] as const).flatMap((figure) => {
    const value = month[figure];
    return value === null ? [] : [`${texts[figure]} ${time(value)}`];
  });
  return `${name}: ${[...figures, `${texts.count} ${month.count}`].join(', ')}`;
}

/** The horizontal lines of a chart: the plan, and the average before the period. */
function levelsOf(planned: number | null, average: number | null, texts: Wording['texts']): readonly Level[] {
  return [
    ...(average === null ? [] : [{ value: average, label: texts.earlier, kind: 'earlier' } as const]),
    ...(planned === null ? [] : [{ value: planned, label: texts.planned, kind: 'plan' } as const]),
  ];
}

/**
 * Given the name of a field of the months, returns a function that reads this field. It can be used for every list of
 * months, because all these lists have the same fields.
 */
function monthReader({ item }: ShownCollection): (name: string | undefined) => (values: Row) => Row[number] {
  const fields = fieldsIn(sectionsOf(item().children));
  return (name) => {
    const found = fields.find(({ field }) => field.name === name);
    return (values) => (found === undefined ? null : (values[found.index] ?? null));
  };
}

function chartedMonths(
  comparison: TimeComparison,
  months: ShownCollection,
  items: readonly Row[],
): readonly ChartedMonth[] {
  const reader = monthReader(months);
  const number = (name: string | undefined) => {
    const read = reader(name);
    return (values: Row) => numberOrNull(read(values));
  };
  const [month, count] = [reader(MONTH), number(COUNT)];
  const average = number(comparison.average?.name);
  const shortest = number(comparison.shortest?.name);
  const longest = number(comparison.longest?.name);
  return items.map((values) => ({
    month: String(month(values)),
    count: count(values) ?? 0,
    average: average(values),
    shortest: shortest(values),
    longest: longest(values),
  }));
}

const MONTH = 'Month';
const COUNT = 'NumberOfCompletedProductionWorkOrders';

/** A table with the figures of the charts. It also shows the deviation, which the charts do not show. */
function MonthTable({
  page: { row },
  comparisons,
  months,
  wording,
}: Omit<MonthChartsProps, 'timeZone' | 'earlier'>): Markup {
  const { texts, language } = wording;
  const reader = monthReader(months);
  const [month, count] = [reader(MONTH), reader(COUNT)];
  const items = rowsOf(row[months.index]);
  const monthHeading = months.collection.heading[language];
  const columns: readonly Column<Row>[] = [
    {
      heading: monthHeading,
      label: monthHeading,
      align: 'start',
      write: (values) => `<b>${escapeHtml(String(month(values)))}</b>`,
    },
    figureColumn<Row>({
      label: texts.count,
      read: (values) => numberOrNull(count(values)) ?? 0,
      format: String,
    }),
    ...comparisons.flatMap((comparison) => monthColumns({ comparison, reader, items, wording })),
  ];
  return <Table caption={texts.byMonth} className="list fields months" columns={columns} rows={items} />;
}

interface MonthColumns {
  readonly comparison: TimeComparison;
  readonly reader: ReturnType<typeof monthReader>;
  readonly items: readonly Row[];
  readonly wording: Wording;
}

/** The columns for one kind of time: the figures of the month and, if there is a plan, the hours over plan. */
function monthColumns({ comparison, reader, items, wording }: MonthColumns): readonly Column<Row>[] {
  const { texts, language } = wording;
  const group = { heading: `${comparison.heading[language]} (${wording.timeUnit})` };
  const format = timeFormat(wording);
  const sum = signedText(sumFormat(wording));
  const column = (label: string, name: string | undefined, isSigned = false) => {
    const read = reader(name);
    return figureColumn<Row>({
      group,
      label,
      format: isSigned ? sum : format,
      read: (values) => numberOrNull(read(values)),
    });
  };
  const over = column(texts.hoursOverPlan, `${comparison.name}HoursOverPlan`, true);
  return [
    ...(['average', 'shortest', 'longest', 'deviation'] as const).map((figure) =>
      column(texts[figure], comparison[figure]?.name),
    ),
    ...(items.some((values) => over.write(values) !== '') ? [over] : []),
  ];
}

function numberOrNull(value: Row[number]): number | null {
  return typeof value === 'number' ? value : null;
}

function rowsOf(value: Row[number] | undefined): readonly Row[] {
  return Array.isArray(value) ? value.filter((item): item is Row => Array.isArray(item)) : [];
}
