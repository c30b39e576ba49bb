import { jsonName, type Resource } from '@takt/catalogue/resources';
import type { ParsedElement } from '@takt/test-support';
import { jsonAt } from '../support/json-at.js';

export const EVERYTHING =
  '$expand=ApplicableDomainValues,ExpandableFields,Description,TranslatedDescription,TranslatedName,MacroDefinitions,URIParameters';

export interface ToldField {
  readonly name: string;
  readonly translatedName: string;
  readonly datatype: string;
  readonly applicableDomainValues: string | null;
}

export interface ToldResponseField extends ToldField {
  readonly path: string;
  readonly hasDomainDescription: boolean;
  readonly expandParameter: string | null;
}

/** The answer of /metadata about a resource if $expand names everything. */
export interface ToldResource {
  readonly description: string;
  readonly uri: string;
  readonly maximumResultRows: number | null;
  readonly admittance: {
    readonly accessDenied: string | null;
    readonly accessRuleId: number | null;
    readonly missingPermissionId: number | null;
    readonly errorMessageId: number | null;
  };
  readonly uriParameters: readonly {
    readonly name: string;
    readonly datatype: string;
    readonly isRequired: boolean;
    readonly minimumValue: number | null;
    readonly defaultValue: string | null;
  }[];
  readonly inputFields: readonly unknown[];
  readonly responseFields: readonly ToldResponseField[];
  readonly filterFields: readonly (ToldField & { readonly macroSet: null })[];
  readonly sortableFields: readonly ToldField[];
  readonly namedFilters: readonly unknown[];
}

/**
 * Returns the leaf values of a JSON value, by their paths. All items of an array share one path, such as
 * months[].month.
 */
export function leavesByPath(value: unknown, path = ''): ReadonlyMap<string, readonly unknown[]> {
  const leaves = new Map<string, unknown[]>();
  const visit = (found: unknown, at: string) => {
    if (Array.isArray(found)) {
      for (const item of found) visit(item, `${at}[]`);
    } else if (typeof found === 'object' && found !== null) {
      for (const [name, inner] of Object.entries(found)) visit(inner, at === '' ? name : `${at}.${name}`);
    } else {
      leaves.set(at, [...(leaves.get(at) ?? []), found]);
    }
  };
  visit(value, path);
  return leaves;
}

/** Returns the object in the JSON document of a detail, or the first item in the document of a list. */
export function objectIn(text: string): unknown {
  const [first] = Object.values<unknown>(JSON.parse(text));
  return Array.isArray(first) ? first[0] : first;
}

/** Returns the error message id of an answer. */
export function errorIdIn(text: string): unknown {
  return jsonAt(JSON.parse(text), 'errorMessage.errorMessageId');
}

/**
 * Matches the paths of lists that are empty for every resource, because this service has no input fields, named filters
 * or macros. Answers cannot prove the metadata of the items of such lists.
 */
export const ALWAYS_EMPTY = /^(inputFields|namedFilters|macroDefinitions)\[\]/;

/** Returns the names that `$expand` needs so that an answer contains all of these fields. */
export const expansionsOf = (fields: readonly ToldResponseField[]): readonly string[] => [
  ...new Set(fields.flatMap(({ expandParameter }) => expandParameter?.split(',') ?? [])),
];

/** Returns the path for $select. A collection can only be selected as a whole, so its path ends before the first []. */
export const selectableIn = (path: string): string => path.replace(/\[\].*/, '');

export const pathsOf = (fields: readonly ToldResponseField[]): readonly string[] =>
  fields.map(({ path }) => path).sort();

/** Returns the XML element of an object: the root element for a detail, the first item for a list. */
export function elementOf({ kind, element }: Resource, root: ParsedElement): ParsedElement {
  const item = kind === 'detail' ? root : root.children.find(({ name }) => name === element);
  if (item === undefined) throw new Error(`there is no ${element}`);
  return item;
}

/** Returns the paths of all leaf elements, written as in JSON. They do not contain the element names of array items. */
export function xmlPaths(object: ParsedElement, told: readonly ToldResponseField[]): ReadonlySet<string> {
  const arrays = new Set(told.flatMap(({ path }) => prefixesOf(path)));
  const paths = new Set<string>();
  const visit = ({ children }: ParsedElement, around: string) => {
    for (const child of children) {
      const path = around + jsonName(child.name);
      if (arrays.has(path)) {
        for (const item of child.children) visit(item, `${path}[].`);
      } else if (child.children.length > 0) {
        visit(child, `${path}.`);
      } else if (!ALWAYS_EMPTY.test(`${path}[]`)) {
        paths.add(path);
      }
    }
  };
  visit(object, '');
  return paths;
}

/** Returns the part of a path before each []. */
function prefixesOf(path: string): readonly string[] {
  return [...path.matchAll(/\[\]/g)].map(({ index }) => path.slice(0, index));
}
