import { csvLine } from '@takt/texts';
import type { ExportWriter } from './export-columns.js';

/** Takes a millisecond or two of the event loop. */
const ROWS_OF_A_PIECE = 100;

/**
 * A header and a record per row. Files for people, and files with decimal commas and semicolons, which spreadsheets in
 * such countries open, start with a byte order mark, without which Excel takes UTF-8 for a code page. Other files are
 * for programs, many of which would take the mark for a part of the first name.
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
