import { serviceTexts } from '@takt/catalogue/resources';
import type { Markup } from '@takt/pages';
import { canBeLinked, indexedDocuments, shownResources } from '../representations/shared-parts.js';
import type { WritingContext } from '../representations/writer.js';
import { openingAddress } from './browse.js';
import { writePage } from './frame.js';
import { documentAddress, RESOURCES_VIEW, writtenIn } from './own-links.js';
import { signInAction, writeSignInPage } from './sign-in-page.js';
import { wordings } from './words.js';

/**
 * Writes the page of the index. It lists the resources and the documents that describe the service. A reader who is not
 * signed in gets it only at its own address; at the root, such a reader gets the page to sign in.
 */
export function* writeIndexPage(context: WritingContext): Iterable<string> {
  const { language } = context;
  if (!isKnown(context) && writtenIn(context, 'view') !== RESOURCES_VIEW) {
    yield writeSignInPage({ action: signInAction(context), asks: 'password-or-token' }, context);
    return;
  }
  const { texts } = wordings[language];
  const lead = serviceTexts.lead[language];
  const children = (
    <>
      <h1>Takt</h1>
      <p class="lead">{lead}</p>
      <h2>{texts.resources}</h2>
      <ul class="index">
        {shownResources(context).map((resource) => (
          <Entry
            title={resource.title[language]}
            summary={resource.summary[language]}
            path={resource.path}
            href={canBeLinked(resource) ? openingAddress(context, resource) : undefined}
          />
        ))}
      </ul>
      <h2>{texts.about}</h2>
      <ul class="index">
        {indexedDocuments(context).map(({ title, summary, href }) => (
          <Entry
            title={title[language]}
            summary={summary[language]}
            path={new URL(href).pathname}
            href={documentAddress(context, href)}
          />
        ))}
      </ul>
    </>
  );
  yield writePage({ title: lead, context, children });
}

const isKnown = ({ visitor, company }: WritingContext): boolean =>
  visitor.kind === 'signed-in' || company !== undefined;

interface EntryProps {
  readonly title: string;
  readonly summary: string;
  readonly path: string;
  readonly href: string | undefined;
}

function Entry({ title, summary, path, href }: EntryProps): Markup {
  return (
    <li>
      <h3>{href === undefined ? title : <a href={href}>{title}</a>}</h3>
      <p>{summary}</p>
      <code>{path.split('/').flatMap((part, index) => (index === 0 ? [part] : [<wbr />, `/${part}`]))}</code>
    </li>
  );
}
