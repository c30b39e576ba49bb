import { csvLine } from '@takt/texts';
import type { ExportWriter } from './export-columns.js';

/**
 * The number of rows in one piece of the file. Writing so many rows keeps the event loop busy for a millisecond or two.
 */
const ROWS_OF_A_PIECE = 100;

/**
 * Writes a header with the names of the columns, and a record for each row. The file starts with a byte order mark if
 * it is for people, or if it has decimal commas and semicolons, because it will then be opened in a spreadsheet:
 * without this mark, Excel does not read the file as UTF-8 but in an older code page. All other files are for programs,
 * many of which would read the mark as a part of the first column's name.
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
