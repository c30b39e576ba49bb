import { expect } from 'chai';
import fc from 'fast-check';
import { readHours } from '../src/kinds/hours.js';

/**
 * Returns the number of millionths in a decimal text with or without exponent, exactly rounded half up. It does not use
 * the tested code.
 */
function millionthsOf(text: string): bigint {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const scale = fraction.length - Number(exponent);
  const digits = BigInt(whole + fraction) * 10n ** BigInt(Math.max(0, -scale));
  const divisor = 10n ** BigInt(Math.max(0, scale));
  return (2n * digits * 1_000_000n + divisor) / (2n * divisor);
}

function sixDecimals(millionths: bigint): string {
  const text = millionths.toString().padStart(7, '0');
  return `${text.slice(0, -6)}.${text.slice(-6)}`;
}

describe('a number of hours', () => {
  const cases: readonly [unknown, string][] = [
    [0, '0.000000'],
    [-0, '0.000000'],
    [1, '1.000000'],
    [0.1, '0.100000'],
    [1_000_000, '1000000.000000'],
    [999_999.9999995, '1000000.000000'],
    [1.0000005, '1.000001'],
    [1.0000004999, '1.000000'],
    [1e-7, '0.000000'],
    [4.9999e-7, '0.000000'],
    [5e-7, '0.000001'],
    [5e-324, '0.000000'],
    ['0', '0.000000'],
    ['-0', '0.000000'],
    ['-0.000', '0.000000'],
    ['007.5', '7.500000'],
    ['2.000000', '2.000000'],
    ['0.9999995', '1.000000'],
    ['1.0000005', '1.000001'],
    ['1.00000049999999999999999999999999', '1.000000'],
    ['1000000.0', '1000000.000000'],
    ['0.0000000000000000000000000000000000000', '0.000000'],
  ];
  for (const [value, expected] of cases) {
    it(`is read from ${JSON.stringify(value)} as ${expected}`, () => {
      expect(readHours(value)).to.equal(expected);
    });
  }

  const refused: readonly unknown[] = [
    ...[
      -1,
      -1e-9,
      1_000_000.0000001,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      null,
      undefined,
      true,
      {},
      [],
      1n,
    ],
    ...['', ' 1', '1 ', '1e3', '+1', '-1', '.5', '5.', '1,5', '1_000', '0x1', 'NaN', 'Infinity', '١', '1\n'],
    ...['1000000.0000000000001', '1000001'],
  ];
  for (const value of refused) {
    it(`cannot be the ${typeof value} ${String(value).slice(0, 45)}`, () => {
      expect(readHours(value)).to.equal(undefined);
    });
  }

  it('cannot be a decimal text of more than 40 characters', () => {
    expect(readHours(`0.${'0'.repeat(38)}`)).to.equal('0.000000');
    expect(readHours(`0.${'0'.repeat(39)}`)).to.equal(undefined);
  });

  it('is rounded exactly if it is a number, by its shortest decimal text', () => {
    const numbers = fc.oneof(
      fc.double({ min: 0, max: 1_000_000, noNaN: true }),
      fc.double({ min: 0, max: 1e-5, noNaN: true }),
      fc.integer({ min: 0, max: 2_000_000 }).map((halves) => halves / 2 / 1_000_000),
    );
    fc.assert(
      fc.property(numbers, (value) => {
        const text = String(Math.abs(value));
        expect(readHours(value)).to.equal(sixDecimals(millionthsOf(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('is rounded exactly if it is a text, by all its digits', () => {
    const digits = (maxLength: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${maxLength}}$`));
    const nearHalf = fc.stringMatching(/^[0-9]{6}[45][09]{0,20}$/);
    fc.assert(
      fc.property(fc.nat(999_999), fc.oneof(digits(30), nearHalf), (whole, fraction) => {
        const text = `${whole}.${fraction}`;
        expect(readHours(text)).to.equal(sixDecimals(millionthsOf(text)));
      }),
      { numRuns: 2_000 },
    );
  });
});
