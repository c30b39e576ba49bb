import { isOfPeriods } from '@takt/catalogue/resources';
import type { Markup } from '@takt/pages';
import { canonicalName, type QueryParameter } from '@takt/query';
import type { WritingContext } from '../representations/writer.js';

/** Changes of a request's parameters: new values by canonical name; undefined removes a parameter. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** The parameter with the key of the expanded row. */
export const OPEN = 'open';

/** The parameter that gives a file the columns of its page. */
const COLUMNS = 'columns';
const SHOWN = 'shown';

/** Changes for a file with the page's columns, or with all. */
export const shownColumns: Changes = { [COLUMNS]: SHOWN };
export const allColumns: Changes = { [COLUMNS]: undefined };

export const asksShownColumns = (context: WritingContext): boolean => writtenIn(context, COLUMNS) === SHOWN;

/** Changes that lead to the first page without an expanded row, needed with another filter, order or page size. */
export const FIRST_PAGE: Changes = { $pageKey: undefined, $skip: undefined, [OPEN]: undefined };

/**
 * Parameters with the same meaning on all pages, which links keep. Links also keep a period, but neither page keys nor
 * filters.
 */
const UNIVERSAL = ['$format', '$lang', '$db', '$showDomainDescriptions'];

/** Parameters that concern the reader or a single page of a list, by canonical name. Saved views omit them. */
export const ofReaderOrPage: readonly string[] = [
  ...['$access_token', '$db', '$lang', '$format', '$top', '$pageKey', '$skip', '$inlinecount'],
  ...[OPEN, COLUMNS, 'form'],
];

/** The request's parameter with a canonical name; its own name is as the client wrote it. */
export function parameterOf(context: WritingContext, name: string): QueryParameter | undefined {
  return context.parameters.find((parameter) => canonicalName(parameter.name) === name);
}

/** The value of the parameter with a canonical name; empty if the request has none. */
export const writtenIn = (context: WritingContext, name: string): string =>
  parameterOf(context, name)?.value ?? '';

/** The request's parameters after the changes, with names as the client wrote them. */
export function changedParameters(context: WritingContext, changes: Changes): readonly QueryParameter[] {
  const changed = new Set<string>();
  const remaining = context.parameters.flatMap((parameter) => {
    const name = canonicalName(parameter.name);
    if (!Object.hasOwn(changes, name)) return [parameter];
    const value = changes[name];
    if (changed.has(name) || value === undefined) return [];
    changed.add(name);
    return [{ name: parameter.name, value }];
  });
  const added = Object.entries(changes).flatMap(([name, value]) =>
    value === undefined || changed.has(name) ? [] : [{ name, value }],
  );
  return [...remaining, ...added];
}

/** The parameters of the request that a form must keep, as hidden fields. */
export function HiddenInputs(props: { readonly context: WritingContext; readonly changes: Changes }): Markup {
  return (
    <>
      {changedParameters(props.context, props.changes).map(({ name, value }) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

export function ownAddress(context: WritingContext, changes: Changes): string {
  return formAddress(context) + queryOf(changedParameters(context, changes));
}

/** The parameters of the request that have the same meaning on all pages. */
export function universalParameters(context: WritingContext): readonly QueryParameter[] {
  return context.parameters.filter(
    ({ name }) => UNIVERSAL.includes(canonicalName(name)) || isOfPeriods(name),
  );
}

/** The address of a saved view, with the reader's language and company. */
export function savedAddress(context: WritingContext, path: string, query: string): string {
  const reader = queryOf(named(context, ['$lang', '$db']));
  const joint = reader === '' || query === '' ? '' : '&';
  return `${context.baseUrl}${path}${query === '' ? reader : `?${query}${joint}${reader.slice(1)}`}`;
}

/** The address of another page, with the parameters that apply there. */
export function pageAddress(
  context: WritingContext,
  path: string,
  added: readonly QueryParameter[] = [],
): string {
  return context.baseUrl + path + queryOf([...universalParameters(context), ...added]);
}

/** The value of `view` that keeps the root from redirecting, so that it shows the index. */
export const RESOURCES_VIEW = 'resources';

/** The address of the page without parameters; a form adds its own. */
export const formAddress = (context: WritingContext): string => context.baseUrl + pathOf(context);

/** Path and query below the base URL, for the return after a sign-in. */
export const returnPath = (context: WritingContext): string => pathOf(context) + queryOf(context.parameters);

/**
 * The address of a document that is independent of the company. It keeps the company nevertheless, so that links from
 * there lead back to it.
 */
export function documentAddress(context: WritingContext, href: string): string {
  return href + queryOf(named(context, ['$lang', '$db']));
}

/** The address of a sign-in page, with the request's language and company. */
export function signInAddress(
  context: WritingContext,
  path: string,
  parameters: readonly QueryParameter[],
): string {
  return context.baseUrl + path + queryOf([...named(context, ['$lang', '$db']), ...parameters]);
}

function named(context: WritingContext, names: readonly string[]): readonly QueryParameter[] {
  return names.flatMap((name) => parameterOf(context, name) ?? []);
}

/** The path with a leading slash: without it, an address could lead to another host. */
function pathOf({ path }: WritingContext): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function queryOf(parameters: readonly QueryParameter[]): string {
  const query = parameters.map(({ name, value }) => `${encode(name)}=${encode(value)}`).join('&');
  return query === '' ? '' : `?${query}`;
}

/** Text that needs no encoding. */
const PLAIN = /^[\w.$-]*$/;

/**
 * Encodes a text for a query. A lone surrogate cannot be encoded, so it becomes U+FFFD; the dollar sign stays as it is.
 */
function encode(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('%24', '$');
}
