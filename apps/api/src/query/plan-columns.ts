import {
  type Collection,
  domainDescriptionOf,
  type Field,
  type Node,
  withDomainDescriptions,
} from '@takt/resources';
import { type OutlineNode, outlineOfCollection } from './outline.js';

/** What is read for one value of a row. */
export type Column = Field | Collection;

export interface ColumnPlan {
  readonly outline: readonly OutlineNode[];
  /** By index in the row. */
  readonly columns: readonly Column[];
}

export interface ColumnWishes {
  /** undefined: everything. */
  readonly selection: ReadonlySet<Node> | undefined;
  readonly expansion: ReadonlySet<string>;
  /** Whether what can be expanded is like all else: served without being asked for. */
  readonly expandsAll: boolean;
  /** Whether domain values are explained. */
  readonly withDescriptions: boolean;
}

/** What of a definition is served and read. Groups of which nothing is served are left out. */
export function planColumns(nodes: readonly Node[], wishes: ColumnWishes): ColumnPlan {
  const columns: Column[] = [];
  const isAll = wishes.selection === undefined;
  const outline = outlineServed(nodes, isAll, wishes, (column) => columns.push(column) - 1);
  return { outline, columns };
}

/** Gives the index of the column in a row. */
type AddColumn = (column: Column) => number;

/** @param isAll whether all around these nodes is selected */
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
  // What is asked for by name comes along unselected.
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

/** What needs no expansion, what the request expands, and what it selects something of. */
function isServedTo(node: Node, { expansion, expandsAll, selection }: ColumnWishes): boolean {
  const { expandedBy } = node;
  return expandedBy === undefined || expandsAll || expansion.has(expandedBy) || isSelectedOf(node, selection);
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
