import type { Language } from '@takt/texts';
import type { Identity } from '../access/establish-identity.js';
import type { OutlineNode, Row, Value } from '../query/outline.js';

/** The request for a computed object: all that its function needs. */
export interface ComputedRequest {
  readonly identity: Identity;
  readonly language: Language;
  /** Base URL of the service; absolute, without a trailing slash. */
  readonly baseUrl: string;
  /** The resource's own parameters. */
  readonly parameters: ReadonlyMap<string, string>;
  /** True if `$expand` has this name. */
  readonly isExpanded: (name: string) => boolean;
}

/**
 * The values of an object by their names in the definition, including values that were not requested; those are not
 * read.
 */
export interface ComputedObject {
  readonly [name: string]: Value | ComputedObject | readonly ComputedObject[];
}

/** The object as a row of the outline. Throws if a value is missing. */
export function rowOf(outline: readonly OutlineNode[], object: ComputedObject): Row {
  const row: Value[] = [];
  place(outline, object, row);
  return Array.from(row, (value) => value ?? null);
}

function place(outline: readonly OutlineNode[], object: ComputedObject, row: Value[]): void {
  for (const node of outline) {
    switch (node.kind) {
      case 'field':
        row[node.index] = found(object, node.field.name, isValue);
        break;
      case 'group':
        place(node.children, found(object, node.group.name, isObject), row);
        break;
      case 'collection': {
        const items = found(object, node.collection.name, isItems);
        const { children } = node.item();
        row[node.index] = items.map((item) => rowOf(children, item));
      }
    }
  }
}

type ComputedValue = ComputedObject[string];

function found<Wanted extends ComputedValue>(
  object: ComputedObject,
  name: string,
  isWanted: (value: ComputedValue) => value is Wanted,
): Wanted {
  const value = object[name];
  if (value === undefined || !isWanted(value)) throw new Error(`nothing was made for ${name}`);
  return value;
}

function isObject(value: ComputedValue): value is ComputedObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isItems(value: ComputedValue): value is readonly ComputedObject[] {
  return Array.isArray(value) && value.every(isObject);
}

function isValue(value: ComputedValue): value is Value {
  return !isObject(value) && !(Array.isArray(value) && value.some(isObject));
}
