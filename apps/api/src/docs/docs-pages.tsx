import {
  type ListResource,
  leavesOf,
  newestOf,
  type Resource,
  type ResourceFamily,
  resourceFamilies,
  serviceTexts,
} from '@takt/catalogue/resources';
import { escapeHtml, type Markup, pageStyle, readStyle, ready, type WithChildren } from '@takt/pages';
import { exportFormats, FORM_PARAMETER, formats } from '@takt/query';
import { type Language, languageTag } from '@takt/texts';
import { neededRights } from '../metadata/create-open-api.js';
import { exampleRequest } from '../metadata/introduction.js';
import {
  exampleOwn,
  examplePath,
  filterDescription,
  filterExamples,
  orderDescription,
  orderExamples,
} from '../metadata/query-guide.js';
import { documentAddress, HiddenInputs, parameterOf, writePage, writtenIn } from '../pages/index.js';
import { wordings } from '../pages/words.js';
import type { WritingContext } from '../representations/writer.js';
import { renderDocument, renderInline, renderMarkdown, withAddresses } from './render-document.js';
import { searchDocuments } from './search-documents.js';
import { type ServedDocument, servedDocuments } from './served-documents.js';

/**
 * The style sheet of the documentation. It is longer than that of other pages, because the documentation has more kinds
 * of text.
 */
export const docsStyle = pageStyle + readStyle(new URL(import.meta.resolve('#assets/docs.css')));

export const DOCS_PATH = '/docs';
/** The path of assets/docs.js, the only script of the API's pages. */
export const DOCS_SCRIPT = `${DOCS_PATH}/docs.js`;
export const RESOURCES_PATH = `${DOCS_PATH}/resources`;

/**
 * Writes the start page of the documentation. It lists the documents, the resources, and the descriptions for programs.
 */
export function writeDocsIndex(context: WritingContext): string {
  const { baseUrl, language } = context;
  const search = writtenIn(context, 'search').slice(0, MAX_SEARCH).trim();
  if (search !== '') return writeFound(search, context);
  return page(
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

/** No question is longer. */
const MAX_SEARCH = 200;

function writeFound(search: string, context: WritingContext): string {
  const { texts } = wordings[context.language];
  const found = searchDocuments(search);
  return page(
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
  return page(
    context,
    title,
    <article>
      <EnglishOnly context={context} />
      <div lang="en">{ready(placed(html, context))}</div>
    </article>,
  );
}

export function writeResourcesPage(context: WritingContext): string {
  return page(
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

/** Writes the page about a resource. It shows an example, a form to try the resource, its parameters and its fields. */
export function writeResourcePage(family: ResourceFamily, context: WritingContext): string {
  const resource = newestOf(family);
  const { title, summary, description, identifier, version, path } = resource;
  const { language } = context;
  return page(
    context,
    title[language],
    <article lang="en">
      <h1 lang={languageTag(language)}>{title[language]}</h1>
      <p>
        <code>GET {path}</code>
      </p>
      {language !== 'eng' && <p lang={languageTag(language)}>{summary[language]}</p>}
      <EnglishOnly context={context} />
      <p>
        {ready(
          renderInline(
            `${description} Resource ${identifier}, version ${version}. ${neededRights(resource)}`,
          ),
        )}
      </p>
      <h2>Example</h2>
      <pre tabindex={0}>
        <code>{exampleRequest(resource, context.baseUrl)}</code>
      </pre>
      <h2>Try it</h2>
      <TryForm resource={resource} context={context} />
      <OwnParameters resource={resource} />
      {resource.kind === 'list' && <QueryParts resource={resource} context={context} />}
      <h2>Fields</h2>
      <FieldTable resource={resource} language={language} />
    </article>,
  );
}

interface OfResource {
  readonly resource: Resource;
}

/** A form that requests the resource with the session of the reader. The form needs no script, so it sends empty fields. */
function TryForm({ resource, context }: OfResource & { readonly context: WritingContext }): Markup {
  const { baseUrl, company } = context;
  const own = new Map(exampleOwn(resource).map((text) => text.split('=') as [string, string]));
  const list = resource.kind === 'list' ? resource : undefined;
  const offered = list === undefined ? formats : [...formats, ...exportFormats];
  return (
    <form class="try" method="get" action={baseUrl + examplePath(resource)}>
      {list !== undefined && (
        <>
          <TextField name="$filter" value={filterExamples(list)[0] ?? ''} />
          <TextField name="$orderby" value={orderExamples(list)[0] ?? ''} />
          {list.searched.length > 0 && <TextField name="search" value="" />}
        </>
      )}
      {(resource.parameters ?? []).map(({ name }) => (
        <TextField name={name} value={own.get(name) ?? ''} />
      ))}
      <label>
        <code>$format</code>{' '}
        <select name="$format">
          {offered.map((format) => (
            <option value={format}>{format}</option>
          ))}
        </select>
      </label>
      <input type="hidden" name={FORM_PARAMETER} value="try" />
      {company !== undefined && <input type="hidden" name="$db" value={company.code} />}
      <button type="submit">GET {examplePath(resource)}</button>
    </form>
  );
}

function TextField({ name, value }: Readonly<Record<'name' | 'value', string>>): Markup {
  return (
    <label>
      <code>{name}</code> <input type="text" name={name} value={value} />
    </label>
  );
}

function OwnParameters({ resource: { parameters = [] } }: OfResource): Markup | null {
  if (parameters.length === 0) return null;
  return (
    <>
      <h2>Parameters of its own</h2>
      <Wide label="Parameters">
        <thead>
          <tr>
            <th scope="col">parameter</th>
            <th scope="col">meaning</th>
          </tr>
        </thead>
        <tbody>
          {parameters.map(({ name, description, isRequired }) => (
            <tr>
              <td>
                <code>{name}</code>
                {isRequired && ' (required)'}
              </td>
              <td>{ready(renderInline(description))}</td>
            </tr>
          ))}
        </tbody>
      </Wide>
    </>
  );
}

interface QueryPartsProps {
  readonly resource: ListResource;
  readonly context: WritingContext;
}

/**
 * The fields by which this list can be filtered and sorted. The page shows them in addition to the rules for all lists.
 */
function QueryParts({ resource, context }: QueryPartsProps): Markup {
  return (
    <>
      <h2>Filter</h2>
      <p>
        <a href={addressOf(context, 'query-language')}>The query language</a> holds for all lists.
      </p>
      {ready(renderMarkdown(filterDescription(resource, { withGrammar: false })))}
      <h2>Order</h2>
      {ready(renderMarkdown(orderDescription(resource)))}
    </>
  );
}

/** The fields, with their headings in the language of the reader and their descriptions in English. */
function FieldTable({ resource, language }: OfResource & { readonly language: Language }): Markup {
  return (
    <Wide label="Fields">
      <thead>
        <tr>
          <th scope="col">field</th>
          <th scope="col">type</th>
          <th scope="col">meaning</th>
        </tr>
      </thead>
      <tbody>
        {leavesOf(resource.fields).map(({ path, node, duties, isExpandable }) => (
          <tr>
            <td>
              <code>{ready(path.map(escapeHtml).join('.<wbr/>'))}</code>
            </td>
            <td>{typeOf(node)}</td>
            <td>
              {language !== 'eng' && (
                <span lang={languageTag(language)} class="heading">
                  {node.heading[language]}
                </span>
              )}
              {node.description}
              {isExpandable && ' Only with $expand.'}
              {duties.length > 0 && ` Needs the duty ${duties.join(', ')}.`}
            </td>
          </tr>
        ))}
      </tbody>
    </Wide>
  );
}

function typeOf(node: ReturnType<typeof leavesOf>[number]['node']): string {
  if (node.kind === 'collection') return 'list';
  const unit = node.unit === undefined ? '' : `, ${node.unit}`;
  return `${node.type}${unit}${node.isNullable ? ', or null' : ''}`;
}

interface WideProps extends WithChildren {
  readonly label: string;
}

/** A table that can be scrolled sideways on a narrow page, also with the keyboard. */
function Wide({ label, children }: WideProps): Markup {
  return (
    <section class="wide" tabindex={0} aria-label={label}>
      <table>{children}</table>
    </section>
  );
}

/** Says that a page has no translation, unless the reader reads English. */
function EnglishOnly({ context: { language } }: { readonly context: WritingContext }): Markup | null {
  if (language === 'eng') return null;
  return (
    <p class="hint" lang={languageTag(language)}>
      {wordings[language].texts.englishOnly}
    </p>
  );
}

function page(context: WritingContext, title: string, children: Markup): string {
  const { texts } = wordings[context.language];
  const kept = ['$lang', '$db'].flatMap((name) => parameterOf(context, name) ?? []);
  return writePage({
    title,
    context,
    formats: [],
    style: docsStyle,
    head: <script src={context.baseUrl + DOCS_SCRIPT} defer />,
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

const addressOf = (context: WritingContext, name: string): string =>
  documentAddress(context, `${context.baseUrl}${DOCS_PATH}/${name}`);

const resourceAddress = (context: WritingContext, { identifier }: ResourceFamily): string =>
  documentAddress(context, `${context.baseUrl}${RESOURCES_PATH}/${identifier}`);

const placed = (html: string, context: WritingContext): string =>
  withAddresses(html, { baseUrl: context.baseUrl, addressOf: (name) => addressOf(context, name) });
