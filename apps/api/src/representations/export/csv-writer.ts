import { csvLine } from '@takt/texts';
import type { ExportWriter } from './export-columns.js';

/** A millisecond or two of the event loop. */
const ROWS_OF_A_PIECE = 100;

/**
 * A header and a record of each row. A file for people, and one with decimal commas and semicolons between the values, which
 * spreadsheets of such countries open, begins with a byte order mark: without it Excel takes UTF-8 for the code page of the
 * machine. Any other is for programs, many of which would take the mark for a part of the first name.
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
