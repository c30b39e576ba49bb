/** What a spreadsheet would run at the start of a line, by OWASP's list and the wide forms of its signs. */
const SIGNS = '=+-@|＝＋－＠';

/** A text as a CSV has it: with an apostrophe before each line that begins with a sign, or with a tab or carriage return. */
export function disarmed(text: string): string {
  let written = '';
  for (let at = 0; at < text.length; at += 1) {
    const beginsLine = at === 0 || '\r\n'.includes(text.charAt(at - 1));
    if (beginsLine && ('\t\r'.includes(text.charAt(at)) || beginsAsFormula(text.slice(at)))) written += "'";
    written += text.charAt(at);
  }
  return written;
}

/** Blanks and signs that are not seen before a formula do not keep a spreadsheet from it. */
function beginsAsFormula(text: string): boolean {
  const first = [...text].find((sign) => '\r\n'.includes(sign) || !/^[\s\p{Format}]$/u.test(sign));
  return first !== undefined && SIGNS.includes(first);
}
