import { Buffer } from 'node:buffer';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import {
  type BackupEnd,
  BackupError,
  type BackupHeader,
  type BackupSection,
  countRows,
  END_OF_ROWS,
  NO_BACKUP,
  nameOf,
  parseHeader,
  parseSectionOrEnd,
} from './backup-format.js';

/** Receives the parts of a backup, in order. */
interface BackupVisitor {
  readonly onHeader?: (header: BackupHeader) => Promise<void>;
  /** Receives all rows of a table in COPY format. */
  readonly onSection: (section: BackupSection, rows: AsyncIterable<Buffer>) => Promise<void>;
}

/** Maximum length of a line. The longest line is a header with all migrations and columns. */
const MAX_LINE_BYTES = 16 * 2 ** 20;
const CHUNK_BYTES = 256 * 1_024;

/**
 * Reads a backup to its end. Rejects with a BackupError if anything is missing or was changed. This may be noticed only
 * at the end, so discard everything that was passed to `visitor` in that case.
 */
export async function readBackup(input: Readable, visitor: BackupVisitor): Promise<BackupEnd> {
  const text = createGunzip({ chunkSize: CHUNK_BYTES });
  // If reading or unpacking fails, pipeline ends `text` with that error. Then reading `text` below rejects.
  pipeline(input, text, () => undefined);
  try {
    const lines = readLines(text);
    const header = parseHeader(await lines.next());
    await visitor.onHeader?.(header);
    const counts: Record<string, number> = {};
    for (;;) {
      const part = parseSectionOrEnd(await lines.next());
      if ('rows' in part) {
        assertSameCounts(part.rows, counts);
        if (!(await lines.isOver())) throw new BackupError('it contains data after the end of the backup');
        return part;
      }
      const count = (rows: number) => {
        counts[nameOf(part)] = (counts[nameOf(part)] ?? 0) + rows;
      };
      count(0);
      await visitor.onSection(
        part,
        tap(lines.rows(), (chunk) => count(countRows(chunk))),
      );
    }
  } catch (error) {
    throw describeDamage(error);
  } finally {
    text.destroy();
    input.destroy();
  }
}

async function* tap(chunks: AsyncIterable<Buffer>, look: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    look(chunk);
    yield chunk;
  }
}

function assertSameCounts(wanted: BackupEnd['rows'], found: Readonly<Record<string, number>>): void {
  const names = new Set([...Object.keys(wanted), ...Object.keys(found)]);
  for (const name of names) {
    if (wanted[name] === found[name]) continue;
    throw new BackupError(
      `it should hold ${wanted[name] ?? 'no'} rows of ${name}, and holds ${found[name] ?? 'none'}`,
    );
  }
}

const NO_GZIP = 'incorrect header check';

/** Turns errors of zlib into a BackupError. Returns other errors unchanged. */
function describeDamage(error: unknown): unknown {
  const isOfZlib = error instanceof Error && 'code' in error && /^Z_/.test(String(error.code));
  if (!isOfZlib) return error;
  if (error.message === NO_GZIP) return new BackupError(NO_BACKUP);
  return new BackupError(`it is damaged or was cut off (${error.message}): take another copy`);
}

interface BackupLines {
  /** Returns the next line without its line end. Rejects with a BackupError if there is no further line. */
  readonly next: () => Promise<string>;
  /** Yields the rows up to their end mark. Read all rows before anything else. */
  readonly rows: () => AsyncGenerator<Buffer>;
  readonly isOver: () => Promise<boolean>;
}

function readLines(text: AsyncIterable<Buffer>): BackupLines {
  const chunks = text[Symbol.asyncIterator]();
  let rest = Buffer.alloc(0);
  const readMore = async (): Promise<boolean> => {
    const { done, value } = await chunks.next();
    if (done === true) return false;
    rest = Buffer.concat([rest, value]);
    return true;
  };
  const mustReadMore = async () => {
    if (!(await readMore())) throw new BackupError('its end is missing: take another copy');
  };
  return {
    next: async () => {
      let end = rest.indexOf('\n');
      while (end === -1) {
        if (rest.length > MAX_LINE_BYTES) throw new BackupError(NO_BACKUP);
        await mustReadMore();
        end = rest.indexOf('\n');
      }
      const line = rest.toString('utf8', 0, end);
      rest = rest.subarray(end + 1);
      return line;
    },
    rows: async function* () {
      // The end mark starts with the line end of the preceding line. In an empty table, the preceding line is the
      // heading.
      rest = Buffer.concat([END_OF_ROWS.subarray(0, 1), rest]);
      let given = 1;
      for (;;) {
        const end = rest.indexOf(END_OF_ROWS);
        const upTo = end === -1 ? rest.length - END_OF_ROWS.length + 1 : end + 1;
        if (upTo > given) yield rest.subarray(given, upTo);
        given = Math.max(given, upTo);
        if (end !== -1) break;
        rest = rest.subarray(given - 1);
        given = 1;
        await mustReadMore();
      }
      rest = rest.subarray(given - 1 + END_OF_ROWS.length);
    },
    isOver: async () => rest.length === 0 && !(await readMore()),
  };
}
