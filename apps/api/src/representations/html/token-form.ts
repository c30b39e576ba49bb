import type { WritingContext } from '../page.js';
import { escapeHtml } from './escape-html.js';
import { formAction, hiddenInputs, parameterOf } from './own-links.js';
import { wordings } from './words.js';

/** Asks for a token and opens the page again with it; `help` says what for. */
export function tokenForm(context: WritingContext, help: string): string {
  const { texts } = wordings[context.language];
  const name = escapeHtml(parameterOf(context, '$access_token')?.name ?? '$access_token');
  return (
    `<form class="token" method="get" action="${formAction(context)}">${hiddenInputs(context, { $access_token: undefined })}` +
    `<label for="token">${texts.token}</label> <input id="token" type="text" name="${name}" required autocomplete="off" ` +
    `autocapitalize="none" spellcheck="false" aria-describedby="token-help"><button type="submit">${texts.openPage}</button>` +
    `<p id="token-help">${help}</p></form>`
  );
}
