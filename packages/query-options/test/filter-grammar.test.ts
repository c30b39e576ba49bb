import { expect } from 'chai';
import { parseFilter } from '../src/parse-filter.js';
import { shape } from './support/shape.js';

const shapeOf = (text: string): string => shape(parseFilter(text));

describe('$filter', () => {
  for (const operator of ['eq', 'ne', 'lt', 'le', 'gt', 'ge']) {
    for (const written of [
      operator,
      operator.toUpperCase(),
      `${operator.charAt(0)}${operator.charAt(1).toUpperCase()}`,
    ]) {
      it(`compares with ${written}`, () => {
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
  ];
  for (const [text, expected] of precedence) {
    it(`binds as specified: ${text}`, () => expect(shapeOf(text)).to.equal(expected));
  }

  const flat = 'and[eq[a integer:1] eq[b integer:2] eq[c integer:3]]';
  for (const text of [
    'a eq 1 and b eq 2 and c eq 3',
    '(a eq 1 and b eq 2) and c eq 3',
    'a eq 1 and ((b eq 2 and c eq 3))',
    '((a eq 1 and b eq 2 and (c eq 3)))',
    '(a eq 1)and(b eq 2)and c eq 3',
  ]) {
    it(`gives one node however it is bracketed: ${text}`, () => expect(shapeOf(text)).to.equal(flat));
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
    [`${'9'.repeat(40)}`, `integer:${'9'.repeat(40)}`],
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

  it('compares any operand with any', () => {
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
    it(`takes ${name} for a field`, () =>
      expect(shapeOf(`${name} eq ${name}`)).to.equal(`eq[${name} ${name}]`));
  }

  it('tells where everything stands, in characters', () => {
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
            argument: { kind: 'field', name: 'a', position: 21 },
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

  it('gives values that nobody can change', () => {
    const frozen = (value: unknown): boolean =>
      typeof value !== 'object' ||
      value === null ||
      (Object.isFrozen(value) && Object.values(value).every(frozen));
    expect(frozen(parseFilter("not (a eq 1 or b in (1,2)) and contains(tolower(c),'x') ne true"))).to.equal(
      true,
    );
  });
});
