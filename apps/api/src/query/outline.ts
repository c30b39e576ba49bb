import {
  type Collection,
  domainDescriptionOf,
  type Field,
  type Group,
  type Node,
  withDomainDescriptions,
} from '@takt/catalogue/resources';

/** A value in a row. The value of a collection is an array with a row per item. */
export type Value = string | number | boolean | null | Row;
export type Row = readonly Value[];

/** The served part of a definition, with the index of each value in a row. */
export type OutlineNode = OutlineField | OutlineGroup | OutlineCollection;

export interface OutlineField {
  readonly kind: 'field';
  readonly field: Field;
  /** Index of the value in a row. */
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
  /** Makes the outline of one item, with indexes in the item's own row. */
  readonly item: () => OutlineGroup;
  readonly index: number;
}

export type NextIndex = () => number;

/** Returns a function that counts from 0. */
export function countIndexes(): NextIndex {
  let next = 0;
  return () => next++;
}

/** True if a node is served. Nodes that are not served have an index too. */
type IsServed = (node: Node) => boolean;

const everything: IsServed = () => true;

/** The outline of a definition; each field and collection has an index in the order of the definition. */
function outlineOf(
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

/**
 * The outline of a collection. The outline of its items is made on demand, because an item may contain a collection of
 * its own kind.
 */
export function outlineOfCollection(
  collection: OutlineCollection['collection'],
  index: number,
  isServed = everything,
): OutlineCollection {
  const item = () => outlineOfGroup(collection.item(), countIndexes(), isServed);
  return { kind: 'collection', collection, item, index };
}

/** A field or collection that is read as one value. */
export type Column = Field | Collection;

export interface ColumnPlan {
  readonly outline: readonly OutlineNode[];
  /** The columns, each at its index in a row. */
  readonly columns: readonly Column[];
}

export interface ColumnWishes {
  /** undefined: everything. */
  readonly selection: ReadonlySet<Node> | undefined;
  readonly expansion: ReadonlySet<string>;
  /** True if expandable parts are served like all others. */
  readonly expandsAll: boolean | 'but collections';
  /** Adds descriptions of domain values. */
  readonly withDescriptions: boolean;
}

/** Determines which parts of a definition are served and read. Groups without served parts are left out. */
export function planColumns(nodes: readonly Node[], wishes: ColumnWishes): ColumnPlan {
  const columns: Column[] = [];
  const isAll = wishes.selection === undefined;
  const outline = outlineServed(nodes, isAll, wishes, (column) => columns.push(column) - 1);
  return { outline, columns };
}

/** Adds a column and returns its index in a row. */
type AddColumn = (column: Column) => number;

/** @param isAll true if the surrounding part is selected as a whole */
function outlineServed(
  nodes: readonly Node[],
  isAll: boolean,
  wishes: ColumnWishes,
  add: AddColumn,
): readonly OutlineNode[] {
  return nodes.flatMap((node) => outlineNode(node, isAll, wishes, add));
}

function outlineNode(
  node: Node,
  isAll: boolean,
  wishes: ColumnWishes,
  add: AddColumn,
): readonly OutlineNode[] {
  if (!isServedTo(node, wishes)) return [];
  const isAskedFor = node.expandedBy !== undefined && wishes.expansion.has(node.expandedBy);
  // Parts that are requested by name in `$expand` are served even if they are not selected.
  const isSelected = isAll || isAskedFor || wishes.selection?.has(node) === true;
  switch (node.kind) {
    case 'group': {
      const children = outlineServed(node.children, isSelected, wishes, add);
      return children.length === 0 ? [] : [{ kind: 'group', group: node, children }];
    }
    case 'collection':
      return isSelected ? [outlineItems(node, wishes, add)] : [];
    case 'field':
      return isSelected ? outlineField(node, wishes, add) : [];
  }
}

/** True for parts served by default, parts named in `$expand`, and groups with a selected part. */
function isServedTo(node: Node, { expansion, expandsAll, selection }: ColumnWishes): boolean {
  const { expandedBy, kind } = node;
  if (expandedBy === undefined || expansion.has(expandedBy) || isSelectedOf(node, selection)) return true;
  return expandsAll === 'but collections' ? kind !== 'collection' : expandsAll;
}

function isSelectedOf(node: Node, selection: ColumnWishes['selection']): boolean {
  if (selection === undefined) return false;
  return (
    selection.has(node) ||
    (node.kind === 'group' && node.children.some((child) => isSelectedOf(child, selection)))
  );
}

function outlineItems(node: Collection, wishes: ColumnWishes, add: AddColumn): OutlineNode {
  const collection = wishes.withDescriptions ? withDomainDescriptions(node) : node;
  return outlineOfCollection(collection, add(collection), (inner) => isServedTo(inner, wishes));
}

function outlineField(field: Field, wishes: ColumnWishes, add: AddColumn): readonly OutlineNode[] {
  const description = wishes.withDescriptions ? domainDescriptionOf(field) : undefined;
  return [field, ...(description === undefined ? [] : [description])].map((one) => ({
    kind: 'field',
    field: one,
    index: add(one),
  }));
}
