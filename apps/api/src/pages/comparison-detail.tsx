import { browsedField, type TimeComparison } from '@takt/catalogue/resources';
import { type Column, escapeHtml, type Markup, Table } from '@takt/pages';
import type { DetailPage } from '../representations/writer.js';
import { markReader } from './certainty.js';
import { DeviationNote, drawComparison, Legend, NOTHING_DRAWN, scaleEndOf } from './comparison-drawing.js';
import {
  exactFormat,
  type FormatNumber,
  percentText,
  signedText,
  sumFormat,
  timeFormat,
} from './number-format.js';
import { objectPart } from './page-parts.js';
import { numberReader, type ShownFields } from './sections.js';
import {
  type ComparedFigure,
  comparedFigures,
  comparesWithPlan,
  figureColumn,
  figureField,
  figureLabel,
  showsPlan,
  styleOf,
  timesReader,
} from './time-columns.js';
import { distributionNumber } from './verdicts.js';
import { fill, unitName, type Wording } from './words.js';

interface ComparisonDetailProps {
  readonly page: DetailPage;
  readonly comparisons: readonly TimeComparison[];
  readonly shown: ShownFields;
  readonly wording: Wording;
}

/**
 * A table with a row for each kind of time. A row shows planned and actual time, or only the actual time if the page
 * shows no plan. Figures have two decimals; the title of a figure contains all its decimals.
 */
export function ComparisonDetail(props: ComparisonDetailProps): Markup | null {
  const { page, comparisons, shown, wording } = props;
  const { resource, row } = page;
  const { texts, language } = wording;
  const times = new Map(comparisons.map((one) => [one, timesReader(one, shown)(row)]));
  const time = timeFormat(
    wording,
    [...times.values()].map(({ planned, average }) => [planned, average]),
  );
  const sum = signedText(sumFormat(wording));
  const markOf = (one: TimeComparison) => markReader(resource, one, shown)?.(row) ?? '';
  const formatOf = (figure: ComparedFigure) => {
    if (styleOf(figure) === 'percent') return titled(percentText(wording), wording, ' %');
    if (figure === 'hours') return titled(sum, wording);
    return titled(figure === 'difference' ? signedText(time) : time, wording);
  };
  const numberOf = (name: string) => numberReader(browsedField(resource, name), shown)(row);
  const figures = comparedFigures
    .map((figure) => ({
      figure,
      label: figureLabel(figure, wording),
      format: formatOf(figure),
      markOf: comparesWithPlan(figure) ? markOf : undefined,
      read: (one: TimeComparison) => numberReader(figureField(resource, one, figure), shown)(row),
    }))
    .filter(({ read }) => comparisons.some((one) => read(one) !== null));
  if (figures.length === 0) return null;
  const scaleEnd = scaleEndOf(times.values());
  const confidenceColumns: readonly Column<TimeComparison>[] = [
    {
      heading: texts.interval,
      label: texts.interval,
      align: 'end',
      write: ({ name }: TimeComparison) => {
        const bounds = [numberOf(`${name}MeanLow`), numberOf(`${name}MeanHigh`)];
        const [low, high] = bounds.map((bound) => (bound === null ? undefined : formatOf('average')(bound)));
        return low === undefined || high === undefined
          ? ''
          : `<span class="interval">${low}&ndash;<wbr>${high}</span>`;
      },
    },
    figureColumn<TimeComparison>({
      label: texts.median,
      format: formatOf('average'),
      read: ({ kind }) => {
        const distribution = objectPart(page, `distribution ${kind}`);
        return distribution === undefined ? null : distributionNumber(distribution, 'Percentile50');
      },
    }),
  ];
  const confidence = confidenceColumns.filter(({ write }) => comparisons.some((one) => write(one) !== ''));
  const columns: readonly Column<TimeComparison>[] = [
    {
      heading: texts.kindOfTime,
      label: texts.kindOfTime,
      align: 'start',
      write: ({ heading }) => `<b>${escapeHtml(heading[language])}</b>`,
    },
    ...figures.flatMap(({ figure, ...column }) => [
      figureColumn(column),
      ...(figure === 'average' ? confidence : []),
    ]),
    {
      heading: <span class="vh">{texts.drawing}</span>,
      label: '',
      align: 'start',
      write: (one) => drawComparison(times.get(one) ?? NOTHING_DRAWN, scaleEnd),
    },
  ];
  const withPlan = showsPlan(comparisons, shown);
  const heading = fill(withPlan ? texts.planAndActual : texts.actualTimes, unitName(wording));
  return (
    <section class="plain">
      <h2>{heading}</h2>
      <Table caption={heading} className="list figures" columns={columns} rows={comparisons} />
      <div class="notes">
        <Legend wording={wording} withPlan={withPlan} />
        <DeviationNote wording={wording} />
      </div>
    </section>
  );
}

function titled(format: FormatNumber, wording: Wording, unit = ' h'): FormatNumber {
  const exact = exactFormat(wording);
  return (value) => `<span title="${exact(value)}${unit}">${format(value)}</span>`;
}
