import { expect } from 'chai';
import { type EarlyOptions, parseQueryString, readEarlyOptions } from '../src/index.js';

const read = (query: string): EarlyOptions => readEarlyOptions(parseQueryString(query).parameters);

const nothingGiven: EarlyOptions = {
  ...{ accessToken: undefined, database: undefined, format: undefined, language: undefined, isExport: false },
};

describe('readEarlyOptions', () => {
  const cases: readonly [string, Partial<EarlyOptions>][] = [
    ['', {}],
    ['$access_token=a%2Bb', { accessToken: 'a+b' }],
    ['$ACCESSTOKEN=a', { accessToken: 'a' }],
    ['$accessToken=a&$access_token=b', { accessToken: 'a' }],
    ['$access_token=&$access_token=b', {}],
    ['$db=TEM', { database: 'TEM' }],
    ['%24DB=+', {}],
    ['$format=JSONstream', { format: 'jsonstream' }],
    ['$format=yaml&$format=xml', {}],
    ['$format=CSV', { isExport: true }],
    ['$lang=NOB&$lang=eng', { language: 'nob' }],
    ['$lang=xyz', { language: 'xyz' }],
    ['$lang=english', {}],
    ['$lang=e1g', {}],
    ['$lang=en%C3%A9', {}],
    ['$lang=swe&$top=x&$nonsense&$filter=(&b=%zz', { language: 'swe' }],
    ['access_token=a&db=b&format=xml&lang=eng&__proto__=1', {}],
    ['a=%zz&$lang=%00&$format=html', { format: 'html' }],
  ];
  for (const [query, expected] of cases) {
    it(`accepts ${query || 'nothing'} without an error`, () => {
      expect(read(query)).to.deep.equal({ ...nothingGiven, ...expected });
    });
  }
});
