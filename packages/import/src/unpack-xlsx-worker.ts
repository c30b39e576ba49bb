// The entry of the thread of unpackXlsx.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { type CellValue, readXlsx, streamXlsxRows } from 'hucre/xlsx';
import type { Unpacked, UnpackOrder } from './unpack-xlsx.js';

const MAX_CSV_CHARACTERS = 2_000_000_000;
const FLUSH_CHARACTERS = 1 << 20;
const MAX_ROW = 1_048_576;
/** Excel's day 0, as the reader of workbooks counts it before March 1900. A duration such as 31:30 is a time after it. */
const DAY_ZERO_MS = Date.UTC(1899, 11, 31);
const FIRST_DATE_MS = Date.UTC(1900, 2, 1);

async function unpack({ path, csvPath, sheet }: UnpackOrder): Promise<Unpacked> {
  const data = readFileSync(path);
  const all = await sheetNames(data);
  const chosen = sheet === 'auto' ? all[0] : sheet;
  if (chosen === undefined || !all.includes(chosen)) {
    return {
      problem: `has no sheet ${JSON.stringify(chosen)}; it has ${all.map((name) => JSON.stringify(name)).join(', ')}`,
    };
  }
  const file = openSync(csvPath, 'wx', 0o600);
  try {
    let [text, next, written] = ['', 0, 0];
    for await (const { index, values } of streamXlsxRows(data, { sheet: chosen })) {
      if (index >= MAX_ROW) return { problem: `has a row ${index + 1}, and a sheet has ${MAX_ROW} rows` };
      text += '\n'.repeat(Math.max(0, index - next));
      text += `${values.map(toCell).join(',')}\n`;
      next = index + 1;
      if (text.length >= FLUSH_CHARACTERS) {
        written += text.length;
        if (written > MAX_CSV_CHARACTERS) return { problem: 'unpacks to too much: export it as CSV' };
        writeSync(file, text);
        text = '';
      }
    }
    writeSync(file, text);
  } finally {
    closeSync(file);
  }
  return { sheet: chosen, all };
}

async function sheetNames(data: Uint8Array): Promise<readonly string[]> {
  const names: string[] = [];
  await readXlsx(data, {
    sheets: ({ name }) => {
      names.push(name);
      return false;
    },
  });
  return names;
}

function toCell(value: CellValue): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return toTime(value);
  if (typeof value === 'number') return toPlain(value);
  if (typeof value === 'string') return `"${value.replaceAll('"', '""').replaceAll(/\r\n?|\n/g, ' ')}"`;
  return typeof value === 'boolean' ? String(value).toUpperCase() : '';
}

/** Without an exponent, and without the last digits that binary fractions add: Excel shows 15 digits. */
function toPlain(value: number): string {
  const shown = Number(value.toPrecision(15));
  return /e/.test(String(shown)) ? shown.toFixed(20).replace(/\.?0+$/, '') : String(shown);
}

function toTime(value: Date): string {
  // Excel stores fractions of days, so the last digits of the milliseconds are noise.
  const ms = Math.round(value.getTime() / 10) * 10;
  if (Number.isNaN(ms)) return '';
  if (ms >= FIRST_DATE_MS) {
    return new Date(ms)
      .toISOString()
      .replace('T', ' ')
      .replace(/(?:\.000)?Z$/, '');
  }
  const seconds = Math.round((ms - DAY_ZERO_MS) / 1_000);
  if (seconds < 0) return 'a time before 0:00';
  const digits = (part: number) => String(Math.floor(part)).padStart(2, '0');
  return `${digits(seconds / 3_600)}:${digits((seconds / 60) % 60)}:${digits(seconds % 60)}`;
}

void unpack(workerData).then(
  (unpacked) => parentPort?.postMessage(unpacked),
  (error: Error) => parentPort?.postMessage({ problem: `cannot be read as XLSX: ${error.message}` }),
);
