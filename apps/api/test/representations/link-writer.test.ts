import type { Field } from '@takt/catalogue/resources';
import { expect } from 'chai';
import { linkWriterOf } from '../../src/representations/shared-parts.js';

describe('the address of a link', () => {
  const context = { baseUrl: 'https://takt.example', linkSuffix: () => '?$format=json&$db=TEM-NO' };
  const writerOf = (linkPath: string) => linkWriterOf({ linkPath } as Field, context);

  it('ends with the parameters that all links of a document have', () => {
    expect(writerOf('/products/{}')(7)).to.equal('https://takt.example/products/7?$format=json&$db=TEM-NO');
    expect(writerOf('/products/{}')(null)).to.equal(null);
  });

  it('has one question mark if its path has a query, and encoded values', () => {
    expect(writerOf('/values?object={}&field={}')(['Product', 'a&b?'])).to.equal(
      'https://takt.example/values?object=Product&field=a%26b%3F&$format=json&$db=TEM-NO',
    );
  });
});
