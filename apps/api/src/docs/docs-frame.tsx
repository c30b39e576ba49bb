import { serviceTexts } from '@takt/catalogue/resources';
import { docsScript, type Markup } from '@takt/pages';
import { languageTag } from '@takt/texts';
import { documentAddress, HiddenInputs, parameterOf, writePage, writtenIn } from '../pages/index.js';
import { wordings } from '../pages/words.js';
import type { WritingContext } from '../representations/writer.js';
import { renderDocument } from './render-document.js';
import { servedDocuments } from './served-documents.js';

export const DOCS_PATH = '/docs';
export const RESOURCES_PATH = `${DOCS_PATH}/resources`;
/** No question is longer. */
export const MAX_SEARCH = 200;

/** Says that a page has no translation, unless the reader reads English. */
export function EnglishOnly({ context: { language } }: { readonly context: WritingContext }): Markup | null {
  if (language === 'eng') return null;
  return (
    <p class="hint" lang={languageTag(language)}>
      {wordings[language].texts.englishOnly}
    </p>
  );
}

/** Writes a page of the documentation, with the list of all of them and a field to search them. */
export function writeDocsPage(context: WritingContext, title: string, children: Markup): string {
  const { texts } = wordings[context.language];
  const kept = ['$lang', '$db'].flatMap((name) => parameterOf(context, name) ?? []);
  return writePage({
    title,
    context,
    formats: [],
    script: docsScript,
    children: (
      <div class="docs" data-copy={texts.copy} data-copied={texts.copied}>
        <nav aria-label={serviceTexts.documentation[context.language]}>
          <form class="search" method="get" action={context.baseUrl + DOCS_PATH}>
            <HiddenInputs context={{ ...context, parameters: kept }} changes={{}} />
            <input
              type="search"
              name="search"
              value={writtenIn(context, 'search')}
              maxlength={MAX_SEARCH}
              aria-label={texts.search}
              placeholder={texts.search}
            />
          </form>
          <ul>
            <NavLink
              context={context}
              path={DOCS_PATH}
              label={serviceTexts.documentation[context.language]}
            />
            {servedDocuments.map((document) => (
              <NavLink
                context={context}
                path={`${DOCS_PATH}/${document.name}`}
                label={renderDocument(document).title}
              />
            ))}
            <NavLink context={context} path={RESOURCES_PATH} label={texts.resources} />
          </ul>
        </nav>
        {children}
      </div>
    ),
  });
}

interface NavLinkProps {
  readonly context: WritingContext;
  readonly path: string;
  readonly label: string;
}

function NavLink({ context, path, label }: NavLinkProps): Markup {
  return (
    <li>
      <a
        href={documentAddress(context, context.baseUrl + path)}
        aria-current={context.path === path ? 'page' : undefined}
      >
        {label}
      </a>
    </li>
  );
}

/** The address of the page of a document. */
export const addressOf = (context: WritingContext, name: string): string =>
  documentAddress(context, `${context.baseUrl}${DOCS_PATH}/${name}`);
