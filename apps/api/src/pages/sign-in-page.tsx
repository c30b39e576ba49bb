import { type Markup, Message, SignInForm } from '@takt/pages';
import type { Visitor, WritingContext } from '../representations/writer.js';
import { writePage } from './frame.js';
import { returnPath, signInAddress } from './own-links.js';
import { fill, type Wording, wordings } from './words.js';

/** The problems that may be found in a form that was sent. */
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
  /** The address to which the forms of the page are sent. */
  readonly action: string;
  readonly problem?: SignInProblem | undefined;
  /** The time in seconds until the next attempt is allowed. Set only if an attempt was delayed. */
  readonly retryAfterS?: number | undefined;
  /** The name that the person entered before. */
  readonly login?: string | undefined;
  /** The name of the client that requests to act for the person. */
  readonly clientName?: string | undefined;
  /** Content that follows the forms. */
  readonly more?: Markup;
  /**
   * The kind of proof of identity for which the page asks. `continue`: the present session is enough. `code`: only the
   * value of `code` is accepted. `nothing`: the person cannot continue on this page.
   */
  readonly asks: 'password-or-token' | 'password' | 'continue' | 'code' | 'nothing';
  /** A code from the command line, which is sent with the form. */
  readonly code?: string | undefined;
}

type Texts = Wording['texts'];

/** The address to which the sign-in forms on a page are sent. After signing in, the reader returns to this page. */
export function signInAction(context: WritingContext): string {
  return signInAddress(context, '/oauth2', [{ name: 'return', value: returnPath(context) }]);
}

/** Writes the sign-in page. It is also shown in place of a page that requires signing in. */
export function writeSignInPage(page: SignInPage, context: WritingContext): string {
  const { texts } = wordings[context.language];
  const { problem, retryAfterS = 0, asks, more } = page;
  const children = (
    <Message
      heading={context.visitor.kind === 'session-ended' ? texts.sessionEnded : texts.signIn}
      problem={problem && fill(texts[problem], Math.max(1, Math.ceil(retryAfterS / 60)))}
    >
      {asks !== 'nothing' && <p>{leadOf(page, context.visitor, texts)}</p>}
      <SignInForms {...page} texts={texts} />
      {more}
    </Message>
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

interface SignInFormsProps extends Pick<SignInPage, 'action' | 'asks' | 'code' | 'login'> {
  readonly texts: Texts;
}

function SignInForms({ action, asks, code, login, texts }: SignInFormsProps): Markup | null {
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
      return <SignInForm action={action} login={login} texts={texts} />;
    case 'password-or-token':
      return (
        <>
          <SignInForm action={action} login={login} texts={texts} />
          <details>
            <summary>{texts.withToken}</summary>
            <TokenForm action={action} texts={texts} />
          </details>
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
