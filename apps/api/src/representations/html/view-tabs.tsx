import type { Markup } from '@takt/pages';
import { offeredResources } from '../service-index.js';
import { type Browse, viewAddress } from './browse.js';
import { pageAddress } from './own-links.js';

/**
 * The views of a list as addresses that can be kept, what was chosen besides goes along; then the lists that the same
 * question leads to, as they open.
 */
export function ViewTabs({ browse }: { readonly browse: Browse }): Markup | null {
  const { views, view: current, wording, resource, context } = browse;
  if (views.length === 0) return null;
  const related = offeredResources(context).filter(({ path }) => resource.browsing?.related?.includes(path));
  return (
    <nav class="tabs" aria-label={wording.texts.views}>
      <ul>
        {views.map((view) => (
          <li>
            <a href={viewAddress(browse, view)} aria-current={view === current ? 'page' : undefined}>
              {view.title[wording.language]}
            </a>
          </li>
        ))}
        {related.map(({ path, title }) => (
          <li class="elsewhere">
            <a href={pageAddress(context, path)}>{title[wording.language]}</a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
