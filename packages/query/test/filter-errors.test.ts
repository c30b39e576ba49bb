import { expect } from 'chai';
import { parseFilter } from '../src/parse-filter.js';
import { faultOf } from './support/fault-of.js';

const operand = "'-', '(', field, literal or function";
const primary = "'not', '(', '-', field, literal or function";
const arithmetic = "'mul', 'div', 'mod', 'add', 'sub'";
const operators = `${arithmetic}, 'eq', 'ne', 'lt', 'le', 'gt', 'ge' or 'in'`;
const more = `${arithmetic}, 'and', 'or' or end of text`;
const moreInside = `${arithmetic}, 'and', 'or' or ')'`;

describe('$filter with invalid syntax', () => {
  const cases: readonly [text: string, position: number, found: string, expected: string][] = [
    ['', 1, 'end of text', primary],
    ['and', 1, 'and', primary],
    ['a', 2, 'end of text', operators],
    ['a b', 3, 'b', operators],
    ['a. eq 1', 2, '.', operators],
    ['a/ eq 1', 2, '/', operators],
    ['a //b eq 1', 3, '/', operators],
    ['/a eq 1', 1, '/', primary],
    ['a/b/1 eq 1', 4, '/', operators],
    ['a = 1', 3, '=', operators],
    ['null', 5, 'end of text', operators],
    ['not null', 9, 'end of text', operators],
    ['(a)', 4, 'end of text', operators],
    ['(a) and b eq 1', 5, 'and', operators],
    ['((a)) (b)', 7, '(', operators],
    ['(a b', 4, 'b', operators.replace(" or 'in'", ", 'in' or ')'")],
    ['(a', 3, 'end of text', operators.replace(" or 'in'", ", 'in' or ')'")],
    ['(a eq 1) eq true', 10, 'eq', "'and', 'or' or end of text"],
    ['(a eq 1) add 1 eq 2', 10, 'add', "'and', 'or' or end of text"],
    ['1 add (a eq 1) eq 2', 10, 'eq', `${arithmetic} or ')'`],
    ['a add eq 1', 7, 'eq', operand],
    ['a add eq', 7, 'eq', operand],
    ['a mul', 6, 'end of text', operand],
    ['- - a eq 1', 3, '-', "'(', field, literal or function"],
    ['-not a eq 1', 2, 'not', "'(', field, literal or function"],
    ['a eq 1 -1', 8, '-1', more],
    ['true false', 6, 'false', operators.replace(" or 'in'", ", 'in', 'and', 'or' or end of text")],
    ['not true eq', 12, 'end of text', operand],
    ['a eq', 5, 'end of text', operand],
    ['a eq AND', 6, 'AND', operand],
    ['Or eq 1', 1, 'Or', primary],
    [`a ${'x'.repeat(40)}`, 3, 'x'.repeat(40), operators],
    ['a eq and', 6, 'and', operand],
    ['a eq (1', 8, 'end of text', `${arithmetic} or ')'`],
    ['a eq ()', 7, ')', operand],
    ['a eq not b', 6, 'not', operand],
    ['a eq .5', 6, '.', operand],
    ['a eq -', 7, 'end of text', "'(', field, literal or function"],
    ['a eq "b"', 6, '"', operand],
    ["a eq contains(b,'c')", 6, 'contains', "'-', '(', field, literal or function that gives a value"],
    ["contains(a,'b') eq", 19, 'end of text', "'true' or 'false'"],
    ["contains(a,'b') eq 1", 20, '1', "'true' or 'false'"],
    ["contains(a,'b') lt true", 17, 'lt', "'eq', 'ne', 'and', 'or' or end of text"],
    ['contains(a)', 11, ')', `${arithmetic} or ','`],
    ["contains(a,'b','c')", 15, ',', `${arithmetic} or ')'`],
    ['tolower(a,b) eq c', 10, ',', `${arithmetic} or ')'`],
    ['concat(a) eq c', 9, ')', `${arithmetic} or ','`],
    ['substring(a) eq c', 12, ')', `${arithmetic} or ','`],
    ['substring(a,1,2,3) eq c', 16, ',', `${arithmetic} or ')'`],
    ['substring(a,1 2) eq c', 15, '2', `${arithmetic}, ',' or ')'`],
    ['tolower() eq c', 9, ')', operand],
    ['a eq 1 b', 8, 'b', more],
    ['a eq 1)', 7, ')', more],
    ['(a eq 1', 8, 'end of text', moreInside],
    ['(a eq 1, b)', 8, ',', moreInside],
    ['a eq 1 and', 11, 'end of text', primary],
    ['a eq 1 and or b eq 2', 12, 'or', primary],
    ['not not a eq 1', 5, 'not', "'(', '-', field, literal or function"],
    ["not'a' eq b", 4, "'a'", "white space or '('"],
    ['not-5 eq b', 4, '-5', "white space or '('"],
    ['not', 4, 'end of text', "'(', '-', field, literal or function"],
    ['a in 1', 6, '1', "'('"],
    ['a in ()', 7, ')', 'literal'],
    ['a in (1,)', 9, ')', 'literal'],
    ['a in (b)', 7, 'b', 'literal'],
    ['a in (1 2)', 9, '2', "',' or ')'"],
    ['a in (1', 8, 'end of text', "',' or ')'"],
    ["a eq 'b", 8, 'end of text', 'closing quote'],
    ["a eq '", 7, 'end of text', 'closing quote'],
    ["a eq '''", 9, 'end of text', 'closing quote'],
    ["a eq 'b'c'", 9, 'c', more],
    ['a eq 1e', 6, '1e', 'number'],
    ['a eq 1e-', 6, '1e', 'number'],
    ['a eq 1e+', 6, '1e', 'number'],
    ['a eq 1e 5', 6, '1e', 'number'],
    ['a eq 1e5e5', 6, '1e5e5', 'number'],
    ['a eq 1.e5', 6, '1.e5', 'number'],
    ['a eq 1e5.5', 6, '1e5.5', 'number'],
    ['a eq 1me5', 6, '1me5', 'number'],
    ['a eq 1.', 6, '1.', 'number'],
    ['a eq 1.2.3', 6, '1.2.3', 'number'],
    ['a eq 5mm', 6, '5mm', 'number'],
    ['a eq 0x10', 6, '0x10', 'number'],
    ...[
      '9'.repeat(401),
      `0.${'0'.repeat(400)}`,
      `${'0'.repeat(400)}1`,
      '1e400',
      '1e-400',
      '1e999999',
      '1e-999999',
    ]
      .concat([
        '12.5e399',
        '1.5e-399',
        `1e${'9'.repeat(500)}`,
        `1e-${'9'.repeat(500)}`,
        '0e999999',
        '-1E+400m',
      ])
      .map(
        (found): [string, number, string, string] =>
          [
            ...[`a eq ${found}`, 6, found.length > 40 ? `${found.slice(0, 40)}…` : found],
            'number of at most 400 digits',
          ] as [string, number, string, string],
      ),
    ["'😀😀' eq 1 ; b", 11, ';', more],
    ["'😀' eq 😀", 8, '😀', operand],
    [`'😀' eq b ${'x'.repeat(41)}`, 10, `${'x'.repeat(40)}…`, more],
    ['a eq 1; drop table x', 7, ';', more],
  ];
  for (const [text, position, found, expected] of cases) {
    it(`reports the expected syntax: ${text}`, () => {
      expect(faultOf(() => parseFilter(text))).to.deep.equal({
        code: 'syntaxError',
        parameters: { parameter: '$filter', position: String(position), found, expected },
      });
    });
  }

  for (const [text, position, found] of [
    ['CompletedAt ge 2026-01-31T12:00:00-05:00', 16, '2026-01-31T12:00:00-05:00'],
    ["'😀' eq a and CompletedAt eq 2026-01-31", 29, '2026-01-31'],
    ['CompletedAt in (2026-01-31T12:00Z)', 17, '2026-01-31T12:00Z'],
    ['CompletedAt lt 2026-01-31 and a eq 1', 16, '2026-01-31'],
  ] as const) {
    it(`says that instants are quoted: ${text}`, () => {
      expect(faultOf(() => parseFilter(text))).to.deep.equal({
        code: 'unquotedInstant',
        parameters: { parameter: '$filter', position: String(position), found },
      });
    });
  }

  const known =
    'startswith, endswith, contains, substringof, tolower, toupper, trim, concat, substring, length, indexof, round, floor, ceiling';
  for (const [text, position, found] of [
    ["'😀' eq replace(a,b)", 8, 'replace'],
    ['constructor(a)', 1, 'constructor'],
    ['__proto__ (a) eq 1', 1, '__proto__'],
    ['a eq 1 and year(a) eq 1', 12, 'year'],
  ] as const) {
    it(`lists the existing functions: ${text}`, () => {
      expect(faultOf(() => parseFilter(text))).to.deep.equal({
        code: 'unknownFunction',
        parameters: { parameter: '$filter', position: String(position), found, known },
      });
    });
  }
});
