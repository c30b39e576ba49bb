import type { Field, ValueSchema } from './event-schema.js';

/** JSON texts that a kind of value accepts, and JSON texts that it rejects. Samples use the first accepted text. */
interface KindValues {
  readonly good: readonly string[];
  readonly bad: readonly string[];
}

const text = (value: string) => JSON.stringify(value);
const texts = (...values: readonly string[]) => values.map(text);

/** Valid JSON numbers that are parsed as Infinity or -Infinity. */
const HUGE = ['1e400', '-1e400'];
const NO_TEXTS = ['7', 'true', '{}', '[]', '["a"]', ...HUGE];
const NO_NUMBERS = ['""', '"1"', 'true', '{}', '[1]', '[[[[]]]]'];
const UNSTORABLE = texts('\0', 'a\0b', '\ud800', 'a\ud83d', '\udc00b', '\ude00\ud83d');

/** A character that takes two UTF-16 units and four bytes. */
const WRENCH = '\u{1f527}';

const hours: KindValues = {
  good: [
    '"2.25"',
    '0',
    '1000000',
    '0.1',
    '5e-7',
    '1e-300',
    '1.0000005',
    '-0',
    '2.5e3',
    '"0"',
    '"1000000.000"',
    ...texts('0.833333', '999999.9999999', '-0.0', '0'.repeat(39).concat('1')),
  ],
  bad: [
    ...NO_NUMBERS.filter((value) => value !== '"1"'),
    '-1',
    '-0.000001',
    '-1e-300',
    'false',
    '1000000.1',
    '1e21',
    '1e308',
    ...HUGE,
    ...texts('-1', '-0.000001', '1000000.0000001', '1,5', '1e3', ' 1', '1 ', '1\n', '0x10', '+1', '.5', '5.'),
    ...texts(
      'NaN',
      'Infinity',
      '-Infinity',
      '1h',
      '1_000',
      '1.0.0',
      '\uff11',
      '\u0663',
      '0'.repeat(40).concat('1'),
    ),
    ...texts(`0.${'3'.repeat(46)}`, '3'.repeat(41)),
  ],
};

const instant: KindValues = {
  good: [
    ...texts('2024-05-31T16:20:00+02:00', '2024-02-29T00:00:00Z', '2024-05-31t16:20:00.123456789z'),
    ...texts('0001-01-01T16:00:00Z', '2016-12-31T23:59:60Z'),
    ...texts('2017-01-01T00:59:60+01:00', '2024-05-31T16:20:00-23:59'),
  ],
  bad: [
    ...NO_TEXTS,
    ...texts('', 'now', '2024-05-31', '16:20:00Z', '2024-05-31T16:20:00', '2024-05-31 16:20:00Z'),
    ...texts('2024-02-30T10:00:00Z', '2023-02-29T10:00:00Z', '1900-02-29T10:00:00Z', '2024-06-31T10:00:00Z'),
    ...texts('2024-13-01T10:00:00Z', '2024-00-01T10:00:00Z', '2024-05-00T10:00:00Z', '2024-5-1T10:00:00Z'),
    ...texts(
      '2024-05-31T24:00:00Z',
      '2024-05-31T25:00:00Z',
      '2024-05-31T10:60:00Z',
      '2024-05-31T10:00:61Z',
      '2024-05-31T10:00Z',
    ),
    ...texts('2024-05-31T12:00:60Z', '2016-12-30T23:59:60Z', '2016-12-31T23:59:60+01:00'),
    ...texts('0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'),
    ...texts('10000-01-01T00:00:00Z', '-2024-05-31T16:20:00Z', '24-05-31T16:20:00Z'),
    ...texts('2024-05-31T16:20:00+24:00', '2024-05-31T16:20:00+02:60', '2024-05-31T16:20:00+0200'),
    ...texts(
      '2024-05-31T16:20:00.Z',
      '2024-05-31T16:20:00,5Z',
      '2024-05-31T16:20:00Z\n',
      ' 2024-05-31T16:20:00Z',
    ),
    '1717165200000',
    text('\u0662024-05-31T16:20:00Z'),
    ...UNSTORABLE,
  ],
};

const uriReference: KindValues = {
  good: texts(
    '/mes/line-3',
    'mes',
    '?q',
    '#f',
    'urn:takt:1',
    'https://u@h.example:8080/a?b#c',
    '//[::1]',
    '%20',
    'm'.repeat(2_048),
  ),
  bad: [
    ...NO_TEXTS,
    ...texts('', 'line 3', 'http://[', '%zz', '%', '/m\u00fc', 'm'.repeat(2_049), '/mes\n', '1a:b', '<a>'),
    ...UNSTORABLE,
  ],
};

const objectKey: KindValues = {
  good: texts(
    'FA-2026-1000/0010',
    'WL-10.4700',
    'x',
    '0',
    'x'.repeat(200),
    WRENCH.repeat(200),
    'O\'Neil & "Söhne"; %41',
    '=1+1',
    '<b>&amp;',
    '\\u0000',
    '\u00e9',
    '\u05d0\u05d1-\u0661',
    'two  blanks',
  ),
  bad: [
    ...NO_TEXTS,
    ...UNSTORABLE,
    '""',
    ...texts(
      'x'.repeat(201),
      WRENCH.repeat(201),
      ' ',
      ' x',
      'x ',
      '\u00a0x',
      'x\u3000',
      '\ufeffx',
      'x\ty',
      'x\n',
    ),
    ...texts('e\u0301', '\u212b', '\u202ex', 'x\u200f', 'x\u2066y', 'x\u2028y', 'x\u0085y'),
  ],
};

function integers({ minimum = 0, maximum = 0 }: ValueSchema): KindValues {
  const beyond = maximum === Number.MAX_SAFE_INTEGER ? ['9007199254740993'] : [];
  return {
    good: [
      String(Math.max(minimum, 1)),
      String(minimum),
      String(maximum),
      `${maximum}.0`,
      `${Math.max(minimum, 1)}e0`,
    ],
    bad: [
      '0.5',
      '1e-300',
      String(maximum + 1),
      String(minimum - 1),
      String(minimum - 8),
      '1e21',
      '1e308',
      ...HUGE,
      ...beyond,
      ...NO_NUMBERS,
      text(String(maximum)),
    ],
  };
}

function storableTexts({ minLength = 0, maxLength = 0 }: ValueSchema): KindValues {
  return {
    good: [
      ...texts(
        'x',
        'x'.repeat(maxLength),
        WRENCH.repeat(maxLength),
        ' ',
        '\u0001\t\n\u{10ffff}',
        '\\u0000',
        '<b>&amp;',
      ),
      ...(minLength === 0 ? ['""'] : []),
    ],
    bad: [
      ...NO_TEXTS,
      ...UNSTORABLE,
      ...(minLength === 0 ? [] : ['""']),
      ...texts('x'.repeat(maxLength + 1), WRENCH.repeat(maxLength + 1), '"'.repeat(maxLength + 1)),
    ],
  };
}

const flags: KindValues = {
  good: ['true', 'false'],
  bad: ['"true"', '""', '0', '1', '{}', '[]', '[true]', ...HUGE],
};

function choices({ enum: known = [] }: ValueSchema): KindValues {
  const others = known
    .flatMap((one) => [`${one}0`, ` ${one}`, one.slice(0, -1), `${one}\0`, one.toUpperCase()])
    .filter((one) => !known.includes(one));
  return {
    good: texts(...known),
    bad: [...NO_TEXTS, ...texts('', '__proto__', 'constructor', 'toString', 'batch', ...others)],
  };
}

const pastInstant: KindValues = {
  good: instant.good,
  bad: [...instant.bad, ...texts('2999-01-01T00:00:00Z')],
};

/**
 * Returns values of a kind. For integers and texts, the values are derived from the JSON Schema. For a kind with a
 * pattern, the values are listed here. Throws if there are no values for the kind.
 */
export function valuesOf({ name, schema }: NonNullable<Field['kind']>): KindValues {
  if (name === 'hours') return hours;
  if (name === 'instant') return instant;
  if (name === 'pastInstant') return pastInstant;
  if (name === 'uriReference') return uriReference;
  if (name === 'objectKey') return objectKey;
  if (schema.enum !== undefined) return choices(schema);
  if (schema.type === 'integer') return integers(schema);
  if (schema.type === 'boolean') return flags;
  if (schema.type === 'string' && schema.maxLength !== undefined) return storableTexts(schema);
  throw new Error(`the corpus has no values of the kind ${name}: give it some in kind-values.ts`);
}
