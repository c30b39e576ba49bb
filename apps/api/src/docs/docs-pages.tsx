import { newestOf, type ResourceFamily, resourceFamilies, serviceTexts } from '@takt/catalogue/resources';
import { ready } from '@takt/pages';
import { documentAddress, writtenIn } from '../pages/index.js';
import { wordings } from '../pages/words.js';
import type { WritingContext } from '../representations/writer.js';
import { addressOf, EnglishOnly, MAX_SEARCH, RESOURCES_PATH, writeDocsPage } from './docs-frame.js';
import { renderDocument, withAddresses } from './render-document.js';
import { searchDocuments } from './search-documents.js';
import { type ServedDocument, servedDocuments } from './served-documents.js';

/**
 * Writes the start page of the documentation. It lists the documents, the resources, and the descriptions for programs.
 */
export function writeDocsIndex(context: WritingContext): string {
  const { baseUrl, language } = context;
  const search = writtenIn(context, 'search').slice(0, MAX_SEARCH).trim();
  if (search !== '') return writeFound(search, context);
  return writeDocsPage(
    context,
    serviceTexts.documentation[language],
    <div>
      <h1>{serviceTexts.documentation[language]}</h1>
      <p class="lead">{serviceTexts.lead[language]}</p>
      <div lang="en">
        <ul class="index">
          {servedDocuments.map((document) => {
            const { title, lead } = renderDocument(document);
            return (
              <li>
                <h2>
                  <a href={addressOf(context, document.name)}>{title}</a>
                </h2>
                {ready(placed(lead, context))}
              </li>
            );
          })}
          <li>
            <h2>
              <a href={documentAddress(context, baseUrl + RESOURCES_PATH)}>Resources</a>
            </h2>
            <p>Each resource with its fields, a working example, and a form to request it.</p>
          </li>
          <li>
            <h2>For programs</h2>
            <p>
              <a href={documentAddress(context, `${baseUrl}/openapi.json`)}>OpenAPI document</a> ·{' '}
              <a href={documentAddress(context, `${baseUrl}/schema.xsd`)}>XML schema</a>
            </p>
          </li>
        </ul>
      </div>
    </div>,
  );
}

function writeFound(search: string, context: WritingContext): string {
  const { texts } = wordings[context.language];
  const found = searchDocuments(search);
  return writeDocsPage(
    context,
    `${texts.search}: ${search}`,
    <article>
      <h1>
        {texts.search}: {search}
      </h1>
      {found.length === 0 && <p>{texts.nothingFound}</p>}
      <ul class="found" lang="en">
        {found.map(({ document, anchor, heading, excerpt }) => (
          <li>
            <a href={`${addressOf(context, document.name)}#${anchor}`}>{heading}</a>{' '}
            <span class="key">{renderDocument(document).title}</span>
            <p>{excerpt}</p>
          </li>
        ))}
      </ul>
    </article>,
  );
}

export function writeDocument(document: ServedDocument, context: WritingContext): string {
  const { title, html } = renderDocument(document);
  return writeDocsPage(
    context,
    title,
    <article>
      <EnglishOnly context={context} />
      <div lang="en">{ready(placed(html, context))}</div>
    </article>,
  );
}

export function writeResourcesPage(context: WritingContext): string {
  return writeDocsPage(
    context,
    wordings[context.language].texts.resources,
    <article>
      <h1>{wordings[context.language].texts.resources}</h1>
      <ul>
        {resourceFamilies.map((family) => {
          const { title, summary, path } = newestOf(family);
          return (
            <li>
              <a href={resourceAddress(context, family)}>{title[context.language]}</a> <code>{path}</code>
              <p>{summary[context.language]}</p>
            </li>
          );
        })}
      </ul>
    </article>,
  );
}

const resourceAddress = (context: WritingContext, { identifier }: ResourceFamily): string =>
  documentAddress(context, `${context.baseUrl}${RESOURCES_PATH}/${identifier}`);

const placed = (html: string, context: WritingContext): string =>
  withAddresses(html, { baseUrl: context.baseUrl, addressOf: (name) => addressOf(context, name) });
