import { isOfPeriods } from '@takt/catalogue/resources';
import type { Markup } from '@takt/pages';
import { canonicalName, type QueryParameter } from '@takt/query';
import type { WritingContext } from '../representations/writer.js';

/** New values of parameters by their canonical name; undefined takes the parameter away. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** The parameter that holds the key of the opened row of a list. */
export const OPEN = 'open';

/** The parameter of a file with the columns of the page it was taken from, by its value. */
const COLUMNS = 'columns';
const SHOWN = 'shown';

/** Changes that ask for a file with the columns of the page, or with all columns. */
export const shownColumns: Changes = { [COLUMNS]: SHOWN };
export const allColumns: Changes = { [COLUMNS]: undefined };

export const asksShownColumns = (context: WritingContext): boolean => writtenIn(context, COLUMNS) === SHOWN;

/** Another filter, order or page size starts at the first page again, with no row opened. */
export const FIRST_PAGE: Changes = { $pageKey: undefined, $skip: undefined, [OPEN]: undefined };

/** Parameters that mean the same on every page of the service. A page key or a filter does not; a period does. */
const UNIVERSAL = ['$format', '$lang', '$db', '$showDomainDescriptions'];

/** Parameters that belong to a reader or to one page of a list, and to no view that is saved, by canonical name. */
export const ofReaderOrPage: readonly string[] = [
  ...['$access_token', '$db', '$lang', '$format', '$top', '$pageKey', '$skip', '$inlinecount'],
  ...[OPEN, COLUMNS, 'form'],
];

/** The request's parameter of a canonical name, under the name that the client wrote. */
export function parameterOf(context: WritingContext, name: string): QueryParameter | undefined {
  return context.parameters.find((parameter) => canonicalName(parameter.name) === name);
}

/** Its value; empty where the request has none. */
export const writtenIn = (context: WritingContext, name: string): string =>
  parameterOf(context, name)?.value ?? '';

/** The request's parameters with the changes, each under the name that the client wrote. */
export function changedParameters(context: WritingContext, changes: Changes): readonly QueryParameter[] {
  const changed = new Set<string>();
  const kept = context.parameters.flatMap((parameter) => {
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
  return [...kept, ...added];
}

/** The parameters that a form does not ask for. */
export function HiddenInputs(props: { readonly context: WritingContext; readonly changes: Changes }): Markup {
  return (
    <>
      {changedParameters(props.context, props.changes).map(({ name, value }) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}

/** Address of the page with other parameters. */
export function ownAddress(context: WritingContext, changes: Changes): string {
  return formAddress(context) + queryOf(changedParameters(context, changes));
}

/** The parameters of the request that every page of the service takes. */
export function universalParameters(context: WritingContext): readonly QueryParameter[] {
  return context.parameters.filter(
    ({ name }) => UNIVERSAL.includes(canonicalName(name)) || isOfPeriods(name),
  );
}

/** Address of a saved view, for a reader in this language and company. */
export function savedAddress(context: WritingContext, path: string, query: string): string {
  const reader = queryOf(named(context, ['$lang', '$db']));
  const joint = reader === '' || query === '' ? '' : '&';
  return `${context.baseUrl}${path}${query === '' ? reader : `?${query}${joint}${reader.slice(1)}`}`;
}

/** Address of another page of the service, with what holds for that one too. */
export function pageAddress(
  context: WritingContext,
  path: string,
  added: readonly QueryParameter[] = [],
): string {
  return context.baseUrl + path + queryOf([...universalParameters(context), ...added]);
}

/** `view` of the root that shows what there is, also to somebody whom the root leads on. */
export const RESOURCES_VIEW = 'resources';

/** Address of the page without parameters, which a form adds. */
export const formAddress = (context: WritingContext): string => context.baseUrl + pathOf(context);

/** Path and query of the page below the base URL, by which a sign-in leads back to it. */
export const returnPath = (context: WritingContext): string => pathOf(context) + queryOf(context.parameters);

/** The address of a document that is the same for every company: who comes back from there is still in this one. */
export function documentAddress(context: WritingContext, href: string): string {
  return href + queryOf(named(context, ['$lang', '$db']));
}

/** Address of a page of the sign-in, in the language and with the company that the request named. */
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

/** Without the slash an address could lead to another host. */
function pathOf({ path }: WritingContext): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function queryOf(parameters: readonly QueryParameter[]): string {
  const query = parameters.map(({ name, value }) => `${encode(name)}=${encode(value)}`).join('&');
  return query === '' ? '' : `?${query}`;
}

/** What stands in an address as it is. */
const PLAIN = /^[\w.$-]*$/;

/** Half a surrogate pair has no encoding; the dollar sign needs none. */
function encode(text: string): string {
  if (PLAIN.test(text)) return text;
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD')).replaceAll('%24', '$');
}
