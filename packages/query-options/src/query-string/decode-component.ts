export type Decoded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly index: number; readonly found: string };

/** A byte 80 to BF, percent encoded: what follows a lead byte in UTF-8. */
const NEXT = '%[89AB][0-9A-F]';

/** The well-formed UTF-8 sequences (The Unicode Standard, table 3-7), percent encoded. */
const WELL_FORMED = new RegExp(
  [
    '%[0-7][0-9A-F]',
    `%(?:C[2-9A-F]|D[0-9A-F])${NEXT}`,
    `%E0%[AB][0-9A-F]${NEXT}`,
    `%E[1-9A-CEF]${NEXT}${NEXT}`,
    `%ED%[89][0-9A-F]${NEXT}`,
    `%F0%[9AB][0-9A-F]${NEXT}${NEXT}`,
    `%F[1-3]${NEXT}${NEXT}${NEXT}`,
    `%F4%8[0-9A-F]${NEXT}${NEXT}`,
  ].join('|'),
  'gi',
);

/**
 * Decodes a name or a value of a query string: percent encoded UTF-8, and `+` for a space. What is not UTF-8 is located
 * by its index in the raw text; a half surrogate pair is not either. Looks before it decodes, because
 * decodeURIComponent tells no position and an exception for each of thousands of bad values is slow.
 */
export function decodeComponent(raw: string): Decoded {
  const unread = raw.replace(WELL_FORMED, (sequence) => '_'.repeat(sequence.length));
  const index = unread.search(/[%\p{Cs}]/u);
  return index === -1
    ? { ok: true, text: decodeURIComponent(raw.replaceAll('+', ' ')) }
    : { ok: false, index, found: malformedRun(raw.slice(index)) };
}

/** The percent signs that the text starts with, each with the two characters that should be its digits. */
function malformedRun(raw: string): string {
  return /^(?:%[^%+]{0,2})+/u.exec(raw)?.[0] ?? raw.slice(0, 1);
}
