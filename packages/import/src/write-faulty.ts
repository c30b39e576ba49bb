import { type FileHandle, open } from 'node:fs/promises';
import { LINE_HEADING, PROBLEM_HEADING } from './layout.js';
import type { FaultyRow } from './stage.js';
import type { TableFile } from './table-file.js';

/** Writes the faulty rows of a file beside it, as they are, with two more columns: their lines and what is wrong. */
export interface FaultyWriter {
  /** Takes faulty rows in the order of their lines. */
  readonly write: (rows: readonly FaultyRow[]) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface FaultyLayout {
  readonly headings: readonly string[];
  readonly headingLine: number;
  /** Fills blank cells with those above, for rows in order (fillerOf). */
  readonly fill: (cells: readonly string[]) => readonly string[];
}

/** Opens a writer of a CSV file in UTF-8 that can be corrected and imported. The file is made when a row is faulty. */
export function openFaultyWriter(
  file: TableFile,
  path: string,
  { headings, headingLine, fill }: FaultyLayout,
): FaultyWriter {
  let output: FileHandle | undefined;
  const rows = file.rows();
  const quote = (cell: string) =>
    /["\r\n]/.test(cell) || cell.includes(file.delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const toLine = (cells: readonly string[]) => `${cells.map(quote).join(file.delimiter)}\r\n`;
  return {
    write: async (faulty) => {
      output ??= await openWithHeadings(path, toLine([...headings, LINE_HEADING, PROBLEM_HEADING]));
      let text = '';
      for (const { line, column, rule, value } of faulty) {
        let next = await rows.next();
        while (next.done !== true && next.value.line < line) {
          if (next.value.line > headingLine) fill(next.value.cells);
          next = await rows.next();
        }
        const cells = next.done === true ? [] : fill(next.value.cells);
        const padded = headings.map((_, place) => cells[place] ?? '');
        text += toLine([...padded, String(line), `${column} ${rule} (${value})`.trim()]);
      }
      await output.write(text);
    },
    close: async () => {
      await rows.return(undefined);
      await output?.close();
    },
  };
}

async function openWithHeadings(path: string, headings: string): Promise<FileHandle> {
  const output = await open(path, 'w', 0o600);
  await output.write(`\ufeff${headings}`);
  return output;
}
