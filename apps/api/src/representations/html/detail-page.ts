import type { DetailPage, WritingContext } from '../page.js';
import { sectionsWriter } from './definition-list.js';
import { escapeHtml } from './escape-html.js';
import { endOfPage, startOfPage } from './frame.js';
import { titleOf } from './heading-of.js';
import { sectionsOf } from './shown-nodes.js';
import { wordings } from './wordings.js';

/** One object as a page: a section for each group of fields and for each list. */
export function* writeDetailPage(
  { resource, outline, row }: DetailPage,
  context: WritingContext,
): Iterable<string> {
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
