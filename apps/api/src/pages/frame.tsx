import { Document, type Markup, pageStyle, type WithChildren, writeDocument } from '@takt/pages';
import { languages, languageTag } from '@takt/texts';
import { offeredLists } from '../representations/shared-parts.js';
import type { WritingContext } from '../representations/writer.js';
import { openingAddress } from './browse.js';
import { instantInZone } from './local-time.js';
import {
  documentAddress,
  FIRST_PAGE,
  formAddress,
  HiddenInputs,
  ownAddress,
  pageAddress,
  parameterOf,
  RESOURCES_VIEW,
  signInAddress,
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
  /** The style sheet of the page. Default: the style sheet that all pages share. */
  readonly style?: string;
}

/** Writes a page of the service as a complete HTML document. */
export function writePage(props: PageProps): string {
  const { title, context, formats = OTHER_FORMATS, style = pageStyle, children } = props;
  return writeDocument(
    <Document
      language={languageTag(context.language)}
      title={title}
      style={style}
      skipToContent={wordings[context.language].texts.skipToContent}
      header={<Header context={context} />}
      footer={<Footer context={context} formats={formats} />}
    >
      {children}
    </Document>,
  );
}

function Header({ context }: OfContext): Markup {
  const { language } = context;
  return (
    <header>
      <a class="brand" href={pageAddress(context, '/')}>
        Takt
      </a>
      <nav aria-label={wordings[language].texts.resources}>
        <ul>
          {offeredLists(context)
            .filter(({ browsing }) => browsing !== undefined)
            .map((list) => (
              <li>
                <a
                  href={openingAddress(context, list)}
                  aria-current={context.path === list.path ? 'page' : undefined}
                >
                  {list.title[language]}
                </a>
              </li>
            ))}
          <li>
            <a href={indexAddress(context)} aria-current={context.path === '/' ? 'page' : undefined}>
              {wordings[language].texts.resources}
            </a>
          </li>
        </ul>
      </nav>
      <div class="who">
        <CompanyChoice context={context} />
        <VisitorState context={context} />
      </div>
    </header>
  );
}

/** Shows the name of the company, or a choice of companies if the token covers several. */
function CompanyChoice({ context }: OfContext): Markup | null {
  const { company: current, companies, language } = context;
  if (companies.length < 2) return current === undefined ? null : <p>{current.name}</p>;
  const { texts } = wordings[language];
  return (
    <>
      {current !== undefined && <p class="on-paper">{current.name}</p>}
      <form method="get" action={formAddress(context)}>
        <HiddenInputs context={context} changes={{ ...FIRST_PAGE, $db: undefined }} />
        <label>
          <span class="vh">{texts.company}</span>
          <select name={parameterOf(context, '$db')?.name ?? '$db'}>
            {companies.map(({ code, name, companyId }) => (
              <option value={code} selected={companyId === current?.companyId}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">{texts.switchCompany}</button>
      </form>
    </>
  );
}

/** Shows the name of the signed-in person and a button to sign out. */
function VisitorState({ context }: OfContext): Markup | null {
  const { visitor, language } = context;
  if (visitor.kind !== 'signed-in' && visitor.kind !== 'with-session') return null;
  const { texts } = wordings[language];
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

function Footer({ context, formats }: OfContext & { readonly formats: readonly string[] }): Markup {
  const { texts } = wordings[context.language];
  const links = formats.map((format) => (
    <a rel="alternate" href={ownAddress(context, { $format: format })}>
      {format.toUpperCase()}
    </a>
  ));
  return (
    <footer>
      <LanguageNavigation context={context} />
      {links.length > 0 && (
        <p>
          {texts.formats} {links.flatMap((link, index) => (index === 0 ? [link] : [' · ', link]))}
        </p>
      )}
      <p>
        <a href={documentAddress(context, `${context.baseUrl}/docs`)}>{texts.documentation}</a>
      </p>
      {/*
       * The request id and the time, which change with each answer, come last, so that the rest of the page can be
       * compared.
       */}
      <p>
        {texts.requestId} <code>{context.requestId}</code> · {readAtOf(context)}
      </p>
    </footer>
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

function LanguageNavigation({ context }: OfContext): Markup {
  return (
    <nav aria-label={wordings[context.language].texts.language}>
      <ul>
        {languages.map((language) => (
          <li>
            <a
              lang={languageTag(language)}
              hreflang={languageTag(language)}
              href={ownAddress(context, { $lang: language })}
              aria-current={language === context.language ? 'true' : undefined}
            >
              {wordings[language].ownName}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
