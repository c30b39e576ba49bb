import { escapeHtml, passwordForm } from '@takt/pages';
import type { Visitor, WritingContext } from '../page.js';
import { endOfPage, startOfPage } from './frame.js';
import type { Wording } from './languages/eng.js';
import { returnPath, signInLink } from './own-links.js';
import { fill, wordings } from './words.js';

/** What went wrong with what was posted. */
export type SignInProblem =
  | 'wrongPassword'
  | 'tokenRefused'
  | 'tooManyFailures'
  | 'signInsBusy'
  | 'foreignForm'
  | 'unreadableForm'
  | 'unknownClient'
  | 'foreignRedirect';

export interface SignInPage {
  /** Where the forms go, ready for an attribute. */
  readonly action: string;
  readonly problem?: SignInProblem | undefined;
  /** Until another try, where that is the problem. */
  readonly retryAfterS?: number | undefined;
  /** The client that asks to act for the person. */
  readonly clientName?: string | undefined;
  /** What follows the forms; HTML. */
  readonly more?: string;
  /** With what to go on; `continue`: as who is signed in already; `nothing`: there is no way on from here. */
  readonly asks: 'password-or-token' | 'password' | 'continue' | 'nothing';
}

/** Where forms on a page of the service go: back to this page after the sign-in. */
export function signInAction(context: WritingContext): string {
  return signInLink(context, '/oauth2', [{ name: 'return', value: returnPath(context) }]);
}

/** The page of the sign-in, also in place of what needs one. */
export function* writeSignInPage(page: SignInPage, context: WritingContext): Iterable<string> {
  const wording = wordings[context.language];
  const { texts } = wording;
  const heading = context.visitor.kind === 'session-ended' ? texts.sessionEnded : texts.signIn;
  yield startOfPage(texts.signIn, context) +
    `<div class="error"><h1>${heading}</h1>${problemOf(page, wording)}${leadOf(page, context.visitor, wording)}`;
  yield `${signInForms(page, context)}${page.more ?? ''}</div>${endOfPage(context, [])}`;
}

/** The forms alone, for a page that has more to say. */
export function signInForms({ action, asks }: SignInPage, context: WritingContext): string {
  const wording = wordings[context.language];
  switch (asks) {
    case 'nothing':
      return '';
    case 'continue':
      return `<form class="token" method="post" action="${action}"><button type="submit" name="continue" value="1">${wording.texts.goOn}</button></form>`;
    case 'password':
      return passwordForm(action, wording.texts);
    case 'password-or-token':
      return passwordForm(action, wording.texts) + tokenForm(action, wording);
  }
}

function problemOf({ problem, retryAfterS = 0 }: SignInPage, { texts }: Wording): string {
  if (problem === undefined) return '';
  return `<p class="status" role="alert">${fill(texts[problem], Math.max(1, Math.ceil(retryAfterS / 60)))}</p>`;
}

function leadOf({ clientName, asks }: SignInPage, visitor: Visitor, { texts }: Wording): string {
  if (asks === 'nothing') return '';
  if (clientName !== undefined) return `<p>${fill(texts.clientAsks, escapeHtml(clientName))}</p>`;
  switch (visitor.kind) {
    case 'session-ended':
      return `<p>${texts.sessionEndedHelp}</p>`;
    case 'token-refused':
      return `<p>${texts.tokenRefused}</p>`;
    default:
      return `<p>${texts.signInHelp}</p>`;
  }
}

function tokenForm(action: string, { texts }: Wording): string {
  return (
    `<form class="token" method="post" action="${action}">` +
    `<label for="token">${texts.token}</label> <input id="token" type="text" name="token" required autocomplete="off" ` +
    `autocapitalize="none" spellcheck="false" aria-describedby="token-help"><button type="submit">${texts.openPage}</button>` +
    `<p id="token-help">${texts.tokenHelp}</p></form>`
  );
}
