import { needsProgram, shareOf, testSeed } from '@takt/test-support';
import { csvLine } from '@takt/texts';
import { expect } from 'chai';
import fc from 'fast-check';
import Papa from 'papaparse';
import { disarmed } from '../support/disarmed.js';
import { hostileTexts } from '../support/exported-rows.js';
import { readCsvByPython } from '../support/python-readers.js';

const seed = testSeed();
const hostileSign = fc.constantFrom(...'\r\n\t=+-@＝＋－＠,;"\' \u00a0\u200b\ufeff|!aZ0');
const hostileText = fc.oneof(
  fc.array(hostileSign, { maxLength: 12 }).map((signs) => signs.join('')),
  fc.constantFrom(...hostileTexts),
  // Texts of the database contain no U+0000, because PostgreSQL does not store it.
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
);
// The first record contains headings, as in an export. Readers would otherwise drop a U+FEFF at the start of the first
// text, because it looks like a byte order mark.
const tables = fc
  .integer({ min: 1, max: 5 })
  .chain((columns) =>
    fc
      .array(fc.array(hostileText, { minLength: columns, maxLength: columns }), { minLength: 20 })
      .map((rows) => [Array.from({ length: columns }, (_, column) => `Column${column}`), ...rows]),
  );

describe(`a record of CSV (seed ${seed})`, function () {
  this.timeout(120_000);
  before(function () {
    needsProgram(this, 'python3');
  });

  for (const [decimal, delimiter] of [
    ['point', ','],
    ['comma', ';'],
  ] as const) {
    it(`can be read back unchanged except for disarmed formulas, with a decimal ${decimal}`, () => {
      fc.assert(
        fc.property(tables, (rows) => {
          const text = rows.map((row) => csvLine(row, decimal)).join('');
          const expected = rows.map((row) => row.map(disarmed));
          const { data, errors } = Papa.parse<string[]>(text.slice(0, -2), { delimiter, newline: '\r\n' });
          expect(errors).to.deep.equal([]);
          expect(data).to.deep.equal(expected);
          expect(readCsvByPython(text, delimiter)).to.deep.equal(expected);
          // Somebody may open the file with the other delimiter. Text outside of quotes must therefore not start a
          // formula after either delimiter.
          expect(text.replace(/"(?:[^"]|"")*"/g, '')).to.not.match(
            /(?:^|[,;\r\n])(?:\t|[\s\u200b]*[=+\-@|＝＋－＠])/,
          );
          // A program that splits at the other delimiter, or at tabs, does not know the quotes in the middle of a line.
          for (const part of text.split(/[,;\t\r\n]/)) {
            expect(part).to.not.match(/^"?[\s\p{Cf}]*[=+\-@|＝＋－＠]/u);
          }
        }),
        { seed, numRuns: shareOf(20) },
      );
    });
  }

  it('disarms a formula behind each character at which a spreadsheet may split', () => {
    for (const decimal of ['point', 'comma'] as const) {
      for (const sign of [',', ';', '\t']) {
        expect(csvLine([`x${sign}=cmd|' /C calc'!A0`], decimal)).to.include(`x${sign}'=cmd|' /C calc'!A0`);
        expect(csvLine([`x${sign} \u200b@SUM(A1)`], decimal)).to.include(`x${sign}' \u200b@SUM(A1)`);
      }
    }
    const startedAtMs = performance.now();
    for (const text of ['\t', ' ,', ';\u200b', ' ']) csvLine([`${text.repeat(50_000)}=`]);
    expect(performance.now() - startedAtMs).to.be.below(2_000);
  });

  it('does not change numbers, booleans and missing values', () => {
    expect(csvLine([-1.5, 0.000001, true, null, '-1.5'])).to.equal("-1.5,0.000001,true,,'-1.5\r\n");
    expect(csvLine([-1.5, false, '1,5'], 'comma')).to.equal('-1,5;false;"1,5"\r\n');
    expect(csvLine([null])).to.equal('""\r\n');
  });
});
