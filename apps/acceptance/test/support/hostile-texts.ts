/**
 * Texts that have broken other services: SQL, HTML, paths, names of objects, unusual numbers, words of the filter
 * grammar and unusual characters.
 */
export const hostileTexts: readonly string[] = [
  ...["' OR 1=1 --", "'; DROP TABLE takt.products; --", "' UNION SELECT version() --", '$1', '$$', "\\'"],
  ...["E'\\x41'"],
  ...['pg_sleep(9)', '1);SELECT pg_sleep(9)--', '%', '_', '\\', '%%%', '*', '?', "''", "'", '"', '`', '--'],
  ...['/*', '*/'],
  ...['<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', '&lt;', '&foo;', ']]>', '<![CDATA['],
  ...['<!DOCTYPE a>'],
  ...['../../etc/passwd', '..%2f..%2f', '/etc/passwd', 'file:///etc/passwd', 'C:\\', '//evil.example'],
  ...['javascript:1'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '{"a":1}',
    '[1]',
    '$' + '{1}',
    '{{1}}',
    '#{1}',
    '{0}',
    '{1}',
  ],
  ...['NaN', 'Infinity', '-1', '-0', '0x10', '1e309', '1e-400', '.5', '5.', '007', '1_000', '1,5', '٣'],
  ...['１', '²'],
  ...['9'.repeat(19), '9'.repeat(39), '9'.repeat(41), '9'.repeat(500), `0.${'1'.repeat(300)}`],
  ...['-9223372036854775809'],
  ...['null', 'undefined', 'true', 'false', 'TRUE', 'not', 'and', 'or', 'eq', 'in', '(', ')', ',', ' '],
  ...['\t', '\r\n', '\u0000'],
  ...['\u202e', '\u0130', '\u017f', '\u212a', 'ﬀ', '\ufeff', '\ufffe', '\u2028', '😀', '👩‍👩‍👧‍👦', 'é'],
  ...['e\u0301', 'ß', '𐍈', '\u{10ffff}', '\ud83d'],
];
