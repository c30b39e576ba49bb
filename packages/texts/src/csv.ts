export type CsvCell = string | number | boolean | null;

/**
 * Every place at which a line of a text begins with what a spreadsheet would run, by OWASP's list and its wide forms, also
 * behind what it takes for blank or shows as nothing; a tab or carriage return alone as well.
 */
const FORMULA = /(?<![^\r\n])(?=[\t\r]|(?:[^\S\r\n]|\p{Cf})*[=+\-@|＝＋－＠])/gu;
const NEEDS_QUOTES = /[",;\r\n]/;

/**
 * A record as RFC 4180 has it, with its CRLF. A missing value is empty; a text that a spreadsheet would take for a formula,
 * or a line of it, has an apostrophe before it. Numbers stay as they are, negative ones too.
 * @param decimal with comma, semicolons stand between the values
 */
export function csvLine(cells: readonly CsvCell[], decimal: 'point' | 'comma' = 'point'): string {
  const line = cells.map((cell) => cellText(cell, decimal)).join(decimal === 'comma' ? ';' : ',');
  // A line with nothing in it would be no record to many readers.
  return `${line === '' ? '""' : line}\r\n`;
}

function cellText(cell: CsvCell, decimal: 'point' | 'comma'): string {
  if (typeof cell === 'number' && decimal === 'comma') return String(cell).replace('.', ',');
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = cell.replace(FORMULA, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
