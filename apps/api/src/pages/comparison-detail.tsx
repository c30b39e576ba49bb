import { type Column, escapeHtml, type Markup, Table } from '@takt/pages';
import { type Resource, type TimeComparison, type TimeFigure, timeFigures } from '@takt/resources';
import type { Row } from '../representations/page.js';
import { drawComparison, Legend, scaleEndOf } from './comparison-drawing.js';
import type { ShownFields } from './sections.js';
import { formatsOf, markOf, NOTABLE_PERCENT, numberReader, planField, timesReader } from './time-columns.js';
import type { Wording } from './words.js';
import { exactFormat, signedText } from './write-value.js';

interface ComparisonDetailProps {
  readonly resource: Resource;
  readonly comparisons: readonly TimeComparison[];
  readonly shown: ShownFields;
  readonly row: Row;
  readonly wording: Wording;
}

/** What a figure of a comparison is called, and how it is written. */
interface Figure {
  readonly label: string;
  readonly read: (comparison: TimeComparison) => number | null;
  readonly format: (value: number) => string;
  /** From here on it is marked; undefined: it has no sign. */
  readonly threshold?: number;
}

/** Plan beside actual: a row for each kind of time, with every figure in full. */
export function ComparisonDetail(props: ComparisonDetailProps): Markup | null {
  const { comparisons, shown, row, wording } = props;
  const { texts, language } = wording;
  const times = new Map(comparisons.map((one) => [one, timesReader(one, shown)(row)]));
  const figures = figuresOf(props).filter(({ read }) => comparisons.some((one) => read(one) !== null));
  if (figures.length === 0) return null;
  const scaleEnd = scaleEndOf(times.values());
  const columns: readonly Column<TimeComparison>[] = [
    {
      heading: texts.kindOfTime,
      label: texts.kindOfTime,
      align: 'start',
      write: ({ heading }) => `<b>${escapeHtml(heading[language])}</b>`,
    },
    ...figures.map((figure) => figureColumn(figure)),
    {
      heading: texts.drawing,
      label: '',
      align: 'start',
      write: (one) => drawComparison(times.get(one) ?? NOTHING, scaleEnd),
    },
  ];
  return (
    <section class="plain">
      <h2>{texts.planAndActual}</h2>
      <Table caption={texts.planAndActual} className="list figures" columns={columns} rows={comparisons} />
      <div class="notes">
        <Legend wording={wording} />
        <p class="hint">
          <b>{texts.deviation}</b>: {texts.deviationHelp}
        </p>
      </div>
    </section>
  );
}

const NOTHING = { planned: null, average: null, shortest: null, longest: null, deviation: null };

function figureColumn({ label, read, format, threshold }: Figure): Column<TimeComparison> {
  return {
    heading: label,
    label,
    align: 'end',
    write: (comparison) => {
      const value = read(comparison);
      return value === null ? '' : format(value);
    },
    markOf: threshold === undefined ? undefined : (comparison) => markOf(read(comparison), threshold),
  };
}

function figuresOf({ resource, shown, row, wording }: ComparisonDetailProps): readonly Figure[] {
  const { texts } = wording;
  const exact = exactFormat(wording);
  const time = (figure: TimeFigure): Figure => ({
    label: texts[figure],
    read: (comparison) => numberReader(comparison[figure], shown)(row),
    format: exact,
  });
  const ofPlan = (figure: Parameters<typeof planField>[2]) => (comparison: TimeComparison) =>
    numberReader(planField(resource, comparison, figure), shown)(row);
  const [planned, average, deviation, shortest, longest] = timeFigures.map(time);
  return [
    planned,
    average,
    { label: texts.difference, read: ofPlan('difference'), format: signedText(exact), threshold: 0 },
    {
      label: texts.overPlan,
      read: ofPlan('percent'),
      format: formatsOf(wording).percent,
      threshold: NOTABLE_PERCENT,
    },
    { label: texts.hoursOverPlan, read: ofPlan('hours'), format: signedText(exact), threshold: 0 },
    shortest,
    longest,
    deviation,
  ].filter((figure) => figure !== undefined);
}
