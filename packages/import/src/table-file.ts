import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { ImportError, type Mapping } from './mapping.js';
import { unpackXlsx } from './unpack-xlsx.js';

const MAX_BYTES = 500_000_000;
const MAX_COLUMNS = 200;
export const MAX_CELL_CHARACTERS = 32_767;
/** Maximum number of characters of a row: a few cells of the maximum length. */
const MAX_ROW_CHARACTERS = 1_000_000;
const SAMPLE_BYTES = 64 * 1024;

/** A row of a file: its first line, and its cells as text without blanks at the ends. */
export interface Row {
  readonly line: number;
  readonly cells: readonly string[];
}

export interface TableFile {
  readonly name: string;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly hash: string;
  readonly bytes: number;
  readonly encoding: string;
  readonly delimiter: string;
  /** The sheets of a workbook and the one that is read; undefined for a text file. */
  readonly sheet: { readonly name: string; readonly all: readonly string[] } | undefined;
  /** Reads the rows that are not blank. May be called several times. Throws an ImportError for a broken file. */
  readonly rows: (onRead?: (bytes: number) => void) => AsyncGenerator<Row>;
  /** Removes temporary files. */
  readonly close: () => Promise<void>;
}

const AUTOMATIC = { encoding: 'auto', delimiter: 'auto', sheet: 'auto' };

interface TableFileOptions {
  readonly file?: Pick<Mapping['file'], 'encoding' | 'delimiter' | 'sheet'>;
  /** Folder for a workbook that is unpacked. By default, the folder of the system for temporary files. */
  readonly folder?: string;
  /** Maximum heap in MB to unpack a workbook; it needs little more than the texts of the workbook. Default 600. */
  readonly maxUnpackingMb?: number;
}

/** Opens a CSV, TSV or XLSX file. Throws an ImportError if it is none of these or too large. */
export async function openTableFile(
  path: string,
  { file = AUTOMATIC, folder = tmpdir(), maxUnpackingMb = 600 }: TableFileOptions = {},
): Promise<TableFile> {
  const name = basename(path);
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new ImportError(`${name} cannot be read: ${error.code ?? error.message}`);
  });
  if (size === 0) throw new ImportError(`${name} is empty`);
  if (size > MAX_BYTES) {
    throw new ImportError(`${name} has more than ${MAX_BYTES / 1e6} MB: divide it into several files`);
  }
  const seen = await look(path);
  const kind = kindOf(seen.sample);
  if (kind === 'text') return openText(path, { name, size, seen, ...file, close: async () => undefined });
  if (kind !== 'xlsx') throw new ImportError(`${name} is ${kind}`);
  const { csvPath, ...sheet } = await unpackXlsx(path, { name, sheet: file.sheet, folder, maxUnpackingMb });
  const close = () => rm(csvPath, { force: true });
  return { ...openText(csvPath, { name, size, seen, encoding: 'utf-8', delimiter: ',', close }), sheet };
}

/** Reads the whole file once: for its hash, and because invalid UTF-8 may be anywhere. */
async function look(path: string) {
  const hash = createHash('sha256');
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let isUtf8 = true;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    try {
      if (isUtf8) utf8.decode(chunk, { stream: true });
    } catch {
      isUtf8 = false;
    }
  }
  const handle = await open(path);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, 0);
    return { hash: hash.digest('hex'), isUtf8, sample: buffer.subarray(0, bytesRead) };
  } finally {
    await handle.close();
  }
}

/** The beginnings of files that are often taken for tables, and what to do. */
const SIGNATURES: readonly (readonly [string, string])[] = [
  ['504b0304', 'xlsx'],
  ['d0cf11e0', 'an old or encrypted workbook: save it as XLSX without a password, or as CSV'],
  ['1f8b', 'compressed: unpack it first'],
  ['25504446', 'a PDF: export CSV or XLSX'],
];

function kindOf(sample: Buffer): string {
  const start = sample.subarray(0, 4).toString('hex');
  const [, kind] = SIGNATURES.find(([signature]) => start.startsWith(signature)) ?? [];
  if (kind !== undefined) return kind;
  if (/^\s*(<!doctype|<html|<\?xml)/i.test(sample.toString('latin1'))) {
    return 'HTML or XML: export CSV or XLSX';
  }
  return sample.includes(0) && wideEncoding(sample) === undefined ? 'binary: it holds NUL' : 'text';
}

/** Recognises UTF-16 by its byte order mark, or by the zeros in most places of one parity. */
function wideEncoding(sample: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (sample[0] === 0xff && sample[1] === 0xfe) return 'utf-16le';
  if (sample[0] === 0xfe && sample[1] === 0xff) return 'utf-16be';
  const zeros = [0, 0];
  for (const [place, byte] of sample.entries()) {
    if (byte === 0) zeros[place % 2] = (zeros[place % 2] ?? 0) + 1;
  }
  const most = sample.length * 0.35;
  if ((zeros[1] ?? 0) > most && zeros[0] === 0) return 'utf-16le';
  return (zeros[0] ?? 0) > most && zeros[1] === 0 ? 'utf-16be' : undefined;
}

interface TextOptions {
  readonly name: string;
  readonly size: number;
  readonly seen: Awaited<ReturnType<typeof look>>;
  readonly encoding: string;
  readonly delimiter: string;
  readonly close: () => Promise<void>;
}

function openText(path: string, { name, size, seen, close, ...wanted }: TextOptions): TableFile {
  // A file that is not UTF-8 is taken for windows-1252, which Excel writes in western countries.
  // A byte order mark decides.
  const isMarked = seen.sample.subarray(0, 3).equals(UTF8_MARK);
  const recognised = wideEncoding(seen.sample) ?? (isMarked || seen.isUtf8 ? 'utf-8' : 'windows-1252');
  const encoding = wanted.encoding === 'auto' || isMarked ? recognised : wanted.encoding;
  const newDecoder = () => {
    try {
      return new TextDecoder(encoding, { fatal: true });
    } catch {
      throw new ImportError(
        `file.encoding: ${encoding} is no encoding; auto recognises UTF-8, UTF-16 and windows-1252`,
      );
    }
  };
  const sample = new TextDecoder(newDecoder().encoding).decode(seen.sample, { stream: true });
  const delimiter = wanted.delimiter === 'auto' ? findDelimiter(sample) : wanted.delimiter;
  if (!/^[^\s"]$|^\t$/u.test(delimiter)) {
    throw new ImportError(`file.delimiter: must be one character such as ";", or a tab as "\\t"`);
  }
  async function* decoded(onRead?: (bytes: number) => void): AsyncGenerator<string> {
    const decoder = newDecoder();
    let read = 0;
    try {
      for await (const chunk of createReadStream(path, { highWaterMark: 1 << 18 })) {
        read += chunk.length;
        onRead?.(read);
        // Without `stream`, Node.js 20 decodes windows-1252 as if it were ISO 8859-1, without the euro sign.
        const text = decoder.decode(chunk, { stream: true });
        if (text.includes('\0')) {
          throw new ImportError(`${name} holds NUL: it is broken, or file.encoding is wrong`);
        }
        yield text;
      }
      yield decoder.decode();
    } catch (error) {
      if (error instanceof TypeError) {
        throw new ImportError(`${name} is not ${encoding} throughout: set file.encoding`);
      }
      throw error;
    }
  }
  return {
    name,
    hash: seen.hash,
    bytes: size,
    encoding,
    delimiter,
    sheet: undefined,
    close,
    rows: (onRead) => readRows(name, decoded(onRead), delimiter),
  };
}

const UTF8_MARK = Buffer.from('efbbbf', 'hex');

const DELIMITERS = [';', '\t', ',', '|'];

/** Returns the delimiter that divides the first lines into the most cells, if most lines have as many. */
function findDelimiter(sample: string): string {
  const lines = sample
    .replaceAll(/"[^"]*"/g, '')
    .split(/\r?\n/)
    .slice(0, -1)
    .filter((line) => line.trim() !== '')
    .slice(0, 100);
  const scoreOf = (delimiter: string) => {
    const counts = lines
      .map((line) => line.split(delimiter).length - 1)
      .filter((count) => count > 0)
      .sort((a, b) => a - b);
    const usual = counts[Math.floor(counts.length / 2)] ?? 0;
    return counts.filter((count) => count === usual).length * Math.min(usual, 3);
  };
  return DELIMITERS.reduce((best, next) => (scoreOf(next) > scoreOf(best) ? next : best), ';');
}

async function* readRows(name: string, text: AsyncIterable<string>, delimiter: string): AsyncGenerator<Row> {
  const parser = parse({
    delimiter,
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_ROW_CHARACTERS,
  });
  // The parser gets the errors of the text, and throws them below.
  const feeding = pipeline(text, parser).catch(() => undefined);
  let lastLine = 0;
  try {
    for await (const record of parser as AsyncIterable<string[]>) {
      const line = lastLine + 1;
      lastLine = line + record.reduce((sum, cell) => sum + countLineBreaks(cell), 0);
      if (record.length > MAX_COLUMNS) {
        throw new ImportError(`${name}: line ${line} has more than ${MAX_COLUMNS} columns`);
      }
      const cells = record.map((cell) => cell.trim());
      if (cells.every((cell) => cell === '')) continue;
      if (cells.some((cell) => cell.length > MAX_CELL_CHARACTERS)) {
        throw new ImportError(
          `${name}: a cell of line ${line} has more than ${MAX_CELL_CHARACTERS} characters`,
        );
      }
      yield { line, cells };
    }
  } catch (error) {
    throw asImportError(name, lastLine + 1, error);
  } finally {
    parser.destroy();
    await feeding;
  }
}

/** Counts the lines that a quoted cell adds to its row. */
const countLineBreaks = (cell: string): number =>
  /[\r\n]/.test(cell) ? cell.split(/\r\n|\n|\r/).length - 1 : 0;

function asImportError(name: string, line: number, error: unknown): unknown {
  if (error instanceof ImportError) return error;
  const { code } = error as { readonly code?: string };
  if (!code?.startsWith('CSV_')) return error;
  if (code === 'CSV_MAX_RECORD_SIZE') {
    return new ImportError(
      `${name}: line ${line} has more than ${MAX_ROW_CHARACTERS} characters: is file.delimiter right, or a quote never closed?`,
    );
  }
  return new ImportError(`${name} is no table: ${(error as Error).message}`);
}
