import {
  browsedField,
  type Field,
  newestOf,
  queryFieldsOf,
  resourceFamilies,
} from '@takt/catalogue/resources';
import { type Markup, ready, Table } from '@takt/pages';
import { linkWriterOf } from '../representations/shared-parts.js';
import type { DetailPage, ListPage, WritingContext } from '../representations/writer.js';
import { browseOf } from './browse.js';
import { ComparisonDetail } from './comparison-detail.js';
import { fieldColumns } from './field-columns.js';
import { timeZoneOf } from './local-time.js';
import { MonthCharts } from './month-charts.js';
import { signedText, sumFormat } from './number-format.js';
import { listPart, objectPart } from './page-parts.js';
import {
  fieldsIn,
  type Section,
  type ShownCollection,
  sectionsOf,
  shownFieldsOf,
  writeValueOf,
} from './sections.js';
import { comparedFigures, figureField } from './time-columns.js';
import { Before, earlierOf, Verdicts } from './verdicts.js';
import { headingOf, type Wording, wordingOf } from './words.js';

interface TimesProps {
  readonly page: DetailPage;
  readonly sections: readonly Section[];
  readonly context: WritingContext;
}

/**
 * Shows how the times of an object compare with the plan. It has every part, from the verdict to the list of
 * operations.
 */
export function Times({ page, sections, context }: TimesProps): Markup {
  const { resource } = page;
  const before = objectPart(page, 'before');
  const operations = listPart(page, 'operations');
  const wording = wordingOf(context);
  const { comparisons = [] } = resource;
  const shown = shownFieldsOf(sections);
  const months = sections.flatMap(({ nodes }) => nodes).find(isMonths);
  const shared = { page, comparisons, shown, wording };
  return (
    <div class="times">
      <Links page={page} sections={sections} context={context} />
      <Verdicts page={page} comparisons={comparisons} shown={shown} wording={wording} />
      {before !== undefined && <Before before={before} comparisons={comparisons} context={context} />}
      <Facts page={page} sections={sections} wording={wording} context={context} />
      <ComparisonDetail {...shared} />
      {months !== undefined && (
        <MonthCharts
          months={months}
          timeZone={timeZoneOf(context)}
          earlier={earlierOf(before, context)}
          {...shared}
        />
      )}
      {operations !== undefined && <Farthest page={operations} context={context} />}
    </div>
  );
}

export function isMonths(node: Section['nodes'][number]): node is ShownCollection {
  return node.kind === 'collection' && node.collection.name === 'Months';
}

/** The fields that the page already shows elsewhere: in the title, the facts, the figures or the links. */
export function saidElsewhere(
  { resource }: DetailPage,
  sections: readonly Section[],
): ReadonlySet<Field | undefined> {
  const { comparisons = [] } = resource;
  const parts = ['MeanLow', 'MeanHigh', 'Verdict'];
  const fields = fieldsIn(sections).map(({ field }) => field);
  return new Set([
    ...comparisons.flatMap((one) => comparedFigures.map((figure) => figureField(resource, one, figure))),
    ...comparisons.flatMap(({ name }) => parts.map((part) => browsedField(resource, `${name}${part}`))),
    ...fields.filter(({ name, type }) => type === 'link' || TITLE.includes(name) || FACTS.includes(name)),
  ]);
}

/** The fields that are shown in the title. */
const TITLE = ['Name', 'Version', 'Revision'];

/** The fields that are shown in the line below the title, in this order. */
const FACTS = ['HoursOverPlan', 'NumberOfCompletedProductionWorkOrders', 'LastCompletedAt'];

function Facts({
  page: { row },
  sections,
  wording,
  context,
}: TimesProps & { readonly wording: Wording }): Markup {
  const fields = fieldsIn(sections);
  const hours = signedText(sumFormat(wording));
  const written = FACTS.flatMap((name) => {
    const shown = fields.find(({ field }) => field.name === name);
    const value = shown === undefined ? null : (row[shown.index] ?? null);
    if (shown === undefined || value === null) return [];
    const text =
      shown.field.unit === 'h'
        ? `${hours(Number(value))}&nbsp;h`
        : writeValueOf(shown, { context, wording })(row);
    return [`${headingOf(shown.field, wording)}: ${text}`];
  });
  return <p class="summary">{ready(written.join(' &middot; '))}</p>;
}

/**
 * Shows the operations that are farthest over plan. If no plan is shown, these are the operations with the longest
 * times.
 */
function Farthest({
  page,
  context,
}: {
  readonly page: ListPage;
  readonly context: WritingContext;
}): Markup | null {
  const wording = wordingOf(context);
  const { resource, outline, rows } = page;
  if (rows.length === 0) return null;
  const sections = sectionsOf(outline);
  const hasPlan = queryFieldsOf(resource).has('runtimedifference');
  const heading = hasPlan ? wording.texts.farthestOperations : wording.texts.longestOperations;
  // The rows are the first of another list, so their headings sort nothing.
  const columns = fieldColumns(sections, rows, browseOf(resource, context)).map((column) => ({
    ...column,
    group: undefined,
    heading: column.label,
    sorted: undefined,
  }));
  return (
    <section class="plain">
      <h2>{heading}</h2>
      <Table caption={heading} className="list fields" columns={columns} rows={rows} />
    </section>
  );
}

/** Tabs that lead to what belongs to the object: its months, its operations, its distribution, its product. */
function Links({ page, sections, context }: TimesProps): Markup | null {
  const wording = wordingOf(context);
  const links = fieldsIn(sections)
    .filter(({ field }) => field.type === 'link')
    .flatMap(({ field, index }) => {
      const href = linkWriterOf(field, context)(page.row[index] ?? null);
      const to = resourceFamilies.find(({ path }) => path.replace(/\{\w+\}/g, '{}') === field.linkPath);
      const title = to === undefined ? field.heading : newestOf(to).title;
      return href === null ? [] : [{ href, title: title[wording.language] }];
    });
  if (links.length === 0) return null;
  return (
    <nav class="tabs" aria-label={page.resource.title[wording.language]}>
      <ul>
        {links.map(({ href, title }) => (
          <li>
            <a href={href}>{title}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
