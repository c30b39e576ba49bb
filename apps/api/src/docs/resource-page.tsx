import {
  type ListResource,
  leavesOf,
  newestOf,
  type Resource,
  type ResourceFamily,
} from '@takt/catalogue/resources';
import { escapeHtml, type Markup, ready, type WithChildren } from '@takt/pages';
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
import type { WritingContext } from '../representations/writer.js';
import { addressOf, EnglishOnly, writeDocsPage } from './docs-frame.js';
import { renderInline, renderMarkdown } from './render-document.js';

/** Writes the page about a resource. It shows an example, a form to try the resource, its parameters and its fields. */
export function writeResourcePage(family: ResourceFamily, context: WritingContext): string {
  const resource = newestOf(family);
  const { title, summary, description, identifier, version, path } = resource;
  const { language } = context;
  return writeDocsPage(
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
