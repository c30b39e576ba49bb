import type { OutlineNode, Row, Value } from '../query/outline.js';
import type { Held } from './asked.js';

/** An object as a row of its outline. Throws where it has not what the outline has. */
export function rowOf(outline: readonly OutlineNode[], held: Held): Row {
  const row: Value[] = [];
  place(outline, held, row);
  return Array.from(row, (value) => value ?? null);
}

function place(outline: readonly OutlineNode[], held: Held, row: Value[]): void {
  for (const node of outline) {
    switch (node.kind) {
      case 'field':
        row[node.index] = found(held, node.field.name, isValue);
        break;
      case 'group':
        place(node.children, found(held, node.group.name, isHeld), row);
        break;
      case 'collection': {
        const items = found(held, node.collection.name, isItems);
        const { children } = node.item();
        row[node.index] = items.map((item) => rowOf(children, item));
      }
    }
  }
}

type HeldValue = Held[string];

function found<Wanted extends HeldValue>(
  held: Held,
  name: string,
  isWanted: (value: HeldValue) => value is Wanted,
): Wanted {
  const value = held[name];
  if (value === undefined || !isWanted(value)) throw new Error(`nothing was made for ${name}`);
  return value;
}

function isHeld(value: HeldValue): value is Held {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isItems(value: HeldValue): value is readonly Held[] {
  return Array.isArray(value) && value.every(isHeld);
}

function isValue(value: HeldValue): value is Value {
  return !isHeld(value) && !(Array.isArray(value) && value.some(isHeld));
}
