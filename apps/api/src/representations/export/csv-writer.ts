import { csvLine } from '@takt/texts';
import type { ExportWriter } from './export-columns.js';

/** Rows per piece of the file: writing them takes a millisecond or two of the event loop. */
const ROWS_OF_A_PIECE = 100;

/**
 * Writes a header, and a record per row. A file starts with a byte order mark if it is for people, or has decimal
 * commas and semicolons, because spreadsheets will open it: without the mark, Excel reads UTF-8 as a code page. Other
 * files are for programs, many of which would read the mark as a part of the first name.
 */
export const csvWriter: ExportWriter = {
  contentType: 'text/csv; charset=utf-8; header=present',

  async *write({ columns, decimal, isForPeople }, batches) {
    const header = csvLine(
      columns.map(({ name, style }) => (style === 'percent' ? `${name} (%)` : name)),
      decimal,
    );
    yield (isForPeople || decimal === 'comma' ? '\uFEFF' : '') + header;
    for await (const rows of batches) {
      for (let from = 0; from < rows.length; from += ROWS_OF_A_PIECE) {
        const piece = rows.slice(from, from + ROWS_OF_A_PIECE);
        const lines = piece.map((row) =>
          csvLine(
            columns.map(({ read }) => read(row)),
            decimal,
          ),
        );
        yield lines.join('');
      }
    }
  },
};
