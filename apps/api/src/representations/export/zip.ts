import { Zip, ZipDeflate } from 'fflate';

interface ZipEntry {
  /** The path of the entry in the archive. */
  readonly name: string;
  readonly content: Iterable<string> | AsyncIterable<string>;
}

/** The maximum size of an entry in bytes. Sizes have 32 bits, so a larger entry is refused. */
const MAX_BYTES = 0xffff_ffff;
/** The lowest level of compression. It has nine tenths of the effect of the usual level, and takes half of its time. */
const LEVEL = 1;

/**
 * Writes a ZIP archive, and sends each piece as soon as it is compressed. Rejects if making the content fails, or if an
 * entry becomes larger than 4 GiB.
 */
export async function* zip(entries: readonly ZipEntry[]): AsyncGenerator<Uint8Array, void, void> {
  const pieces: Uint8Array[] = [];
  const archive = new Zip((error, piece) => {
    if (error !== null) throw error;
    if (piece.length > 0) pieces.push(piece);
  });
  for (const { name, content } of entries) {
    const file = new ZipDeflate(name, { level: LEVEL });
    // The files of one list do not differ by the time at which they were written.
    file.mtime = '1980-01-01T12:00:00';
    archive.add(file);
    let size = 0;
    for await (const text of content) {
      const piece = Buffer.from(text);
      size += piece.length;
      if (size > MAX_BYTES) throw new Error(`${name} is larger than 4 GiB`);
      file.push(piece);
      yield* pieces.splice(0);
    }
    file.push(new Uint8Array(0), true);
  }
  archive.end();
  yield* pieces.splice(0);
}
