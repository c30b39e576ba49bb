import type { ExportWriter } from './export-writer.js';
import { SHEET_PATH, sheetNameOf, workbookParts } from './workbook-parts.js';
import { MOST_ROWS, writeSheet } from './worksheet.js';
import { zip } from './zip.js';

/**
 * A workbook of one sheet. It is written here, in as many lines as a wrapper would take: hucre, the one kept library that
 * streams, has in version 1.0.0 neither a filter nor a style for the header in its stream; exceljs is unkept, and all else
 * holds the whole sheet in memory.
 */
export const xlsxWriter: ExportWriter = {
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  mostRows: MOST_ROWS,

  write({ resource, columns }, batches, context) {
    const parts = Object.entries(workbookParts(sheetNameOf(resource.title[context.language])));
    return zip([
      ...parts.map(([name, text]) => ({ name, content: [text] })),
      { name: SHEET_PATH, content: writeSheet(columns, batches, context) },
    ]);
  },
};
