import type { Resource, TimeComparison } from '@takt/catalogue/resources';
import { type Column, escapeHtml, type Markup, Table } from '@takt/pages';
import type { Row } from '../representations/page.js';
import { DeviationNote, drawComparison, Legend, NOTHING_DRAWN, scaleEndOf } from './comparison-drawing.js';
import { exactFormat, percentText, type ShownFields, signedText } from './sections.js';
import {
  type ComparedFigure,
  comparedFigures,
  figureColumn,
  figureField,
  figureLabel,
  numberReader,
  showsPlan,
  thresholdOf,
  timesReader,
} from './time-columns.js';
import type { Wording } from './words.js';

interface ComparisonDetailProps {
  readonly resource: Resource;
  readonly comparisons: readonly TimeComparison[];
  readonly shown: ShownFields;
  readonly row: Row;
  readonly wording: Wording;
}

/** A row for each kind of time, with every figure in full: plan beside actual, or actual alone where the page shows no plan. */
export function ComparisonDetail(props: ComparisonDetailProps): Markup | null {
  const { resource, comparisons, shown, row, wording } = props;
  const { texts, language } = wording;
  const times = new Map(comparisons.map((one) => [one, timesReader(one, shown)(row)]));
  const exact = exactFormat(wording);
  const formatOf = (figure: ComparedFigure) => {
    if (figure === 'percent') return percentText(wording);
    return thresholdOf(figure) === undefined ? exact : signedText(exact);
  };
  const figures = comparedFigures
    .map((figure) => ({
      ...{ label: figureLabel(figure, wording), format: formatOf(figure), threshold: thresholdOf(figure) },
      read: (one: TimeComparison) => numberReader(figureField(resource, one, figure), shown)(row),
    }))
    .filter(({ read }) => comparisons.some((one) => read(one) !== null));
  if (figures.length === 0) return null;
  const scaleEnd = scaleEndOf(times.values());
  const columns: readonly Column<TimeComparison>[] = [
    {
      ...{ heading: texts.kindOfTime, label: texts.kindOfTime, align: 'start' },
      write: ({ heading }) => `<b>${escapeHtml(heading[language])}</b>`,
    },
    ...figures.map(figureColumn),
    {
      ...{ heading: texts.drawing, label: '', align: 'start' },
      write: (one) => drawComparison(times.get(one) ?? NOTHING_DRAWN, scaleEnd),
    },
  ];
  const withPlan = showsPlan(comparisons, shown);
  const heading = withPlan ? texts.planAndActual : texts.actualTimes;
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
