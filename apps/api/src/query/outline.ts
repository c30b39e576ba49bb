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

/** Whether a node is served; what is not has an index all the same. */
export type IsServed = (node: Node) => boolean;

const everything: IsServed = () => true;

/** The outline of a definition, each field and collection with its own index in the order written. */
export function outlineOf(
  nodes: readonly Node[],
  nextIndex: NextIndex = countIndexes(),
  isServed = everything,
): readonly OutlineNode[] {
  return nodes.flatMap((node) => {
    const outlined = outlineOfNode(node, nextIndex, isServed);
    return isServed(node) ? [outlined] : [];
  });
}

function outlineOfNode(node: Node, nextIndex: NextIndex, isServed: IsServed): OutlineNode {
  if (node.kind === 'field') return { kind: 'field', field: node, index: nextIndex() };
  if (node.kind === 'group') return outlineOfGroup(node, nextIndex, isServed);
  return outlineOfCollection(node, nextIndex(), isServed);
}

export function outlineOfGroup(
  group: Group,
  nextIndex: NextIndex = countIndexes(),
  isServed = everything,
): OutlineGroup {
  return { kind: 'group', group, children: outlineOf(group.children, nextIndex, isServed) };
}

/** An item is outlined when there is one: it may hold a collection of its own kind. */
export function outlineOfCollection(
  collection: OutlineCollection['collection'],
  index: number,
  isServed = everything,
): OutlineCollection {
  const item = () => outlineOfGroup(collection.item(), countIndexes(), isServed);
  return { kind: 'collection', collection, item, index };
}
