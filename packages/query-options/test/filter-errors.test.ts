import { expect } from 'chai';
import { parseFilter } from '../src/parse-filter.js';
import { faultOf } from './support/fault-of.js';

const primary = "'not', '(', field, literal or function";
const operators = "'eq', 'ne', 'lt', 'le', 'gt', 'ge' or 'in'";

describe('$filter, given what the grammar does not allow,', () => {
  const cases: readonly [text: string, position: number, found: string, expected: string][] = [
    ['', 1, 'end of text', primary],
    ['and', 1, 'and', primary],
    ['a', 2, 'end of text', operators],
    ['a b', 3, 'b', operators],
    ['a.b eq 1', 2, '.', operators],
    ['a = 1', 3, '=', operators],
    ['true', 5, 'end of text', operators],
    ['(a) eq 1', 3, ')', operators],
    ['a eq', 5, 'end of text', 'field, literal or function'],
    ['a eq AND', 6, 'AND', 'field, literal or function'],
    ['Or eq 1', 1, 'Or', primary],
    [`a ${'x'.repeat(40)}`, 3, 'x'.repeat(40), operators],
    ['a eq and', 6, 'and', 'field, literal or function'],
    ['a eq (1)', 6, '(', 'field, literal or function'],
    ['a eq not b', 6, 'not', 'field, literal or function'],
    ['a eq .5', 6, '.', 'field, literal or function'],
    ['a eq -b', 6, '-', 'field, literal or function'],
    ['a eq "b"', 6, '"', 'field, literal or function'],
    ["a eq contains(b,'c')", 6, 'contains', 'field, literal or string function'],
    ["contains(a,'b') eq", 19, 'end of text', "'true' or 'false'"],
    ["contains(a,'b') eq 1", 20, '1', "'true' or 'false'"],
    ["contains(a,'b') lt true", 17, 'lt', "'eq', 'ne', 'and', 'or' or end of text"],
    ['contains(a)', 11, ')', "','"],
    ["contains(a,'b','c')", 15, ',', "')'"],
    ['tolower(a,b) eq c', 10, ',', "')'"],
    ['tolower() eq c', 9, ')', 'field, literal or function'],
    ['a eq 1 b', 8, 'b', "'and', 'or' or end of text"],
    ['a eq 1)', 7, ')', "'and', 'or' or end of text"],
    ['(a eq 1', 8, 'end of text', "'and', 'or' or ')'"],
    ['(a eq 1, b)', 8, ',', "'and', 'or' or ')'"],
    ['a eq 1 and', 11, 'end of text', primary],
    ['a eq 1 and or b eq 2', 12, 'or', primary],
    ['not not a eq 1', 5, 'not', "'(', field, literal or function"],
    ["not'a' eq b", 4, "'a'", "white space or '('"],
    ['not-5 eq b', 4, '-5', "white space or '('"],
    ['not', 4, 'end of text', "'(', field, literal or function"],
    ['a in 1', 6, '1', "'('"],
    ['a in ()', 7, ')', 'literal'],
    ['a in (1,)', 9, ')', 'literal'],
    ['a in (b)', 7, 'b', 'literal'],
    ['a in (1 2)', 9, '2', "',' or ')'"],
    ['a in (1', 8, 'end of text', "',' or ')'"],
    ["a eq 'b", 8, 'end of text', 'closing quote'],
    ["a eq '", 7, 'end of text', 'closing quote'],
    ["a eq '''", 9, 'end of text', 'closing quote'],
    ["a eq 'b'c'", 9, 'c', "'and', 'or' or end of text"],
    ['a eq 1e5', 6, '1e5', 'number'],
    ['a eq 1E-5', 6, '1E', 'number'],
    ['a eq 1.', 6, '1.', 'number'],
    ['a eq 1.2.3', 6, '1.2.3', 'number'],
    ['a eq 5mm', 6, '5mm', 'number'],
    ['a eq 0x10', 6, '0x10', 'number'],
    [`a eq ${'9'.repeat(41)}`, 6, `${'9'.repeat(40)}…`, 'number of at most 40 digits'],
    [`a eq 0.${'0'.repeat(40)}`, 6, `0.${'0'.repeat(38)}…`, 'number of at most 40 digits'],
    ["'😀😀' eq 1 ; b", 11, ';', "'and', 'or' or end of text"],
    ["'😀' eq 😀", 8, '😀', 'field, literal or function'],
    [`'😀' eq b ${'x'.repeat(41)}`, 10, `${'x'.repeat(40)}…`, "'and', 'or' or end of text"],
    ['a eq 1; drop table x', 7, ';', "'and', 'or' or end of text"],
  ];
  for (const [text, position, found, expected] of cases) {
    it(`says what it expected: ${text}`, () => {
      expect(faultOf(() => parseFilter(text))).to.deep.equal({
        code: 'syntaxError',
        parameters: { parameter: '$filter', position: String(position), found, expected },
      });
    });
  }

  const known = 'startswith, endswith, contains, substringof, tolower, toupper, trim, length';
  for (const [text, position, found] of [
    ["'😀' eq concat(a,b)", 8, 'concat'],
    ['constructor(a)', 1, 'constructor'],
    ['__proto__ (a) eq 1', 1, '__proto__'],
    ['a eq 1 and indexof(a) eq 1', 12, 'indexof'],
  ] as const) {
    it(`names the functions that there are: ${text}`, () => {
      expect(faultOf(() => parseFilter(text))).to.deep.equal({
        code: 'unknownFunction',
        parameters: { parameter: '$filter', position: String(position), found, known },
      });
    });
  }
});
