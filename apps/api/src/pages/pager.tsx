import { expandableNodesOf } from '@takt/catalogue/resources';
import { type Markup, Pager, type WithChildren } from '@takt/pages';
import { type Language, timeUnits } from '@takt/texts';
import type { ListPage, PageLink, WritingContext } from '../representations/writer.js';
import { countFormat } from './number-format.js';
import {
  allColumns,
  type Changes,
  FIRST_PAGE,
  ownAddress,
  shownColumns,
  UNIT,
  writtenIn,
} from './own-links.js';
import { fill, wordings } from './words.js';

interface PagerProps {
  readonly page: ListPage;
  readonly context: WritingContext;
}

/** Shows the position of the page in the list, with links to the first, the previous, the next and the last page. */
export function ListPager({ page, context }: PagerProps): Markup {
  const { first, previous, next, last } = page.paging;
  // $skip is removed, because it must not be combined with a page key.
  const addressOf = (to: PageLink | null) =>
    to === null ? undefined : ownAddress(context, { $pageKey: to.key, $skip: undefined });
  return (
    <Pager
      language={context.language}
      position={placeOf(page, context)}
      first={addressOf(previous && first)}
      previous={addressOf(previous)}
      next={addressOf(next)}
      last={addressOf(next && last)}
    />
  );
}

/**
 * HTML: the range of rows on the page and, if rows were counted, their number and the number of the page. The dash is a
 * character reference: if the page contained a single character above U+00FF, the whole page would take two bytes per
 * character in memory until it is sent.
 */
function placeOf({ paging, rows }: ListPage, { language }: WritingContext): string {
  if (rows.length === 0) return '';
  const { texts } = wordings[language];
  const { position, size, moreThan, page, pageSize } = paging;
  const to = position + rows.length - 1;
  if (moreThan !== undefined) {
    return fill(texts.rowsOf, position, to, fill(texts.moreThan, countText(moreThan, language)));
  }
  if (size === undefined) return fill(texts.rows, position, to);
  const count = countText(size, language);
  return `${fill(texts.pageOf, page, Math.ceil(size / pageSize))} · ${fill(texts.rowsOf, position, to, count)}`;
}

export function countText(count: number, language: Language): string {
  return countFormat(wordings[language])(count);
}

/** The numbers of rows per page that a person can choose. Numbers above the resource's maximum are not offered. */
const PAGE_SIZES = [10, 20, 40, 80];

/** Shows the number of rows per page, with links that set other numbers. */
export function PageSizes({ page: { resource, paging }, context }: PagerProps): Markup {
  const { texts } = wordings[context.language];
  const sizes = PAGE_SIZES.filter((size) => size <= resource.maximumPageSize);
  const isCapped = Number(writtenIn(context, '$top')) > resource.maximumPageSize;
  return (
    <Choice
      label={texts.pageSize}
      values={sizes}
      chosen={paging.pageSize}
      hrefOf={(size) => ownAddress(context, { ...FIRST_PAGE, $top: String(size) })}
    >
      {isCapped && <p>{fill(texts.mostRows, resource.maximumPageSize)}</p>}
    </Choice>
  );
}

/** Shows the unit of times, with links that choose another one for all pages. */
export function UnitChoice({ context }: Pick<PagerProps, 'context'>): Markup {
  return (
    <Choice
      label={wordings[context.language].texts.timesIn}
      values={timeUnits}
      chosen={context.timeUnit}
      hrefOf={(unit) => ownAddress(context, { [UNIT]: unit })}
    />
  );
}

interface ChoiceProps<Value> extends WithChildren {
  readonly label: string;
  readonly values: readonly Value[];
  readonly chosen: Value;
  readonly hrefOf: (value: Value) => string;
}

/** Links to the same page with other values of a parameter. */
function Choice<Value extends string | number>(props: ChoiceProps<Value>): Markup {
  const { label, values, chosen, hrefOf, children } = props;
  return (
    <nav class="sizes" aria-label={label}>
      <p>{label}</p>
      <ul>
        {values.map((value) => (
          <li>
            <a href={hrefOf(value)} aria-current={value === chosen ? 'true' : undefined}>
              {value}
            </a>
          </li>
        ))}
      </ul>
      {children}
    </nav>
  );
}

/**
 * Changes of parameters for the address of a file. They remove everything that selects a page, because a file contains
 * the whole list.
 */
const WHOLE_LIST = { ...FIRST_PAGE, $top: undefined, $inlinecount: undefined };

/**
 * Links to the whole list as a file, either with the columns of the page or with all columns. Numbers in the file are
 * written as spreadsheets expect them in the reader's language.
 */
export function Exports({ page: { resource }, context }: PagerProps): Markup {
  const { texts, decimalSeparator } = wordings[context.language];
  const expandable = expandableNodesOf(resource.fields).filter(({ kind }) => kind !== 'collection');
  const expanded = [...new Set(expandable.map(({ expandedBy }) => expandedBy))];
  const all = {
    ...WHOLE_LIST,
    ...allColumns,
    $showDomainDescriptions: 'true',
    $expand: expanded.length === 0 ? undefined : expanded.join(),
  };
  const $decimal = decimalSeparator === ',' ? 'comma' : undefined;
  const link = (name: string, changes: Changes, added: string | undefined) => (
    <li>
      <a href={ownAddress(context, changes)} aria-label={added && `${name} ${added}`}>
        {name}
      </a>
    </li>
  );
  const links = (changes: Changes, added?: string) => (
    <ul>
      {link('CSV', { ...changes, $format: 'csv', $decimal }, added)}
      {link('Excel (XLSX)', { ...changes, $format: 'xlsx' }, added)}
    </ul>
  );
  return (
    <nav class="sizes" aria-label={texts.allRowsAs}>
      <p>{texts.allRowsAs}</p>
      {links({ ...WHOLE_LIST, ...shownColumns, $expand: undefined })}
      <p>{texts.withAllColumns}</p>
      {links(all, texts.withAllColumns)}
    </nav>
  );
}
