/** What a spreadsheet would run at the start of a line, by OWASP's list and the wide forms of its signs. */
const SIGNS = '=+-@\t\r＝＋－＠';

/** A text as a CSV has it: with an apostrophe before each sign with which a line of it begins. */
export function disarmed(text: string): string {
  let written = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    const beginsLine = at === 0 || '\r\n'.includes(text.charAt(at - 1));
    written += beginsLine && SIGNS.includes(sign) ? `'${sign}` : sign;
  }
  return written;
}
