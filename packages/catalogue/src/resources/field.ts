import type { Translations } from '@takt/texts';
import type { SQLWrapper } from 'drizzle-orm';
import type { Duty } from '../rights.js';

/** decimal: `source` is in whole units (see `stored`); instant: a point in time in UTC; link: an absolute address. */
export type FieldType = 'integer' | 'decimal' | 'text' | 'boolean' | 'instant' | 'link';

/** A decimal is stored as an integer, in units of its last decimal place. */
export interface StoredDecimal {
  readonly decimals: number;
  /**
   * True if the value may be negative. It is then any bigint except the least and the greatest; otherwise it is below
   * 10^13 units.
   */
  readonly isSigned: boolean;
}

/** The possible values of a field and their meanings. Served from takt.domain_values. */
export interface Domain {
  readonly object: string;
  readonly field: string;
  /** Descriptions by key, in the order in which choices list them; numeric keys come first, ascending. */
  readonly values: Readonly<Record<string, Translations>>;
}

/** An index that finds rows by text, instead of testing each row. */
export interface TextIndex {
  /**
   * Condition: the row's text matches a folded LIKE pattern, ignoring case; a pattern without wildcards must equal the
   * text. `otherwise` tests the row itself, and is used for patterns with so many matches that the index is useless.
   */
  readonly matching: (pattern: SQLWrapper, otherwise: SQLWrapper) => SQLWrapper;
  /**
   * The same condition, but all matching rows are found at once. Used for counts, which would otherwise fold the text
   * of every row.
   */
  readonly among: (pattern: SQLWrapper) => SQLWrapper;
}

/** An index that finds rows whose texts contain every pattern of an array. */
export interface SearchIndex extends TextIndex {
  /** The number of matches in the whole list. */
  readonly sizeOf: (patterns: SQLWrapper) => SQLWrapper;
}

/** Used to filter a list by a value that is in another table. */
export interface Lookup {
  /** The column of the other table, to be used in conditions for `within`. */
  readonly column: SQLWrapper;
  /**
   * Condition: the row's value in the other table meets a condition on `column`. Reads the other table once, not once
   * per row.
   */
  readonly within: (condition: SQLWrapper) => SQLWrapper;
  /** The value for one row, used in conditions that also use the list's own columns. */
  readonly value: SQLWrapper;
}

interface Named {
  /** Name of the XML element. The JSON name has its first letter in lower case. */
  readonly name: string;
  readonly heading: Translations;
  /** One English sentence, shown as help. */
  readonly description: string;
  /**
   * The duty required to see the node and everything inside it; undefined: only the duty of the resource is required.
   */
  readonly duty: Duty | undefined;
  /**
   * The name in `$expand` that the node and everything inside it require to be served; undefined: served by default.
   */
  readonly expandedBy: string | undefined;
  /** The parameters that a request must have to get the node, for documents only; absent: none. */
  readonly onlyWith?: string;
}

export interface Field extends Named {
  readonly kind: 'field';
  readonly type: FieldType;
  /** SQL; absent if the service computes the value, as in Paging. */
  readonly source: SQLWrapper | undefined;
  readonly isNullable: boolean;
  readonly unit: 'h' | '%' | undefined;
  readonly stored: StoredDecimal | undefined;
  /** Flat name of the field in `$filter` and `$orderby`; undefined if it cannot be used there. */
  readonly queryName: string | undefined;
  /** Flat name of the field in `$filter` only, an addition to the specification. */
  readonly filterName: string | undefined;
  /**
   * True if no index has the order of the field, so that sorting by it reads all rows; see
   * docs/decisions/indexes-of-the-figures.md.
   */
  readonly isUnindexed: boolean;
  /** The place that filters read the value from, if it is not `source`. */
  readonly lookup: Lookup | undefined;
  readonly domain: Domain | undefined;
  readonly textIndex: TextIndex | undefined;
  /** Path of a link, with {} for the value; absent: the value is the whole address. */
  readonly linkPath: string | undefined;
}

/** Nested fields: an XML element with children, a JSON object. */
export interface Group extends Named {
  readonly kind: 'group';
  readonly children: readonly Node[];
}

/** A list of items: an XML element with one child per item, a JSON array of objects. */
export interface Collection extends Named {
  readonly kind: 'collection';
  /** SQL: a JSON array of items, each an array with the values of the group `item` in order. */
  readonly source: ((item: Group) => SQLWrapper) | undefined;
  /** A function, because an item may contain a collection of its own kind. */
  readonly item: () => Group;
}

export type Node = Field | Group | Collection;

/** The JSON name of an XML element: only the first letter is lowered, as in hTTPStatusCode. */
export function jsonName(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

type ExpandableNode = Node & { readonly expandedBy: string };

const isExpandable = (node: Node): node is ExpandableNode => node.expandedBy !== undefined;

/** The nodes that `$expand` can name, in the order of the definition. */
export function expandableNodesOf(nodes: readonly Node[]): readonly ExpandableNode[] {
  return nodes.flatMap((node) => [
    ...(isExpandable(node) ? [node] : []),
    ...expandableNodesOf(childrenOf(node)),
  ]);
}

/**
 * The direct children of a node. Collections in an item are left out, because they may be of the item's own kind, and
 * so never end.
 */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'field':
      return [];
    case 'group':
      return node.children;
    case 'collection':
      return node.item().children.filter(({ kind }) => kind !== 'collection');
  }
}

/** A field or collection with its path of names, outermost first. */
export interface Leaf {
  readonly path: readonly string[];
  /** The innermost group around the node. */
  readonly group: Group | undefined;
  readonly node: Field | Collection;
  /** The duties of the node itself and of the groups around it. */
  readonly duties: readonly Duty[];
  /** True if the node, or a group around it, is served on request only. */
  readonly isExpandable: boolean;
}

/** All fields and collections, in the order of the definition. */
export function leavesOf(nodes: readonly Node[]): readonly Leaf[] {
  return leavesIn(nodes, { path: [], group: undefined, duties: [], isExpandable: false });
}

function leavesIn(nodes: readonly Node[], around: Omit<Leaf, 'node'>): readonly Leaf[] {
  return nodes.flatMap((node) => {
    const path = [...around.path, node.name];
    const duties = node.duty === undefined ? around.duties : [...around.duties, node.duty];
    const isExpandable = around.isExpandable || node.expandedBy !== undefined;
    return node.kind === 'group'
      ? leavesIn(node.children, { path, group: node, duties, isExpandable })
      : [{ path, group: around.group, node, duties, isExpandable }];
  });
}
