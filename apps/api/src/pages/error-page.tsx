import { type ErrorDescription, errorCatalogue } from '@takt/catalogue/errors';
import { type Markup, Message } from '@takt/pages';
import type { WritingContext } from '../representations/writer.js';
import { writePage } from './frame.js';
import { FIRST_PAGE, ownAddress, pageAddress } from './own-links.js';
import { signInAction, writeSignInPage } from './sign-in-page.js';
import { fill, wordings } from './words.js';

interface ErrorProps {
  readonly error: ErrorDescription;
  readonly context: WritingContext;
}

/**
 * Writes the page of an error, which tells how to solve the problem. If signing in solves it, the page contains the
 * form to sign in.
 */
export function* writeErrorPage(error: ErrorDescription, context: WritingContext): Iterable<string> {
  if (error.errorMessageId === errorCatalogue.invalidAccessToken.errorMessageId) {
    const more = <AboutError error={error} context={context} />;
    yield writeSignInPage({ action: signInAction(context), asks: 'password-or-token', more }, context);
    return;
  }
  const title = `${wordings[context.language].texts.error} ${error.status}`;
  const children = (
    <Message
      status={
        <>
          {title} <span>{error.statusDescription}</span>
        </>
      }
      heading={error.translatedMessage}
    >
      <Companies error={error} context={context} />
      <Details error={error} context={context} />
    </Message>
  );
  yield writePage({ title, context, hasRequestId: true, children });
}

/**
 * Links for a reader who followed a link to a page of another company. They lead to the same page in each of the
 * reader's own companies.
 */
function Companies({ error, context }: ErrorProps): Markup | null {
  const { companies, language } = context;
  const isLacking = error.errorMessageId === errorCatalogue.companyNotPermitted.errorMessageId;
  if (!isLacking || companies.length === 0) return null;
  return (
    <>
      <p class="label">{wordings[language].texts.openInCompany}</p>
      <ul>
        {companies.map(({ code, name }) => (
          <li>
            <a href={ownAddress(context, { ...FIRST_PAGE, $db: code })}>{name}</a>
          </li>
        ))}
      </ul>
    </>
  );
}

/**
 * Shows what belongs to an error besides its message; also used for inner errors. The parameters of the error are not
 * shown again, because the message contains them.
 */
function Details({ error, context }: ErrorProps): Markup {
  const { message, translatedMessage, innerErrors } = error;
  const { texts } = wordings[context.language];
  return (
    <>
      {message !== translatedMessage && (
        <p class="english">
          {texts.inEnglish}: <span lang="en">{message}</span>
        </p>
      )}
      <AboutError error={error} context={context} />
      {innerErrors.length > 0 && (
        <>
          <p class="label">{texts.causes}</p>
          <ul>
            {innerErrors.map((inner) => (
              <li>
                <p>{inner.translatedMessage}</p>
                <Details error={inner} context={context} />
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function AboutError({ error: { errorMessageId }, context }: ErrorProps): Markup {
  return (
    <p>
      <a href={pageAddress(context, `/system/error-messages/${errorMessageId}`)}>
        {fill(wordings[context.language].texts.aboutError, errorMessageId)}
      </a>
    </p>
  );
}
