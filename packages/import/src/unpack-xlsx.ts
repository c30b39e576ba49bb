import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Entry, open, type ZipFile } from 'yauzl';
import { ImportError } from './mapping.js';

const MAX_FILE_BYTES = 100_000_000;
/** Maximum size of all parts but the sheets, such as the table of texts. Sheets are streamed; the others are held. */
const MAX_HELD_BYTES = 200_000_000;

export type Unpacked =
  | { readonly sheet: string; readonly all: readonly string[] }
  | { readonly problem: string };

export interface UnpackOrder {
  readonly path: string;
  readonly csvPath: string;
  readonly sheet: string;
}

interface UnpackOptions {
  /** Name of the file for messages. */
  readonly name: string;
  readonly sheet: string;
  /** Folder of the temporary file. */
  readonly folder: string;
  /** Maximum heap of the reader in MB. */
  readonly maxUnpackingMb: number;
}

/**
 * Writes a sheet of a workbook as CSV in UTF-8 with commas and decimal points, one line a row, into a temporary file in a
 * folder. So everything after it reads one kind of file. The reader of workbooks holds all rows that its caller has not taken
 * yet, and all texts; the thread that runs it takes rows at once, and ends when its heap is full.
 */
export async function unpackXlsx(path: string, { name, sheet, folder, maxUnpackingMb }: UnpackOptions) {
  const { heldBytes, fileBytes } = await sizesOf(path, name);
  if (fileBytes > MAX_FILE_BYTES) {
    throw new ImportError(`${name} has more than ${MAX_FILE_BYTES / 1e6} MB: export it as CSV`);
  }
  if (heldBytes > MAX_HELD_BYTES) throw new ImportError(`${name} unpacks to too much: export it as CSV`);
  const csvPath = join(folder, `takt-import-${randomUUID()}.csv`);
  const workerData: UnpackOrder = { path, csvPath, sheet };
  const worker = new Worker(new URL('./unpack-xlsx-worker.js', import.meta.url), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: maxUnpackingMb },
  });
  try {
    const unpacked = await new Promise<Unpacked>((resolve) => {
      worker.once('message', resolve);
      worker.once('error', (error: NodeJS.ErrnoException) => {
        const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        resolve({
          problem: isFull
            ? 'unpacks to too much: export it as CSV'
            : `cannot be read as XLSX: ${error.message}`,
        });
      });
    });
    if ('problem' in unpacked) throw new ImportError(`${name} ${unpacked.problem}`);
    return { csvPath, name: unpacked.sheet, all: unpacked.all };
  } catch (error) {
    await rm(csvPath, { force: true });
    throw error;
  } finally {
    await worker.terminate();
  }
}

/** The reader of workbooks refuses a part that is larger than it says, but accepts any size of one that says nothing. */
async function sizesOf(path: string, name: string) {
  return new Promise<{ heldBytes: number; fileBytes: number }>((resolve, reject) => {
    const fail = (error: Error) =>
      reject(new ImportError(`${name} cannot be read as XLSX: ${error.message}`));
    open(path, { lazyEntries: true }, (error: Error | null, zip?: ZipFile) => {
      if (error !== null || zip === undefined) return fail(error ?? new Error('no entries'));
      let heldBytes = 0;
      zip.on('error', fail);
      zip.on('end', () => resolve({ heldBytes, fileBytes: zip.fileSize }));
      zip.on('entry', ({ fileName, uncompressedSize, compressedSize }: Entry) => {
        const isSheet = /^xl\/worksheets\/[^/]+\.xml$/i.test(fileName);
        const size =
          uncompressedSize === 0 && compressedSize > 2 ? Number.POSITIVE_INFINITY : uncompressedSize;
        if (!isSheet || size === Number.POSITIVE_INFINITY) heldBytes += size;
        zip.readEntry();
      });
      zip.readEntry();
    });
  });
}
