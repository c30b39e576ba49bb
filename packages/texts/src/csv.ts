export type CsvCell = string | number | boolean | null;

/**
 * The start of each line that a spreadsheet would run as a formula, by OWASP's list and its full-width forms, also
 * after blanks and invisible characters; or a lone tab or carriage return.
 */
const FORMULA = /(?<![^\r\n])(?=[\t\r]|(?:[^\S\r\n]|\p{Cf})*[=+\-@|＝＋－＠])/gu;
const NEEDS_QUOTES = /[",;\r\n]/;

/**
 * A record by RFC 4180 with its CRLF. A missing value is empty. An apostrophe precedes each line of text that a
 * spreadsheet would take for a formula; numbers stay as they are, negative ones too.
 * @param decimal with comma, semicolons separate the values
 */
export function csvLine(cells: readonly CsvCell[], decimal: 'point' | 'comma' = 'point'): string {
  const line = cells.map((cell) => cellText(cell, decimal)).join(decimal === 'comma' ? ';' : ',');
  // Many readers skip an empty line.
  return `${line === '' ? '""' : line}\r\n`;
}

function cellText(cell: CsvCell, decimal: 'point' | 'comma'): string {
  if (typeof cell === 'number' && decimal === 'comma') return String(cell).replace('.', ',');
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = cell.replace(FORMULA, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
