import { type CsvCell, csvLine } from '@takt/run';
import type { Row, Value } from '../../query/outline.js';
import type { WritingContext } from '../page.js';
import { linkWriterOf } from '../shared-parts.js';
import type { ExportColumn, ExportWriter } from './export-columns.js';

/** A millisecond or two of the event loop. */
const ROWS_OF_A_PIECE = 100;

/**
 * A header and a record of each row. With decimal commas it is what spreadsheets of such countries open: semicolons between
 * the values, and a byte order mark, without which they take UTF-8 for the code page of the machine. Without them it is for
 * programs, many of which would take the mark for a part of the first name.
 */
export const csvWriter: ExportWriter = {
  contentType: 'text/csv; charset=utf-8; header=present',

  async *write({ columns, decimal }, batches, context) {
    const header = csvLine(
      columns.map(({ name }) => name),
      decimal,
    );
    yield (decimal === 'comma' ? '\uFEFF' : '') + header;
    const cellsOf = compileCells(columns, context);
    for await (const rows of batches) {
      for (let from = 0; from < rows.length; from += ROWS_OF_A_PIECE) {
        const piece = rows.slice(from, from + ROWS_OF_A_PIECE);
        yield piece.map((row) => csvLine(cellsOf(row), decimal)).join('');
      }
    }
  },
};

/** The values of a row as they are written: links absolute, all else as the database gave it. */
function compileCells(
  columns: readonly ExportColumn[],
  context: WritingContext,
): (row: Row) => readonly CsvCell[] {
  const readers = columns.map(({ field, index }) => {
    if (field.type === 'link') {
      const addressOf = linkWriterOf(field, context);
      return (row: Row) => addressOf(row[index] ?? null);
    }
    return (row: Row) => cellOf(row[index] ?? null);
  });
  return (row) => readers.map((read) => read(row));
}

function cellOf(value: Value): CsvCell {
  if (typeof value === 'object' && value !== null) throw new Error('a collection is no cell');
  return value;
}
