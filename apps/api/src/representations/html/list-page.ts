import type { ListPage, WritingContext } from '../page.js';
import { comparisonLegend } from './comparison-legend.js';
import { filterForm } from './filter-form.js';
import { endOfPage, startOfPage } from './frame.js';
import { titleOf } from './heading-of.js';
import { listTable } from './list-table.js';
import { pager } from './pager.js';
import { rowWriter, tableHead } from './table.js';
import { fill, wordings } from './wordings.js';

/** A list as a page, row by row. The panels with the details of the rows follow the table. */
export function* writeListPage(page: ListPage, context: WritingContext): Iterable<string> {
  const { resource, paging, rows } = page;
  const wording = wordings[context.language];
  const title = titleOf(resource, wording);
  const { columns, panel, hasDrawings } = listTable(page, { context, wording });
  const pages = pager(page, context, wording);
  yield startOfPage(title, context) +
    `<div class="title"><h1>${title}</h1><nav class="pager" aria-label="${wording.texts.pages}">${pages}</nav></div>` +
    filterForm(resource, paging, context, wording);
  if (rows.length === 0 || columns.length === 0) {
    yield `<p class="nothing">${wording.texts.nothingFound}</p>`;
  } else {
    const legend = hasDrawings ? comparisonLegend(wording) : '';
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
