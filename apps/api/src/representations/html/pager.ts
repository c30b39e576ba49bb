import type { ListPage, PageLink, WritingContext } from '../page.js';
import type { Wording } from './languages/wording.js';
import { ownLink } from './own-links.js';
import { fill } from './wordings.js';

/** Where the rows stand in the list, and the ways to the first, previous, next and last page. */
export function pager({ paging, rows }: ListPage, context: WritingContext, { texts }: Wording): string {
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
