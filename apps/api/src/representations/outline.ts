import type { Group, Node } from '@takt/resources';
import type { OutlineCollection, OutlineGroup, OutlineNode } from './page.js';

/** Gives each value its place in a row. */
export type TakePlace = () => number;

/** Places from 0 on. */
export function countPlaces(): TakePlace {
  let next = 0;
  return () => next++;
}

/** The outline of a definition as a whole, each field and collection in its own place in the order written. */
export function outlineOf(
  nodes: readonly Node[],
  takePlace: TakePlace = countPlaces(),
): readonly OutlineNode[] {
  return nodes.map((node) => {
    if (node.kind === 'field') return { kind: 'field', field: node, index: takePlace() };
    if (node.kind === 'group') return outlineOfGroup(node, takePlace);
    return outlineOfCollection(node, takePlace());
  });
}

export function outlineOfGroup(group: Group, takePlace: TakePlace = countPlaces()): OutlineGroup {
  return { kind: 'group', group, children: outlineOf(group.children, takePlace) };
}

/** An item is outlined when there is one: it may hold a collection of its own kind. */
export function outlineOfCollection(
  collection: OutlineCollection['collection'],
  index: number,
): OutlineCollection {
  return { kind: 'collection', collection, item: () => outlineOfGroup(collection.item()), index };
}
