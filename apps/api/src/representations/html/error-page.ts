import { type ErrorDescription, errorCatalogue } from '@takt/error-catalogue';
import { escapeHtml } from '@takt/pages';
import type { WritingContext } from '../page.js';
import { endOfPage, startOfPage } from './frame.js';
import type { Wording } from './languages/eng.js';
import { pageLink } from './own-links.js';
import { signInAction, writeSignInPage } from './sign-in-page.js';
import { fill, wordings } from './words.js';

/** An error as a page that says what to do; where it is to sign in, that is done here. */
export function* writeErrorPage(error: ErrorDescription, context: WritingContext): Iterable<string> {
  const wording = wordings[context.language];
  if (error.errorMessageId === errorCatalogue.invalidAccessToken.errorMessageId) {
    const more = link(error, context, wording);
    yield* writeSignInPage({ action: signInAction(context), asks: 'password-or-token', more }, context);
    return;
  }
  const title = `${wording.texts.error} ${error.status}`;
  yield startOfPage(title, context) +
    `<div class="error"><p class="status">${title} <span>${escapeHtml(error.statusDescription)}</span></p>` +
    `<h1>${escapeHtml(error.translatedMessage)}</h1>${describe(error, context, wording)}</div>${endOfPage(context)}`;
}

/** What follows the message, also of a nested error. */
function describe(error: ErrorDescription, context: WritingContext, wording: Wording): string {
  return (
    english(error, wording) +
    parameters(error, wording) +
    link(error, context, wording) +
    causes(error, context, wording)
  );
}

function english({ message, translatedMessage }: ErrorDescription, { texts }: Wording): string {
  return message === translatedMessage
    ? ''
    : `<p class="english">${texts.inEnglish}: <span lang="en">${escapeHtml(message)}</span></p>`;
}

function parameters(error: ErrorDescription, { texts }: Wording): string {
  if (error.parameters.length === 0) return '';
  const items = error.parameters.map(
    ({ index, value }) => `<div><dt>{${index}}</dt><dd><code>${escapeHtml(value)}</code></dd></div>`,
  );
  return `<p class="label">${texts.parameters}</p><dl>${items.join('')}</dl>`;
}

function link({ errorMessageId }: ErrorDescription, context: WritingContext, { texts }: Wording): string {
  const href = pageLink(context, `/system/error-messages/${errorMessageId}`);
  return `<p><a href="${href}">${fill(texts.aboutError, errorMessageId)}</a></p>`;
}

function causes({ innerErrors }: ErrorDescription, context: WritingContext, wording: Wording): string {
  if (innerErrors.length === 0) return '';
  const items = innerErrors.map(
    (inner) => `<li><p>${escapeHtml(inner.translatedMessage)}</p>${describe(inner, context, wording)}</li>`,
  );
  return `<p class="label">${wording.texts.causes}</p><ul>${items.join('')}</ul>`;
}
