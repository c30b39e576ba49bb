import { escapeHtml } from '@takt/pages';
import { serviceTexts } from '@takt/resources';
import type { WritingContext } from '../page.js';
import { indexedDocuments, indexedResources } from '../service-index.js';
import { endOfPage, startOfPage } from './frame.js';
import { pageLink } from './own-links.js';
import { signInAction, signInForms } from './sign-in-page.js';
import { titleOf, wordings } from './words.js';

/** What there is, for who comes without an address: the resources, and what tells about the service. */
export function* writeIndexPage(context: WritingContext): Iterable<string> {
  const wording = wordings[context.language];
  const { texts, language } = wording;
  const lead = escapeHtml(serviceTexts.lead[language]);
  const resources = indexedResources.map((resource) => {
    const title = titleOf(resource, wording);
    // What needs identifiers is only named: nobody can guess one.
    const href = resource.kind === 'list' ? pageLink(context, resource.path) : undefined;
    return entry(title, escapeHtml(resource.summary[language]), escapeHtml(resource.path), href);
  });
  const documents = indexedDocuments(context).map(({ title, summary, href }) => {
    const address = escapeHtml(href);
    const path = escapeHtml(new URL(href).pathname);
    return entry(escapeHtml(title[language]), escapeHtml(summary[language]), path, address);
  });
  const forms =
    context.visitor.kind === 'signed-in'
      ? ''
      : `<p>${context.visitor.kind === 'session-ended' ? texts.sessionEndedHelp : texts.signInHelp}</p>` +
        signInForms({ action: signInAction(context), asks: 'password-or-token' }, context);
  yield `${startOfPage(lead, context)}<h1>Takt</h1><p class="lead">${lead}</p>`;
  yield `<h2>${texts.resources}</h2>${forms}<ul class="index">${resources.join('')}</ul>`;
  yield `<h2>${texts.about}</h2><ul class="index">${documents.join('')}</ul>${endOfPage(context)}`;
}

function entry(title: string, summary: string, path: string, href: string | undefined): string {
  const heading = href === undefined ? title : `<a href="${href}">${title}</a>`;
  return `<li><h3>${heading}</h3><p>${summary}</p><code>${path.replaceAll('/', '<wbr>/')}</code></li>`;
}
