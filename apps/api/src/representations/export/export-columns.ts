import {
  domainDescriptionOf,
  type Field,
  type FieldType,
  type ListResource,
  leavesOf,
} from '@takt/catalogue/resources';
import type { DecimalSign } from '@takt/query';
import type { CsvCell } from '@takt/texts';
import type { OutlineNode, Row, Value } from '../../query/outline.js';
import { linkWriterOf } from '../shared-parts.js';
import type { WritingContext } from '../writer.js';

/** A list as a table, without its rows. */
interface ExportedTable {
  readonly title: string;
  readonly columns: readonly ExportColumn[];
  /** Names and values that describe the list to a reader of the file. */
  readonly about: { readonly title: string; readonly lines: readonly AboutLine[] };
  readonly decimal: DecimalSign;
  /** For people rather than programs. */
  readonly isForPeople: boolean;
}

export type AboutLine = readonly [name: string, value: string];

/** Writes a list as a file in one format, while its rows are read. */
export interface ExportWriter {
  readonly contentType: string;
  /** Maximum number of rows in a file; default none. */
  readonly mostRows?: number;
  /**
   * Yields pieces of a few kilobytes, none empty; text is UTF-8. Requests the next batch of rows when the previous ones
   * are written.
   */
  write(
    table: ExportedTable,
    batches: AsyncIterable<readonly Row[]>,
  ): AsyncGenerator<string | Uint8Array, void, void>;
}

/**
 * The format of a value in a spreadsheet. A percentage is served in percent. A local instant is text, `yyyy-MM-dd
 * HH:mm:ss`, in the time zone that the file names.
 */
export type CellStyle = FieldType | 'hours' | 'signed hours' | 'percent' | 'local instant';

/** A column of a list as a flat table. */
export interface ExportColumn {
  readonly name: string;
  readonly style: CellStyle;
  readonly read: (row: Row) => CsvCell;
}

/**
 * The columns of the served fields, in order. Collections have no columns, because they are tables of their own. A
 * column is named like its field in `$filter`, or otherwise like the field itself. If another field of the resource
 * could have the same name, as many surrounding groups as needed are prepended (Product.Description). Names depend only
 * on the resource, not on the selection, so that programs can rely on them; they are unique even ignoring case.
 */
export function exportColumnsOf(
  resource: ListResource,
  outline: readonly OutlineNode[],
  context: WritingContext,
): readonly ExportColumn[] {
  const names = namesIn(resource);
  return leavesIn(outline).map(({ field, index, path }) => {
    const name = names.get(path.join('.'));
    if (name === undefined) throw new Error(`${path.join('.')} is not in ${resource.path}`);
    return { name, style: field.type, read: cellReader(field, index, context) };
  });
}

/** Returns a reader for unformatted values: links are absolute, other values are as in the database. */
export function cellReader(field: Field, index: number, context: WritingContext): ExportColumn['read'] {
  if (field.type !== 'link') return (row) => cellOf(row[index] ?? null);
  const addressOf = linkWriterOf(field, context);
  return (row) => addressOf(row[index] ?? null);
}

function cellOf(value: Value): CsvCell {
  if (typeof value === 'object' && value !== null) throw new Error('a collection is no cell');
  return value;
}

interface OutlineLeaf {
  readonly field: Field;
  readonly index: number;
  readonly path: readonly string[];
}

function leavesIn(outline: readonly OutlineNode[], around: readonly string[] = []): readonly OutlineLeaf[] {
  return outline.flatMap((node) => {
    if (node.kind === 'collection') return [];
    if (node.kind === 'group') return leavesIn(node.children, [...around, node.group.name]);
    return [{ field: node.field, index: node.index, path: [...around, node.field.name] }];
  });
}

interface Candidate {
  readonly path: readonly string[];
  /** The name of the column if no other field has the same name. */
  readonly plain: string;
}

/** Cached, because a resource has the same names for all requests. */
const known = new WeakMap<ListResource, ReadonlyMap<string, string>>();

/** Names by dotted path. */
function namesIn(resource: ListResource): ReadonlyMap<string, string> {
  const found = known.get(resource);
  if (found !== undefined) return found;
  const candidates = candidatesOf(resource);
  const names = new Map(
    candidates.map((candidate) => [candidate.path.join('.'), nameOf(candidate, candidates)]),
  );
  known.set(resource, names);
  return names;
}

/** All fields, and for each field of a domain also the description of its values. */
function candidatesOf({ fields }: ListResource): readonly Candidate[] {
  return leavesOf(fields).flatMap(({ node, path }) => {
    if (node.kind !== 'field') return [];
    const plain = node.queryName ?? node.filterName ?? node.name;
    const description = domainDescriptionOf(node);
    if (description === undefined) return [{ path, plain }];
    const beside = { path: [...path.slice(0, -1), description.name], plain: `${plain}Description` };
    return [{ path, plain }, beside];
  });
}

function nameOf({ path, plain }: Candidate, all: readonly Candidate[]): string {
  const isTaken = (name: string) =>
    all.some((other) => other.path !== path && namesPossible(other).includes(name.toLowerCase()));
  const dotted = path.map((_, index) => path.slice(-1 - index).join('.')).slice(1);
  return [plain, ...dotted].find((name) => !isTaken(name)) ?? path.join('.');
}

/** All names that a field could get. A name that another field could get too is ambiguous. */
function namesPossible({ path, plain }: Candidate): readonly string[] {
  return [plain, ...path.map((_, index) => path.slice(-1 - index).join('.')).slice(1)].map((name) =>
    name.toLowerCase(),
  );
}
