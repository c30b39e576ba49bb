import { inflateRawSync } from 'node:zlib';
import { needsProgram, someOf } from '@takt/test-support';
import { expect } from 'chai';
import { readXlsx, type Sheet, type Cell as SheetCell } from 'hucre/xlsx';
import { XmlDocument } from 'libxml2-wasm';
import { exportedQuestions, insertExportedRows } from '../support/exported-rows.js';
import { type Cell, jsonTable } from '../support/json-table.js';
import { readXlsxByPython } from '../support/python-readers.js';
import { type ServedApi, serveApi } from '../support/serve-api.js';

const TIMES = '/product/structure-versions/aggregated-production-times';

/** Reads the first sheet of a workbook with an independent library. */
async function readSheet(body: Buffer): Promise<Sheet> {
  const { sheets } = await readXlsx(body, { readStyles: true });
  expect(sheets).to.have.length(2);
  const [sheet] = sheets;
  if (sheet === undefined) throw new Error('a workbook has a sheet');
  return sheet;
}

/** Returns null for a missing cell, because a missing value has no cell in the file. */
function shown(cell: Cell | undefined): Cell {
  return cell ?? null;
}

/**
 * Returns the content of an entry of the ZIP archive. Finds the entry in the central directory at the end, because the
 * archive is streamed and states no sizes before its entries.
 */
function entryOf(archive: Buffer, name: string): string {
  for (let at = archive.indexOf('PK\u0001\u0002'); at >= 0; at = archive.indexOf('PK\u0001\u0002', at + 4)) {
    const length = archive.readUInt16LE(at + 28);
    if (archive.toString('utf8', at + 46, at + 46 + length) !== name) continue;
    const begin = archive.readUInt32LE(at + 42) + 30 + length;
    return inflateRawSync(archive.subarray(begin, begin + archive.readUInt32LE(at + 20))).toString();
  }
  throw new Error(`no ${name}`);
}

describe('a list as XLSX', () => {
  let api: ServedApi;
  let headers: { readonly authorization: string };

  before(async function () {
    needsProgram(this, 'python3');
    api = await serveApi();
    await insertExportedRows(api.owner);
    headers = { authorization: `Bearer ${await api.createToken('TEM-NO')}` };
  });
  after(() => api?.close());

  const xlsx = async (path: string, query: string): Promise<Buffer> => {
    const { status, body, text } = await api.client.get(`${path}?$format=xlsx&${query}`, headers);
    expect(status, text.slice(0, 500)).to.equal(200);
    return body;
  };

  for (const [path, questions] of Object.entries(exportedQuestions)) {
    for (const question of someOf(questions)) {
      it(`has the same rows as all JSON pages: ${path}?${question}`, async () => {
        const expected = await jsonTable(api.client, `${path}?$top=$max&${question}`, headers);
        const body = await xlsx(path, question);
        const sheet = await readSheet(body);
        const [header = [], ...rows] = sheet.rows;
        expect(sheet.autoFilter?.range).to.match(new RegExp(`^A1:[A-Z]+${expected.length + 1}$`));
        // The library drops empty rows at the end of the sheet.
        const cells = expected.map((_, at) =>
          header.map((_name, index) => shown(rows[at]?.[index] as Cell | undefined)),
        );
        expect(rows.length).to.be.at.most(expected.length);
        // The comparison includes the types, because a number must not be stored as text.
        expect(cells).to.deep.equal(expected.map((row) => row.map(shown)));
        const [, ...rowsByPython] = readXlsxByPython(body);
        expect(rowsByPython).to.have.length(expected.length);
        expect(rowsByPython.map((row) => header.map((_, index) => shown(row[index])))).to.deep.equal(cells);
      });
    }
  }

  it('has the header of CSV in bold, always visible and with a filter on every column', async () => {
    const question = '$filter=ProductStructureVersionId%20le%2010';
    const { text } = await api.client.get(`${TIMES}?$format=csv&${question}`, headers);
    const names = text.split('\r\n')[0]?.split(',') ?? [];
    const sheet = await readSheet(await xlsx(TIMES, question));
    expect(sheet.rows[0]).to.deep.equal(names);
    expect(sheet.name).to.equal('Production times');
    expect(sheet.freezePane).to.include({ rows: 1 });
    expect(sheet.autoFilter?.range).to.match(/^A1:[A-Z]+11$/);
    const styleOf = (key: string): SheetCell['style'] => sheet.cells?.get(key)?.style;
    for (const index of names.keys()) expect(styleOf(`0,${index}`)?.font?.bold, String(index)).to.equal(true);
    expect(styleOf('1,0')?.font?.bold ?? false).to.equal(false);
  });

  it('contains no formula, even for a text that starts like a formula', async () => {
    const body = await xlsx(TIMES, '');
    const sheet = entryOf(body, 'xl/worksheets/sheet1.xml');
    expect(sheet).to.include('>=1+1</t>');
    expect(sheet).to.not.match(/<f[ >]/);
    const { cells = new Map<string, SheetCell>() } = await readSheet(body);
    expect([...cells.values()].filter(({ formula }) => formula !== undefined)).to.deep.equal([]);
  });

  it('consists of well-formed XML parts with escapes for characters that XML does not permit', async () => {
    const body = await xlsx(TIMES, '');
    for (const name of [
      ...['[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels'],
      ...['xl/styles.xml', 'xl/worksheets/sheet1.xml', 'xl/worksheets/sheet2.xml'],
    ]) {
      const document = XmlDocument.fromString(entryOf(body, name));
      document.dispose();
    }
    const sheet = entryOf(body, 'xl/worksheets/sheet1.xml');
    expect(sheet)
      .to.include('>_x005F_x0041_</t>')
      .and.to.include('>_x0001_ _x000B_ _x000C_ _xFFFE_ _xFFFF_</t>');
  });

  it('is sent as a workbook without content encoding, because a workbook is already compressed', async () => {
    const answer = await api.client.get(`${TIMES}?$format=xlsx&$lang=deu`, {
      ...headers,
      'accept-encoding': 'gzip, br',
    });
    expect(answer.headers).to.include({
      'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'cache-control': 'private, no-store',
      'content-language': 'de',
    });
    expect(answer.headers).to.not.have.property('content-encoding');
    expect(answer.headers['content-disposition']).to.match(/_TEM-NO_\d{4}-\d\d-\d\d\.xlsx"$/);
    expect((await readSheet(answer.body)).name).to.equal('Produktionszeiten');
  });
});
