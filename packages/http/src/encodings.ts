import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import Negotiator from 'negotiator';

/** Browsers disagree about what deflate is; zstd is not in every Node.js that is supported. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** The lowest level: three quarters of the gain for a tenth of the time. */
const FAST = 1;
/** For what is compressed once and then kept: more would need tens of megabytes for a few kilobytes less. */
const THOROUGH = 5;

const compressWithGzip = promisify(gzip);
const compressWithBrotli = promisify<Buffer, { readonly params: Record<number, number> }, Buffer>(
  brotliCompress,
);

/** The whole body in this encoding; made in a thread of its own. */
export async function encodeWhole(
  body: Buffer,
  encoding: Encoding,
  effort: 'fast' | 'thorough' = 'fast',
): Promise<Buffer> {
  const level = effort === 'fast' ? FAST : THOROUGH;
  if (encoding === 'gzip') return compressWithGzip(body, { level });
  if (encoding === 'identity') return body;
  return compressWithBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: level } });
}

/** Flushed with every piece, so that the client has it. */
export function createEncoder(encoding: Exclude<Encoding, 'identity'>) {
  return encoding === 'gzip'
    ? createGzip({ level: FAST, flush: constants.Z_SYNC_FLUSH })
    : createBrotliCompress({
        params: { [constants.BROTLI_PARAM_QUALITY]: FAST },
        flush: constants.BROTLI_OPERATION_FLUSH,
      });
}

/**
 * What to send to a client that accepts `header`. Never a refusal: who takes neither an encoding nor the plain form gets
 * the plain form, as HTTP allows (RFC 9110, 12.5.3).
 */
export function chooseEncoding(header: string | undefined, isSmall: boolean): Encoding {
  if (header === undefined) return 'identity';
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...ENCODINGS]);
  if (isSmall && accepted.includes('identity')) return 'identity';
  return ENCODINGS.find((name) => name === accepted[0]) ?? 'identity';
}

/** Gives bytes in an encoding, each made when it is first asked for. */
export function shareEncodings(
  content: Buffer,
  effort: 'fast' | 'thorough' = 'fast',
): (encoding: Encoding) => Promise<Buffer> {
  const made = new Map<Encoding, () => Promise<Buffer>>();
  return (encoding) => {
    const encode = made.get(encoding) ?? once(() => encodeWhole(content, encoding, effort));
    made.set(encoding, encode);
    return encode();
  };
}

/** Keeps what was made; a failure is not kept. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
