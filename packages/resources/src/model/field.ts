import type { SQLWrapper } from 'drizzle-orm';

/** decimal: hours with at most 6 decimals; instant: a point in time in UTC; link: absolute address. */
export type FieldType = 'integer' | 'decimal' | 'text' | 'boolean' | 'instant' | 'link';

/** Where the descriptions of a field's values stand in the table of domain values. */
export interface Domain {
  readonly object: string;
  readonly field: string;
}

/** A faster way to the rows whose text meets a condition than to look at the text of every row. */
export interface TextIndex {
  /** The text without regard to case, as `within` knows it. */
  readonly folded: SQLWrapper;
  /** The rows for whose text the condition on `folded` holds. */
  readonly within: (condition: SQLWrapper) => SQLWrapper;
}

export interface Field {
  readonly kind: 'field';
  /** Name of the XML element; JSON lowers its first letter. */
  readonly name: string;
  readonly type: FieldType;
  /** One English sentence, shown as help. */
  readonly description: string;
  /** What is read from the database. Absent where the service itself makes the value, as in Paging. */
  readonly source: SQLWrapper | undefined;
  readonly isNullable: boolean;
  /** Unit of a number. */
  readonly unit: 'h' | undefined;
  /** The flat name under which `$filter` and `$orderby` know the field; absent: they do not. */
  readonly queryName: string | undefined;
  readonly domain: Domain | undefined;
  readonly textIndex: TextIndex | undefined;
  /** Of a link: the path that it leads to, in which {} stands for the value read. Absent: the value is the address. */
  readonly linkPath: string | undefined;
  /** Served only where `$expand` names this. */
  readonly expandedBy: string | undefined;
}

/** Fields under a name of their own: an XML element with children, a JSON object. */
export interface Group {
  readonly kind: 'group';
  readonly name: string;
  readonly description: string;
  readonly children: readonly Node[];
}

/** Any number of items: an XML element that holds one element per item, a JSON array of objects. */
export interface Collection {
  readonly kind: 'collection';
  readonly name: string;
  readonly description: string;
  readonly source: SQLWrapper | undefined;
  /** Called when it is needed, because an item may hold a collection of its own kind. */
  readonly item: () => Group;
}

export type Node = Field | Group | Collection;

interface FieldOptions {
  readonly from?: SQLWrapper;
  readonly isNullable?: boolean;
  readonly unit?: 'h';
  /** true: under the field's own name. */
  readonly queryName?: string | true;
  readonly domain?: Domain;
  readonly textIndex?: TextIndex;
  readonly expandedBy?: string;
}

function field(
  type: FieldType,
  name: string,
  description: string,
  options: FieldOptions & { readonly linkPath?: string },
): Field {
  return {
    kind: 'field',
    name,
    type,
    description,
    source: options.from,
    isNullable: options.isNullable ?? false,
    unit: options.unit,
    queryName: options.queryName === true ? name : options.queryName,
    domain: options.domain,
    textIndex: options.textIndex,
    linkPath: options.linkPath,
    expandedBy: options.expandedBy,
  };
}

export const integer = (name: string, description: string, options: FieldOptions = {}): Field =>
  field('integer', name, description, options);

export const text = (name: string, description: string, options: FieldOptions = {}): Field =>
  field('text', name, description, options);

export const boolean = (name: string, description: string, options: FieldOptions = {}): Field =>
  field('boolean', name, description, options);

export const instant = (name: string, description: string, options: FieldOptions = {}): Field =>
  field('instant', name, description, options);

/** A time in hours, which may be filtered and ordered by; missing until something was planned or reported. */
export const hours = (name: string, description: string, from: SQLWrapper): Field =>
  field('decimal', name, description, { from, isNullable: true, unit: 'h', queryName: true });

/** An address of this service: `path` with the value of `from` in place of {}. */
export const link = (name: string, description: string, path: string, options: FieldOptions = {}): Field =>
  field('link', name, description, { ...options, linkPath: path });

/** An address that the service makes itself. */
export const address = (name: string, description: string, options: FieldOptions = {}): Field =>
  field('link', name, description, options);

export const group = (name: string, description: string, children: readonly Node[]): Group => ({
  kind: 'group',
  name,
  description,
  children,
});

export const collection = (
  name: string,
  description: string,
  item: () => Group,
  from?: SQLWrapper,
): Collection => ({ kind: 'collection', name, description, source: from, item });
