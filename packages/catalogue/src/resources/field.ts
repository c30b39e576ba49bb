import type { Translations } from '@takt/texts';
import type { SQLWrapper } from 'drizzle-orm';
import type { Duty } from '../rights.js';

/** decimal: `source` is in whole units (see `stored`); instant: a point in time in UTC; link: an absolute address. */
export type FieldType = 'integer' | 'decimal' | 'text' | 'boolean' | 'instant' | 'link';

/** A decimal is stored as an integer, in units of its last decimal place. */
export interface StoredDecimal {
  readonly decimals: number;
  /**
   * True if it may be negative. Then it is inside the range of bigint without both ends; otherwise below 10^13 units.
   */
  readonly isSigned: boolean;
}

/** The possible values of a field and their meanings. Served from takt.domain_values. */
export interface Domain {
  readonly object: string;
  readonly field: string;
  /** By key, in the order of choices; numeric keys come first, ascending. */
  readonly values: Readonly<Record<string, Translations>>;
}

/** An index that finds rows by text, instead of testing each row. */
export interface TextIndex {
  /**
   * Condition: the row's text matches a folded LIKE pattern, ignoring case; without wildcards, equals it. `otherwise`
   * tests the row itself, for patterns with so many matches that the index is useless.
   */
  readonly matching: (pattern: SQLWrapper, otherwise: SQLWrapper) => SQLWrapper;
  /**
   * The same condition with all matching rows found at once, for counts, which would otherwise fold the text of every
   * row.
   */
  readonly among: (pattern: SQLWrapper) => SQLWrapper;
}

/** An index that finds rows whose texts contain all of an array of patterns. */
export interface SearchIndex extends TextIndex {
  /** The number of matches in the whole list. */
  readonly sizeOf: (patterns: SQLWrapper) => SQLWrapper;
}

/** Filters a list by a value in another table. */
export interface Lookup {
  /** The column in `within`. */
  readonly column: SQLWrapper;
  /** Condition: the row's value meets a condition on `column`. Reads the other table once, not once per row. */
  readonly within: (condition: SQLWrapper) => SQLWrapper;
  /** The value of one row, for conditions that also use the list's own values. */
  readonly value: SQLWrapper;
}

interface Named {
  /** XML element; JSON lowers its first letter. */
  readonly name: string;
  readonly heading: Translations;
  /** One English sentence, shown as help. */
  readonly description: string;
  /** The duty needed to see it and everything inside; undefined: only that of the resource. */
  readonly duty: Duty | undefined;
  /** Served, with everything inside, only if `$expand` has this name; undefined: always. */
  readonly expandedBy: string | undefined;
  /** For documents: served only if a request has this parameter; absent: always. */
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
  /** Its flat name in `$filter` and `$orderby`; absent: not available there. */
  readonly queryName: string | undefined;
  /** Its flat name in `$filter` alone, beyond the specification. */
  readonly filterName: string | undefined;
  /** Sorting by it reads all rows, since no index has the order; see docs/decisions/indexes-of-the-figures.md. */
  readonly isUnindexed: boolean;
  /** The place of the value for filters, if not `source`. */
  readonly lookup: Lookup | undefined;
  readonly domain: Domain | undefined;
  readonly textIndex: TextIndex | undefined;
  /** Path of a link, with {} for the value. Absent: the value is the address. */
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
  /** SQL: a JSON array of items, each an array with the values of this group in order. */
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

/** An item's children exclude collections, which may be of its own kind. */
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
  /** The innermost group around it. */
  readonly group: Group | undefined;
  readonly node: Field | Collection;
  /** Its own duty and those of the groups around it. */
  readonly duties: readonly Duty[];
  /** True if it, or a group around it, is served on request only. */
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
