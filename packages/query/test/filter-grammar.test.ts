import { randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { parseFilter } from '../src/parse-filter.js';
import { withPlainNumbers } from '../src/tokens.js';
import type { NumberStyle } from '../src/typed-numbers.js';
import { shape } from './support/shape.js';

const seed = testSeed();

const shapeOf = (text: string): string => shape(parseFilter(text));

describe(`$filter (seed ${seed})`, () => {
  for (const operator of ['eq', 'ne', 'lt', 'le', 'gt', 'ge']) {
    for (const written of [
      operator,
      operator.toUpperCase(),
      `${operator.charAt(0)}${operator.charAt(1).toUpperCase()}`,
    ]) {
      it(`accepts the comparison ${written}`, () => {
        expect(shapeOf(`Name ${written} 'x'`)).to.equal(`${operator}[Name "x"]`);
      });
    }
  }

  const precedence: readonly [string, string][] = [
    ['a eq 1 or b eq 2 and c eq 3', 'or[eq[a integer:1] and[eq[b integer:2] eq[c integer:3]]]'],
    ['a eq 1 and b eq 2 or c eq 3', 'or[and[eq[a integer:1] eq[b integer:2]] eq[c integer:3]]'],
    ['(a eq 1 or b eq 2) and c eq 3', 'and[or[eq[a integer:1] eq[b integer:2]] eq[c integer:3]]'],
    ['not a eq 1 and b eq 2', 'and[not[eq[a integer:1]] eq[b integer:2]]'],
    ['not (a eq 1 and b eq 2)', 'not[and[eq[a integer:1] eq[b integer:2]]]'],
    ['NOT(a eq 1) OR Not b eq 2', 'or[not[eq[a integer:1]] not[eq[b integer:2]]]'],
    ['not a in (1) or b eq 2', 'or[not[in[a integer:1]] eq[b integer:2]]'],
    ["not contains(a,'x') eq false", 'not[not[contains[a "x"]]]'],
    ["not contains(a,'x') and true", 'and[not[contains[a "x"]] constant:true]'],
    ["not(startswith(a,'x'))", 'not[startswith[a "x"]]'],
    ['true', 'constant:true'],
    ['False', 'constant:false'],
    ['not true or (false)', 'or[not[constant:true] constant:false]'],
    ['((true))', 'constant:true'],
    ['(true) eq false', 'eq[boolean:true boolean:false]'],
    ['true and a eq 1', 'and[constant:true eq[a integer:1]]'],
    ['(a) gt 1', 'gt[a integer:1]'],
    ['((a)) gt (1)', 'gt[a integer:1]'],
    ['((a) gt 1)', 'gt[a integer:1]'],
    ['not (a) gt 1', 'not[gt[a integer:1]]'],
    ['(a) in (1)', 'in[a integer:1]'],
    ['((a gt 1) and (b) eq 2)', 'and[gt[a integer:1] eq[b integer:2]]'],
    ['(null) eq a', 'eq[null:null a]'],
    ['\ta\teq\t1\tand\tb\tin\t(1,\t2)\t', 'and[eq[a integer:1] in[b integer:1 integer:2]]'],
  ];
  for (const [text, expected] of precedence) {
    it(`follows the specified precedence of operators: ${text}`, () =>
      expect(shapeOf(text)).to.equal(expected));
  }

  const operands: readonly [string, string][] = [
    ['a add b mul c', 'add[a mul[b c]]'],
    ['a mul b add c', 'add[mul[a b] c]'],
    ['a sub b sub c', 'sub[sub[a b] c]'],
    ['a div b mul c mod d', 'mod[mul[div[a b] c] d]'],
    ['a sub (b sub c)', 'sub[a sub[b c]]'],
    ['(a add b) mul c', 'mul[add[a b] c]'],
    ['((a add b) mul c) sub d', 'sub[mul[add[a b] c] d]'],
    ['a ADD b Mul c', 'add[a mul[b c]]'],
    ['-a', 'minus[a]'],
    ['- a mul b', 'mul[minus[a] b]'],
    ['a mul -b', 'mul[a minus[b]]'],
    ['-(a add b)', 'minus[add[a b]]'],
    ['-(-a)', 'minus[minus[a]]'],
    ['- 1', 'minus[integer:1]'],
    ['--1', 'minus[integer:-1]'],
    ['-length(a)', 'minus[length[a]]'],
    ['a sub -1', 'sub[a integer:-1]'],
    ['a sub 1e-7', 'sub[a decimal:0.0000001]'],
    ['round(a div 3) add floor(-b)', 'add[round[div[a integer:3]] floor[minus[b]]]'],
    ['ceiling ( a )', 'ceiling[a]'],
    ["indexof(concat(a,'b'),'c')", 'indexof[concat[a "b"] "c"]'],
    ['substring(a,1)', 'substring[a integer:1]'],
    ['substring(a,1 add b,length(c))', 'substring[a add[integer:1 b] length[c]]'],
    ['a/b/c', 'a/b/c'],
    ['a.b/c_1', 'a.b/c_1'],
    ['Group/eq', 'Group/eq'],
  ];
  for (const [text, expected] of operands) {
    it(`accepts the operand ${text} on both sides of a comparison`, () => {
      expect(shapeOf(`${text} eq x`)).to.equal(`eq[${expected} x]`);
      expect(shapeOf(`x lt ${text}`)).to.equal(`lt[x ${expected}]`);
      expect(shapeOf(`(${text}) ge (${text})`)).to.equal(`ge[${expected} ${expected}]`);
      expect(shapeOf(`not (${text}) in (null)`)).to.equal(`not[in[${expected} null:null]]`);
    });
  }

  const flat = 'and[eq[a integer:1] eq[b integer:2] eq[c integer:3]]';
  for (const text of [
    'a eq 1 and b eq 2 and c eq 3',
    '(a eq 1 and b eq 2) and c eq 3',
    'a eq 1 and ((b eq 2 and c eq 3))',
    '((a eq 1 and b eq 2 and (c eq 3)))',
    '(a eq 1)and(b eq 2)and c eq 3',
  ]) {
    it(`ignores redundant parentheses: ${text}`, () => expect(shapeOf(text)).to.equal(flat));
  }

  const literals: readonly [string, string][] = [
    ["'x'", '"x"'],
    ["''", '""'],
    ["''''", '"\'"'],
    ["'it''s'", '"it\'s"'],
    ["'%_\\'", '"%_\\\\"'],
    ["' and or '", '" and or "'],
    ["'😀'", '"😀"'],
    ['0', 'integer:0'],
    ['-0', 'integer:0'],
    ['007', 'integer:7'],
    ['-12', 'integer:-12'],
    ['5L', 'integer:5'],
    ['5l', 'integer:5'],
    ['5m', 'decimal:5'],
    ['2.50M', 'decimal:2.5'],
    ['-0.0d', 'decimal:0'],
    ['-0.50D', 'decimal:-0.5'],
    ['1.25f', 'decimal:1.25'],
    ['100F', 'decimal:100'],
    ['3.0', 'decimal:3'],
    ['1e-7', 'decimal:0.0000001'],
    ['1E5', 'decimal:100000'],
    ['1.50e1', 'decimal:15'],
    ['1.25e+1m', 'decimal:12.5'],
    ['-12.5E-3d', 'decimal:-0.0125'],
    ['120e-1F', 'decimal:12'],
    ['0e5', 'decimal:0'],
    ['-0e-5', 'decimal:0'],
    ['5e-0L', 'decimal:5'],
    ['1e399', `decimal:1${'0'.repeat(399)}`],
    ['1e-399', `decimal:0.${'0'.repeat(398)}1`],
    [`${'9'.repeat(400)}`, `integer:${'9'.repeat(400)}`],
    [`-${'1'.repeat(20)}.${'1'.repeat(20)}`, `decimal:-${'1'.repeat(20)}.${'1'.repeat(20)}`],
    ['true', 'boolean:true'],
    ['FALSE', 'boolean:false'],
    ['Null', 'null:null'],
  ];
  for (const [text, expected] of literals) {
    it(`reads the literal ${text}`, () => {
      expect(shapeOf(`a eq ${text}`)).to.equal(`eq[a ${expected}]`);
      expect(shapeOf(`a in (${text},${text} , ${text})`)).to.equal(
        `in[a ${expected} ${expected} ${expected}]`,
      );
    });
  }

  const functions: readonly [string, string][] = [
    ["startswith(a,'b')", 'startswith[a "b"]'],
    ["EndsWith ( a , 'b' )", 'endswith[a "b"]'],
    ["contains(a,'b')", 'contains[a "b"]'],
    ["substringof('b',a)", 'contains[a "b"]'],
    ["tolower(a) eq 'b'", 'eq[tolower[a] "b"]'],
    ["ToUpper(trim(a)) eq toupper('b')", 'eq[toupper[trim[a]] toupper["b"]]'],
    ['length(a) gt 5', 'gt[length[a] integer:5]'],
    ["trim(a) in ('b')", 'in[trim[a] "b"]'],
    ["contains(tolower(a),trim('b'))", 'contains[tolower[a] trim["b"]]'],
    ["contains(a,'b') eq true", 'contains[a "b"]'],
    ["contains(a,'b') NE False", 'contains[a "b"]'],
    ["contains(a,'b') eq false", 'not[contains[a "b"]]'],
    ["contains(a,'b') ne true and c eq 1", 'and[not[contains[a "b"]] eq[c integer:1]]'],
  ];
  for (const [text, expected] of functions) {
    it(`reads the function ${text}`, () => expect(shapeOf(text)).to.equal(expected));
  }

  it('accepts any two operands of a comparison', () => {
    expect(shapeOf('a eq b')).to.equal('eq[a b]');
    expect(shapeOf('1 lt a')).to.equal('lt[integer:1 a]');
    expect(shapeOf('null ne null')).to.equal('ne[null:null null:null]');
  });

  for (const name of [
    '__proto__',
    'constructor',
    'toString',
    'length',
    'contains',
    'notName',
    'android',
    '_',
    'a1',
  ]) {
    it(`reads ${name} as a field`, () =>
      expect(shapeOf(`${name} eq ${name}`)).to.equal(`eq[${name} ${name}]`));
  }

  it('gives all positions in characters', () => {
    expect(parseFilter("'😀' eq Näme".replace('ä', 'a'))).to.deep.equal({
      kind: 'comparison',
      operator: 'eq',
      left: { kind: 'literal', type: 'text', value: '😀', position: 1, source: "'😀'" },
      right: { kind: 'field', name: 'Name', position: 8 },
      position: 5,
    });
    expect(parseFilter("  contains( tolower(a),'😀') or b in (2.0M)")).to.deep.equal({
      kind: 'or',
      operands: [
        {
          kind: 'textMatch',
          match: 'contains',
          text: {
            kind: 'call',
            function: 'tolower',
            arguments: [{ kind: 'field', name: 'a', position: 21 }],
            position: 13,
          },
          part: { kind: 'literal', type: 'text', value: '😀', position: 24, source: "'😀'" },
          position: 3,
        },
        {
          kind: 'in',
          operand: { kind: 'field', name: 'b', position: 32 },
          values: [{ kind: 'literal', type: 'decimal', value: '2', position: 38, source: '2.0M' }],
          position: 34,
        },
      ],
    });
  });

  it('reads every number as JavaScript prints it', () => {
    const random = randomFrom(seed);
    const bits = new DataView(new ArrayBuffer(8));
    const numbers = [
      Number.MAX_VALUE,
      Number.MIN_VALUE,
      Number.EPSILON,
      -0.1,
      2 ** 60,
      1e21,
      2.2250738585072014e-308,
    ];
    for (let count = 0; count < 2_000; count++) {
      bits.setUint32(0, random.below(2 ** 32));
      bits.setUint32(4, random.below(2 ** 32));
      numbers.push(bits.getFloat64(0));
    }
    for (const number of numbers.filter(Number.isFinite)) {
      const [, written = ''] = /:(.*)\]$/.exec(shapeOf(`a eq ${number}`)) ?? [];
      expect(written).to.match(/^-?[0-9]+(\.[0-9]*[1-9])?$/);
      expect(Number(written)).to.equal(number + 0);
    }
  });

  it('returns frozen objects', () => {
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(
      frozen(
        parseFilter(
          "not (a eq 1 or b in (1,2)) and contains(tolower(c),'x') ne true and -(a add 1) gt length(concat(a,b)) or true",
        ),
      ),
    ).to.equal(true);
  });
});

describe('A number that people type in $filter', () => {
  const english: NumberStyle = { decimalSeparator: '.', groupSeparator: ',' };
  const german: NumberStyle = { decimalSeparator: ',', groupSeparator: '.' };
  const norwegian: NumberStyle = { decimalSeparator: ',', groupSeparator: ' ' };

  it('may have a decimal comma, except in texts and between the values of a list', () => {
    for (const style of [english, german, norwegian]) {
      expect(withPlainNumbers("RunTime gt 1,5 and (A lt -0,25) and B eq '1,5' or C eq 2,5m", style)).to.equal(
        "RunTime gt 1.5 and (A lt -0.25) and B eq '1,5' or C eq 2.5m",
      );
      const lists = "A in (1,200) and substring(Name,1,200) eq 'a'";
      expect(withPlainNumbers(lists, style)).to.equal(lists);
      for (const kept of ['A gt 1, 5', 'A gt 1.125', 'A gt 1,5,7', 'a1,000 eq 1', 'A gt 1 000']) {
        expect(withPlainNumbers(kept, style), kept).to.equal(kept);
      }
    }
  });

  it('may have separators between thousands, as the language writes them', () => {
    expect(withPlainNumbers('A gt 1,000 and B lt 1,234.5', english)).to.equal('A gt 1000 and B lt 1234.5');
    expect(withPlainNumbers('A gt 1,000 and B lt 1.234,5', german)).to.equal('A gt 1.000 and B lt 1234.5');
    expect(withPlainNumbers('A gt 1.000.000', german)).to.equal('A gt 1000000');
    for (const style of [english, german, norwegian]) {
      expect(withPlainNumbers('A gt 12\u202f345 and B lt 1\u00a0234,5', style)).to.equal(
        'A gt 12345 and B lt 1234.5',
      );
    }
  });

  it('is read in linear time, whatever it looks like', () => {
    for (const text of [
      '1,'.repeat(8_000),
      '1,234'.repeat(3_000),
      '1\u202f'.repeat(8_000),
      '1.'.repeat(8_000),
    ]) {
      const startedAtMs = performance.now();
      withPlainNumbers(`A gt ${text}`, english);
      expect(performance.now() - startedAtMs).to.be.below(2_000);
    }
  });
});
