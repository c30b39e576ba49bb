import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { shareRun } from '@takt/run';
import Negotiator from 'negotiator';
import { type ApiAnswer, bodyOf, type Piece, type Pieces } from './answer.js';
import type { Encoding, HttpContext, HttpMiddleware } from './http-request.js';

const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];

/** The lowest compression level. It achieves three quarters of the gain in a tenth of the time. */
const FAST = 1;
/**
 * Compression level for documents that are compressed once and kept. Higher levels need tens of megabytes of memory to
 * save a few kilobytes.
 */
const THOROUGH = 5;

const compressWithGzip = promisify(gzip);
const compressWithBrotli = promisify<Buffer, { readonly params: Record<number, number> }, Buffer>(
  brotliCompress,
);

/** Returns the whole body in an encoding. The work is done in another thread. */
async function encodeWhole(
  body: Buffer,
  encoding: Encoding,
  effort: 'fast' | 'thorough' = 'fast',
): Promise<Buffer> {
  const level = effort === 'fast' ? FAST : THOROUGH;
  if (encoding === 'gzip') return compressWithGzip(body, { level });
  if (encoding === 'identity') return body;
  return compressWithBrotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: level } });
}

/** Creates an encoder that is flushed after each piece, so that the client receives the piece at once. */
export function createEncoder(encoding: Exclude<Encoding, 'identity'>) {
  return encoding === 'gzip'
    ? createGzip({ level: FAST, flush: constants.Z_SYNC_FLUSH })
    : createBrotliCompress({
        params: { [constants.BROTLI_PARAM_QUALITY]: FAST },
        flush: constants.BROTLI_OPERATION_FLUSH,
      });
}

/**
 * Chooses the encoding for an Accept-Encoding header. A client that accepts no encoding gets the plain body, as HTTP
 * allows (RFC 9110, 12.5.3).
 */
export function chooseEncoding(header: string | undefined, isSmall: boolean): Encoding {
  if (header === undefined) return 'identity';
  const accepted = new Negotiator({ headers: { 'accept-encoding': header } }).encodings([...ENCODINGS]);
  if (isSmall && accepted.includes('identity')) return 'identity';
  return ENCODINGS.find((name) => name === accepted[0]) ?? 'identity';
}

/** Returns a function for the bytes in an encoding. The bytes are made when an encoding is first requested. */
export function shareEncodings(
  content: Buffer,
  effort: 'fast' | 'thorough' = 'fast',
): (encoding: Encoding) => Promise<Buffer> {
  const make = (encoding: Encoding) =>
    shareRun(() => encodeWhole(content, encoding, effort), { keeps: true });
  const made = { br: make('br'), gzip: make('gzip'), identity: make('identity') };
  return (encoding) => made[encoding]();
}

/**
 * Matches media types worth compressing. It excludes workbooks, which have xml in their type but are already
 * compressed, and event streams, because an encoder for each watcher would cost too much.
 */
const COMPRESSIBLE = /^text\/(?!event-stream)|[/+](?:json|xml)\b|javascript/;

export function encodeAnswer(aboveBytes: number): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    const { body } = ctx;
    if (typeof body === 'string') ctx.body = Buffer.from(body);
    if (Buffer.isBuffer(ctx.body)) {
      await encodeBuffer(ctx, ctx.body, aboveBytes);
    } else if (body instanceof Readable) {
      encodeStream(ctx, body);
    }
  };
}

async function encodeBuffer(ctx: HttpContext, body: Buffer, aboveBytes: number): Promise<void> {
  const encoding = prepare(ctx, body.length < aboveBytes);
  if (encoding === 'identity') return;
  ctx.body = await (ctx.state.shared?.(encoding) ?? encodeWhole(body, encoding));
}

function encodeStream(ctx: HttpContext, body: Readable): void {
  const encoding = prepare(ctx, false);
  if (encoding === 'identity' || ctx.method === 'HEAD') return;
  // sendAnswer reports an error of either stream; pipeline destroys the other stream.
  ctx.body = pipeline(body, createEncoder(encoding), () => undefined);
}

const isCompressible = (ctx: HttpContext) => COMPRESSIBLE.test(ctx.response.get('Content-Type'));

function prepare(ctx: HttpContext, isSmall: boolean): Encoding {
  if (!isCompressible(ctx)) return 'identity';
  ctx.vary('Accept-Encoding');
  const encoding = chooseEncoding(ctx.req.headers['accept-encoding']?.toString(), isSmall);
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  return encoding;
}

/** Matches an element of If-None-Match (RFC 9110). Malformed elements, such as `w/"..."`, are skipped. */
const ENTITY_TAG = /(?<=^|,)[ \t]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/g;

/**
 * Answers 304 if the client has the current version. Koa's `ctx.fresh` is unsuitable for two reasons: its
 * If-Modified-Since overrules If-None-Match, and `Cache-Control: no-cache`, which is meant for caches, disables both.
 */
export function notModified(): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    if (ctx.status !== 200 || ctx.method === 'OPTIONS') return;
    const etag = ctx.response.get('ETag');
    if (!etag || !namesEntity(ctx.get('If-None-Match'), etag)) return;
    // A 304 has the same Vary as the 200, because a cache merges these headers into the answer that it has stored.
    if (isCompressible(ctx)) ctx.vary('Accept-Encoding');
    ctx.status = 304;
    ctx.body = null;
  };
}

/** Matches what a proxy that compresses adds to an entity tag: Apache adds -gzip or -br, Jetty --gzip. */
const OF_PROXY = /-?-(?:gzip|br|zstd|deflate)"$/;

/** The comparison is weak, which means that it ignores `W/`. */
function namesEntity(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const tag = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(ENTITY_TAG)].some(([, opaque]) => opaque?.replace(OF_PROXY, '"') === tag);
}

/** Makes the first piece of a body. Rejects if that fails. */
export async function beginPieces(source: AsyncGenerator<Piece, void, void>): Promise<Pieces> {
  let first: IteratorResult<Piece, void> | undefined = await source.next();
  return {
    next: async () => {
      const result = first ?? (await source.next());
      first = undefined;
      return result.done === true ? undefined : result.value;
    },
    end: () =>
      source.return().then(
        () => undefined,
        () => undefined,
      ),
  };
}

async function* piecesOf(texts: Iterable<string>): AsyncGenerator<string, void, void> {
  for (const text of texts) if (text !== '') yield text;
}

export function isPieces(body: object): body is Pieces {
  return 'next' in body && 'end' in body;
}

/**
 * Maximum time in milliseconds for which one stream may block the event loop; about one piece is made in it. The time
 * is short because each request waits for a handful of such turns, while an export lasts a minute.
 */
const TURN_MS = 2;
/** Number of bytes that are made before the client reads them. */
const AHEAD_BYTES = 65_536;

/**
 * Returns the pieces as a stream. A piece is made when the client has received all but the last few earlier pieces.
 * When the stream ends, even early, the production of the pieces ends as well.
 */
function streamOf(pieces: Pieces): Readable {
  let turnEndsAt = performance.now() + TURN_MS;
  const next = async () => {
    // Pieces made of rows that have already been read would otherwise follow each other without letting other work run.
    if (performance.now() > turnEndsAt) {
      await setImmediate();
      turnEndsAt = performance.now() + TURN_MS;
    }
    return pieces.next();
  };
  const stream = new Readable({
    highWaterMark: AHEAD_BYTES,
    read() {
      next().then(
        (piece) => this.push(piece ?? null),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      // The end is not awaited, because it may wait for the database.
      void pieces.end();
      callback(error);
    },
  });
  return pieces.signal === undefined ? stream : addAbortSignal(pieces.signal, stream);
}

/**
 * Sends an answer through Koa. The body is made first; if making it throws, no part of the answer has been set.
 * Successful answers are private to the token and may be cached with revalidation (ETag), unless the answer or the
 * headers of the service say otherwise. Errors are not cached.
 */
export async function sendAnswer(ctx: HttpContext, answer: ApiAnswer): Promise<void> {
  const { status, headers, body } = answer;
  const isStreamed = answer.isStreamed && !Buffer.isBuffer(body) && !isPieces(body);
  const pieces = isStreamed ? await beginPieces(piecesOf(body)) : body;
  const made = isPieces(pieces) ? streamOf(pieces) : bodyOf({ ...answer, body: pieces });
  if (!ctx.res.hasHeader('Cache-Control')) {
    ctx.set('Cache-Control', status === 200 ? 'private, no-cache' : 'no-store');
  }
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() === 'vary') {
      ctx.vary(value);
    } else {
      ctx.set(name, value);
    }
  }
  ctx.status = status;
  ctx.body = made;
  if (Buffer.isBuffer(made)) return;
  // pipe() does not pass errors on, so a compressed stream would hide the errors of its source.
  made.once('error', (error) => ctx.onerror(error));
  // A client that has left would not end a stream that begins now.
  if (ctx.res.destroyed) made.destroy();
}
