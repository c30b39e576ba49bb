import type { CsvCell } from '@takt/texts';
import type { Row } from '../../plan/outline.js';
import { escapeXml } from '../shared-parts.js';
import type { AboutLine, CellStyle, ExportColumn, ExportWriter } from './export-columns.js';
import { zip } from './zip.js';

/** The maximum number of rows in a file. A sheet has 2^20 rows, and the header takes one of them. */
export const MOST_ROWS = 1_048_575;

/**
 * Writes a workbook with one sheet for the list and one for its description. No library is used, because this code is
 * about as long as a wrapper for a library would be. hucre 1.0.0, the only maintained library that streams, supports
 * neither a filter nor a header style in its stream; exceljs is unmaintained; all other libraries keep the whole sheet
 * in memory.
 */
export const xlsxWriter: ExportWriter = {
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  mostRows: MOST_ROWS,

  write({ title, columns, about }, batches) {
    const parts = Object.entries(workbookParts([title, about.title]));
    return zip([
      ...parts.map(([name, text]) => ({ name, content: [text] })),
      { name: sheetPath(1), content: writeSheet(columns, batches) },
      { name: sheetPath(2), content: [writeAbout(about.lines)] },
    ]);
  },
};

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The path of a sheet in the archive. Sheets are numbered from 1. */
const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/**
 * All parts of a workbook except its sheets (ECMA-376), by their paths in the archive. The first part must come first,
 * because programs recognise the type of the file by it.
 */
function workbookParts(titles: readonly string[]): Readonly<Record<string, string>> {
  const names = titles.map((title) => escapeXml(sheetNameOf(title)).replaceAll('"', '&quot;'));
  const types = names.map(
    (_, index) => `<Override PartName="/${sheetPath(index + 1)}" ContentType="${TYPE}.worksheet+xml"/>`,
  );
  const sheets = names.map(
    (name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`,
  );
  return {
    '[Content_Types].xml': `${DECLARATION}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/>${types.join('')}<Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/></Types>`,
    '_rels/.rels': relationships([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml': `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships([
      ...names.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const),
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml': STYLES,
  };
}

function relationships(targets: readonly (readonly [kind: string, target: string])[]): string {
  const written = targets.map(
    ([kind, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${kind}" Target="${target}"/>`,
  );
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${written.join('')}</Relationships>`;
}

/**
 * The number format of each cell style (ECMA-376, part 1, 18.8.30 and 18.8.31). A number stands for a built-in format,
 * a text is the code of a custom format.
 */
const numberFormats = {
  text: 0,
  // Shows all digits of an identifier. The general format would shorten it to 1.2E+11.
  integer: 1,
  // A key such as 0010 stays text.
  name: 1,
  decimal: 0,
  boolean: 0,
  link: 0,
  instant: 'yyyy\\-mm\\-dd\\ hh:mm:ss\\Z',
  'local instant': 'yyyy\\-mm\\-dd\\ hh:mm:ss',
  hours: 4,
  'signed hours': '+#,##0.00;\\-#,##0.00;0.00',
  percent: '+0%;\\-0%;0%',
} as const satisfies Readonly<Record<CellStyle, number | string>>;

/** The number of the first custom format. Smaller numbers are reserved for built-in formats. */
const FIRST_OWN_FORMAT = 164;

const ownFormats: readonly string[] = Object.values(numberFormats).filter(
  (format) => typeof format === 'string',
);
const formatIds = Object.values(numberFormats).map((format) =>
  typeof format === 'string' ? FIRST_OWN_FORMAT + ownFormats.indexOf(format) : format,
);

/** The index of the cell style for headings. It is followed by a cell style for each number format. */
const HEADING = 1;
const styleIndexes = Object.fromEntries(
  Object.keys(numberFormats).map((style, index) => [style, formatIds[index] === 0 ? 0 : HEADING + 1 + index]),
) as Readonly<Record<CellStyle, number>>;

const STYLES = `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="${ownFormats.length}">${ownFormats
  .map((code, index) => `<numFmt numFmtId="${FIRST_OWN_FORMAT + index}" formatCode="${code}"/>`)
  .join(
    '',
  )}</numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="${formatIds.length + 2}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/><xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>${formatIds
  .map((id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
  .join(
    '',
  )}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

const MAX_SHEET_NAME = 31;

/** Shortens a title and removes characters, so that it is a valid name of a sheet. */
function sheetNameOf(title: string): string {
  return title.replace(/[[\]:*?/\\]/g, ' ').slice(0, MAX_SHEET_NAME);
}

/**
 * The number of rows in one piece of the sheet. Writing so many rows keeps the event loop busy for a millisecond or
 * two.
 */
const ROWS_OF_A_PIECE = 100;

/**
 * Writes a sheet (ECMA-376). Its header is bold and does not scroll, and every column has a filter. Numbers, booleans
 * and instants are typed. Everything else is text, and never becomes a formula, whatever its first character is.
 * Rejects if there are too many rows for a sheet.
 */
export async function* writeSheet(
  columns: readonly ExportColumn[],
  batches: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string, void, void> {
  const letters = columns.map((_, index) => columnLetters(index));
  const heading = columns.map(({ name }, index) => textCell(`${letters[index]}1`, name, HEADING));
  const view =
    '<sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';
  yield `${DECLARATION}<worksheet xmlns="${MAIN}">${view}<cols>${columns.map(columnWidth).join('')}</cols><sheetData><row r="1">${heading.join('')}</row>`;
  const cells = columns.map((column, index) => cellWriter(column, letters[index] ?? ''));
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

/** Returns a function that writes a row's cell in this column. If the value is missing, there is no cell. */
function cellWriter({ style, read }: ExportColumn, letters: string): WriteCell {
  const write = valueWriter(style);
  return (row, at) => {
    const value = read(row);
    return value === null ? '' : write(letters + at, value);
  };
}

function valueWriter(style: CellStyle): (reference: string, value: CsvCell) => string {
  const index = styleIndexes[style];
  switch (style) {
    case 'integer':
      return (reference, value) =>
        Math.abs(Number(value)) < MAX_INTEGER
          ? numberCell(reference, Number(value), index)
          : textCell(reference, String(value), 0);
    case 'name': {
      const writeNumber = valueWriter('integer');
      return (reference, value) =>
        typeof value === 'number' ? writeNumber(reference, value) : textCell(reference, String(value), 0);
    }
    case 'decimal':
    case 'hours':
    case 'signed hours':
      return (reference, value) => numberCell(reference, Number(value), index);
    case 'percent':
      return (reference, value) => numberCell(reference, Number(value) / 100, index);
    case 'boolean':
      return (reference, value) => `<c r="${reference}" t="b"><v>${value === true ? 1 : 0}</v></c>`;
    case 'instant':
      return (reference, value) => instantCell(reference, String(value), String(value), index);
    case 'local instant':
      return (reference, value) => {
        const local = String(value);
        return instantCell(reference, local, `${local.replace(' ', 'T')}Z`, index);
      };
    case 'text':
    case 'link':
      return (reference, value) => textCell(reference, String(value), index);
  }
}

function numberCell(reference: string, value: number, style: number): string {
  return `<c r="${reference}"${style === 0 ? '' : ` s="${style}"`}><v>${value}</v></c>`;
}

/** Integers from here on are written as text: Excel keeps 15 digits of a number, and writes zeros for the others. */
const MAX_INTEGER = 1e15;
/** The maximum number of characters in a cell. Excel refuses a file with longer cells. */
const MAX_CELL_CHARACTERS = 32_767;
/**
 * Writes the code with which OOXML replaces a character that XML forbids (ST_Xstring of ECMA-376, part 1, 22.9.2.19).
 */
const codeOf = (character: string) =>
  `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`;
/**
 * Matches the underscore at the start of a text that looks like such a code. This underscore is replaced by its own
 * code, so that programs do not decode the text.
 */
const CODED = /_(?=x[0-9A-F]{4}_)/gi;

function textCell(reference: string, text: string, style: number): string {
  const cut = text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS - 1)}…` : text;
  const written = escapeXml(cut.replace(CODED, codeOf), codeOf);
  return `<c r="${reference}"${style === 0 ? '' : ` s="${style}"`} t="inlineStr"><is><t xml:space="preserve">${written}</t></is></c>`;
}

const DAY_MS = 86_400_000;
/** The day number of 1 January 1970 in a sheet. */
const EPOCH_DAY = 25_569;
/**
 * The first day number that is written as an instant, and the number after the last such day. The first day is 1 March
 * 1900, because sheets count a 29 February 1900 that did not exist; the last day is the end of the year 9999.
 */
const FIRST_DAY = 61;
const END_DAY = 2_958_466;

/**
 * Writes an instant as the number of days since 1900, by the clock of its time zone. An instant outside the range of
 * sheets is written as text. `clock` is the time that this clock shows, as if it were UTC.
 */
function instantCell(reference: string, text: string, clock: string, style: number): string {
  const day = Date.parse(clock) / DAY_MS + EPOCH_DAY;
  if (day >= FIRST_DAY && day < END_DAY) return numberCell(reference, day, style);
  return textCell(reference, text, 0);
}

const ALPHABET = 26;

/** The letters of a column: A, B, ..., Z, AA, AB, ... */
function columnLetters(index: number): string {
  const before = index < ALPHABET ? '' : columnLetters(Math.floor(index / ALPHABET) - 1);
  return before + String.fromCharCode(65 + (index % ALPHABET));
}

/** The widths of columns, in characters. They are sufficient for most cells. */
const WIDTHS: Readonly<Record<CellStyle, number>> = {
  integer: 10,
  name: 20,
  decimal: 10,
  boolean: 8,
  instant: 22,
  text: 28,
  link: 40,
  hours: 10,
  'signed hours': 10,
  percent: 10,
  'local instant': 20,
};
/** Additional width in characters, for the arrow of the filter next to the column's name. */
const ARROW = 4;

function columnWidth({ name, style }: ExportColumn, index: number): string {
  const width = Math.max(WIDTHS[style], name.length + ARROW);
  return `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`;
}

/** Writes the sheet that describes the list. Each row has a name in bold and a value. */
function writeAbout(lines: readonly AboutLine[]): string {
  const rows = lines.map(
    ([name, value], index) =>
      `<row r="${index + 1}">${textCell(`A${index + 1}`, name, HEADING)}${textCell(`B${index + 1}`, value, 0)}</row>`,
  );
  return `${DECLARATION}<worksheet xmlns="${MAIN}"><cols><col min="1" max="1" width="24" customWidth="1"/><col min="2" max="2" width="80" customWidth="1"/></cols><sheetData>${rows.join('')}</sheetData></worksheet>`;
}
