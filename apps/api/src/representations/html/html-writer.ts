import { escapeHtml } from '@takt/pages';
import type { DetailPage, Writer, WritingContext } from '../page.js';
import { sectionsWriter } from './definition-list.js';
import { writeErrorPage } from './error-page.js';
import { endOfPage, startOfPage } from './frame.js';
import { writeIndexPage } from './index-page.js';
import { writeListPage } from './list-page.js';
import { sectionsOf } from './sections.js';
import { titleOf, wordings } from './words.js';

/** Documents as pages for people: styled, in their language, usable without a script. */
export const htmlWriter: Writer = {
  contentType: 'text/html; charset=utf-8',
  list: writeListPage,
  detail: writeDetailPage,
  index: writeIndexPage,
  error: writeErrorPage,
};

/** One object as a page: a section for each group of fields and for each list. */
function* writeDetailPage({ resource, outline, row }: DetailPage, context: WritingContext): Iterable<string> {
  const wording = wordings[context.language];
  const title = titleOf(resource, wording);
  const sections = sectionsOf(outline);
  const name = sections[0]?.nodes.find((node) => node.kind === 'field' && node.field.name === 'Name');
  const value = name === undefined ? null : (row[name.index] ?? null);
  const subtitle = value === null ? '' : `<p class="lead">${escapeHtml(String(value))}</p>`;
  yield `${startOfPage(title, context)}<h1>${title}</h1>${subtitle}<div class="cards">`;
  yield sectionsWriter(sections, 2, { context, wording })(row);
  yield `</div>${endOfPage(context)}`;
}
