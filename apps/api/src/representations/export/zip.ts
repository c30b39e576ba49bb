import { pipeline } from 'node:stream';
import { crc32, createDeflateRaw } from 'node:zlib';

interface ZipEntry {
  /** The path of the entry in the archive. */
  readonly name: string;
  readonly content: Iterable<string> | AsyncIterable<string>;
}

/** The maximum size of an archive in bytes. Sizes and offsets have 32 bits, so a larger archive is refused. */
const MAX_BYTES = 0xffff_ffff;
/**
 * The lowest level of compression. It has three quarters of the effect of a higher level, and takes a tenth of the
 * time.
 */
const FAST = 1;
/**
 * Fields that all entries share. Together they say: version 2.0, sizes follow the data, names are in UTF-8, the data
 * are deflated, the date is 1 January 1980.
 */
const VERSION = 20;
const FLAGS = 0x0808;
const DEFLATED = 8;
const DATE = 0x0021;

/** Data about an entry that has been written. */
interface Written {
  readonly name: Buffer;
  /** The position of the entry in the archive, in bytes from the start. */
  readonly offset: number;
  readonly checksum: number;
  readonly compressed: number;
  readonly uncompressed: number;
}

/**
 * Writes a ZIP archive (PKWARE APPNOTE 6.3.10). It uses only those features of the format that an OOXML file needs.
 * Each entry is compressed in another thread, and is sent while its content is still being made. Rejects if making the
 * content fails, or if the archive becomes larger than 4 GiB.
 */
export async function* zip(entries: readonly ZipEntry[]): AsyncGenerator<Buffer, void, void> {
  const written: Written[] = [];
  let offset = 0;
  for (const { name, content } of entries) {
    const entry = { name: Buffer.from(name), offset, checksum: 0, compressed: 0, uncompressed: 0 };
    const header = localHeader(entry.name);
    yield header;
    const counted = countContent(content, (piece) => {
      entry.checksum = crc32(piece, entry.checksum);
      entry.uncompressed += piece.length;
    });
    for await (const piece of deflate(counted)) {
      entry.compressed += piece.length;
      yield piece;
    }
    const descriptor = numbers([0x08074b50, 4], ...sizesOf(entry));
    yield descriptor;
    offset += header.length + entry.compressed + descriptor.length;
    if (Math.max(offset, entry.uncompressed) > MAX_BYTES) throw new Error(`${name} is larger than 4 GiB`);
    written.push(entry);
  }
  yield directoryOf(written, offset);
}

async function* countContent(
  content: ZipEntry['content'],
  count: (piece: Buffer) => void,
): AsyncGenerator<Buffer, void, void> {
  for await (const text of content) {
    const piece = Buffer.from(text);
    count(piece);
    yield piece;
  }
}

/**
 * Compresses the content of an entry. If the consumer stops early, the compression and the source of the content end
 * too.
 */
function deflate(content: AsyncGenerator<Buffer, void, void>): AsyncIterable<Buffer> {
  return pipeline(content, createDeflateRaw({ level: FAST }), () => undefined);
}

type Field = readonly [value: number, bytes: 2 | 4];

/** Writes numbers one after the other, in little-endian order. */
function numbers(...fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [, bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [value, bytes] of fields) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}

const FORM: readonly Field[] = [VERSION, FLAGS, DEFLATED, 0, DATE].map((value) => [value, 2]);

function localHeader(name: Buffer): Buffer {
  const sizesLater: readonly Field[] = [0, 0, 0].map((zero) => [zero, 4]);
  return Buffer.concat([numbers([0x04034b50, 4], ...FORM, ...sizesLater, [name.length, 2], [0, 2]), name]);
}

function sizesOf({ checksum, compressed, uncompressed }: Written): readonly Field[] {
  return [checksum, compressed, uncompressed].map((value) => [value, 4]);
}

/**
 * Writes the central directory. It contains the position of each entry, and ends with the position of the directory
 * itself.
 */
function directoryOf(entries: readonly Written[], offset: number): Buffer {
  // These fields mean: no extra field, no comment, first disk, no attributes.
  const nothing: readonly Field[] = [...[0, 0, 0, 0].map((zero): Field => [zero, 2]), [0, 4]];
  const records = entries.map((entry) =>
    Buffer.concat([
      numbers([0x02014b50, 4], [VERSION, 2], ...FORM, ...sizesOf(entry)),
      numbers([entry.name.length, 2], ...nothing, [entry.offset, 4]),
      entry.name,
    ]),
  );
  const directory = Buffer.concat(records);
  const count: Field = [entries.length, 2];
  const end = numbers(
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    count,
    count,
    [directory.length, 4],
    [offset, 4],
    [0, 2],
  );
  return Buffer.concat([directory, end]);
}
