import { expect } from 'chai';
import { companyChoice, timeUnitChoice } from '../src/index.js';

describe('a choice that the browser keeps', () => {
  it('is read back from the cookies of a request', () => {
    const cookie = companyChoice.keep('TEM-SE', 'https://takt.example/api').split(';', 1)[0] ?? '';
    expect(companyChoice.chosenIn({ cookie: `a=b; ${cookie}; takt_unit=h:mm` })).to.equal('TEM-SE');
    expect(timeUnitChoice.chosenIn({ cookie: `${cookie}; takt_unit=h:mm` })).to.equal('h:mm');
    expect(timeUnitChoice.chosenIn({ cookie: 'takt_unit=days' })).to.equal(undefined);
  });

  it('is only a value of the right form, so that no address adds attributes to a cookie', () => {
    for (const text of ['TEM-NO;Domain=x', 'x'.repeat(21), 'TEM-NO\r\n', '', undefined]) {
      expect(companyChoice.read(text), text).to.equal(undefined);
    }
    expect(companyChoice.read('TEM-NO')).to.equal('TEM-NO');
    expect(timeUnitChoice.read('min;')).to.equal(undefined);
  });
});
