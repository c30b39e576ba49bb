import type { Translations } from '@takt/texts';
import type { SQLWrapper } from 'drizzle-orm';
import type { Duty } from '../rights.js';

/**
 * The type of a field's value. decimal: `source` is stored in whole units (see `stored`). instant: a point in time, in
 * UTC. link: an absolute address.
 */
export type FieldType = 'integer' | 'decimal' | 'text' | 'boolean' | 'instant' | 'link';

/** The way in which a decimal is stored: as an integer, in units of its last decimal place. */
export interface StoredDecimal {
  readonly decimals: number;
  /**
   * True if the value may be negative. Then it may be any bigint except the least and the greatest. Otherwise it is
   * below 10^13 units.
   */
  readonly isSigned: boolean;
}

/** The possible values of a field, with their meanings. They are served from the table takt.domain_values. */
export interface Domain {
  readonly object: string;
  readonly field: string;
  /**
   * The descriptions of the values, by key. Lists of choices have the same order, except that numeric keys come first,
   * in ascending order.
   */
  readonly values: Readonly<Record<string, Translations>>;
  /** True if Takt computes the field, so that it has no other values. Events may have values without a description. */
  readonly isComputed?: true;
}

/** An index that finds rows by a text, so that not every row must be tested. */
export interface TextIndex {
  /**
   * A condition: the text of the row matches a folded LIKE pattern, ignoring case. If the pattern has no wildcards, the
   * text must equal it. `otherwise` is a condition that tests the row itself; it is used if so many rows match the
   * pattern that the index is useless.
   */
  readonly matching: (pattern: SQLWrapper, otherwise: SQLWrapper) => SQLWrapper;
  /**
   * The same condition in a form that finds all matching rows at once. It is for counting, because otherwise the text
   * of every row would have to be folded.
   */
  readonly among: (pattern: SQLWrapper) => SQLWrapper;
}

/** An index that finds the rows whose texts contain every pattern of an array. */
export interface SearchIndex extends TextIndex {
  /** The number of rows of the whole list that match the patterns. */
  readonly sizeOf: (patterns: SQLWrapper) => SQLWrapper;
}

export interface Lookup {
  /** The column of the other table that contains the value. It is used in the conditions that `within` takes. */
  readonly column: SQLWrapper;
  /**
   * Returns the SQL of a condition that holds if the row's value in the other table meets the given condition on
   * `column`. The other table is read once for the whole statement, not once for each row.
   */
  readonly within: (condition: SQLWrapper) => SQLWrapper;
  /** The SQL of the value for one row of the list. It is for conditions that also use columns of the list itself. */
  readonly value: SQLWrapper;
}

interface Named {
  /** The name of the XML element. The name in JSON is the same, except that its first letter is in lower case. */
  readonly name: string;
  readonly heading: Translations;
  /** One English sentence, which is shown as help. */
  readonly description: string;
  /**
   * The duty that a reader needs to see the node and everything inside it. If undefined, the reader only needs the duty
   * of the resource.
   */
  readonly duty: Duty | undefined;
  /**
   * The name that `$expand` must contain, so that the node and everything inside it are served. If undefined, they are
   * served by default.
   */
  readonly expandedBy: string | undefined;
  /**
   * The parameters that a request must have, so that the answer contains the node. This text is only for the
   * documentation. Absent if no parameter is needed.
   */
  readonly onlyWith?: string;
}

export interface Field extends Named {
  readonly kind: 'field';
  readonly type: FieldType;
  /** The SQL from which the value is read. undefined if the service computes the value, as in Paging. */
  readonly source: SQLWrapper | undefined;
  readonly isNullable: boolean;
  readonly unit: 'h' | '%' | undefined;
  /** True for a sum over many operations. Pages show it in hours, whatever unit the reader has chosen for times. */
  readonly isTotal?: true;
  readonly stored: StoredDecimal | undefined;
  /** The flat name of the field in `$filter` and `$orderby`. undefined if the field cannot be used there. */
  readonly queryName: string | undefined;
  /** The flat name of a field that can be used in `$filter` only. This is an addition to the specification. */
  readonly filterName: string | undefined;
  /**
   * True if no index has the order of the field. Then sorting by the field reads all rows; see
   * docs/decisions/indexes-of-the-figures.md.
   */
  readonly isUnindexed: boolean;
  /** The table from which filters read the value, if they do not read it from `source`. */
  readonly lookup: Lookup | undefined;
  readonly domain: Domain | undefined;
  readonly textIndex: TextIndex | undefined;
  /**
   * The SQL of the sort key, if it is not that of other fields, and a condition that all rows meet, so that the index of the
   * sort key can be used. Both are known only when a statement is planned, for the company of the session.
   */
  readonly sorting?: { readonly key: SQLWrapper; readonly condition: SQLWrapper };
  /** The field with the key by which people know the object, if they name it by a key. The value is then its number. */
  readonly keyField?: Field;
  /** The path of a link, in which {} stands for the value. If undefined, the value is the whole address. */
  readonly linkPath: string | undefined;
}

/** A node with nested fields. It is an XML element with children, and an object in JSON. */
export interface Group extends Named {
  readonly kind: 'group';
  readonly children: readonly Node[];
}

/** A list of items. It is an XML element with one child for each item, and an array of objects in JSON. */
export interface Collection extends Named {
  readonly kind: 'collection';
  /**
   * Returns the SQL of the collection: a JSON array of items. Each item is an array that contains the values of the
   * group `item`, in order.
   */
  readonly source: ((item: Group) => SQLWrapper) | undefined;
  /** Returns the definition of an item. It is a function, because an item may contain a collection of the same kind. */
  readonly item: () => Group;
}

export type Node = Field | Group | Collection;

/** The name in JSON of an XML element. Only the first letter is changed to lower case, as in hTTPStatusCode. */
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
 * The nodes directly inside a node. If the node is the item of a collection, collections inside it are left out: they
 * may be of the same kind, so the nesting would never end.
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

/** A field or a collection, with the path of names that leads to it. The outermost name is the first. */
export interface Leaf {
  readonly path: readonly string[];
  /** The innermost group that contains the node; undefined if no group contains it. */
  readonly group: Group | undefined;
  readonly node: Field | Collection;
  /** The duties that the node itself and the groups around it require. */
  readonly duties: readonly Duty[];
  /** True if the node, or a group around the node, is served only on request. */
  readonly isExpandable: boolean;
}

/** All fields and all collections, in the order of the definition. */
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
