import { printable } from './terminal.js';

export interface Column<Row> {
  readonly title: string;
  readonly value: (row: Row) => string;
  /** If true, the column has numbers and is right-aligned. */
  readonly isNumber?: boolean;
}

const GAP = '  ';
/**
 * Minimum width of the last column next to the other columns. If less is left, the last column gets a line of its own.
 */
const MIN_LAST_COLUMN = 40;

interface TableOptions {
  /** Width of the terminal in columns. If undefined, the width is not limited. */
  readonly width?: number | undefined;
  /** False for the pages after the first page. */
  readonly withTitles?: boolean;
}

/**
 * Formats a table with a line of titles and one or two lines for each row. If there is a width, the last column is cut
 * to fit, or gets a line of its own. The other columns are never cut, so that ids can be copied.
 */
export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { width, withTitles = true }: TableOptions = {},
): readonly string[] {
  const cells = rows.map((row) => columns.map(({ value }) => printable(value(row))));
  const titles = columns.map(({ title }) => title);
  const widths = titles.map((title, column) =>
    cells.reduce((widest, line) => Math.max(widest, line[column]?.length ?? 0), title.length),
  );
  const pad = (line: readonly string[]) =>
    line.map((cell, column) => {
      const cellWidth = widths[column] ?? 0;
      return columns[column]?.isNumber === true ? cell.padStart(cellWidth) : cell.padEnd(cellWidth);
    });
  const lines = withTitles ? [titles, ...cells] : cells;
  return lines.flatMap((line) => layOut(pad(line), width)).map((line) => line.trimEnd());
}

function layOut(cells: readonly string[], width: number | undefined): readonly string[] {
  const line = cells.join(GAP);
  if (width === undefined || line.trimEnd().length <= width) return [line];
  const others = cells.slice(0, -1).join(GAP);
  const last = (cells.at(-1) ?? '').trimEnd();
  const room = width - others.length - GAP.length;
  if (room >= MIN_LAST_COLUMN) return [others + GAP + cut(last, room)];
  return [others, GAP + cut(last, Math.max(width - GAP.length, MIN_LAST_COLUMN))];
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`;
}
