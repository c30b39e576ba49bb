import { isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { ServiceError } from '@takt/error-catalogue';
import { excerpt } from '@takt/query-options';

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** A body in UTF-8 without its byte order mark. Throws charsetNotTaken, or bodyNotText where bytes are no text. */
export function readUtf8(bytes: Buffer, charset: string): Buffer {
  if (charset.toLowerCase() !== 'utf-8') return Buffer.from(decode(bytes, decoderOf(charset)));
  if (!isUtf8(bytes)) throw new ServiceError('bodyNotText', { charset: 'utf-8' });
  const hasMark = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  return hasMark ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes;
}

function decode(bytes: Buffer, decoder: TextDecoder): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ServiceError('bodyNotText', { charset: decoder.encoding });
  }
}

function decoderOf(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new ServiceError('charsetNotTaken', { found: excerpt(charset) });
  }
}
