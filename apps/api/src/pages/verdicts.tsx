import { browsedField, type Field, type TimeComparison } from '@takt/catalogue/resources';
import { escapeHtml, type Markup, ready } from '@takt/pages';
import type { DetailPage, WritingContext } from '../representations/writer.js';
import { isNotable } from './certainty.js';
import { exactFormat, sumFormat, timeFormat, withUnit } from './number-format.js';
import { objectPart } from './page-parts.js';
import { countText } from './pager.js';
import { periodBefore, periodText } from './period.js';
import { numberReader, type ShownFields, sectionsOf, shownFieldsOf } from './sections.js';
import { fill, type Wording, wordingOf } from './words.js';

interface VerdictsProps {
  readonly page: DetailPage;
  readonly comparisons: readonly TimeComparison[];
  readonly shown: ShownFields;
  readonly wording: Wording;
}

/**
 * A sentence for each kind of time that has a plan. It says how certain the difference from the plan is, and suggests a
 * plan.
 */
export function Verdicts(props: VerdictsProps): Markup | null {
  const sentences = props.comparisons.flatMap((comparison) => verdictText(comparison, props) ?? []);
  if (sentences.length === 0) return null;
  return (
    <ul class="verdicts">
      {sentences.map(({ verdict, text }) => (
        <li class={verdict}>{ready(text)}</li>
      ))}
    </ul>
  );
}

/** The time before the page's period. */
export interface Earlier {
  readonly period: string;
  readonly averageOf: (comparison: TimeComparison) => number | null;
}

/**
 * The averages of the time directly before the page's period. Returns undefined if no data about that time were found.
 */
export function earlierOf(before: DetailPage | undefined, context: WritingContext): Earlier | undefined {
  if (before === undefined) return undefined;
  const shown = shownFieldsOf(sectionsOf(before.outline));
  const period = periodText(before.resource, { ...context, parameters: periodBefore(context) ?? [] });
  return period === undefined
    ? undefined
    : { period, averageOf: ({ average }) => numberReader(average, shown)(before.row) };
}

/** One sentence with the averages before the period. It includes the verdicts on these averages, if there are any. */
export function Before({
  before,
  comparisons,
  context,
}: {
  readonly before: DetailPage;
  readonly comparisons: readonly TimeComparison[];
  readonly context: WritingContext;
}): Markup | null {
  const wording = wordingOf(context);
  const shown = shownFieldsOf(sectionsOf(before.outline));
  const sentences = comparisons.flatMap((comparison) => {
    const average = numberReader(comparison.average, shown)(before.row);
    if (average === null) return [];
    const field = verdictField(before, comparison);
    const verdict = verdictOf(before, field, shown);
    const words = verdict && field?.domain?.values[verdict]?.[wording.language];
    const hours = `${escapeHtml(comparison.heading[wording.language])} ${withUnit(timeFormat(wording)(average), wording)}`;
    return [words === undefined ? hours : `${hours} (${escapeHtml(words)})`];
  });
  const period = earlierOf(before, context)?.period;
  if (sentences.length === 0 || period === undefined) return null;
  return <p class="hint">{ready(fill(wording.texts.before, period, sentences.join(' · ')))}</p>;
}

/**
 * The smallest plan that has two decimals, in hours. A smaller suggestion is written with all its decimals, because two
 * decimals would show it as zero.
 */
const SMALLEST_PLAN = 0.01;

/**
 * The sentence with the verdict, as HTML. Returns undefined if there is no plan or no operation, or if the reader may
 * not see planned times.
 */
function verdictText(
  comparison: TimeComparison,
  { page, shown, wording }: VerdictsProps,
): { readonly verdict: string | undefined; readonly text: string } | undefined {
  const { resource, row } = page;
  const { texts, language } = wording;
  const number = (name: string) => numberReader(browsedField(resource, name), shown)(row);
  const verdict = verdictOf(page, verdictField(page, comparison), shown);
  const planned = numberReader(comparison.planned, shown)(row);
  const average = numberReader(comparison.average, shown)(row);
  if (verdict === undefined || planned === null || average === null) return undefined;
  const count = reportedCount(comparison, page);
  const [low, high] = [number(`${comparison.name}MeanLow`), number(`${comparison.name}MeanHigh`)];
  const format = timeFormat(
    wording,
    [[planned, average]],
    verdict === 'unsure'
      ? []
      : [
          [planned, low],
          [planned, high],
        ],
  );
  const inHours = sumFormat(wording);
  const isTiny = wording.timeUnit === 'h' && average < SMALLEST_PLAN;
  const suggested = isTiny ? exactFormat(wording)(average) : format(average);
  const values = [
    escapeHtml(comparison.heading[language]),
    withUnit(format(average), wording),
    withUnit(format(planned), wording),
    low === null ? '' : format(low),
    high === null ? '' : withUnit(format(high), wording),
    count === undefined ? '' : countText(count, language),
    withUnit(suggested, wording),
  ];
  const kind = textKind({ verdict, count, isAsPlanned: inHours(average) === inHours(planned) });
  const percent = number(`${comparison.name}OverPlanPercent`);
  const isMarked = kind === 'sure' && (percent === null || isNotable(percent));
  return { verdict: isMarked ? verdict : undefined, text: fill(texts[kind], ...values) };
}

const verdictField = ({ resource }: DetailPage, { name }: TimeComparison) =>
  browsedField(resource, `${name}Verdict`);

/**
 * The key of the verdict. Returns undefined if there is no plan or no operation, or if the reader may not see planned
 * times.
 */
function verdictOf({ row }: DetailPage, field: Field | undefined, shown: ShownFields): string | undefined {
  const index = field && shown.get(field)?.index;
  const verdict = index === undefined ? null : row[index];
  return typeof verdict === 'string' ? verdict : undefined;
}

interface VerdictFacts {
  readonly verdict: string;
  readonly count: number | undefined;
  /** True if average and plan are equal after rounding to two decimals. Plans are entered with two decimals. */
  readonly isAsPlanned: boolean;
}

function textKind({ verdict, count, isAsPlanned }: VerdictFacts): 'asPlanned' | 'sure' | 'tooFew' | 'unsure' {
  if (count !== undefined && count < FEWEST) return 'tooFew';
  if (verdict === 'unsure') return 'unsure';
  return isAsPlanned ? 'asPlanned' : 'sure';
}

/** The minimum number of operations that is needed for a verdict. */
const FEWEST = 5;

/**
 * The number of operations that reported this time, including operations that have been pruned since. undefined if the
 * distribution is unknown.
 */
function reportedCount({ kind }: TimeComparison, page: DetailPage): number | undefined {
  const distribution = objectPart(page, `distribution ${kind}`);
  if (distribution === undefined) return undefined;
  return (
    (distributionNumber(distribution, 'Count') ?? 0) + (distributionNumber(distribution, 'CountPruned') ?? 0)
  );
}

/** Reads a number of a distribution by the name of its field; null if the number is missing. */
export function distributionNumber({ outline, row }: DetailPage, name: string): number | null {
  const node = outline.find((one) => one.kind === 'field' && one.field.name === name);
  const value = node?.kind === 'field' ? row[node.index] : null;
  return typeof value === 'number' ? value : null;
}
