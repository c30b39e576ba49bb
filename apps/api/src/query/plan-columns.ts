import {
  type Collection,
  type Domain,
  domainDescriptionOf,
  type Field,
  type Group,
  type Node,
} from '@takt/resources';
import { type OutlineNode, outlineOfCollection } from './outline.js';

/** What is read for one value of a row: a field, or the description of its value. */
export type Column =
  | { readonly kind: 'value'; readonly node: Field | Collection }
  | { readonly kind: 'description'; readonly of: Field; readonly domain: Domain };

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
  const outline = outlineServed(nodes, wishes, (column) => columns.push(column) - 1);
  return { outline, columns };
}

/** Gives the index of the column in a row. */
type AddColumn = (column: Column) => number;

function outlineServed(nodes: readonly Node[], wishes: ColumnWishes, add: AddColumn): readonly OutlineNode[] {
  return nodes.flatMap((node) => outlineNode(node, wishes, add));
}

function outlineNode(node: Node, wishes: ColumnWishes, add: AddColumn): readonly OutlineNode[] {
  if (!isServedTo(node, wishes)) return [];
  const isAskedFor = node.expandedBy !== undefined && wishes.expansion.has(node.expandedBy);
  // What is asked for by name comes along unselected.
  const isSelected = isAskedFor || wishes.selection?.has(node) !== false;
  switch (node.kind) {
    case 'group':
      return outlineGroup(node, isSelected ? { ...wishes, selection: undefined } : wishes, add);
    case 'collection':
      return isSelected ? [outlineItems(node, wishes, add)] : [];
    case 'field':
      return isSelected ? outlineField(node, wishes, add) : [];
  }
}

function outlineGroup(group: Group, wishes: ColumnWishes, add: AddColumn): readonly OutlineNode[] {
  const children = outlineServed(group.children, wishes, add);
  return children.length === 0 ? [] : [{ kind: 'group', group, children }];
}

/** Of what needs no expansion, and of what the request expands. */
function isServedTo({ expandedBy }: Node, { expansion, expandsAll }: ColumnWishes): boolean {
  return expandedBy === undefined || expandsAll || expansion.has(expandedBy);
}

function outlineItems(node: Collection, wishes: ColumnWishes, add: AddColumn): OutlineNode {
  return outlineOfCollection(node, add({ kind: 'value', node }), (inner) => isServedTo(inner, wishes));
}

function outlineField(field: Field, wishes: ColumnWishes, add: AddColumn): readonly OutlineNode[] {
  const outline: OutlineNode = { kind: 'field', field, index: add({ kind: 'value', node: field }) };
  const description = domainDescriptionOf(field);
  if (field.domain === undefined || description === undefined || !wishes.withDescriptions) return [outline];
  const index = add({ kind: 'description', of: field, domain: field.domain });
  return [outline, { kind: 'field', field: description, index }];
}
