import { browsedField, type TotalsTexts } from '@takt/catalogue/resources';
import { type Markup, ready } from '@takt/pages';
import type { ListPage, Totals } from '../representations/writer.js';
import { type Browse, conditionsBesides, filteredAddress } from './browse.js';
import { HOURS, marginOfList, markOfHours } from './certainty.js';
import { sizeOfPart } from './page-parts.js';
import { countText } from './pager.js';
import { comparedText, periodText } from './period.js';
import { numberReader, sectionsOf, shownFieldsOf } from './sections.js';
import { fill } from './words.js';

interface SentenceProps {
  readonly page: ListPage;
  readonly browse: Browse;
}

/** A sentence above a list. It states the totals of the list or, if these are unknown, summarises the view. */
export function Sentence({ page, browse }: SentenceProps): Markup | null {
  const totals = TotalsSentence({ page, browse });
  if (totals !== null || browse.view === undefined) return totals;
  return (
    <p class="summary">
      {browse.view.summary[browse.wording.language]} <Besides page={page} browse={browse} />
    </p>
  );
}

/** The number of rows in the other part of the view, as a link to these rows. */
function Besides({ page, browse }: SentenceProps): Markup | null {
  const besides = sizeOfPart(page, 'besides');
  const conditions = conditionsBesides(browse);
  const text = browse.view?.besides?.text;
  if (besides === undefined || conditions === undefined || text === undefined) return null;
  const { language } = browse.wording;
  return (
    <a href={filteredAddress(browse, conditions)}>{fill(text[language], countText(besides, language))}</a>
  );
}

interface TotalsProps extends SentenceProps {
  /** True if the page around the list has no period. Then the sentence says that it is about all months. */
  readonly isWithoutPeriod?: boolean;
}

/** The totals of the list in a sentence. Shown only if they are known and the list has more than one row. */
export function TotalsSentence({ page, browse, isWithoutPeriod = false }: TotalsProps): Markup | null {
  const texts = browse.resource.browsing?.totals;
  const sentence = texts === undefined ? undefined : totalsText(texts, page, browse);
  if (sentence === undefined) return null;
  const words = browse.wording.texts;
  const period =
    periodText(browse.resource, browse.context) ?? (isWithoutPeriod ? words.allMonths : undefined);
  const compared = comparedHours(page, browse);
  const hours = page.totals && totalOf(page.totals, HOURS);
  const isUnsure = markOfHours(hours ?? null, marginOfList(page)) === 'unsure';
  return (
    <p class="summary">
      {ready(
        [
          period === undefined ? sentence : `${period}: ${sentence}`,
          ...(isUnsure ? [words.chanceExplains] : []),
          ...(compared === undefined ? [] : [`${compared}.`]),
        ].join(' '),
      )}
    </p>
  );
}

/**
 * HTML: the hours over plan in the second period, with which the list is compared. undefined if there is no second
 * period.
 */
function comparedHours({ totals }: ListPage, { resource, context, wording }: Browse): string | undefined {
  const period = comparedText(resource, context);
  const hours = totals && totalOf(totals, 'ComparedHoursOverPlan');
  if (period === undefined || hours === undefined) return undefined;
  const rounded = Math.round(hours);
  const sign = rounded > 0 ? '+' : rounded < 0 ? '\u2212' : '';
  const count = countText(Math.abs(rounded), wording.language);
  return fill(wording.texts.comparedHours, period, `${sign}${count}`);
}

/** HTML: the totals. undefined if they are unknown, or if the list has only one row. */
function totalsText(texts: TotalsTexts, page: ListPage, browse: Browse): string | undefined {
  const { totals } = page;
  const { language, texts: words } = browse.wording;
  const rows = totals && totalOf(totals, 'NumberOfRows');
  if (totals === undefined || rows === undefined || rows < 2) return undefined;
  const hours = totalOf(totals, HOURS);
  if (hours === undefined) {
    const operations = totalOf(totals, 'NumberOfCompletedProductionWorkOrders') ?? 0;
    return `${fill(texts.completed[language], countText(operations, language), countText(rows, language))}.`;
  }
  const text = (hours < 0 ? texts.underPlan : texts.overPlan)[language];
  const sentence = fill(text, countText(Math.round(Math.abs(hours)), language), countText(rows, language));
  const percent = percentOfFirstTen(page, browse, { hours, count: rows });
  return percent === undefined ? `${sentence}.` : `${sentence}; ${fill(words.firstTen, percent)}.`;
}

const MANY = 10;

/**
 * The share of the first ten rows in all hours of the list, in percent. undefined if the page is not the first one, the
 * list has another order or at most ten rows, or the share rounds to 0 %.
 */
function percentOfFirstTen(
  { rows, outline, paging }: ListPage,
  { resource, order }: Browse,
  { hours, count }: { readonly hours: number; readonly count: number },
): number | undefined {
  const field = browsedField(resource, HOURS);
  const isLedByThem = paging.position === 1 && order?.field === field && order?.isDescending === true;
  if (!isLedByThem || hours <= 0 || rows.length < MANY || count <= MANY) return undefined;
  const read = numberReader(field, shownFieldsOf(sectionsOf(outline)));
  const first = rows.slice(0, MANY).reduce((sum, row) => sum + (read(row) ?? 0), 0);
  const percent = Math.round((100 * first) / hours);
  return percent === 0 ? undefined : percent;
}

function totalOf({ outline, row }: Totals, name: string): number | undefined {
  for (const node of outline) {
    if (node.kind !== 'field' || node.field.name !== name) continue;
    const value = row[node.index];
    return typeof value === 'number' ? value : undefined;
  }
  return undefined;
}
