import type { Resource } from '@takt/catalogue/resources';
import { type Markup, ready } from '@takt/pages';
import type { QueryParameter } from '@takt/query';
import { type Language, languageTag } from '@takt/texts';
import type { WritingContext } from '../representations/page.js';
import { FORM_PARAMETER } from './filter-forms.js';
import { monthNumberAt } from './local-time.js';
import { FIRST_PAGE, formAddress, HiddenInputs, ownAddress, writtenIn } from './own-links.js';
import { fill, wordings } from './words.js';

interface Period {
  /** Months, `yyyy-MM`; empty: the period has no such end. */
  readonly from: string;
  readonly to: string;
}

const periodOf = (context: WritingContext): Period => ({
  from: writtenIn(context, 'from').trim(),
  to: writtenIn(context, 'to').trim(),
});

/** The months of a page's figures: usual ones as links, any others in two fields. Nothing where the resource knows no period. */
export function PeriodForm({
  resource,
  context,
}: {
  readonly resource: Resource;
  readonly context: WritingContext;
}): Markup | null {
  if (resource.inPeriod === undefined) return null;
  const { texts } = wordings[context.language];
  const asked = periodOf(context);
  const now = monthNumberAt(context, context.readAt);
  const offered: readonly (readonly [string, Period])[] = [
    [texts.allMonths, { from: '', to: '' }],
    [texts.thisMonth, { from: monthOf(now), to: monthOf(now) }],
    [texts.lastMonths, { from: monthOf(now - 2), to: monthOf(now) }],
    [texts.thisYear, { from: monthOf(now - (now % 12)), to: monthOf(now) }],
  ];
  const words = periodText(resource, context);
  const noPeriod = changesTo({ from: '', to: '' });
  return (
    <details class="help period">
      <summary>{ready(words === undefined ? texts.period : `${texts.period}: ${words}`)}</summary>
      <form class="quick" method="get" action={formAddress(context)}>
        <HiddenInputs context={context} changes={{ ...noPeriod, [FORM_PARAMETER]: 'period' }} />
        <ul>
          {offered.map(([label, period]) => (
            <li>
              <a
                href={ownAddress(context, changesTo(period))}
                aria-current={period.from === asked.from && period.to === asked.to ? 'true' : undefined}
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
        <MonthField name="from" label={texts.firstMonth} value={asked.from} />
        <MonthField name="to" label={texts.lastMonth} value={asked.to} />
        <button type="submit">{texts.apply}</button>
      </form>
    </details>
  );
}

/** A browser without a calendar of months takes a text; the title shows its form. */
function MonthField({ name, label, value }: Readonly<Record<'name' | 'label' | 'value', string>>): Markup {
  return (
    <label>
      {label} <input type="month" name={name} value={value} title="2025-04" />
    </label>
  );
}

const changesTo = ({ from, to }: Period) => ({ ...FIRST_PAGE, from: from || undefined, to: to || undefined });

/** The period of a page in words, HTML, and that its last month is not over; undefined: none is asked for. */
export function periodText(resource: Resource, context: WritingContext): string | undefined {
  const period = periodOf(context);
  if (resource.inPeriod === undefined || (period.from === '' && period.to === '')) return undefined;
  const words = wordsOf(period, context.language);
  return isOpen(period, monthNumberAt(context, context.readAt))
    ? `${words} (${wordings[context.language].texts.openMonth})`
    : words;
}

function wordsOf({ from, to }: Period, language: Language): string {
  const { texts } = wordings[language];
  const [first, last] = [monthText(from, language), monthText(to, language)];
  if (from === to) return first;
  if (from === '') return fill(texts.untilMonth, last);
  return to === '' ? fill(texts.sinceMonth, first) : fill(texts.fromTo, first, last);
}

/** A period is open while its last month is not over. */
function isOpen({ from, to }: Period, now: number): boolean {
  const month = monthOf(now);
  return from <= month && (to === '' || to >= month);
}

/**
 * The parameters of the time before the period of a page: as many months, or all of them where the period has no last one;
 * undefined where it has no first.
 */
export function periodBefore(context: WritingContext): readonly QueryParameter[] | undefined {
  const { from, to } = periodOf(context);
  if (from === '') return undefined;
  const months = to === '' ? 0 : monthNumber(to) - monthNumber(from) + 1;
  return [
    ...(months === 0 ? [] : [{ name: 'from', value: monthOf(monthNumber(from) - months) }]),
    { name: 'to', value: monthOf(monthNumber(from) - 1) },
  ];
}

/** Months since the year 0. */
const monthNumber = (month: string) => 12 * Number(month.slice(0, 4)) + Number(month.slice(5)) - 1;
const monthOf = (number: number) =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}`;

const formats = new Map<Language, Intl.DateTimeFormat>();

/** Empty for a text that is no month: an error page says what is wrong with it. */
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
