import type { Random } from '@takt/test-support';

/**
 * Texts that have broken writers of JSON, XML or HTML. U+0000 and lone surrogates are missing, because no event can
 * carry them.
 */
export const knownTexts: readonly string[] = [
  ...[
    '&foo;',
    '&amp;',
    '&#0;',
    '&#x1;',
    '&lt;b&gt;',
    ']]>',
    '<![CDATA[x]]>',
    '<!-- x -->',
    '-->',
    '<?xml version="1.0"?>',
  ],
  ...[
    '<script>window.hurt=1</script>',
    '</script><script>window.hurt=1</script>',
    '<img src=x onerror=window.hurt=1>',
  ],
  ...[
    '"><b>x</b>',
    "'><b>x</b>",
    '</td></tr></table><h1>x',
    '</title><b>',
    '</style><b>',
    '<plaintext>',
    '<svg/onload=window.hurt=1>',
  ],
  ...[
    '"quoted"',
    "it's",
    '`back`',
    '\\',
    '\\u0041',
    '\\"',
    '{0} {1}',
    '$& $1 $$',
    '%s %d',
    '{"a":[1]}',
    'javascript:window.hurt=1',
  ],
  ...[
    'a\r\nb',
    'a\rb',
    'a\nb',
    'a\tb',
    ' leading',
    'trailing ',
    '  two  spaces  ',
    '\n',
    '\r',
    '\t',
    ' ',
    '\u00a0',
    '\u2028',
    '\u2029',
  ],
  ...[
    'שלום עולם',
    'مرحبا',
    '\u202eevil\u202c',
    '\u2066a\u2069',
    '\u200f',
    '\u200b',
    '\ufeff',
    '\ufeffa text that begins with a byte order mark',
    'e\u0301',
    'é',
    'ﬁ',
    'ǅ',
    'İ',
    'ẞ',
  ],
  ...[
    '😀',
    '👩‍👩‍👧‍👦',
    '🇳🇴',
    '𐍈',
    '日本語',
    'æøåÆØÅ',
    'zażółć',
    'Ñandú',
    '\u{10ffff}',
    '\u{e0041}',
    '\ue000',
  ],
  ...[
    '\u0001',
    '\u0008',
    '\u000b',
    '\u000c',
    '\u001f',
    '\u007f',
    '\u0080',
    '\u0085',
    '\u009f',
    '\ufffd',
    '\ufffe',
    '\uffff',
    '\ufdd0',
  ],
];

/** Returns a text of 1 to 60 code points. They are known texts and any characters that PostgreSQL can hold. */
export function unicodeText(random: Random): string {
  const pieces = Array.from({ length: 1 + random.below(8) }, () =>
    random() < 0.3 ? (knownTexts[random.below(knownTexts.length)] ?? '') : anyCharacter(random),
  );
  return [...pieces.join('')].slice(0, 60).join('');
}

const RANGES: readonly (readonly [number, number])[] = [
  ...([
    [1, 0x20],
    [0x20, 0x7f],
    [0x7f, 0xa0],
    [0xa0, 0x24f],
    [0x300, 0x36f],
    [0x590, 0x6ff],
  ] as const),
  ...([
    [0x2000, 0x206f],
    [0x3040, 0x30ff],
    [0xe000, 0xfffe],
    [0x10000, 0x10ffff],
  ] as const),
];

function anyCharacter(random: Random): string {
  const [from, to] = RANGES[random.below(RANGES.length)] ?? [0x20, 0x7f];
  return String.fromCodePoint(from + random.below(to - from + 1));
}

/** Replaces the characters that XML 1.0 cannot hold with U+FFFD. */
export function asXmlHolds(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}

/**
 * Replaces the characters that HTML cannot hold. These are the characters that XML cannot hold, and the upper control
 * characters. HTML has no notation for the upper control characters.
 */
export function asHtmlHolds(text: string): string {
  return asXmlHolds(text).replace(/[\u007f-\u009f]/gu, '\ufffd');
}
