import { escapeHtml } from '@takt/pages';
import { type Field, type ListResource, type TimeFigure, timeFigures } from '@takt/resources';
import type { ListPage, PageLink, Row, WritingContext } from '../page.js';
import { comparisonColumns } from './comparison-columns.js';
import { comparisonLegend } from './comparison-drawing.js';
import { fieldColumns, sortHeadings } from './field-columns.js';
import { filterForm } from './filter-form.js';
import { endOfPage, startOfPage } from './frame.js';
import type { Wording } from './languages/eng.js';
import { ownLink } from './own-links.js';
import { type RowName, rowDetails } from './row-details.js';
import { type Section, type ShownField, sectionsOf, summarySections } from './sections.js';
import { type Column, rowWriter, tableHead } from './table.js';
import { fill, titleOf, wordings } from './words.js';
import type { ValueStyle, WriteValue } from './write-value.js';

/** A list as a page, row by row. The panels with the details of the rows follow the table. */
export function* writeListPage(page: ListPage, context: WritingContext): Iterable<string> {
  const { resource, paging, rows } = page;
  const wording = wordings[context.language];
  const title = titleOf(resource, wording);
  const { columns, panel, drawn } = listTable(page, { context, wording });
  const pages = pager(page, context, wording);
  yield startOfPage(title, context) +
    `<div class="title"><h1>${title}</h1><nav class="pager" aria-label="${wording.texts.pages}">${pages}</nav></div>` +
    filterForm(resource, paging, context, wording);
  if (rows.length === 0 || columns.length === 0) {
    yield `<p class="nothing">${wording.texts.nothingFound}</p>`;
  } else {
    const legend = drawn.size > 0 ? comparisonLegend(drawn, wording) : '';
    const className = panel === undefined ? 'list' : 'list compact';
    const label = fill(wording.texts.tableOf, title);
    yield `${legend}<section class="scroll" aria-label="${label}" tabindex="0">` +
      `<table class="${className}">${tableHead(columns)}<tbody>\n`;
    const writeRow = rowWriter(columns);
    for (const row of rows) yield writeRow(row);
    yield `</tbody></table></section><div class="pager foot">${pages}</div>`;
    if (panel !== undefined) for (const row of rows) yield panel(row);
  }
  yield endOfPage(context);
}

/** Where the rows stand in the list, and the ways to the first, previous, next and last page. */
function pager({ paging, rows }: ListPage, context: WritingContext, { texts }: Wording): string {
  const link = (page: PageLink | null, label: string, relation = '') => {
    if (page === null) return `<li><span>${label}</span></li>`;
    // $skip is only taken without a page key.
    const href = ownLink(context, { $pageKey: page.key, $skip: undefined });
    return `<li><a href="${href}"${relation}>${label}</a></li>`;
  };
  const { first, previous, next, last, position, size } = paging;
  const to = position + rows.length - 1;
  const range = size === undefined ? fill(texts.rows, position, to) : fill(texts.rowsOf, position, to, size);
  return (
    `<p>${rows.length === 0 ? '' : range}</p><ul>` +
    link(previous === null ? null : first, texts.first) +
    link(previous, texts.previous, ' rel="prev"') +
    link(next, texts.next, ' rel="next"') +
    `${link(next === null ? null : last, texts.last)}</ul>`
  );
}

interface ListTable {
  readonly columns: readonly Column[];
  /** Where the columns do not show everything: a panel with all of a row. */
  readonly panel: WriteValue | undefined;
  /** What the drawings show; empty: there are none. */
  readonly drawn: ReadonlySet<TimeFigure>;
}

/** A list with comparisons shows what tells its rows apart, and draws the rest; any other shows all its fields. */
function listTable(page: ListPage, style: ValueStyle): ListTable {
  const { resource, outline, rows } = page;
  const sort = sortHeadings(resource, style.context, style.wording);
  const sections = sectionsOf(outline);
  if (resource.comparisons.length === 0) {
    return { columns: fieldColumns(resource, sections, style, sort), panel: undefined, drawn: new Set() };
  }
  const shown = fieldsOf(sections);
  const compared = comparedFields(resource);
  const summary = summarySections(resource, sections, compared);
  const details = rowDetails(resource, sections, shown, compared, style);
  const nameOf = namesOf(page, summary, style);
  const [first, ...others] = fieldColumns(resource, summary, style, sort);
  const leading: Omit<Column, 'write'> = first ?? {
    group: undefined,
    heading: style.wording.texts.details,
    sorted: undefined,
    align: 'start',
  };
  const comparisons = resource.comparisons.flatMap((comparison) =>
    comparisonColumns(comparison, shown, rows, style.wording, sort),
  );
  return {
    columns: [
      { ...leading, align: 'start', write: (row) => details.button(nameOf(row)) },
      ...others,
      ...comparisons,
    ],
    panel: (row) => details.panel(row, nameOf(row)),
    drawn: drawnFigures(resource, shown),
  };
}

/** The drawings stand beside the range: without it there are none. */
function drawnFigures(
  { comparisons }: ListResource,
  shown: ReadonlyMap<Field, ShownField>,
): ReadonlySet<TimeFigure> {
  const figures = timeFigures.filter((figure) =>
    comparisons.some(({ [figure]: field }) => field !== undefined && shown.has(field)),
  );
  const hasRange = figures.includes('shortest') || figures.includes('longest');
  return new Set(hasRange ? figures : []);
}

function fieldsOf(sections: readonly Section[]): ReadonlyMap<Field, ShownField> {
  const fields = sections.flatMap(({ nodes }) => nodes.filter((node) => node.kind === 'field'));
  return new Map(fields.map((node) => [node.field, node]));
}

function comparedFields({ comparisons }: ListResource): ReadonlySet<Field> {
  return new Set(
    comparisons.flatMap((comparison) => timeFigures.flatMap((figure) => comparison[figure] ?? [])),
  );
}

/** A row is called by the first of what tells rows apart; one without it, by its position. */
function namesOf(
  { rows, paging }: ListPage,
  summary: readonly Section[],
  { wording }: ValueStyle,
): (row: Row) => RowName {
  const first = summary[0]?.nodes[0];
  const names = new Map<Row, RowName>(
    rows.map((row, index) => {
      const position = paging.position + index;
      const text = first === undefined ? '' : escapeHtml(String(row[first.index] ?? ''));
      return [row, { text: text.trim() === '' ? `${wording.texts.details} ${position}` : text, position }];
    }),
  );
  return (row) => names.get(row) ?? { text: wording.texts.details, position: 0 };
}
