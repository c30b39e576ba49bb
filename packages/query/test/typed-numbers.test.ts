import { expect } from 'chai';
import { type NumberStyle, readTypedNumber } from '../src/index.js';

const english: NumberStyle = { decimalSeparator: '.', groupSeparator: ',' };
const german: NumberStyle = { decimalSeparator: ',', groupSeparator: '.' };
const norwegian: NumberStyle = { decimalSeparator: ',', groupSeparator: ' ' };

describe('a number that people type', () => {
  const meanings: readonly [typed: string, inEnglish: string, inGerman: string, inNorwegian: string][] = [
    ['20', '20', '20', '20'],
    [' 007 ', '007', '007', '007'],
    ['2,5', '2.5', '2.5', '2.5'],
    ['2.5', '2.5', '2.5', '2.5'],
    ['0,500', '0.500', '0.500', '0.500'],
    ['1,000', '1000', '1.000', '1.000'],
    ['1.000', '1.000', '1000', '1000 or 1.000'],
    ['12,345,678', '12345678', '12345678', '12345678'],
    ['12.345.678', '12345678', '12345678', '12345678'],
    ['1,234.5', '1234.5', '1234.5', '1234.5'],
    ['1.234,5', '1234.5', '1234.5', '1234.5'],
    ['12 345', '12345', '12345', '12345'],
    ['12\u202f345,5', '12345.5', '12345.5', '12345.5'],
    ['1\u00a0234\u2009567.25', '1234567.25', '1234567.25', '1234567.25'],
    ['1234,567', '1234.567', '1234.567', '1234.567'],
  ];
  for (const [typed, ...expected] of meanings) {
    it(`is read from ${JSON.stringify(typed)} in the way of the language: ${expected.join('; ')}`, () => {
      const read = [english, german, norwegian].map((style) => {
        const number = readTypedNumber(typed, style);
        if (number === undefined) return 'nothing';
        return 'value' in number ? number.value : number.readings.join(' or ');
      });
      expect(read).to.deep.equal(expected);
    });
  }

  for (const other of [
    '',
    '-1',
    '1e3',
    '1,2,3',
    '1.2.3',
    '12 34',
    '1  000',
    ',5',
    '5.',
    '20 or 1',
    '٣',
    '0,000,5',
    '1,00.5',
  ]) {
    it(`cannot be ${JSON.stringify(other)}`, () => {
      for (const style of [english, german, norwegian])
        expect(readTypedNumber(other, style)).to.equal(undefined);
    });
  }
});
