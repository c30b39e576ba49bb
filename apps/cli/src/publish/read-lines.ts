import { isUtf8 } from 'node:buffer';

/** A line of a file of events, without its line break. */
export interface Line {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Why the line cannot be read; then the text is empty. */
  readonly problem?: string;
}

const LINE_FEED = 10;
/** Far above any event; a file without line breaks must not fill the memory. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const BYTE_ORDER_MARK = '\ufeff';

/** The lines of a stream of bytes, some at a time: a step for each line would cost more than its content. */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  maxLineBytes = MAX_LINE_BYTES,
): AsyncGenerator<readonly Line[]> {
  let number = 0;
  let begun: Buffer[] = [];
  let begunBytes = 0;
  const begin = (part: Buffer) => {
    begunBytes += part.length;
    // What is too long already is counted, not kept.
    if (begunBytes <= maxLineBytes) begun.push(part);
    else begun = [];
  };
  const finish = (): Line => {
    number += 1;
    const line =
      begunBytes > maxLineBytes
        ? { number, text: '', problem: `is longer than ${maxLineBytes} bytes` }
        : toLine(number, begun.length === 1 ? (begun[0] ?? Buffer.alloc(0)) : Buffer.concat(begun));
    begun = [];
    begunBytes = 0;
    return line;
  };
  for await (const chunk of chunks) {
    const lines: Line[] = [];
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      begin(chunk.subarray(start, end));
      lines.push(finish());
      start = end + 1;
    }
    if (start < chunk.length) begin(chunk.subarray(start));
    if (lines.length > 0) yield lines;
  }
  if (begunBytes > 0) yield [finish()];
}

function toLine(number: number, bytes: Buffer): Line {
  // Decoding would put a replacement character in the place of what is wrong, and nobody would know.
  if (!isUtf8(bytes)) return { number, text: '', problem: 'is not UTF-8' };
  const text = bytes.toString('utf8');
  return { number, text: number === 1 && text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text };
}
