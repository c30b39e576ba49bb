import type { DecimalSign } from '@takt/query-options';
import { stringify } from 'csv-stringify/sync';
import type { Row, Value } from '../../query/outline.js';
import type { WritingContext } from '../page.js';
import { linkWriterOf } from '../shared-parts.js';
import type { ExportColumn } from './export-columns.js';
import type { ExportWriter } from './export-writer.js';

/** A millisecond or two of the event loop. */
const ROWS_OF_A_PIECE = 100;

/**
 * RFC 4180: CRLF, quotes where they are needed, a header. A missing value is empty, a number plain. Text that a spreadsheet
 * would take for a formula has an apostrophe before it; numbers stay as they are, negative ones too.
 *
 * With decimal commas it is what spreadsheets of such countries open: semicolons between the values, and a byte order mark,
 * without which they take UTF-8 for the code page of the machine. Without them it is for programs, many of which would
 * take the mark for a part of the first name.
 */
export const csvWriter: ExportWriter = {
  contentType: 'text/csv; charset=utf-8; header=present',

  async *write({ columns, decimal }, batches, context) {
    const toText = rowWriter(columns.length, decimal);
    yield (decimal === 'comma' ? '\uFEFF' : '') + toText([columns.map(({ name }) => name)]);
    const cellsOf = compileCells(columns, context);
    for await (const rows of batches) {
      for (let from = 0; from < rows.length; from += ROWS_OF_A_PIECE) {
        yield toText(rows.slice(from, from + ROWS_OF_A_PIECE).map(cellsOf));
      }
    }
  },
};

type Cell = string | number | boolean | null;

function rowWriter(columns: number, decimal: DecimalSign): (rows: readonly (readonly Cell[])[]) => string {
  const options = {
    record_delimiter: '\r\n',
    escape_formulas: true,
    delimiter: decimal === 'comma' ? ';' : ',',
    // A line with nothing in it would be no row to many readers.
    quoted_empty: columns === 1,
    cast: {
      boolean: String,
      ...(decimal === 'comma' ? { number: (value: number) => String(value).replace('.', ',') } : {}),
    },
  };
  return (rows) => stringify([...rows], options);
}

/** The values of a row as they are written: links absolute, all else as the database gave it. */
function compileCells(
  columns: readonly ExportColumn[],
  context: WritingContext,
): (row: Row) => readonly Cell[] {
  const readers = columns.map(({ field, index }) => {
    if (field.type === 'link') {
      const addressOf = linkWriterOf(field, context);
      return (row: Row) => addressOf(row[index] ?? null);
    }
    return (row: Row) => cellOf(row[index] ?? null);
  });
  return (row) => readers.map((read) => read(row));
}

function cellOf(value: Value): Cell {
  if (typeof value === 'object' && value !== null) throw new Error('a collection is no cell');
  return value;
}
