import {
  type Collection,
  domainDescriptionOf,
  type Field,
  type Group,
  type Node,
  withDomainDescriptions,
} from '@takt/catalogue/resources';

/** A value in a row. The value of a collection is an array that contains a row for each item. */
export type Value = string | number | boolean | null | Row;
export type Row = readonly Value[];

/** A served part of a resource definition, together with the index at which a row contains its value. */
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
  /** Makes the outline of one item of the collection. An item is a row of its own, so its indexes start at 0 again. */
  readonly item: () => OutlineGroup;
  readonly index: number;
}

export type NextIndex = () => number;

/** Returns a function that counts from 0. */
export function countIndexes(): NextIndex {
  let next = 0;
  return () => next++;
}

/** True if a node is served. A node that is not served also has an index in a row. */
type IsServed = (node: Node) => boolean;

const everything: IsServed = () => true;

/** The outline of a definition. Each field and each collection gets an index, in the order of the definition. */
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
 * The outline of a collection. The outline of its items is made only on demand, because an item may itself contain a
 * collection of the same kind.
 */
export function outlineOfCollection(
  collection: OutlineCollection['collection'],
  index: number,
  isServed = everything,
): OutlineCollection {
  const item = () => outlineOfGroup(collection.item(), countIndexes(), isServed);
  return { kind: 'collection', collection, item, index };
}

/** A field or a collection. Either is read as one value of a row. */
export type Column = Field | Collection;

export interface ColumnPlan {
  readonly outline: readonly OutlineNode[];
  /** The columns to read. The position of a column is its index in a row. */
  readonly columns: readonly Column[];
}

export interface ColumnWishes {
  /** The parts selected by `$select`; undefined if everything is selected. */
  readonly selection: ReadonlySet<Node> | undefined;
  readonly expansion: ReadonlySet<string>;
  /**
   * True if parts that are usually served only on request by `$expand` are always served; `but collections` excepts
   * collections.
   */
  readonly expandsAll: boolean | 'but collections';
  /** True if the descriptions of domain values are served too. */
  readonly withDescriptions: boolean;
}

/**
 * Determines which parts of a definition are served, and which columns must be read for this. A group without any
 * served part is left out.
 */
export function planColumns(nodes: readonly Node[], wishes: ColumnWishes): ColumnPlan {
  const columns: Column[] = [];
  const isAll = wishes.selection === undefined;
  const outline = outlineServed(nodes, isAll, wishes, (column) => columns.push(column) - 1);
  return { outline, columns };
}

/** Adds a column and returns the column's index in a row. */
type AddColumn = (column: Column) => number;

/** @param isAll true if the part around these nodes is selected as a whole */
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
  // A part named in `$expand` is served even if `$select` does not name it.
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

/**
 * True if a node may be served: it is served by default, `$expand` names it, `$select` names it or a part of it, or the
 * request expands all such parts.
 */
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
