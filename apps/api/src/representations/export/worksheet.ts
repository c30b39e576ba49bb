import type { FieldType } from '@takt/resources';
import type { Row, Value } from '../../query/outline.js';
import { escapeXml } from '../escape-xml.js';
import type { WritingContext } from '../page.js';
import { linkWriterOf } from '../shared-parts.js';
import type { ExportColumn } from './export-columns.js';
import { cellStyles, MAIN } from './workbook-parts.js';

/** Of a sheet, 2^20, but for the header. */
export const MOST_ROWS = 1_048_575;

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
/** How OOXML writes a character by its code: a text that holds this means the signs themselves. */
const CODED = /_(?=x[0-9A-F]{4}_)/gi;

function textCell(reference: string, text: string, style: number): string {
  const cut = text.length > MAX_CELL_CHARACTERS ? `${text.slice(0, MAX_CELL_CHARACTERS - 1)}…` : text;
  const written = escapeXml(cut.replace(CODED, '_x005F_'));
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
