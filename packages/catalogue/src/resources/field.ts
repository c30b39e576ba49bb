import type { Translations } from '@takt/texts';
import type { SQLWrapper } from 'drizzle-orm';
import type { Duty } from '../rights.js';

/** decimal: a number with decimals, of which `source` has whole units (see `stored`); instant: a point in time in UTC; link: absolute address. */
export type FieldType = 'integer' | 'decimal' | 'text' | 'boolean' | 'instant' | 'link';

/** How a decimal is stored: in whole units of the last of its decimals. */
export interface StoredDecimal {
  readonly decimals: number;
  /** Whether it can be negative. If so, neither end of bigint is a value; if not, it is below 10^13 units. */
  readonly isSigned: boolean;
}

/** The values that a field can hold, and what they mean. Served from takt.domain_values. */
export interface Domain {
  readonly object: string;
  readonly field: string;
  /** By key, in the order in which a list offers them; keys that are numbers come first, in ascending order. */
  readonly values: Readonly<Record<string, Translations>>;
}

/** A faster way to the rows whose text matches than to look at the text of every row. */
export interface TextIndex {
  /**
   * The rows whose text, without regard to case, is LIKE a folded pattern; without wildcards, equals it. `otherwise` says
   * the same of the text of a row itself, for patterns that so many match that the index is no use.
   */
  readonly matching: (pattern: SQLWrapper, otherwise: SQLWrapper) => SQLWrapper;
  /** The matching rows, found at once however many there are. For counts, which would fold the text of every row otherwise. */
  readonly among: (pattern: SQLWrapper) => SQLWrapper;
}

/** A faster way to the rows in whose texts each of an array of patterns occurs. */
export interface SearchIndex extends TextIndex {
  /** How many rows of the whole list match. */
  readonly sizeOf: (patterns: SQLWrapper) => SQLWrapper;
}

/** How the rows of a list are filtered by a value that stands in another table. */
export interface Lookup {
  /** The column there, as `within` knows it. */
  readonly column: SQLWrapper;
  /** The rows for whose value the condition on `column` holds: that table is read once, not once a row. */
  readonly within: (condition: SQLWrapper) => SQLWrapper;
  /** The value of one row, where a condition also needs values of the list itself. */
  readonly value: SQLWrapper;
}

interface Named {
  /** Name of the XML element; JSON lowers its first letter. */
  readonly name: string;
  /** What people read above or beside the value. */
  readonly heading: Translations;
  /** One English sentence, shown as help. */
  readonly description: string;
  /** What a person must be trusted with to know of it and of all that is inside; undefined: nothing besides the resource. */
  readonly duty: Duty | undefined;
  /** Served, with all that is inside, only where `$expand` names this; undefined: always. */
  readonly expandedBy: string | undefined;
  /** For documents: served only where a request has this parameter; absent: always. */
  readonly onlyWith?: string;
}

export interface Field extends Named {
  readonly kind: 'field';
  readonly type: FieldType;
  /** What is read from the database. Absent where the service itself makes the value, as in Paging. */
  readonly source: SQLWrapper | undefined;
  readonly isNullable: boolean;
  /** Unit of a number. */
  readonly unit: 'h' | '%' | undefined;
  /** Of a decimal. */
  readonly stored: StoredDecimal | undefined;
  /** The flat name under which `$filter` and `$orderby` know the field; absent: they do not. */
  readonly queryName: string | undefined;
  /** The flat name under which `$filter` alone knows the field: beyond what is specified. */
  readonly filterName: string | undefined;
  /** No index has the rows in its order, so all of them are looked at: docs/decisions/indexes-of-the-figures.md says why. */
  readonly isUnindexed: boolean;
  /** Where filters find the value, if not in `source`. */
  readonly lookup: Lookup | undefined;
  readonly domain: Domain | undefined;
  readonly textIndex: TextIndex | undefined;
  /** Of a link: the path that it leads to, in which {} stands for the value read. Absent: the value is the address. */
  readonly linkPath: string | undefined;
}

/** Fields under a name of their own: an XML element with children, a JSON object. */
export interface Group extends Named {
  readonly kind: 'group';
  readonly children: readonly Node[];
}

/** Any number of items: an XML element that holds one element per item, a JSON array of objects. */
export interface Collection extends Named {
  readonly kind: 'collection';
  /** What is read of the database: a JSON array of items, each an array of the values of this group in their order. */
  readonly source: ((item: Group) => SQLWrapper) | undefined;
  /** Called when it is needed, because an item may hold a collection of its own kind. */
  readonly item: () => Group;
}

export type Node = Field | Group | Collection;

/** The JSON name of an XML element: only the first letter is lowered, so HTTPStatusCode is hTTPStatusCode. */
export function jsonName(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

type ExpandableNode = Node & { readonly expandedBy: string };

const isExpandable = (node: Node): node is ExpandableNode => node.expandedBy !== undefined;

/** What `$expand` can name, in the order of the definition. */
export function expandableNodesOf(nodes: readonly Node[]): readonly ExpandableNode[] {
  return nodes.flatMap((node) => [
    ...(isExpandable(node) ? [node] : []),
    ...expandableNodesOf(childrenOf(node)),
  ]);
}

/** Of an item without the collections in it, which may be of its own kind. */
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

/** A field or collection with the names of the groups around it, outermost first, and its own. */
export interface Leaf {
  readonly path: readonly string[];
  /** The innermost group around it. */
  readonly group: Group | undefined;
  readonly node: Field | Collection;
  /** What it needs, its own duty and those of the groups around it. */
  readonly duties: readonly Duty[];
  /** Whether it, or a group around it, is served on request only. */
  readonly isExpandable: boolean;
}

/** Every field and collection in the order of the definition. */
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
