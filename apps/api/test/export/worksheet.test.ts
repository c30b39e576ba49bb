import type { CsvCell } from '@takt/texts';
import { expect } from 'chai';
import type { Row } from '../../src/plan/outline.js';
import type { ExportColumn } from '../../src/representations/export/export-columns.js';
import { writeSheet } from '../../src/representations/export/xlsx-writer.js';

const column = (name: string, style: ExportColumn['style'], index = 0): ExportColumn => ({
  ...{ name, style },
  read: (row) => row[index] as CsvCell,
});

async function* batches(...given: readonly (readonly Row[])[]): AsyncGenerator<readonly Row[]> {
  yield* given;
}

async function sheetOf(rows: readonly (readonly Row[])[], columns = [column('At', 'instant')]) {
  let sheet = '';
  for await (const piece of writeSheet(columns, batches(...rows))) sheet += piece;
  return sheet;
}

/** Returns the cell in the first column of the first row below the header. */
const cellOf = (sheet: string) => /<c r="A2"[^>]*>.*?<\/c>/.exec(sheet)?.[0];

describe('a sheet', () => {
  for (const [instant, day] of [
    ['1970-01-01T00:00:00Z', '25569'],
    ['2026-03-02T12:00:00Z', '46083.5'],
    ['1900-03-01T00:00:00Z', '61'],
    ['9999-12-31T00:00:00Z', '2958465'],
  ] as const) {
    it(`stores a point in time as a number of days with a fraction: ${instant}`, async () => {
      expect(cellOf(await sheetOf([[[instant]]])))
        .to.match(/^<c r="A2" s="\d+"><v>/)
        .and.include(`<v>${day}</v>`);
    });
  }

  for (const instant of [
    '1900-02-28T23:59:59Z',
    '0001-01-01T00:00:00Z',
    '12026-01-01T00:00:00Z',
    'infinity',
  ]) {
    it(`stores a point in time as text if spreadsheets do not support its day: ${instant}`, async () => {
      expect(cellOf(await sheetOf([[[instant]]]))).to.include(`>${instant}</t>`);
    });
  }

  it('stores a local time that spreadsheets do not support as text, without the Z of UTC', async () => {
    const columns = [column('At', 'local instant')];
    expect(cellOf(await sheetOf([[['1899-12-31 23:39:21']]], columns))).to.include(
      '>1899-12-31 23:39:21</t>',
    );
    expect(cellOf(await sheetOf([[['1900-03-01 12:00:00']]], columns))).to.include('<v>61.5</v>');
  });

  it('stores an integer of more than 15 digits as text, because Excel keeps only 15 digits of a number', async () => {
    const columns = [column('Id', 'integer')];
    for (const whole of ['9007199254740991', '1000000000000000', '-1000000000000000']) {
      expect(cellOf(await sheetOf([[[whole]]], columns)), whole).to.include(`>${whole}</t>`);
    }
    for (const whole of ['999999999999999', '-999999999999999', '0']) {
      expect(cellOf(await sheetOf([[[whole]]], columns)), whole).to.include(`<v>${whole}</v>`);
    }
  });

  it('shortens a text to the maximum length of a cell', async () => {
    const whole = 'x'.repeat(32_767);
    const textOf = async (text: string) =>
      />([^<>]+)<\/t><\/is><\/c><\/row><\/sheetData>/.exec(
        await sheetOf([[[text]]], [column('Text', 'text')]),
      )?.[1];
    expect(await textOf(whole)).to.equal(whole);
    expect(await textOf(`${whole}x`)).to.equal(`${whole.slice(1)}…`);
  });

  it('names the columns after Z as spreadsheets do', async () => {
    const columns = Array.from({ length: 703 }, (_, index) => column(`C${index}`, 'instant', index));
    const sheet = await sheetOf([], columns);
    for (const [reference, index] of [
      ['Z1', 25],
      ['AA1', 26],
      ['AZ1', 51],
      ['BA1', 52],
      ['ZZ1', 701],
      ['AAA1', 702],
    ]) {
      expect(sheet).to.match(new RegExp(`r="${reference}"[^>]*><is><t[^>]*>C${index}</t>`));
    }
  });

  it('can have at most 1,048,575 rows below the header; more rows are an error', async () => {
    const count = async (rows: number) => {
      const many = async function* (): AsyncGenerator<readonly Row[]> {
        const batch: readonly Row[] = Array.from({ length: 5_000 }, () => [null]);
        for (let left = rows; left > 0; left -= batch.length)
          yield batch.slice(0, Math.min(left, batch.length));
      };
      let last = '';
      for await (const piece of writeSheet([column('At', 'instant')], many())) last = piece;
      return last;
    };
    expect(await count(1_048_575)).to.include('ref="A1:A1048576"');
    let failure: unknown;
    await count(1_048_576).catch((error: unknown) => {
      failure = error;
    });
    expect(failure).to.be.instanceOf(Error);
  });
});
