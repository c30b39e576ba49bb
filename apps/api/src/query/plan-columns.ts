import {
  type Collection,
  type Domain,
  domainDescriptionOf,
  type Field,
  type Group,
  type Node,
} from '@takt/resources';
import { countPlaces, outlineOfCollection, type TakePlace } from '../representations/outline.js';
import type { OutlineNode } from '../representations/page.js';

/** What is read for one place of a row: a field, or the description of its value. */
export type Column =
  | { readonly kind: 'value'; readonly node: Field | Collection }
  | { readonly kind: 'description'; readonly of: Field; readonly domain: Domain };

export interface ColumnPlan {
  readonly outline: readonly OutlineNode[];
  /** By place in the row. */
  readonly columns: readonly Column[];
}

export interface ColumnWishes {
  /** undefined: everything. */
  readonly selection: ReadonlySet<Node> | undefined;
  readonly expansion: ReadonlySet<string>;
  readonly withDescriptions: boolean;
}

/** What of a definition is served and read. Groups of which nothing is served are left out. */
export function planColumns(nodes: readonly Node[], wishes: ColumnWishes): ColumnPlan {
  const columns: Column[] = [];
  const takePlace = countPlaces();
  const outline = outlineServed(nodes, wishes, (column) => {
    columns.push(column);
    return takePlace();
  });
  return { outline, columns };
}

type Place = (column: Column) => ReturnType<TakePlace>;

function outlineServed(nodes: readonly Node[], wishes: ColumnWishes, place: Place): readonly OutlineNode[] {
  return nodes.flatMap((node) => outlineNode(node, wishes, place));
}

function outlineNode(node: Node, wishes: ColumnWishes, place: Place): readonly OutlineNode[] {
  const isSelected = wishes.selection?.has(node) !== false;
  switch (node.kind) {
    case 'group':
      return outlineGroup(node, isSelected ? { ...wishes, selection: undefined } : wishes, place);
    case 'collection':
      return isSelected ? [outlineOfCollection(node, place({ kind: 'value', node }))] : [];
    case 'field':
      return isServed(node, isSelected, wishes) ? outlineField(node, wishes, place) : [];
  }
}

function outlineGroup(group: Group, wishes: ColumnWishes, place: Place): readonly OutlineNode[] {
  const children = outlineServed(group.children, wishes, place);
  return children.length === 0 ? [] : [{ kind: 'group', group, children }];
}

/** What is expanded comes along unselected. */
function isServed({ expandedBy }: Field, isSelected: boolean, { expansion }: ColumnWishes): boolean {
  return expandedBy === undefined ? isSelected : expansion.has(expandedBy);
}

function outlineField(field: Field, wishes: ColumnWishes, place: Place): readonly OutlineNode[] {
  const outline: OutlineNode = { kind: 'field', field, index: place({ kind: 'value', node: field }) };
  const description = domainDescriptionOf(field);
  if (field.domain === undefined || description === undefined || !wishes.withDescriptions) return [outline];
  const index = place({ kind: 'description', of: field, domain: field.domain });
  return [outline, { kind: 'field', field: description, index }];
}
