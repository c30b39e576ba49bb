import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { writeXlsx } from 'hucre/xlsx';
import { openTableFile, parseMapping, proposeMapping } from '../src/index.js';
import { findLayout } from '../src/layout.js';
import { type ImportedRow, prepareReader } from '../src/records.js';

/** Returns the bytes of a text in an encoding. */
const encodings: Readonly<Record<string, (text: string) => Buffer>> = {
  'utf-8': (text) => Buffer.from(text),
  'utf-8 with a byte order mark': (text) => Buffer.from(`\ufeff${text}`),
  'utf-16le': (text) => Buffer.from(text, 'utf16le'),
  'utf-16le with a byte order mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16be with a byte order mark': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'windows-1252': (text) => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1'),
};

describe('the reading of files', () => {
  const folder = opened(async () => {
    const path = await mkdtemp(join(tmpdir(), 'files-'));
    return { path, close: () => rm(path, { recursive: true }) };
  });

  async function readWith(
    content: Uint8Array | string,
    mapping: string,
    zone = 'Europe/Berlin',
  ): Promise<readonly ImportedRow[]> {
    const path = join(folder.path, 'file');
    await writeFile(path, content);
    const read = parseMapping(mapping);
    const file = await openTableFile(path, read);
    try {
      const layout = await findLayout(file, read);
      const reader = prepareReader(read, layout, { zone });
      const rows: ImportedRow[] = [];
      for await (const row of file.rows()) {
        const imported = row.line > layout.headingLine ? reader.read(row) : undefined;
        if (imported !== undefined) rows.push(imported);
      }
      return rows;
    } finally {
      await file.close();
    }
  }

  /** Reads a file with an operation, its time in a column `T` and its completion in a column `D`. */
  async function readOne(
    content: Uint8Array | string,
    { time = '{column: T, unit: min}', at = 'D', more = '' } = {},
  ) {
    const columns = `workOrderOperationKey: O, productStructureVersionKey: V, completedAt: ${at}, runTime: ${time}`;
    return readWith(content, `what: operations\ncolumns: {${columns}}\n${more}`);
  }

  async function refusal(content: Uint8Array | string, options = {}): Promise<string> {
    return readOne(content, options).then(
      () => 'was read',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  }

  const table = (...rows: readonly (readonly string[])[]) =>
    [['O', 'V', 'D', 'T'], ...rows].map((cells) => cells.join(';')).join('\r\n');

  for (const [encoding, encode] of Object.entries(encodings)) {
    it(`recognises ${encoding}`, async () => {
      const [row] = await readOne(encode(table(['Größe € 7', 'V', '2026-03-01 12:00', '1,5'])));
      expect([row?.object, row?.times[0]?.seconds]).to.deep.equal(['Größe € 7', '90']);
    });
  }

  for (const delimiter of [';', ',', '\t', '|']) {
    it(`recognises ${JSON.stringify(delimiter)} between cells, and quoted cells`, async () => {
      const content = table(['"a;b,c|d\te ""f"""', 'V', '2026-03-01 12:00', '90']).replaceAll(
        /;(?![^\r\n"]*")/g,
        delimiter,
      );
      expect((await readOne(content))[0]?.object).to.equal('a;b,c|d\te "f"');
    });
  }

  const instants: readonly (readonly [string, string, string])[] = [
    ['31.01.2026 07:15', 'D', '2026-01-31T06:15:00.000Z'],
    ['31.1.2026 7:15:30', 'D', '2026-01-31T06:15:30.000Z'],
    ['01/31/2026 7:15 PM', 'D', '2026-01-31T18:15:00.000Z'],
    ['31/01/2026', 'D', '2026-01-30T23:00:00.000Z'],
    ['2026-01-31T07:15:00+05:00', 'D', '2026-01-31T02:15:00.000Z'],
    ['2026-01-31 07:15:00.250', 'D', '2026-01-31T06:15:00.250Z'],
    ['31-JAN-2026 07:15', 'D', '2026-01-31T06:15:00.000Z'],
    ['20260131', 'D', '2026-01-30T23:00:00.000Z'],
    ['2026-01-31 07:15', '{column: D, zone: America/New_York}', '2026-01-31T12:15:00.000Z'],
    ['03/04/2026 07:15', '{column: D, format: dd/MM/yyyy HH:mm}', '2026-04-03T05:15:00.000Z'],
    ['25.10.2026 02:30', 'D', '2026-10-25T00:30:00.000Z'],
    ['2026-03-01 12:00:00+02', 'D', '2026-03-01T10:00:00.000Z'],
    ['2026-03-01 12:00:00.5+00:00', 'D', '2026-03-01T12:00:00.500Z'],
    ['20260301T120000Z', 'D', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01T12:00:00z', 'D', '2026-03-01T12:00:00.000Z'],
    ['2026-03-01 12:00 Europe/Oslo', '{column: D, format: yyyy-MM-dd HH:mm z}', '2026-03-01T11:00:00.000Z'],
  ];
  for (const [text, at, expected] of instants) {
    it(`reads ${text} by ${at}`, async () => {
      const [row] = await readOne(table(['O', 'V', text, '1']), { at });
      expect([row?.completedAt, row?.fault]).to.deep.equal([expected, undefined]);
      expect(row?.isDoubled).to.equal(text.startsWith('25.10'));
    });
  }

  const durations: readonly (readonly [string, string, string])[] = [
    ['1.234,5', '{column: T, unit: s}', '1234.5'],
    ['0.125', '{column: T, unit: s}', '0.125'],
    ["1'234.5", '{column: T, unit: s}', '1234.5'],
    ['12,5-', '{column: T, unit: s}', '-12.5'],
    ['0,1', '{column: T, unit: h}', '360'],
    ['2', '{column: T, unit: d}', '172800'],
    ['1:30', "{column: T, unit: 'hh:mm'}", '5400'],
    ['26:00', "{column: T, unit: 'hh:mm'}", '93600'],
    ['90:30', "{column: T, unit: 'mm:ss'}", '5430'],
    ['1.02:30:15', '{column: T, unit: d.hh:mm:ss}', '95415'],
    ['PT1H30M', '{column: T, unit: iso8601}', '5400'],
    ['30', '{column: T, unit: min, per: 4, times: 2}', '900'],
  ];
  for (const [text, time, expected] of durations) {
    it(`reads ${text} by ${time}`, async () => {
      const [row] = await readOne(table(['O', 'V', '2026-01-31', text]), { time });
      expect([row?.times[0]?.seconds, row?.fault]).to.deep.equal([expected, undefined]);
    });
  }

  const refusals: readonly (readonly [string, Uint8Array | string, object, RegExp])[] = [
    [
      'two decimal signs, one of them in a number below 1',
      table(['A', 'V', '2026-01-01', '0.125'], ['B', 'V', '2026-01-01', '1,5']),
      {},
      /some a comma: set file.decimal/,
    ],
    [
      'a broken byte after a byte order mark',
      Buffer.concat([Buffer.from(`\ufeff${table(['ä', 'V', '2026-01-01', '1'])}`), Buffer.of(0xff)]),
      {},
      /is not utf-8 throughout/,
    ],
    [
      'headings that differ only in case',
      'O;V;D;zeit;ZEIT\no;v;2026-01-01;1;2\n',
      { time: '{column: Zeit, unit: s}' },
      /has no column "Zeit"/,
    ],
    ['nothing', '', {}, /is empty/],
    ['NUL', `O;V;D;T\nO\0;V;2026-01-01;1\n`, {}, /binary: it holds NUL/],
    [
      'NUL after the first part',
      `O;V;D;T\n${'O;V;2026-01-01;1\n'.repeat(9_000)}O\0;V;2026-01-01;1\n`,
      {},
      /holds NUL/,
    ],
    ['a PDF', '%PDF-1.7', {}, /a PDF: export CSV or XLSX/],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), {}, /old or encrypted workbook/],
    ['HTML', '<html><table>', {}, /HTML or XML/],
    ['a broken workbook', Buffer.from('504b0304', 'hex'), {}, /cannot be read as XLSX/],
    ['a missing column', 'O;V;D\nO;V;2026-01-01\n', {}, /has no column "T"; it has "O", "V", "D"/],
    [
      'a column that occurs twice',
      'O;V;D;T;T\nO;V;2026-01-01;1;2\n',
      {},
      /occurs several times, so name "T \(1\)"/,
    ],
    [
      'a day or a month',
      table(['O', 'V', '03/04/2026 07:15', '1']),
      {},
      /may be d\/M\/yyyy H:mm or M\/d\/yyyy H:mm/,
    ],
    [
      'two decimal signs',
      table(['A', 'V', '2026-01-01', '1.5'], ['B', 'V', '2026-01-01', '1,5']),
      {},
      /some a comma: set file.decimal/,
    ],
    ['10,000 columns', `${'O;V;D;T;'.repeat(2_500)}\n`, {}, /more than 200 columns/],
    [
      'a line of 2 MB',
      table(['O'.repeat(2_000_000), 'V', '2026-01-01', '1']),
      {},
      /has more than 1000000 characters/,
    ],
    [
      'a quote that never ends',
      `${table(['"O', 'V', '2026-01-01', '1'])}\r\n${'x;y;z\r\n'.repeat(200_000)}`,
      {},
      /a quote never closed/,
    ],
    [
      'a cell of 40,000 characters',
      table(['O'.repeat(40_000), 'V', '2026-01-01', '1']),
      {},
      /more than 32767 characters/,
    ],
    [
      'invalid UTF-8 that is said to be UTF-8',
      Buffer.from(table(['\u00e4', 'V', '2026-01-01', '1']), 'latin1'),
      { more: 'file: {encoding: utf-8}' },
      /is not utf-8 throughout/,
    ],
    [
      'an unknown encoding',
      table(['O', 'V', '2026-01-01', '1']),
      { more: 'file: {encoding: utf-9}' },
      /utf-9 is no encoding/,
    ],
    [
      'an unknown zone',
      table(['O', 'V', '2026-01-01', '1']),
      { at: '{column: D, zone: Mars/Base}' },
      /"Mars\/Base" is no time zone/,
    ],
  ];
  for (const [name, content, options, message] of refusals) {
    it(`refuses ${name}`, async () => {
      expect(await refusal(content, options))
        .to.match(/^ImportError: /)
        .and.to.match(message);
    });
  }

  const faults: readonly (readonly [string, readonly string[], RegExp])[] = [
    ['a year that stands for no date', ['O', 'V', '0001-01-01 00:00', '1'], /^D must be a date and time/],
    ['no completion', ['O', 'V', '', '1'], /^D is blank/],
    ['more cells than headings', ['O', 'V', '2026-03-29 04:30', '1', '5'], /stands after the last heading/],
    [
      'a name of 201 characters',
      ['O'.repeat(201), 'V', '2026-03-29 04:30', '1'],
      /^O must have at most 200 characters/,
    ],
    [
      'a local time that does not exist',
      ['O', 'V', '2026-03-29 02:30', '1'],
      /^D does not exist in Europe\/Berlin/,
    ],
    ['a day that does not exist', ['O', 'V', '2026-02-30 02:30', '1'], /^D must be a date and time/],
    ['text in place of a number', ['O', 'V', '2026-03-29 04:30', '=1+1'], /^T must be a number/],
    [
      'a number that may have a decimal sign',
      ['O', 'V', '2026-03-29 04:30', '1,234'],
      /^T may have a decimal sign/,
    ],
    ['a blank name', ['', 'V', '2026-03-29 04:30', '1'], /^O is blank/],
  ];
  for (const [name, cells, message] of faults) {
    it(`names column, rule and value of ${name}`, async () => {
      const sound = Array.from({ length: 20 }, (_, place) => [`O${place}`, 'V', '2026-03-01 04:30', '1']);
      const rows = await readOne(table(...sound, cells));
      expect(rows.map(({ fault }) => fault !== undefined).lastIndexOf(true)).to.equal(20);
      const { column = '', rule = '' } = rows[20]?.fault ?? {};
      expect(`${column} ${rule}`).to.match(message);
    });
  }

  it('reads durations and times of a workbook', async () => {
    const content = await writeXlsx({
      sheets: [
        {
          name: 'Export',
          columns: [{}, {}, {}, { style: { numFmt: '[h]:mm' } }, { style: { numFmt: 'h:mm' } }],
          rows: [
            ['O', 'V', 'D', 'T', 'C'],
            ['A', 'V', '2026-03-01', 1.3125, 0.5],
            ['B', 'V', '2026-03-01', 0, 0.25],
          ],
        },
      ],
    });
    const rows = await readOne(content, {
      time: "{column: T, unit: 'hh:mm'}",
      at: '{date: D, time: C, zone: UTC}',
    });
    expect(
      rows.map(({ completedAt, times, fault }) => [completedAt, times[0]?.seconds, fault]),
    ).to.deep.equal([
      ['2026-03-01T12:00:00.000Z', '113400', undefined],
      ['2026-03-01T06:00:00.000Z', '0', undefined],
    ]);
  });

  it('numbers lines by all line ends, also within quotes and if they differ', async () => {
    const content =
      'O;V;D;T\r\n"x\r\ny";V;2026-01-01;1\n"p\nq\nr";V;2026-01-01;2\rA;V;2026-01-01;3\r\n\r\nB;V;2026-01-01;4';
    expect((await readOne(content)).map(({ line, object }) => [line, object])).to.deep.equal([
      [2, 'x\r\ny'],
      [4, 'p\nq\nr'],
      [7, 'A'],
      [9, 'B'],
    ]);
  });

  it('reads a workbook: dates, durations, numbers, a sheet by its name, and headings in two lines', async () => {
    const content = await writeXlsx({
      sheets: [
        { name: 'Notes', rows: [['nothing']] },
        {
          name: 'Export',
          rows: [
            ['Operations of January'],
            [],
            ['O', 'V', 'Done', null, 'Time', null],
            [null, null, 'Day', 'Clock', 'Run', 'Setup'],
            ['FA-1', 7, new Date('2026-01-31T00:00:00Z'), '14:30', 90.25, '0:15'],
          ],
        },
      ],
    });
    const mapping = `
what: operations
file: {sheet: Export, header: [3, 4]}
columns: {workOrderOperationKey: O, productStructureVersionId: V, completedAt: {date: Done Day, time: Done Clock},
  runTime: {column: Time Run, unit: min}, setupTime: {column: Time Setup, unit: 'hh:mm'}}`;
    expect(await readWith(content, mapping)).to.deep.equal([
      {
        ...{
          line: 5,
          object: 'FA-1',
          completedAt: '2026-01-31T13:30:00.000Z',
          isDoubled: false,
          fault: undefined,
        },
        fields: { workOrderOperationKey: 'FA-1', productStructureVersionId: 7 },
        times: [
          { seconds: '5415', open: 0 },
          { seconds: '900', open: 0 },
          { seconds: null, open: 0 },
        ],
      },
    ]);
    expect(
      await readWith(content, mapping.replace('Export', 'Other')).catch((error: Error) => error.message),
    ).to.include('has no sheet "Other"; it has "Notes", "Export"');
  });

  it('refuses a workbook that unpacks to gigabytes, whatever it says about its size', async () => {
    const bomb = Buffer.alloc(300_000_000, ' ');
    const packed = deflateRawSync(bomb, { level: 1 });
    for (const said of [bomb.length, 0]) {
      const content = zipOf('xl/sharedStrings.xml', packed, said);
      expect(await refusal(content)).to.match(/unpacks to too much/);
    }
  });

  it('proposes a mapping from headings, with their units', async () => {
    const headings: readonly (readonly [string, string])[] = [
      [
        'Fertigungsauftrag;Arbeitsgang;Artikel;Revision;Fertiggestellt;Laufzeit [min];Rüstzeit (h)',
        '{Artikel}.{Revision}.{Arbeitsgang}',
      ],
      [
        'Work Order;Operation;Item;Revision;Completed At;Run Time (min);Setup Time (h)',
        '{Item}.{Revision}.{Operation}',
      ],
      [
        'Ordre;Operasjon;Varenr;Revisjon;Ferdig;Kjøretid (min);Omstilling (h)',
        '{Varenr}.{Revisjon}.{Operasjon}',
      ],
      [
        'Arbetsorder;Operationsnr;Artikelnr;Revision;Färdig;Körtid (min);Ställtid (h)',
        '{Artikelnr}.{Revision}.{Operationsnr}',
      ],
      [
        'Arbejdsordre;Operation;Vare;Version;Færdig;Køretid (min);Opstilling (h)',
        '{Vare}.{Version}.{Operation}',
      ],
      [
        'Ordre de fabrication;Opération;Article;Révision;Terminé;Temps (min);Réglage (h)',
        '{Article}.{Révision}.{Opération}',
      ],
      [
        'Orden;Operación;Artículo;Revisión;Terminado;Tiempo (min);Preparación (h)',
        '{Artículo}.{Revisión}.{Operación}',
      ],
      [
        'Zlecenie;Operacja;Wyrób;Wersja;Zakończono;Czas (min);Przezbrojenie (h)',
        '{Wyrób}.{Wersja}.{Operacja}',
      ],
    ];
    for (const [line, version] of headings) {
      const path = join(folder.path, 'headings');
      await writeFile(path, `Export;;;;;;\n;;;;;;\n${line}\n1;2;3;4;2026-01-01;5;6\n`);
      const { mapping, missing, layout } = await proposeMapping(await openTableFile(path));
      expect(missing, line).to.deep.equal([]);
      expect(layout.headingLine).to.equal(3);
      const names = line.split(';');
      expect(mapping).to.deep.equal({
        what: 'operations',
        columns: {
          ...{ workOrderOperationKey: `{${names[0]}}/{${names[1]}}`, workOrderKey: names[0] },
          ...{ productStructureVersionKey: version, completedAt: names[4] },
          ...{ runTime: { column: names[5], unit: 'min' }, setupTime: { column: names[6], unit: 'h' } },
        },
      });
    }
  });
});

/** A ZIP archive of one part, which says that it has this size. */
function zipOf(name: string, packed: Buffer, size: number): Buffer {
  const fixed = Buffer.alloc(26);
  fixed.writeUInt16LE(20, 0);
  fixed.writeUInt16LE(8, 4);
  fixed.writeUInt32LE(packed.length, 14);
  fixed.writeUInt32LE(size, 18);
  fixed.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('504b0304', 'hex'), fixed, Buffer.from(name), packed]);
  const central = Buffer.concat([
    Buffer.from('504b01021400', 'hex'),
    fixed,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(local.length, 16);
  return Buffer.concat([local, central, end]);
}
