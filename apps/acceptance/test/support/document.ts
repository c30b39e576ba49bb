import { type ParsedElement, parseXml } from '@takt/test-support';
import { expect } from 'chai';
import type { ApiAnswer } from './test-api.js';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

/** Values of a document by their path. Array items count from 0. Numbers and booleans are converted to text. */
export type Leaves = ReadonlyMap<string, string | null>;

export function leavesOfJson(document: Json): Leaves {
  const leaves = new Map<string, string | null>();
  const visit = (value: Json, path: string) => {
    if (typeof value !== 'object' || value === null) {
      leaves.set(path, value === null ? null : String(value));
    } else {
      for (const [name, child] of Object.entries(value)) visit(child, `${path}/${name}`);
    }
  };
  visit(document, '');
  return leaves;
}

const lowered = (name: string) => name.slice(0, 1).toLowerCase() + name.slice(1);

/**
 * Elements that contain items instead of fields. All their children are of one kind. A path names these children by
 * position.
 */
const COLLECTIONS = [
  ...['Parameters', 'InnerErrors', 'Translations'],
  ...['StructureVersions', 'ApplicationVersions', 'Months', 'Bins'],
  ...['InputFields', 'ResponseFields', 'FilterFields', 'SortableFields', 'NamedFilters'],
];

/**
 * Returns the values of an XML document, with the names and the nesting of the JSON document. libxml2 parses the XML.
 */
export function leavesOfXml(xml: string): Leaves {
  const root = parseXml(xml);
  const leaves = new Map<string, string | null>();
  const visit = ({ name, isNil, text, children }: ParsedElement, path: string) => {
    const isCollection = COLLECTIONS.includes(name);
    if (children.length === 0 && !isCollection) leaves.set(path, isNil ? null : text);
    children.forEach((child, index) => {
      visit(child, `${path}/${isCollection ? index : lowered(child.name)}`);
    });
  };
  const isList = root.children.at(-1)?.name === 'Paging';
  if (!isList) {
    visit(root, root.name === 'Error' ? '' : `/${lowered(root.name)}`);
  } else {
    root.children.forEach((child, index) => {
      visit(child, child.name === 'Paging' ? '/paging' : `/${lowered(root.name)}/${index}`);
    });
  }
  return leaves;
}

export interface ErrorDocument {
  readonly hTTPStatusCode: string;
  readonly hTTPStatusDescription: string;
  readonly message: string;
  readonly translatedMessage: string;
  readonly errorMessage: { readonly errorMessageId: number; readonly errorMessageLink: string };
  readonly parameters: readonly { readonly index: number; readonly value: string }[];
  readonly innerErrors: readonly unknown[];
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '400': 'BadRequest',
  '403': 'Forbidden',
  '404': 'NotFound',
  '500': 'InternalServerError',
};

/**
 * Returns the error in a JSON answer. Expects a valid shape and the status of the answer. The status must be the first
 * property.
 */
export function readError({ status, text }: ApiAnswer): ErrorDocument {
  expect(text).to.match(/^\{"hTTPStatusCode":"\d{3}","hTTPStatusDescription":"/);
  const error: ErrorDocument = JSON.parse(text);
  expect(error.hTTPStatusCode).to.equal(String(status));
  expect(error.hTTPStatusDescription).to.equal(DESCRIPTIONS[String(status)]);
  expect(error.parameters.map(({ index }) => index)).to.deep.equal(error.parameters.map((_, index) => index));
  expect(error.message).not.to.match(/\{\d\}|undefined|select .* from|\bat \/|node_modules/i);
  return error;
}

export function errorIdOf(answer: ApiAnswer): number {
  return readError(answer).errorMessage.errorMessageId;
}
