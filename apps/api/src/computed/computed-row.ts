import type { Language } from '@takt/texts';
import type { Identity } from '../parse/establish-identity.js';
import type { OutlineNode, Row, Value } from '../plan/outline.js';

/** A request for a computed object: everything that the function of the object needs. */
export interface ComputedRequest {
  readonly identity: Identity;
  readonly language: Language;
  /** Base URL of the service. It is absolute and has no trailing slash. */
  readonly baseUrl: string;
  /** The values of the resource's own parameters, by name. */
  readonly parameters: ReadonlyMap<string, string>;
  /** True if the request names this part in `$expand`. */
  readonly isExpanded: (name: string) => boolean;
}

/**
 * The values of an object, by their names in the definition. There may be more values than the client requested; these
 * are ignored.
 */
export interface ComputedObject {
  readonly [name: string]: Value | ComputedObject | readonly ComputedObject[];
}

/** Turns an object into a row of the outline. Throws if the object lacks a value. */
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
