import { processorMsOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { parseQueryString } from '../src/index.js';

const pairsOf = (text: string) => parseQueryString(text).parameters.map(({ name, value }) => [name, value]);

function problemOf(text: string) {
  const { problem } = parseQueryString(text);
  return problem && { code: problem.code, parameters: { ...problem.parameters } };
}

const seed = testSeed();

describe(`parseQueryString (seed ${seed})`, () => {
  const readable: readonly [string, [string, string][]][] = [
    ['', []],
    ['?', []],
    ['&&', []],
    ['?&$top=2', [['$top', '2']]],
    ['&a=1&&', [['a', '1']]],
    ['a', [['a', '']]],
    ['a=', [['a', '']]],
    ['=a', [['', 'a']]],
    ['a=b=c', [['a', 'b=c']]],
    ['a?=?', [['a?', '?']]],
    ['%24top=%32', [['$top', '2']]],
    ['$filter=a+eq+%27b%2Bc%27', [['$filter', "a eq 'b+c'"]]],
    ['a+b=%2b%20+', [['a b', '+  ']]],
    ['a=%C3%A9%e2%82%ac%F0%9F%98%80', [['a', 'é€😀']]],
    ['a=é€😀', [['a', 'é€😀']]],
    ['a%3Db=c%26d', [['a=b', 'c&d']]],
    [
      'a=1&A=2&a=3',
      [
        ['a', '1'],
        ['A', '2'],
        ['a', '3'],
      ],
    ],
    [
      '__proto__=1&constructor=2',
      [
        ['__proto__', '1'],
        ['constructor', '2'],
      ],
    ],
    ['a=%C2%80%C2%9F', [['a', '\u0080\u009f']]],
    ['a=%EF%BB%BFb', [['a', '\ufeffb']]],
    ['$filter=a%09eq\t1', [['$filter', 'a\teq\t1']]],
  ];
  for (const [text, expected] of readable) {
    it(`reads ${text || 'nothing'}`, () => {
      expect(pairsOf(text)).to.deep.equal(expected);
      expect(problemOf(text)).to.equal(undefined);
    });
  }

  const malformed: readonly [string, number, string][] = [
    ['a=%zz', 3, '%zz'],
    ['?a=%zz', 3, '%zz'],
    ['b=1&a=%E0%A4%A', 7, '%E0%A4%A'],
    ['a=%', 3, '%'],
    ['a=%4', 3, '%4'],
    ['a=%%34', 3, '%%34'],
    ['%=1', 1, '%'],
    ['a=x%20%C3%28', 7, '%C3%28'],
    ['a=%C0%80', 3, '%C0%80'],
    ['a=%E0%80%80', 3, '%E0%80%80'],
    ['a=%ED%A0%80', 3, '%ED%A0%80'],
    ['a=%F4%90%80%80', 3, '%F4%90%80%80'],
    ['a=%F0%9F%98', 3, '%F0%9F%98'],
    ['a=%80', 3, '%80'],
    ['a=%FF', 3, '%FF'],
    ['a=😀%E4hnlich', 4, '%E4hn'.slice(0, 3)],
    ['a=\ud83d', 3, '\ufffd'],
    [`a=${'%ff'.repeat(20)}`, 3, `${'%ff'.repeat(13)}%…`],
  ];
  for (const [text, position, found] of malformed) {
    it(`reports the position of an invalid percent-encoding: ${JSON.stringify(text)}`, () => {
      expect(problemOf(text)).to.deep.equal({
        code: 'malformedEncoding',
        parameters: { position: String(position), found },
      });
    });
  }

  it('drops parameters that it cannot read, and reports the first problem', () => {
    expect(pairsOf('a=1&b=%zz&c=%00&%ff=2&d=4')).to.deep.equal([
      ['a', '1'],
      ['d', '4'],
    ]);
    expect(problemOf('a=1&b=%zz&c=%00')).to.have.property('code', 'malformedEncoding');
    expect(problemOf('a=1&c=%00&b=%zz')).to.have.property('code', 'controlCharacter');
  });

  for (const [text, parameter, position] of [
    ['$filter=%F0%9F%98%80a%00', '$filter', 3],
    ['a=%1f', 'a', 1],
    ['a=b%0Ac', 'a', 2],
    ['a=%7F', 'a', 1],
    ['a\t=1', 'a\ufffd', 2],
    ['a=\t\v', 'a', 2],
    ['b%0D=1', 'b\ufffd', 2],
  ] as const) {
    it(`rejects a control character: ${JSON.stringify(text)}`, () => {
      expect(problemOf(text)).to.deep.equal({
        code: 'controlCharacter',
        parameters: { parameter, position: String(position) },
      });
      expect(pairsOf(text)).to.deep.equal([]);
    });
  }

  it('accepts 32,000 characters, but not 32,001', () => {
    expect(problemOf(`?a=${'x'.repeat(31_998)}`)).to.equal(undefined);
    expect(problemOf(`a=${'😀'.repeat(31_998)}`)).to.equal(undefined);
    const text = `a=${'x'.repeat(31_992)}&b=%zz`;
    expect(problemOf(`${text}`)).to.have.property('code', 'malformedEncoding');
    expect(problemOf(`${text}1`)).to.deep.equal({ code: 'queryTooLong', parameters: { limit: '32000' } });
    expect(pairsOf(`${text}&$access_token=t`).at(-1)).to.deep.equal(['$access_token', 't']);
  });

  it('accepts 50 parameters, but not 51, without counting empty ones', () => {
    const fifty = '&a=1'.repeat(50);
    expect(problemOf(`&&${fifty}&&`)).to.equal(undefined);
    expect(problemOf(`${fifty}&b`)).to.deep.equal({ code: 'tooManyParameters', parameters: { limit: '50' } });
    expect(pairsOf(`${fifty}&b`)).to.have.length(51);
  });

  it('reads 16 KB in linear time, whatever the text', () => {
    for (const unit of [
      '&',
      'a&',
      '%',
      '%&',
      '%ff&',
      '%00&',
      '%F0%9F%98',
      'a=%C3%A9&',
      '=',
      '+',
      '\ud83d&',
      '😀',
    ]) {
      for (const [size, milliseconds] of [
        [16_384, 50],
        [262_144, 800],
      ] as const) {
        const text = unit.repeat(size / unit.length);
        // The fastest of three runs counts, so that garbage collection does not affect the result.
        const taken = Math.min(...[1, 2, 3].map(() => processorMsOf(() => void parseQueryString(text))));
        expect(taken, `${size} characters of ${unit}`).to.be.lessThan(milliseconds);
      }
    }
  });

  it('reads every valid query string like URLSearchParams', () => {
    const part = fc.string({ unit: 'binary' }).filter((text) => !/[^\P{Cc}\u0080-\u009f]/u.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(part, part), { maxLength: 8 }), (pairs) => {
        const query = new URLSearchParams(pairs).toString();
        expect(parseQueryString(query).problem).to.equal(undefined);
        expect(pairsOf(query)).to.deep.equal([...new URLSearchParams(query)]);
      }),
      { seed, numRuns: 500 },
    );
  });

  it('rejects exactly the percent-encodings that decodeURIComponent rejects', () => {
    const byte = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f);
    const unit = byte.map((code) => `%${code.toString(16)}`);
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 9, arbitrary: unit }, fc.constantFrom('a', '%', '%4')), { maxLength: 5 }),
        (units) => {
          const text = units.join('');
          let decoded: string | undefined;
          try {
            decoded = decodeURIComponent(text);
          } catch {
            decoded = undefined;
          }
          expect(parseQueryString(`a=${text}`).parameters[0]?.value).to.equal(decoded);
        },
      ),
      { seed, numRuns: 5_000 },
    );
  });
});
