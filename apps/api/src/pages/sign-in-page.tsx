import { type Markup, PasswordForm } from '@takt/pages';
import type { Visitor, WritingContext } from '../representations/writer.js';
import { writePage } from './frame.js';
import { returnPath, signInAddress } from './own-links.js';
import { fill, type Wording, wordings } from './words.js';

/** What went wrong with what was posted. */
export type SignInProblem =
  | 'wrongPassword'
  | 'noCompanyYet'
  | 'tokenRefused'
  | 'codeRefused'
  | 'tooManyFailures'
  | 'signInsBusy'
  | 'foreignForm'
  | 'unreadableForm'
  | 'unknownClient'
  | 'foreignRedirect';

export interface SignInPage {
  /** Where the forms go. */
  readonly action: string;
  readonly problem?: SignInProblem | undefined;
  /** Until another try, where that is the problem. */
  readonly retryAfterS?: number | undefined;
  /** The client that asks to act for the person. */
  readonly clientName?: string | undefined;
  /** What follows the forms. */
  readonly more?: Markup;
  /**
   * With what to go on; `continue`: as who is signed in already; `code`: for nothing more than `code`;
   * `nothing`: there is no way on from here.
   */
  readonly asks: 'password-or-token' | 'password' | 'continue' | 'code' | 'nothing';
  /** One of the command line, to be sent along. */
  readonly code?: string | undefined;
}

type Texts = Wording['texts'];

/** Where forms on a page of the service go: back to this page after the sign-in. */
export function signInAction(context: WritingContext): string {
  return signInAddress(context, '/oauth2', [{ name: 'return', value: returnPath(context) }]);
}

/** The page of the sign-in, also in place of what needs one. */
export function writeSignInPage(page: SignInPage, context: WritingContext): string {
  const { texts } = wordings[context.language];
  const { problem, retryAfterS = 0, asks, more } = page;
  const children = (
    <div class="error">
      <h1>{context.visitor.kind === 'session-ended' ? texts.sessionEnded : texts.signIn}</h1>
      {problem !== undefined && (
        <p class="status" role="alert">
          {fill(texts[problem], Math.max(1, Math.ceil(retryAfterS / 60)))}
        </p>
      )}
      {asks !== 'nothing' && <p>{leadOf(page, context.visitor, texts)}</p>}
      <SignInForms {...page} texts={texts} />
      {more}
    </div>
  );
  return writePage({ title: texts.signIn, context, formats: [], children });
}

function leadOf({ clientName, asks }: SignInPage, visitor: Visitor, texts: Texts): string {
  if (asks === 'code') return texts.codeHelp;
  if (clientName !== undefined) return fill(texts.clientAsks, clientName);
  switch (visitor.kind) {
    case 'session-ended':
      return texts.sessionEndedHelp;
    case 'token-refused':
      return texts.tokenRefused;
    default:
      return texts.signInHelp;
  }
}

interface SignInFormsProps extends Pick<SignInPage, 'action' | 'asks' | 'code'> {
  readonly texts: Texts;
}

/** The forms alone, for a page that has more to say. */
export function SignInForms({ action, asks, code, texts }: SignInFormsProps): Markup | null {
  switch (asks) {
    case 'nothing':
      return null;
    case 'continue':
      return (
        <form class="token" method="post" action={action}>
          <button type="submit" name="continue" value="1">
            {texts.goOn}
          </button>
        </form>
      );
    case 'code':
      return (
        <form class="token" method="post" action={action}>
          <button type="submit" name="code" value={code}>
            {texts.openPage}
          </button>
        </form>
      );
    case 'password':
      return <PasswordForm action={action} texts={texts} />;
    case 'password-or-token':
      return (
        <>
          <PasswordForm action={action} texts={texts} />
          <TokenForm action={action} texts={texts} />
        </>
      );
  }
}

function TokenForm({ action, texts }: Omit<SignInFormsProps, 'asks'>): Markup {
  return (
    <form class="token" method="post" action={action}>
      <label for="token">{texts.token}</label>{' '}
      <input
        id="token"
        type="text"
        name="token"
        required
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        aria-describedby="token-help"
      />
      <button type="submit">{texts.openPage}</button>
      <p id="token-help">{texts.tokenHelp}</p>
    </form>
  );
}
