import fc from 'fast-check';

/**
 * Starts of texts: letters that case folding changes to other letters or to several letters, digits, punctuation, and
 * letters of other scripts.
 */
const STARTS = [
  ...[...String.raw`aAefFiIkKlLsStzZ09 -.%_\'<=~`],
  ...['ss', 'ff', 'fi', 'st', 'ij', 'ch', 'll', 'aa', 'AA', '10', '9z', 'z9'],
  ...[...'\u00df\u1e9e\u017f\u212a\u0130\u0131\ufb00\ufb01\ufb03\ufb05\ufb06\u0149\u01f0\u1e96\u1e97\u1e9a'],
  ...[...'\u00e5\u00c5\u212b\u00e9\u00e6\uff41\uff21\u24d0\u00bd\u2460\u0663\u00aa\u02b0\u0292\u00fe\u01bf'],
  ...[...'\u03b1\u03a3\u03c3\u03c2\u0436\u05d0\uac00\u3042\u30fc\u4e00\u{1f600}'],
  ...['e\u0301', '\u0438\u0306', '\u0627\u0653', '\u0e40\u0e01', '\u0ec0\u0e81', '\u0915\u094d'],
  ...['\u0f71\u0f80', '\u1100\u1161'],
  ...[...'\u0001\u00ad\u200b\u200d\ufeff\u2060\u034f\u0301\ufffe\uffff\u{10ffff}'],
];

/**
 * Ends of texts: characters that a collation may ignore, combine with the preceding character, or sort after everything
 * else.
 */
const ENDS = [
  ...['', ...'aZ09 \u0001\u00ad\u200b\u200d\ufeff\u034f\u0300\u0307\u0308\u030a\u0327\u0338\u00b7\u0387'],
  ...[...'\u0653\u093c\u0e40\u0e01\u0ec0\u1160\u11a8\u30fc\u3099\u20dd\ufe0f\u{e0061}\ufdd0\ufffd\ufffe'],
  ...[...'\uffff\u{10ffff}\u{2ffff}\u{1d165}\u02be\u00b4`^\u03b1\u0292\u00fe'],
];

/** Returns texts for which it is hard to convert a prefix to a range in the sort order. */
export function nastyTexts(seed: number, count: number): readonly string[] {
  const text = fc
    .tuple(
      fc.array(fc.constantFrom(...STARTS), { minLength: 1, maxLength: 4 }),
      fc.array(fc.constantFrom(...ENDS), { maxLength: 3 }),
    )
    .map(([starts, ends]) => [...starts, ...ends].join(''));
  return fc.sample(text, { seed, numRuns: count });
}
