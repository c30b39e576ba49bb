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

/** A whole list as a table, but for its rows. */
interface ExportedTable {
  readonly title: string;
  readonly columns: readonly ExportColumn[];
  /** Names and values that describe the list to a reader of the file. */
  readonly about: { readonly title: string; readonly lines: readonly AboutLine[] };
  readonly decimal: DecimalSign;
  /** People open it, programs do not. */
  readonly isForPeople: boolean;
}

export type AboutLine = readonly [name: string, value: string];

/** Writes a list as a file in one format, while its rows are read. */
export interface ExportWriter {
  readonly contentType: string;
  /** Rows that a file can have; absent: any number. */
  readonly mostRows?: number;
  /** Pieces of a few kilobytes, none empty; text is UTF-8. A batch is asked for when those before it are written. */
  write(
    table: ExportedTable,
    batches: AsyncIterable<readonly Row[]>,
  ): AsyncGenerator<string | Uint8Array, void, void>;
}

/**
 * How a spreadsheet shows a value. A percentage is a number of percent; a local instant is a text, `yyyy-MM-dd HH:mm:ss`, in
 * the time zone that the file names.
 */
export type CellStyle = FieldType | 'hours' | 'signed hours' | 'percent' | 'local instant';

/** A column of a list as a table without groups. */
export interface ExportColumn {
  readonly name: string;
  readonly style: CellStyle;
  readonly read: (row: Row) => CsvCell;
}

/**
 * The columns of what is served, in its order. A collection has none: it is a table of its own. A column is named as
 * `$filter` names its field, else as the field; where another field of the resource is named so too, with as many of the
 * groups around it before it as tell them apart (Product.Description). The name depends on the resource alone and not on
 * what was selected, so that who reads files by their header finds it; no two are the same, also without regard to case.
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

/** Reads a value as it is: links absolute, all else as the database gave it. */
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
  /** What it is called where nothing else is called so. */
  readonly plain: string;
}

/** Kept, as a resource has the same names for every request. */
const known = new WeakMap<ListResource, ReadonlyMap<string, string>>();

/** Names by the dotted path. */
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

/** Every field, and the description of its values beside it. */
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

/** All that another field may be called, so that no name leads to two. */
function namesPossible({ path, plain }: Candidate): readonly string[] {
  return [plain, ...path.map((_, index) => path.slice(-1 - index).join('.')).slice(1)].map((name) =>
    name.toLowerCase(),
  );
}
