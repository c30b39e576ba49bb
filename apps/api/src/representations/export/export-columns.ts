import {
  domainDescriptionOf,
  type Field,
  type FieldType,
  type ListResource,
  leavesOf,
} from '@takt/catalogue/resources';
import type { DecimalSign } from '@takt/query';
import type { CsvCell } from '@takt/texts';
import type { OutlineNode, Row, Value } from '../../plan/outline.js';
import { linkWriterOf } from '../shared-parts.js';
import type { WritingContext } from '../writer.js';

/** A list as a table: everything about the table except its rows. */
interface ExportedTable {
  readonly title: string;
  readonly columns: readonly ExportColumn[];
  /** The title and the lines of a description of the list. Each line has a name and a value. */
  readonly about: { readonly title: string; readonly lines: readonly AboutLine[] };
  readonly decimal: DecimalSign;
  /** True if the file is for people, false if it is for programs. */
  readonly isForPeople: boolean;
}

export type AboutLine = readonly [name: string, value: string];

/** Writes a list as a file in one format, while the rows of the list are still being read. */
export interface ExportWriter {
  readonly contentType: string;
  /** Maximum number of rows in a file. Default: no limit. */
  readonly mostRows?: number;
  /**
   * Yields pieces of a few kilobytes. No piece is empty; text is in UTF-8. The next batch of rows is requested only
   * after the previous batch was written.
   */
  write(
    table: ExportedTable,
    batches: AsyncIterable<readonly Row[]>,
  ): AsyncGenerator<string | Uint8Array, void, void>;
}

/**
 * The format in which a spreadsheet shows a value. `percent`: the value is served in percent. `local instant`: the
 * value is text, `yyyy-MM-dd HH:mm:ss`, in the time zone that the file names. `name`: the number of an object, or the key
 * in its place.
 */
export type CellStyle = FieldType | 'hours' | 'signed hours' | 'percent' | 'local instant' | 'name';

/** A column of a list that is written as a flat table. */
export interface ExportColumn {
  readonly name: string;
  readonly style: CellStyle;
  readonly read: (row: Row) => CsvCell;
}

/**
 * The columns for the served fields, in order. A collection has no column, because it is a table of its own.
 * A column has the name that its field has in `$filter`, or otherwise the name of the field itself. If another field of
 * the resource could get the same name, the names of surrounding groups are put in front, as many as needed
 * (Product.Description). The names depend only on the resource, not on the fields that the client selects, so that
 * programs can rely on them. Even if case is ignored, no two columns have the same name.
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

/**
 * Returns a function that reads a value from a row without formatting it. A link becomes an absolute address; any other
 * value stays as it is in the database.
 */
export function cellReader(field: Field, index: number, context: WritingContext): ExportColumn['read'] {
  if (field.type !== 'link') return (row) => cellOf(row[index] ?? null);
  const addressOf = linkWriterOf(field, context);
  return (row) => addressOf(row[index] ?? null);
}

export function cellOf(value: Value): CsvCell {
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
  /** The name of the column, unless another field has the same name. */
  readonly plain: string;
}

/** The names of a resource's columns. They are cached, because they are the same for all requests. */
const known = new WeakMap<ListResource, ReadonlyMap<string, string>>();

/** The names of all columns of a resource. The key is the path of the field, joined by dots. */
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

/** All fields of a list, and for each field with a domain also the field that describes its values. */
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

/** All names that the column of a field could get. A name is ambiguous if another field could get it too. */
function namesPossible({ path, plain }: Candidate): readonly string[] {
  return [plain, ...path.map((_, index) => path.slice(-1 - index).join('.')).slice(1)].map((name) =>
    name.toLowerCase(),
  );
}
