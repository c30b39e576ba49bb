/**
 * Letters and digits in the order of the ICU root collation, each with the next one of the order or a later one: Greek
 * follows all of Latin.
 */
const CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyz\u03b1';

/** Behind so many characters few texts are to be expected. */
const NARROW = 3;

export interface PrefixRange {
  readonly from: string;
  readonly until: string;
  /** Whether few texts are to be expected in it. */
  readonly isNarrow: boolean;
  /** Whether it goes by all of the part. */
  readonly isWhole: boolean;
}

/**
 * A range of the ICU root collation, in which texts are ordered, that has every text which starts with a part without
 * regard to case, and some more; undefined for a part of which none is known.
 *
 * It goes by the printable characters of ASCII at the start of the part, up to the last letter or digit. Each of these has
 * a primary weight of its own, is not ignored, and begins no contraction: so whatever follows in a text, its primary
 * weights begin with theirs. A letter in lower case is the least of all that fold to it (Kelvin's K, a long s, a ligature),
 * which have its primary weight: nothing that starts with the part is less than it is in lower case. And all that begins
 * with the primary weights is less than what has a greater one in the place of the last.
 */
export function rangeOfPrefix(part: string): PrefixRange | undefined {
  const from = /^[ -~]*[0-9a-z]/i.exec(part)?.[0].toLowerCase();
  if (from === undefined) return undefined;
  const next = CHARACTERS[CHARACTERS.indexOf(from.slice(-1)) + 1];
  return {
    from,
    until: `${from.slice(0, -1)}${next}`,
    isNarrow: from.length >= NARROW,
    isWhole: from.length === part.length,
  };
}
