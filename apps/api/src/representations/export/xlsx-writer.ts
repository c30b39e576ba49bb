import type { FieldType } from '@takt/catalogue/resources';
import type { Row, Value } from '../../query/outline.js';
import type { WritingContext } from '../page.js';
import { escapeXml, linkWriterOf } from '../shared-parts.js';
import type { ExportColumn, ExportWriter } from './export-columns.js';
import { zip } from './zip.js';

/** Of a sheet, 2^20, but for the header. */
export const MOST_ROWS = 1_048_575;

/**
 * A workbook of one sheet. It is written here, in as many lines as a wrapper would take: hucre, the one kept library that
 * streams, has in version 1.0.0 neither a filter nor a style for the header in its stream; exceljs is unkept, and all else
 * holds the whole sheet in memory.
 */
export const xlsxWriter: ExportWriter = {
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  mostRows: MOST_ROWS,

  write({ resource, columns }, batches, context) {
    const parts = Object.entries(workbookParts(sheetNameOf(resource.title[context.language])));
    return zip([
      ...parts.map(([name, text]) => ({ name, content: [text] })),
      { name: SHEET_PATH, content: writeSheet(columns, batches, context) },
    ]);
  },
};

/** Indexes of the styles of cells below. */
const cellStyles = { plain: 0, heading: 1, integer: 2, instant: 3 } as const;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Where the sheet is in the archive. */
const SHEET_PATH = 'xl/worksheets/sheet1.xml';

/** By its path, every part of a workbook of one sheet but the sheet (ECMA-376); the first tells what kind of file it is. */
function workbookParts(sheetName: string): Readonly<Record<string, string>> {
  return {
    '[Content_Types].xml': `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/${SHEET_PATH}" ContentType="${TYPE}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    '_rels/.rels': relationships({ officeDocument: 'xl/workbook.xml' }),
    'xl/workbook.xml': `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="${escapeXml(sheetName).replaceAll('"', '&quot;')}" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships({
      worksheet: 'worksheets/sheet1.xml',
      styles: 'styles.xml',
    }),
    'xl/styles.xml': STYLES,
  };
}

/** @param targets by kind */
function relationships(targets: Readonly<Record<string, string>>): string {
  const written = Object.entries(targets).map(
    ([kind, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${kind}" Target="${target}"/>`,
  );
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${written.join('')}</Relationships>`;
}

/** Of format 1 an integer has all its digits, where the general one would shorten an identifier to 1.2E+11. */
const STYLES = `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss\\Z"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/><xf numFmtId="1" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

const MAX_SHEET_NAME = 31;

/** A title as the name of a sheet, which is short and holds no sign of a reference. */
function sheetNameOf(title: string): string {
  return title.replace(/[[\]:*?/\\]/g, ' ').slice(0, MAX_SHEET_NAME);
}

/** A millisecond or two of the event loop. */
const ROWS_OF_A_PIECE = 100;

/**
 * A sheet (ECMA-376) with a frozen header in bold and a filter on every column. Numbers, booleans and points in time are
 * such; all else is text, and text is never a formula, whatever it begins with. Rejects where there are more rows than a
 * sheet holds.
 */
export async function* writeSheet(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<readonly Row[]>,
  context: WritingContext,
): AsyncGenerator<string, void, void> {
  const letters = columns.map((_, index) => columnLetters(index));
  const heading = columns.map(({ name }, index) => textCell(`${letters[index]}1`, name, cellStyles.heading));
  const view =
    '<sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';
  yield `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${MAIN}">${view}<cols>${columns.map(columnWidth).join('')}</cols><sheetData><row r="1">${heading.join('')}</row>`;
  const cells = columns.map((column, index) => cellWriter(column, letters[index] ?? '', context));
  let last = 1;
  for await (const rows of batches) {
    if (last + rows.length > 1 + MOST_ROWS) throw new Error(`a sheet holds ${MOST_ROWS} rows`);
    for (let from = 0; from < rows.length; from += ROWS_OF_A_PIECE) {
      const piece = rows.slice(from, from + ROWS_OF_A_PIECE);
      yield piece.map((row) => writeRow(row, ++last, cells)).join('');
    }
  }
  yield `</sheetData><autoFilter ref="A1:${letters.at(-1)}${last}"/></worksheet>`;
}

type WriteCell = (row: Row, at: number) => string;

function writeRow(row: Row, at: number, cells: readonly WriteCell[]): string {
  let written = `<row r="${at}">`;
  for (const cell of cells) written += cell(row, at);
  return `${written}</row>`;
}

/** A missing value is no cell. */
function cellWriter({ field, index }: ExportColumn, letters: string, context: WritingContext): WriteCell {
  const write = valueWriter(field.type);
  if (field.type === 'link') {
    const addressOf = linkWriterOf(field, context);
    return (row, at) => {
      const link = addressOf(row[index] ?? null);
      return link === null ? '' : textCell(letters + at, link, cellStyles.plain);
    };
  }
  return (row, at) => {
    const value = row[index] ?? null;
    return value === null ? '' : write(letters + at, value);
  };
}

function valueWriter(type: FieldType): (reference: string, value: Value) => string {
  switch (type) {
    case 'integer':
      return (reference, value) => numberCell(reference, Number(value), cellStyles.integer);
    case 'decimal':
      return (reference, value) => numberCell(reference, Number(value), cellStyles.plain);
    case 'boolean':
      return (reference, value) => `<c r="${reference}" t="b"><v>${value === true ? 1 : 0}</v></c>`;
    case 'instant':
      return (reference, value) => instantCell(reference, String(value));
    case 'text':
    case 'link':
      return (reference, value) => textCell(reference, String(value), cellStyles.plain);
  }
}

function numberCell(reference: string, value: number, style: number): string {
  return `<c r="${reference}"${style === 0 ? '' : ` s="${style}"`}><v>${value}</v></c>`;
}

/** Excel refuses a file in which a cell has more. */
const MAX_CELL_CHARACTERS = 32_767;
/** OOXML writes a character that no XML document may hold by its code (ST_Xstring of ECMA-376, part 1, 22.9.2.19). */
const codeOf = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
/** Where a text holds what looks like such a code, it means the signs themselves. */
const CODED = /_(?=x[0-9A-F]{4}_)/gi;

function textCell(reference: string, text: string, style: number): string {
  const cut = text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS - 1)}…` : text;
  const written = escapeXml(cut.replace(CODED, codeOf), codeOf);
  return `<c r="${reference}"${style === 0 ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${written}</t></is></c>`;
}

const DAY_MS = 86_400_000;
/** 1 January 1970 as a day of a sheet. */
const EPOCH_DAY = 25_569;
/** From 1 March 1900 on, before which a sheet knows a day that never was, to the end of 9999. */
const FIRST_DAY = 61;
const END_DAY = 2_958_466;

/** A point in time is a day and its part since 1900, in UTC, and shown as such; where a sheet knows none, it is text. */
function instantCell(reference: string, instant: string): string {
  const day = Date.parse(instant) / DAY_MS + EPOCH_DAY;
  if (day >= FIRST_DAY && day < END_DAY) return numberCell(reference, day, cellStyles.instant);
  return textCell(reference, instant, cellStyles.plain);
}

const ALPHABET = 26;

/** A, B, ..., Z, AA, AB, ... */
function columnLetters(index: number): string {
  const before = index < ALPHABET ? '' : columnLetters(Math.floor(index / ALPHABET) - 1);
  return before + String.fromCharCode(65 + (index % ALPHABET));
}

/** In characters, by what is in most of the cells. */
const WIDTHS: Readonly<Record<FieldType, number>> = {
  integer: 10,
  decimal: 10,
  boolean: 8,
  instant: 22,
  text: 28,
  link: 40,
};
/** Beside the name: what the arrow of the filter takes. */
const ARROW = 4;

function columnWidth({ name, field }: ExportColumn, index: number): string {
  const width = Math.max(WIDTHS[field.type], name.length + ARROW);
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
}
