import { hasParameter, isOfPeriods } from '@takt/catalogue/resources';
import type { Markup } from '@takt/pages';
import { canonicalName, type QueryParameter } from '@takt/query';
import type { WritingContext } from '../representations/writer.js';

/**
 * Changes to the parameters of a request: a new value for each canonical name. The value undefined removes the
 * parameter.
 */
export type Changes = Readonly<Record<string, string | undefined>>;

/** The parameter that contains the key of the expanded row. */
export const OPEN = 'open';

/** The parameter that names the view that was saved just now. No link keeps it. */
export const SAVED = 'saved';

/** The parameter that makes a file have the same columns as its page. */
const COLUMNS = 'columns';
const SHOWN = 'shown';

/**
 * Changes of parameters for the address of a file: the first gives the file the columns of the page, the second gives
 * it all columns.
 */
export const shownColumns: Changes = { [COLUMNS]: SHOWN };
export const allColumns: Changes = { [COLUMNS]: undefined };

export const asksShownColumns = (context: WritingContext): boolean => writtenIn(context, COLUMNS) === SHOWN;

/**
 * Changes that lead to the first page of the list and collapse the expanded row. They are needed whenever the filter,
 * the order or the page size changes.
 */
export const FIRST_PAGE: Changes = { $pageKey: undefined, $skip: undefined, [OPEN]: undefined };

/**
 * Parameters that have the same meaning on all pages, so every link keeps them. Links also keep the period if their page
 * has one, but neither page keys nor filters.
 */
const UNIVERSAL = ['$format', '$lang', '$db', '$showDomainDescriptions'];

/**
 * The canonical names of the parameters that concern the reader or a single page of a list. A saved view does not
 * contain them.
 */
export const ofReaderOrPage: readonly string[] = [
  '$access_token',
  '$db',
  '$lang',
  '$format',
  '$top',
  '$pageKey',
  '$skip',
  '$inlinecount',
  OPEN,
  COLUMNS,
  'form',
  SAVED,
];

/**
 * Finds the parameter with this canonical name in the request. The parameter keeps its own name, as the client wrote
 * it.
 */
export function parameterOf(context: WritingContext, name: string): QueryParameter | undefined {
  return context.parameters.find((parameter) => canonicalName(parameter.name) === name);
}

/** The value of the parameter with this canonical name; empty if the request has no such parameter. */
export const writtenIn = (context: WritingContext, name: string): string =>
  parameterOf(context, name)?.value ?? '';

/** The parameters of the request after the changes. Their names stay as the client wrote them. */
export function changedParameters(context: WritingContext, changes: Changes): readonly QueryParameter[] {
  const changed = new Set<string>();
  const remaining = context.parameters.flatMap((parameter) => {
    const name = canonicalName(parameter.name);
    if (name === SAVED) return [];
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

/** The parameters of the request that a form must keep, as hidden fields of the form. */
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

/** The parameters of the request that have the same meaning on the page with this path. */
export function sharedParameters(context: WritingContext, path: string): readonly QueryParameter[] {
  return context.parameters.filter(
    ({ name }) => UNIVERSAL.includes(canonicalName(name)) || (isOfPeriods(name) && hasParameter(path, name)),
  );
}

/** The address of a saved view, to which the language and the company of the reader are added. */
export function savedAddress(context: WritingContext, path: string, query: string): string {
  const reader = queryOf(named(context, ['$lang', '$db']));
  const joint = reader === '' || query === '' ? '' : '&';
  return `${context.baseUrl}${path}${query === '' ? reader : `?${query}${joint}${reader.slice(1)}`}`;
}

/** The address of another page. It keeps the parameters of the request that also apply to that page. */
export function pageAddress(
  context: WritingContext,
  path: string,
  added: readonly QueryParameter[] = [],
): string {
  return context.baseUrl + path + queryOf([...sharedParameters(context, path), ...added]);
}

/** The parameter that contains the unit of times. */
export const UNIT = 'unit';

/** The value of the parameter `view` that makes the root show the index instead of redirecting to a list. */
export const RESOURCES_VIEW = 'resources';

/** The address of the page without any parameters. A form adds its own parameters to this address. */
export const formAddress = (context: WritingContext): string => context.baseUrl + pathOf(context);

/** The path and the query of the page, below the base URL. A person returns to this address after signing in. */
export const returnPath = (context: WritingContext): string => pathOf(context) + queryOf(context.parameters);

/**
 * The address of a document that does not depend on the company. The address still names the company, so that links in
 * the document lead back to this company.
 */
export function documentAddress(context: WritingContext, href: string): string {
  return href + queryOf(named(context, ['$lang', '$db']));
}

/** The address of a sign-in page, with the language and the company of the request. */
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

/** The path of the page. It always starts with a slash, because otherwise the address could lead to another host. */
function pathOf({ path }: WritingContext): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function queryOf(parameters: readonly QueryParameter[]): string {
  const query = parameters.map(({ name, value }) => `${encode(name)}=${encode(value)}`).join('&');
  return query === '' ? '' : `?${query}`;
}

/** Matches a text that needs no encoding. */
const PLAIN = /^[\w.$-]*$/;

/**
 * Encodes a text for a query. A lone surrogate cannot be encoded, so it is replaced by U+FFFD. The dollar sign is not
 * encoded.
 */
function encode(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('%24', '$');
}

/** Parameters from their values by name. An empty value is left out. */
export const parametersNamed = (values: Readonly<Record<string, string>>): readonly QueryParameter[] =>
  Object.entries(values).flatMap(([name, value]) => (value === '' ? [] : [{ name, value }]));
