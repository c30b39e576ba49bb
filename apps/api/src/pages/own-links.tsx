import type { Markup } from '@takt/pages';
import type { QueryParameter } from '@takt/query-options';
import type { WritingContext } from '../representations/page.js';

/** New values of parameters by their canonical name; undefined takes the parameter away. */
export type Changes = Readonly<Record<string, string | undefined>>;

/** Another filter, order or page size starts at the first page again. */
export const FIRST_PAGE: Changes = { $pageKey: undefined, $skip: undefined };

/** What means the same on every page of the service; a page key or a filter does not. */
const UNIVERSAL = ['$format', '$lang', '$db', '$showDomainDescriptions'];

const ALIASES: Readonly<Record<string, string>> = {
  $showdomainvalues: '$showdomaindescriptions',
  $count: '$inlinecount',
};

/** Clients write names in any case, and some have an alias. */
function canonical(name: string): string {
  const lower = name.toLowerCase();
  return (Object.hasOwn(ALIASES, lower) ? ALIASES[lower] : undefined) ?? lower;
}

/** The request's parameter of a canonical name, under the name that the client wrote. */
export function parameterOf(context: WritingContext, name: string): QueryParameter | undefined {
  return context.parameters.find((parameter) => canonical(parameter.name) === name.toLowerCase());
}

/** The request's parameters with the changes, each under the name that the client wrote. */
export function changedParameters(context: WritingContext, changes: Changes): readonly QueryParameter[] {
  const pending = new Map(
    Object.entries(changes).map(([name, value]) => [name.toLowerCase(), { name, value }]),
  );
  const changed = new Set<string>();
  const kept = context.parameters.flatMap(({ name, value }) => {
    const key = canonical(name);
    const change = pending.get(key);
    if (change === undefined) return [{ name, value }];
    if (changed.has(key) || change.value === undefined) return [];
    changed.add(key);
    return [{ name, value: change.value }];
  });
  const added = [...pending].flatMap(([key, { name, value }]) =>
    value === undefined || changed.has(key) ? [] : [{ name, value }],
  );
  return [...kept, ...added];
}

/** Address of the page with other parameters. */
export function ownAddress(context: WritingContext, changes: Changes): string {
  return addressOf(context, pathOf(context), changedParameters(context, changes));
}

/** Address of another page of the service, with what holds for that one too. */
export function pageAddress(context: WritingContext, path: string): string {
  return addressOf(
    context,
    path,
    context.parameters.filter(({ name }) => isUniversal(name)),
  );
}

/** Address of the page without parameters, which a form adds. */
export function formAddress(context: WritingContext): string {
  return addressOf(context, pathOf(context), []);
}

/** Path and query of the page below the base URL, by which a sign-in leads back to it. */
export function returnPath(context: WritingContext): string {
  return pathOf(context) + queryOf(context.parameters);
}

/** The address of a document that is the same for every company: who comes back from there is still in this one. */
export function documentAddress(context: WritingContext, href: string): string {
  return href + queryOf(named(context, ['$db']));
}

/** Address of a page of the sign-in, in the language and with the company that the request named. */
export function signInAddress(
  context: WritingContext,
  path: string,
  parameters: readonly QueryParameter[],
): string {
  return addressOf(context, path, [...named(context, ['$lang', '$db']), ...parameters]);
}

function named(context: WritingContext, names: readonly string[]): readonly QueryParameter[] {
  return names.flatMap((name) => parameterOf(context, name) ?? []);
}

function isUniversal(name: string): boolean {
  return UNIVERSAL.some((universal) => universal.toLowerCase() === canonical(name));
}

/** Without the slash an address could lead to another host. */
function pathOf({ path }: WritingContext): string {
  return path.startsWith('/') ? path : `/${path}`;
}

function addressOf({ baseUrl }: WritingContext, path: string, parameters: readonly QueryParameter[]): string {
  return baseUrl + path + queryOf(parameters);
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

/** The parameters that a form does not ask for. */
export function HiddenInputs({
  context,
  changes,
}: {
  readonly context: WritingContext;
  readonly changes: Changes;
}): Markup {
  return (
    <>
      {changedParameters(context, changes).map(({ name, value }) => (
        <input type="hidden" name={name} value={value} />
      ))}
    </>
  );
}
