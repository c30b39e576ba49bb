export type CsvCell = string | number | boolean | null;

/**
 * Matches each place at which a spreadsheet would begin a formula: the start of a line, or a place behind a comma, a
 * semicolon or a tab, because spreadsheets split lines there by the settings of their country, also within quotes. A
 * formula starts with one of the characters in OWASP's list or its full-width form, possibly after blanks and invisible
 * characters. A line that starts with a tab or a carriage return counts too.
 */
const FORMULA = /(?<![^\r\n])(?=[\t\r])|(?<![^\r\n,;\t])(?=(?:[^\S\r\n\t]|\p{Cf})*[=+\-@|＝＋－＠])/gu;
const NEEDS_QUOTES = /[",;\r\n]/;

/**
 * Writes a record in the form of RFC 4180, including the CRLF at its end. A missing value is empty. If a spreadsheet
 * would take a part of a text for a formula, an apostrophe is put before that part. Numbers stay as they are, including
 * negative ones.
 * @param decimal the decimal separator; with `comma`, semicolons separate the values
 */
export function csvLine(cells: readonly CsvCell[], decimal: 'point' | 'comma' = 'point'): string {
  const line = cells.map((cell) => cellText(cell, decimal)).join(decimal === 'comma' ? ';' : ',');
  // An empty line is written as an empty text in quotes, because many readers skip empty lines.
  return `${line === '' ? '""' : line}\r\n`;
}

function cellText(cell: CsvCell, decimal: 'point' | 'comma'): string {
  if (typeof cell === 'number' && decimal === 'comma') return String(cell).replace('.', ',');
  if (typeof cell !== 'string') return cell === null ? '' : String(cell);
  const text = cell.replace(FORMULA, "'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
