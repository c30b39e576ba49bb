/**
 * Characters at the start of a line that make a spreadsheet interpret the line as a formula. They are the list of OWASP
 * and its full-width forms.
 */
const SIGNS = '=+-@|＝＋－＠';

/**
 * Returns a text as the CSV export must write it. An apostrophe precedes each line that starts with a tab or a carriage
 * return, and each formula at the start of a line or behind a comma, a semicolon or a tab.
 */
export function disarmed(text: string): string {
  let written = '';
  for (let at = 0; at < text.length; at += 1) {
    const before = text.charAt(at - 1);
    const isForced = '\r\n'.includes(before) && '\t\r'.includes(text.charAt(at));
    if (isForced || ('\r\n,;\t'.includes(before) && beginsAsFormula(text.slice(at)))) written += "'";
    written += text.charAt(at);
  }
  return written;
}

/**
 * True if a spreadsheet interprets the text as a formula. Spreadsheets ignore blanks and invisible characters before a
 * formula.
 */
function beginsAsFormula(text: string): boolean {
  const first = [...text].find((sign) => '\r\n\t'.includes(sign) || !/^[\s\p{Format}]$/u.test(sign));
  return first !== undefined && SIGNS.includes(first);
}
