import { TextDecoder } from 'node:util';
import { ServiceError } from '@takt/error-catalogue';
import { excerpt } from '@takt/query-options';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The text of a body without its byte order mark. Throws charsetNotTaken, or bodyNotText where bytes are no text. */
export function readText(bytes: Buffer, charset: string): string {
  const decoder = decoderOf(charset);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ServiceError('bodyNotText', { charset: decoder.encoding });
  }
}

function decoderOf(charset: string) {
  if (charset.toLowerCase() === 'utf-8') return utf8;
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new ServiceError('charsetNotTaken', { found: excerpt(charset) });
  }
}
