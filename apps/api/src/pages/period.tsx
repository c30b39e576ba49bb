import { leavesOf, type Resource } from '@takt/catalogue/resources';
import { type Markup, ready } from '@takt/pages';
import { canonicalName, FORM_PARAMETER, type QueryParameter } from '@takt/query';
import { type Language, languageTag } from '@takt/texts';
import type { WritingContext } from '../representations/writer.js';
import { joinConditions, readConditions } from './browse.js';
import { monthNumberAt } from './local-time.js';
import {
  type Changes,
  FIRST_PAGE,
  formAddress,
  HiddenInputs,
  ownAddress,
  parametersNamed,
  writtenIn,
} from './own-links.js';
import { fill, wordings } from './words.js';

export interface Period {
  /** First and last month of the period, as `yyyy-MM`. A month is empty if the period has no start or no end. */
  readonly from: string;
  readonly to: string;
}

const periodOf = (context: WritingContext): Period => ({
  from: writtenIn(context, 'from').trim(),
  to: writtenIn(context, 'to').trim(),
});

const comparedOf = (context: WritingContext): Period => ({
  from: writtenIn(context, 'comparefrom').trim(),
  to: writtenIn(context, 'compareto').trim(),
});

const isGiven = ({ from, to }: Period): boolean => from !== '' || to !== '';
const isSame = (one: Period, other: Period): boolean => one.from === other.from && one.to === other.to;

interface PeriodFormProps {
  readonly resource: Resource;
  readonly context: WritingContext;
}

/**
 * A form to choose the months whose figures the page shows. Common periods are links; other periods are entered in two
 * fields. null if the resource has no periods.
 */
export function PeriodForm({ resource, context }: PeriodFormProps): Markup | null {
  if (resource.inPeriod === undefined) return null;
  const { texts } = wordings[context.language];
  const shown = periodOf(context);
  const now = monthNumberAt(context, context.readAt);
  const quarter = now - (now % 3);
  const offered: readonly (readonly [string, Period])[] = [
    [texts.allMonths, { from: '', to: '' }],
    [texts.thisMonth, { from: monthOf(now), to: monthOf(now) }],
    [texts.previousMonth, { from: monthOf(now - 1), to: monthOf(now - 1) }],
    [texts.thisQuarter, { from: monthOf(quarter), to: monthOf(now) }],
    [texts.previousQuarter, { from: monthOf(quarter - 3), to: monthOf(quarter - 1) }],
    [texts.lastYear, { from: monthOf(now - 11), to: monthOf(now) }],
    [texts.thisYear, { from: monthOf(now - (now % 12)), to: monthOf(now) }],
  ];
  const words = periodText(resource, context);
  const compared = comparedText(resource, context);
  const summary =
    compared === undefined ? words : fill(texts.comparedWith, words ?? texts.allMonths, compared);
  const asksToCompare = resource.inPeriod.compared !== undefined;
  const none = { from: '', to: '' };
  const cleared = { ...changesTo(none), ...(asksToCompare ? comparisonTo(none) : {}) };
  return (
    <details class="help period">
      <summary>
        <span class="vh">{texts.period}: </span>
        {ready(summary ?? texts.allMonths)}
      </summary>
      <form class="quick" method="get" action={formAddress(context)}>
        <HiddenInputs context={context} changes={{ ...cleared, [FORM_PARAMETER]: 'period' }} />
        <ul>
          {offered.map(([label, period]) => (
            <li>
              <a
                href={ownAddress(context, changesTo(period))}
                aria-current={isSame(period, shown) ? 'true' : undefined}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
        <MonthField name="from" label={texts.firstMonth} value={shown.from} />
        <MonthField name="to" label={texts.lastMonth} value={shown.to} />
        {asksToCompare && <ComparisonFields resource={resource} context={context} />}
        <button type="submit">{texts.apply}</button>
      </form>
    </details>
  );
}

/**
 * The part of the form that chooses the months to compare with. The time before the period is also offered as a link.
 */
function ComparisonFields({ resource, context }: PeriodFormProps): Markup {
  const { texts } = wordings[context.language];
  const [compared, before] = [comparedOf(context), timeBefore(periodOf(context))];
  const offered: readonly (readonly [string, Period])[] = [
    ...(before === undefined ? [] : [[texts.timeBefore, before] as const]),
    ...(isGiven(compared) ? [[texts.noComparison, { from: '', to: '' }] as const] : []),
  ];
  const uncompared = withoutComparison(resource, context.parameters);
  return (
    <fieldset>
      <legend>{texts.compareWith}</legend>
      {offered.length > 0 && (
        <ul>
          {offered.map(([label, period]) => (
            <li>
              <a
                href={ownAddress(context, {
                  ...comparisonTo(period),
                  ...(isGiven(period) ? {} : uncompared),
                })}
                aria-current={isGiven(period) && isSame(period, compared) ? 'true' : undefined}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
      <MonthField name="compareFrom" label={texts.firstMonth} value={compared.from} />
      <MonthField name="compareTo" label={texts.lastMonth} value={compared.to} />
    </fieldset>
  );
}

/**
 * For a list without a second period, the changes of parameters that remove all fields of the second period from the
 * filter and the order.
 */
export function withoutComparison(resource: Resource, parameters: readonly QueryParameter[]): Changes {
  if (resource.kind !== 'list') return {};
  const leaves = leavesOf(resource.inPeriod?.compared?.added ?? []);
  const names = leaves.map(({ node }) => node.name.toLowerCase());
  const isOfSecond = (text: string) => names.some((name) => text.toLowerCase().includes(name));
  const writtenAs = (wanted: string) =>
    parameters.find(({ name }) => canonicalName(name) === wanted)?.value ?? '';
  const remaining = readConditions(resource, writtenAs('$filter')).filter(({ text }) => !isOfSecond(text));
  const [filter, order] = [joinConditions(remaining.map(({ text }) => text)), writtenAs('$orderby')];
  return { $filter: filter || undefined, $orderby: isOfSecond(order) ? undefined : order || undefined };
}

/** A field for a month. In a browser without a month picker it is a text field, whose title describes the format. */
function MonthField({ name, label, value }: Readonly<Record<'name' | 'label' | 'value', string>>): Markup {
  return (
    <label>
      {label} <input type="month" name={name} value={value} title="2025-04" />
    </label>
  );
}

const changesTo = ({ from, to }: Period) => ({ ...FIRST_PAGE, from: from || undefined, to: to || undefined });
const comparisonTo = ({ from, to }: Period) => ({
  ...FIRST_PAGE,
  comparefrom: from || undefined,
  compareto: to || undefined,
});

/**
 * HTML: the period of a page in words. It is marked as open while its last month is not over. undefined if the page has
 * no period.
 */
export function periodText(resource: Resource, context: WritingContext): string | undefined {
  const period = periodOf(context);
  if (resource.inPeriod === undefined || !isGiven(period)) return undefined;
  return textOf(period, context);
}

/** The period with which the page compares, in words; undefined if there is no such period. */
export function comparedText(resource: Resource, context: WritingContext): string | undefined {
  const { compared } = periodsOf(resource, context);
  return compared && textOf(compared, context);
}

/** HTML: a period in words. It is marked as open while its last month is not over. */
export function textOf(period: Period, context: WritingContext): string {
  const words = periodWords(period, context.language);
  const isUnfinished = isOpen(period, monthNumberAt(context, context.readAt));
  return isUnfinished ? `${words} (${wordings[context.language].texts.openMonth})` : words;
}

/** HTML: a period in words. */
export function periodWords({ from, to }: Period, language: Language): string {
  const { texts } = wordings[language];
  const [first, last] = [monthText(from, language), monthText(to, language)];
  if (from === to) return first;
  if (from === '') return fill(texts.untilMonth, last);
  return to === '' ? fill(texts.sinceMonth, first) : fill(texts.fromTo, first, last);
}

/** True while the last month of the period is not over. */
function isOpen({ from, to }: Period, now: number): boolean {
  const month = monthOf(now);
  return from <= month && (to === '' || to >= month);
}

/**
 * The parameters that set the time before the page's period. This time has as many months as the period; if the period
 * has no last month, it consists of all earlier months. Returns undefined if the period has no first month.
 */
export function periodBefore(context: WritingContext): readonly QueryParameter[] | undefined {
  const before = timeBefore(periodOf(context));
  return before && parametersOfPeriods(before);
}

/** The period of a page, and the one with which the page compares; undefined if it does not compare. */
export function periodsOf(
  resource: Resource,
  context: WritingContext,
): { readonly period: Period; readonly compared: Period | undefined } {
  const compared = comparedOf(context);
  const isComparing = resource.inPeriod?.compared !== undefined && isGiven(compared);
  return { period: periodOf(context), compared: isComparing ? compared : undefined };
}

/** The periods of an overview. */
export interface OverviewPeriods {
  /** The months of the chart. */
  readonly shown: Period;
  /** The period that the overview compares with the time before it. */
  readonly period: Period;
  readonly before: Period;
}

/** The maximum number of months in the chart of an overview. */
const MOST_MONTHS = 36;
/** The number of months in the chart of an overview without a period. */
const MONTHS_OF_YEAR = 12;

/**
 * The periods of an overview: the period of the page, or its last month if it has no first month. Without a period, the
 * overview compares the last month that is over, because an unfinished month looks better than it is.
 */
export function overviewPeriods(context: WritingContext): OverviewPeriods {
  const { from, to } = periodOf(context);
  const now = monthNumberAt(context, context.readAt);
  if (from === '') {
    const last = to === '' ? now - 1 : monthNumber(to);
    const end = Math.max(last, to === '' ? now : last);
    return {
      shown: { from: monthOf(end - MONTHS_OF_YEAR + 1), to: monthOf(end) },
      period: { from: monthOf(last), to: monthOf(last) },
      before: { from: monthOf(last - 1), to: monthOf(last - 1) },
    };
  }
  const last = to === '' ? Math.max(now, monthNumber(from)) : monthNumber(to);
  const length = last - monthNumber(from) + 1;
  const begin = Math.max(monthNumber(from) - length, last - MOST_MONTHS + 1);
  return {
    shown: { from: monthOf(begin), to: monthOf(last) },
    period: { from, to: monthOf(last) },
    before: { from: monthOf(monthNumber(from) - length), to: monthOf(monthNumber(from) - 1) },
  };
}

/** The parameters of a list of a period, compared with another period if there is one. */
export function parametersOfPeriods({ from, to }: Period, compared?: Period): readonly QueryParameter[] {
  return parametersNamed({ from, to, compareFrom: compared?.from ?? '', compareTo: compared?.to ?? '' });
}

/** The names of the months of a period that has a first and a last month. */
export function monthsBetween({ from, to }: Period): readonly string[] {
  const [first, last] = [monthNumber(from), monthNumber(to)];
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => monthOf(first + index));
}

function timeBefore({ from, to }: Period): Period | undefined {
  if (from === '') return undefined;
  const months = to === '' ? 0 : monthNumber(to) - monthNumber(from) + 1;
  return {
    from: months === 0 ? '' : monthOf(monthNumber(from) - months),
    to: monthOf(monthNumber(from) - 1),
  };
}

/** True if the page is limited to a period. */
export const hasPeriod = (context: WritingContext): boolean => isGiven(periodOf(context));

interface NewestMonthProps {
  /** The newest month with data, as `yyyy-MM`. */
  readonly month: string;
  readonly context: WritingContext;
}

/** A link to the newest month with data. null if that month is in the period of the page, so that it is empty too. */
export function NewestMonth({ month, context }: NewestMonthProps): Markup | null {
  const { from, to } = periodOf(context);
  if (from <= month && (to === '' || month <= to)) return null;
  const { texts } = wordings[context.language];
  const address = ownAddress(context, changesTo({ from: month, to: month }));
  return <a href={address}>{fill(texts.newestDataOf, monthText(month, context.language))}</a>;
}

/** The number of months since the year 0. */
const monthNumber = (month: string) => 12 * Number(month.slice(0, 4)) + Number(month.slice(5)) - 1;
const monthOf = (number: number) =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;

const formats = new Map<Language, Intl.DateTimeFormat>();

/** A month in words; empty if the month is invalid, which an error page explains. */
function monthText(month: string, language: Language): string {
  const instant = Date.parse(`${month}-01T00:00:00Z`);
  if (Number.isNaN(instant)) return '';
  const known = formats.get(language);
  const format =
    known ??
    new Intl.DateTimeFormat(languageTag(language), { month: 'long', year: 'numeric', timeZone: 'UTC' });
  formats.set(language, format);
  return format.format(instant);
}
