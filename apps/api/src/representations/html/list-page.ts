import type { Field } from '@takt/resources';
import type { ListPage, Row, WritingContext } from '../page.js';
import type { Column } from './column.js';
import { comparisonColumns } from './comparison-columns.js';
import { comparisonLegend } from './comparison-legend.js';
import { escapeHtml } from './escape-html.js';
import { fieldColumns } from './field-columns.js';
import { filterForm } from './filter-form.js';
import { endOfPage, startOfPage } from './frame.js';
import { titleOf } from './heading-of.js';
import { pager } from './pager.js';
import { detailsWriter } from './row-details.js';
import { type Section, type ShownField, sectionsOf } from './shown-nodes.js';
import { sortHeadings } from './sort-headings.js';
import { summarySections } from './summary-sections.js';
import { rowWriter, tableHead } from './table.js';
import { wordings } from './wordings.js';
import type { ValueStyle } from './write-value.js';

/** A list as a page, row by row. */
export function* writeListPage(page: ListPage, context: WritingContext): Iterable<string> {
  const { resource, paging, rows } = page;
  const wording = wordings[context.language];
  const title = titleOf(resource, wording);
  const columns = columnsOf(page, { context, wording });
  const pages = pager(page, context, wording);
  yield startOfPage(title, context) +
    `<div class="title"><h1>${title}</h1>${pages}</div>${filterForm(resource, paging, context, wording)}`;
  if (rows.length === 0 || columns.length === 0) {
    yield `<p class="nothing">${wording.texts.nothingFound}</p>`;
  } else {
    const label = wording.texts.tableOf.replace('{0}', () => title);
    const isCompared = columns.some(({ group }) => group?.isCompared);
    const legend = isCompared ? comparisonLegend(wording) : '';
    const className = isCompared ? 'list compact' : 'list';
    yield `${legend}<div class="scroll" role="region" aria-label="${label}" tabindex="0"><table class="${className}">${tableHead(columns)}<tbody>\n`;
    const writeRow = rowWriter(columns);
    for (const row of rows) yield writeRow(row);
    yield `</tbody></table></div>${pages.replace('class="pager"', 'class="pager foot"')}`;
  }
  yield endOfPage(context);
}

function columnsOf(page: ListPage, style: ValueStyle): readonly Column[] {
  const { resource, outline, rows } = page;
  const sort = sortHeadings(resource, style.context, style.wording);
  const sections = sectionsOf(outline);
  const shown = new Map<Field, ShownField>(
    sections.flatMap(({ nodes }) =>
      nodes.flatMap((node) => (node.kind === 'field' ? [[node.field, node]] : [])),
    ),
  );
  const served = resource.comparisons.flatMap((comparison) =>
    comparisonColumns(comparison, shown, rows, style.wording, sort),
  );
  if (resource.comparisons.length === 0) return fieldColumns(resource, sections, style, sort);
  const compared = new Set(
    resource.comparisons.flatMap(({ planned, average, deviation, shortest, longest }) => [
      planned,
      average,
      deviation,
      shortest,
      longest,
    ]),
  );
  const summary = summarySections(resource, sections, compared);
  const columns = fieldColumns(resource, summary, style, sort);
  const leading = withDetails(page, sections, summary, columns[0], { shown, compared, style });
  return [leading, ...columns.slice(1), ...served];
}

interface Compared {
  readonly shown: ReadonlyMap<Field, ShownField>;
  readonly compared: ReadonlySet<Field>;
  readonly style: ValueStyle;
}

/** The first column opens the details of its row; where nothing tells the rows apart, their numbers do. */
function withDetails(
  { resource, paging, rows }: ListPage,
  sections: readonly Section[],
  summary: readonly Section[],
  column: Column | undefined,
  { shown, compared, style }: Compared,
): Column {
  const write = detailsWriter(resource, sections, shown, compared, style);
  const ordinals = new Map<Row, number>(rows.map((row, index) => [row, paging.position + index]));
  const name = summary[0]?.nodes[0];
  const titleOfRow = (row: Row) => (name === undefined ? '' : escapeHtml(String(row[name.index] ?? '')));
  const leading: Omit<Column, 'write'> = column ?? {
    group: undefined,
    heading: style.wording.texts.details,
    sorted: undefined,
    align: 'start',
  };
  return { ...leading, align: 'start', write: (row) => write(row, titleOfRow(row), ordinals.get(row) ?? 0) };
}
