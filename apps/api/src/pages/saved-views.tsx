import { savedViewLimits } from '@takt/access';
import { savedViews } from '@takt/catalogue/resources';
import type { Markup } from '@takt/pages';
import type { ListPage, Row } from '../representations/writer.js';
import type { Browse } from './browse.js';
import { pageAddress, returnPath, SAVED, savedAddress, writtenIn } from './own-links.js';
import { fieldsIn, sectionsOf } from './sections.js';
import { fill } from './words.js';

interface SavedView {
  readonly id: string;
  readonly name: string;
  readonly isOwn: boolean;
  readonly isShared: boolean;
  readonly path: string;
  readonly query: string;
}

function savedViewsIn({ outline, rows }: ListPage): readonly SavedView[] {
  const places = new Map(fieldsIn(sectionsOf(outline)).map(({ field, index }) => [field.name, index]));
  const read = (row: Row, name: string) => row[places.get(name) ?? -1] ?? '';
  return rows.map((row) => ({
    id: String(read(row, 'SavedViewId')),
    name: String(read(row, 'Name')),
    isOwn: read(row, 'IsOwn') === true,
    isShared: read(row, 'IsShared') === true,
    path: String(read(row, 'Path')),
    query: String(read(row, 'Query')),
  }));
}

/**
 * True for the list of saved views. The page of this list links to each saved view, and lets the owner share or delete
 * it.
 */
export const isSavedViews = ({ resource }: Browse): boolean => resource.identifier === savedViews.identifier;

interface SavedViewsProps {
  readonly page: ListPage;
  readonly browse: Browse;
}

/** Links to the saved views. The reader's own views have buttons to share and delete them. */
export function SavedViews({ page, browse }: SavedViewsProps): Markup {
  const { texts } = browse.wording;
  const views = savedViewsIn(page);
  if (views.length === 0) return <p class="nothing">{texts.nothingSaved}</p>;
  return (
    <ul class="index">
      {views.map((view) => (
        <li>
          <h2>
            <SavedLink view={view} browse={browse} />
          </h2>
          {view.isOwn && (
            <form method="post" class="quick" action={formOf(browse)}>
              <input type="hidden" name="id" value={view.id} />
              <button type="submit" name="action" value={view.isShared ? 'keep' : 'share'}>
                {view.isShared ? texts.keepToMyself : texts.share}
              </button>
              <button type="submit" name="action" value="delete" aria-label={`${texts.delete}: ${view.name}`}>
                {texts.delete}
              </button>
            </form>
          )}
        </li>
      ))}
    </ul>
  );
}

function SavedLink({ view, browse }: { readonly view: SavedView; readonly browse: Browse }): Markup {
  const { context, wording } = browse;
  return (
    <>
      <a href={savedAddress(context, view.path, view.query)}>{view.name}</a>
      {view.isShared && <span class="key"> ({wording.texts.shared})</span>}
    </>
  );
}

/** Says that the view is saved which the page shows. */
export function SavedNotice({ saved, browse }: SavedViewsBoxProps): Markup | null {
  const name = writtenIn(browse.context, SAVED);
  if (saved === undefined || !savedViewsIn(saved).some((view) => view.name === name)) return null;
  return (
    <p class="notice" role="status">
      {fill(browse.wording.texts.savedNotice, name)}
    </p>
  );
}

interface SavedViewsBoxProps {
  /** The first of the saved views; undefined if the reader may not read saved views. */
  readonly saved: ListPage | undefined;
  readonly browse: Browse;
}

/**
 * The box next to the filters of a list. It contains the saved views, and a form that saves the address of the page.
 */
export function SavedViewsBox({ saved, browse }: SavedViewsBoxProps): Markup | null {
  if (saved === undefined) return null;
  const { context, wording } = browse;
  const { texts, language } = wording;
  const views = savedViewsIn(saved);
  const title = savedViews.title[language];
  const isPerson = context.visitor.kind === 'signed-in' && context.visitor.person !== null;
  if (views.length === 0 && !isPerson) return null;
  return (
    <details class="help saved">
      <summary>{views.length === 0 ? title : `${title} (${saved.paging.size ?? views.length})`}</summary>
      {views.length > 0 && (
        <>
          <ul>
            {views.map((view) => (
              <li>
                <SavedLink view={view} browse={browse} />
              </li>
            ))}
          </ul>
          <p>
            <a href={pageAddress(context, savedViews.path)}>{texts.allSavedViews}</a>
          </p>
        </>
      )}
      {isPerson && (
        <form method="post" class="quick" action={formOf(browse)}>
          <input type="hidden" name="action" value="save" />
          <input type="hidden" name="address" value={returnPath(context)} />
          <label>
            {texts.nameOfView}{' '}
            <input type="text" name="name" maxlength={savedViewLimits.nameCharacters} required />
          </label>
          <label>
            <input type="checkbox" name="isShared" value="true" /> {texts.shareView}
          </label>
          <button type="submit">{texts.saveView}</button>
        </form>
      )}
    </details>
  );
}

/**
 * The address to which the forms of the page are sent. It names the language and the company of the page, so that the
 * answer has the same.
 */
const formOf = ({ context }: Browse): string => savedAddress(context, savedViews.path, '');
