import type { Collection, Field, Group, Node } from '@takt/resources';

/** What a row holds for a field; a collection holds a row per item. */
export type Value = string | number | boolean | null | Row;
export type Row = readonly Value[];

/** What is served of a resource: its definition without what was not asked for, with the index of each value in a row. */
export type OutlineNode = OutlineField | OutlineGroup | OutlineCollection;

export interface OutlineField {
  readonly kind: 'field';
  readonly field: Field;
  /** Of the value in a row. */
  readonly index: number;
}

export interface OutlineGroup {
  readonly kind: 'group';
  readonly group: Group;
  readonly children: readonly OutlineNode[];
}

export interface OutlineCollection {
  readonly kind: 'collection';
  readonly collection: Collection;
  /** Outline of one item, whose indexes are those of the item's own row. */
  readonly item: () => OutlineGroup;
  readonly index: number;
}

/** Gives each value the next index of a row. */
export type NextIndex = () => number;

/** Indexes from 0 on. */
export function countIndexes(): NextIndex {
  let next = 0;
  return () => next++;
}

/** The outline of a definition as a whole, each field and collection with its own index in the order written. */
export function outlineOf(
  nodes: readonly Node[],
  nextIndex: NextIndex = countIndexes(),
): readonly OutlineNode[] {
  return nodes.map((node) => {
    if (node.kind === 'field') return { kind: 'field', field: node, index: nextIndex() };
    if (node.kind === 'group') return outlineOfGroup(node, nextIndex);
    return outlineOfCollection(node, nextIndex());
  });
}

export function outlineOfGroup(group: Group, nextIndex: NextIndex = countIndexes()): OutlineGroup {
  return { kind: 'group', group, children: outlineOf(group.children, nextIndex) };
}

/** An item is outlined when there is one: it may hold a collection of its own kind. */
export function outlineOfCollection(
  collection: OutlineCollection['collection'],
  index: number,
): OutlineCollection {
  return { kind: 'collection', collection, item: () => outlineOfGroup(collection.item()), index };
}
