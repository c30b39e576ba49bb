/** Characters at the start of a line that a spreadsheet takes for a formula: OWASP's list and its full-width forms. */
const SIGNS = '=+-@|＝＋－＠';

/**
 * A text as in a CSV: with an apostrophe before each line that starts with such a character, a tab or a carriage
 * return.
 */
export function disarmed(text: string): string {
  let written = '';
  for (let at = 0; at < text.length; at += 1) {
    const beginsLine = at === 0 || '\r\n'.includes(text.charAt(at - 1));
    if (beginsLine && ('\t\r'.includes(text.charAt(at)) || beginsAsFormula(text.slice(at)))) written += "'";
    written += text.charAt(at);
  }
  return written;
}

/** A spreadsheet ignores blanks and invisible characters before a formula. */
function beginsAsFormula(text: string): boolean {
  const first = [...text].find((sign) => '\r\n'.includes(sign) || !/^[\s\p{Format}]$/u.test(sign));
  return first !== undefined && SIGNS.includes(first);
}
