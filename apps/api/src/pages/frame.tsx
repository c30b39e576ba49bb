import {
  type Markup,
  OPERATIONS_PATH,
  type Place,
  pageScript,
  placesFor,
  type WithChildren,
  writeFrame,
} from '@takt/pages';
import { offeredLists } from '../representations/shared-parts.js';
import type { WritingContext } from '../representations/writer.js';
import { openingAddress } from './browse.js';
import { instantInZone } from './local-time.js';
import {
  FIRST_PAGE,
  ownAddress,
  pageAddress,
  RESOURCES_VIEW,
  signInAddress,
  writtenIn,
} from './own-links.js';
import { fill, type Wording, wordings } from './words.js';

/** The other formats in which most pages are available at the same address. */
const OTHER_FORMATS = ['json', 'xml'] as const;

interface OfContext {
  readonly context: WritingContext;
}

interface PageProps extends OfContext, WithChildren {
  readonly title: string;
  /** The other formats in which this page is available at the same address. Default: OTHER_FORMATS. */
  readonly formats?: readonly string[];
  /** True if the page shows the number of the request, by which operators find it in their logs. */
  readonly hasRequestId?: boolean;
  /** The script of the page. Default: the script that most pages share. */
  readonly script?: { readonly path: string };
}

/** Writes a page of the service as a complete HTML document. */
export function writePage(props: PageProps): string {
  const {
    title,
    context,
    formats = OTHER_FORMATS,
    script = pageScript,
    hasRequestId = false,
    children,
  } = props;
  return writeFrame({
    language: context.language,
    title,
    base: new URL(context.baseUrl).pathname.replace(/\/$/, ''),
    script,
    home: pageAddress(context, '/'),
    places: placesOf(context),
    account: (
      <>
        <CompanyChoice context={context} />
        <VisitorState context={context} />
      </>
    ),
    inLanguage: (language) => ownAddress(context, { $lang: language }),
    developers: indexAddress(context),
    footer: <Footer context={context} formats={formats} hasRequestId={hasRequestId} />,
    children,
  });
}

/** The places that the reader may open; none if nobody is signed in. */
function placesOf(context: WritingContext): readonly Place[] {
  const { visitor, company, language, path, baseUrl } = context;
  if (company === undefined && visitor.kind !== 'signed-in' && visitor.kind !== 'with-session') return [];
  const isPerson = visitor.kind === 'signed-in' && visitor.person !== null;
  const lists = offeredLists(context);
  return placesFor(
    visitor.kind === 'signed-in' ? visitor.duties : 'all',
    language,
    (place) => place.app === 'api' && place.path === path,
    (place) => {
      if (place.app === 'dashboard') return isPerson ? baseUrl + OPERATIONS_PATH + place.path : undefined;
      const list = lists.find((one) => one.path === place.path);
      return list && openingAddress(context, list);
    },
  );
}

/** Shows the name of the company. If the token covers several companies, it opens a menu of them. */
function CompanyChoice({ context }: OfContext): Markup | null {
  const { company: current, companies, language } = context;
  if (companies.length < 2) return current === undefined ? null : <p>{current.name}</p>;
  const { texts } = wordings[language];
  return (
    <>
      {current !== undefined && <p class="on-paper">{current.name}</p>}
      <details class="menu">
        <summary aria-label={current === undefined ? texts.company : `${texts.company}: ${current.name}`}>
          {current?.name ?? texts.company}
        </summary>
        <ul class="menu-list">
          {companies.map(({ code, name, companyId }) => (
            <li>
              <a
                class="menu-link"
                href={ownAddress(context, { ...FIRST_PAGE, $db: code })}
                aria-current={companyId === current?.companyId ? 'true' : undefined}
              >
                {name}
              </a>
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

/** Shows the name of the signed-in person and a button to sign out, or a link to sign in. */
function VisitorState({ context }: OfContext): Markup | null {
  const { visitor, language, path } = context;
  const { texts } = wordings[language];
  if (visitor.kind !== 'signed-in' && visitor.kind !== 'with-session') {
    // Other pages have the form itself, or are for a program with a token.
    const isPublic = path.startsWith('/docs') || writtenIn(context, 'view') === RESOURCES_VIEW;
    return isPublic ? <a href={pageAddress(context, '/')}>{texts.signIn}</a> : null;
  }
  return (
    <>
      {visitor.kind === 'signed-in' && <Person name={visitor.person} texts={texts} />}
      <form method="post" action={signInAddress(context, '/oauth2/logout', [])}>
        <button type="submit">{texts.signOut}</button>
      </form>
    </>
  );
}

/** Shows the name without a label. A label would not fit in the header in every language. */
function Person({ name, texts }: { readonly name: string | null; readonly texts: Wording['texts'] }): Markup {
  return name === null ? <p>{texts.signedInByToken}</p> : <p title={fill(texts.signedInAs, name)}>{name}</p>;
}

interface FooterProps extends OfContext {
  readonly formats: readonly string[];
  readonly hasRequestId: boolean;
}

function Footer({ context, formats, hasRequestId }: FooterProps): Markup {
  const { texts } = wordings[context.language];
  const links = formats.map((format) => (
    <a rel="alternate" href={ownAddress(context, { $format: format })}>
      {format.toUpperCase()}
    </a>
  ));
  return (
    <>
      {links.length > 0 && (
        <p>
          {texts.formats} {links.flatMap((link, index) => (index === 0 ? [link] : [' · ', link]))}
        </p>
      )}
      {/* The time, which changes with each answer, comes last, so that the rest of the page can be compared. */}
      <p>
        {hasRequestId && (
          <>
            {texts.requestId} <code>{context.requestId}</code> ·{' '}
          </>
        )}
        {readAtOf(context)}
      </p>
    </>
  );
}

/**
 * The address of the index. The root alone would redirect to the first list, so the address asks for the index
 * explicitly.
 */
const indexAddress = (context: WritingContext): string =>
  pageAddress(context, '/', [{ name: 'view', value: RESOURCES_VIEW }]);

/** The time at which the data were read, to the minute. It is for printed pages. */
function readAtOf(context: OfContext['context']): Markup {
  const { readAt, language } = context;
  return (
    <time datetime={`${readAt.toISOString().slice(0, 16)}Z`}>
      {fill(wordings[language].texts.readAt, instantInZone(context, readAt))}
    </time>
  );
}
