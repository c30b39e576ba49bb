import type { DecimalSign } from '@takt/query-options';
import type { ListResource } from '@takt/resources';
import type { Row } from '../../query/outline.js';
import type { WritingContext } from '../page.js';
import type { ExportColumn } from './export-columns.js';

/** A whole list as a table, but for its rows. */
export interface ExportedTable {
  readonly resource: ListResource;
  readonly columns: readonly ExportColumn[];
  readonly decimal: DecimalSign;
}

/** Writes a list as a file in one format, while its rows are read. */
export interface ExportWriter {
  readonly contentType: string;
  /** Rows that a file can have; absent: any number. */
  readonly mostRows?: number;
  /** Pieces of a few kilobytes, none empty; text is UTF-8. A batch is asked for when those before it are written. */
  write(
    table: ExportedTable,
    batches: AsyncIterable<readonly Row[]>,
    context: WritingContext,
  ): AsyncGenerator<string | Uint8Array, void, void>;
}
