import fc from 'fast-check';

/** Delimiters, fragments of documents, and special characters. */
const SNIPPETS = [
  ...[
    ']]>',
    '<![CDATA[',
    '<script>alert(1)</script>',
    '&foo;',
    '&lt;',
    '&#0;',
    '&#xffffffff;',
    '<!--',
    '-->',
  ],
  ...['</Name>', '<Name>', '<?xml?>', '"', "'", '\\', '\\u0000', '\r\n', '\r', '\n', '\t', ' ', '\u2028'],
  ...['\0', '\u0008', '\u001f', '\u007f', '\u0085', '\u009f', '\ufffe', '\uffff', '\ufeff', '\u{1ffff}'],
  ...['\ud800', '\udfff', '😀', 'e\u0301', 'Ä', '{0}', '%', '__proto__', '{}', '[', ','],
];

/**
 * Generates any sequence of UTF-16 code units: all of Unicode, control characters, noncharacters and lone surrogates. A
 * text never starts with a byte order mark, because libxml2-wasm removes it.
 */
export const anyText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...SNIPPETS),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
      fc.integer({ min: 0, max: 0x9f }).map((unit) => String.fromCharCode(unit)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join('').replace(/^\ufeff+/, ''));

/**
 * Returns the text as an XML document can represent it. Characters that the production Char of XML 1.0 does not permit
 * become U+FFFD.
 */
export function inXml(text: string): string {
  return Array.from(text, (character) =>
    isXmlChar(character.codePointAt(0) ?? 0) ? character : '\ufffd',
  ).join('');
}

function isXmlChar(codePoint: number): boolean {
  return (
    [0x9, 0xa, 0xd].includes(codePoint) ||
    (codePoint >= 0x20 && codePoint <= 0xd7ff) ||
    (codePoint >= 0xe000 && codePoint <= 0xfffd) ||
    (codePoint >= 0x10000 && codePoint <= 0x10ffff)
  );
}
