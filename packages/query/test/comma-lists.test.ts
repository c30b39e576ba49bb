import { expect } from 'chai';
import { parseExpand, parseOrderBy, parseSelect } from '../src/parse-lists.js';
import { faultOf } from './support/fault-of.js';

const syntaxError = (parameter: string, position: number, found: string, expected: string) => ({
  code: 'syntaxError',
  parameters: { parameter, position: String(position), found, expected },
});

describe('$orderby', () => {
  it('accepts fields with and without a direction, in any case and with any spaces', () => {
    expect(parseOrderBy(' a,b.c  DESC ,_d Asc,asc desc')).to.deep.equal([
      { field: 'a', direction: 'asc', position: 2 },
      { field: 'b.c', direction: 'desc', position: 4 },
      { field: '_d', direction: 'asc', position: 15 },
      { field: 'asc', direction: 'desc', position: 22 },
    ]);
  });

  for (const [text, position, found, expected] of [
    [',', 1, ',', 'field'],
    ['a,', 3, 'end of text', 'field'],
    ['a,,b', 3, ',', 'field'],
    ['a down', 3, 'down', "'asc', 'desc', ',' or end of text"],
    ['a desc asc', 8, 'asc', "',' or end of text"],
    ['1a', 1, '1a', 'field'],
    ['.a', 1, '.', 'field'],
    ["'a'", 1, "'a'", 'field'],
    ['a;b', 2, ';', "'asc', 'desc', ',' or end of text"],
    ['😀', 1, '😀', 'field'],
    ['a,b, 😀', 6, '😀', 'field'],
    ['lower(a)', 6, '(', "'asc', 'desc', ',' or end of text"],
  ] as const) {
    it(`reports the expected syntax: ${text}`, () => {
      expect(faultOf(() => parseOrderBy(text))).to.deep.equal(
        syntaxError('$orderby', position, found, expected),
      );
    });
  }

  it('accepts 4 fields, but not 5', () => {
    expect(parseOrderBy('a,b,c,d')).to.have.length(4);
    expect(faultOf(() => parseOrderBy('a,b,c,d,e'))).to.deep.equal({
      code: 'tooManyOrderFields',
      parameters: { limit: '4' },
    });
  });
});

describe('$select', () => {
  it('accepts names with dots, and white space around commas', () => {
    expect(parseSelect('Name , ProductStructureVersion.Product.Name,__proto__,constructor.x')).to.deep.equal([
      { path: ['Name'], position: 1, text: 'Name' },
      {
        path: ['ProductStructureVersion', 'Product', 'Name'],
        position: 8,
        text: 'ProductStructureVersion.Product.Name',
      },
      { path: ['__proto__'], position: 45, text: '__proto__' },
      { path: ['constructor', 'x'], position: 55, text: 'constructor.x' },
    ]);
  });

  for (const [text, position, found, expected] of [
    ['a,', 3, 'end of text', "field or '*'"],
    ['**', 2, '*', "',' or end of text"],
    ['a*', 2, '*', "',' or end of text"],
    ['a.*', 3, '*', 'field'],
    ['a b', 3, 'b', "',' or end of text"],
    ['a..b', 3, '.b', 'field'],
    ['b,a.', 5, 'end of text', 'field'],
    ['a.,b', 3, ',', 'field'],
    ['.a', 1, '.', "field or '*'"],
    ['a.1b', 3, '1b', 'field'],
    ['a .b', 3, '.', "',' or end of text"],
    ['a/b', 2, '/', "',' or end of text"],
    ['a😀', 2, '😀', "',' or end of text"],
  ] as const) {
    it(`reports the expected syntax: ${text}`, () => {
      expect(faultOf(() => parseSelect(text))).to.deep.equal(
        syntaxError('$select', position, found, expected),
      );
    });
  }
});

describe('$select=*', () => {
  for (const text of ['*', ' * ', 'Name,*', '*,Name,*']) {
    it(`selects all fields: ${text}`, () => expect(parseSelect(text)).to.equal(undefined));
  }
});

describe('$expand', () => {
  it('accepts names', () => {
    expect(parseExpand(' PagingDetails,constructor')).to.deep.equal([
      { name: 'PagingDetails', position: 2 },
      { name: 'constructor', position: 16 },
    ]);
  });

  for (const [text, position, found, expected] of [
    ['a.b', 2, '.', "',' or end of text"],
    ['a,', 3, 'end of text', 'name'],
    ['1', 1, '1', 'name'],
  ] as const) {
    it(`reports the expected syntax: ${text}`, () => {
      expect(faultOf(() => parseExpand(text))).to.deep.equal(
        syntaxError('$expand', position, found, expected),
      );
    });
  }
});
