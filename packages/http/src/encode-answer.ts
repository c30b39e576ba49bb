import { addAbortSignal, pipeline, Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { shareRun } from '@takt/run';
import Negotiator from 'negotiator';
import { type ApiAnswer, bodyOf, type Piece, type Pieces } from './answer.js';
import type { Connections } from './connections.js';
import type { Encoding, HttpContext, HttpMiddleware } from './http-request.js';

const ENCODINGS: readonly Encoding[] = ['br', 'gzip', 'identity'];

/** The lowest level: three quarters of the gain for a tenth of the time. */
const FAST = 1;
/** For what is compressed once and then kept: more would need tens of megabytes for a few kilobytes less. */
const THOROUGH = 5;

const compressWithGzip = promisify(gzip);
const compressWithBrotli = promisify<Buffer, { readonly params: Record<number, number> }, Buffer>(
  brotliCompress,
);

/** The whole body in this encoding; made in a thread of its own. */
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
 * The encoding for a client that accepts `header`. Never a refusal: a client that takes no encoding and not the plain form gets
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
  const make = (encoding: Encoding) =>
    shareRun(() => encodeWhole(content, encoding, effort), { keeps: true });
  const made = { br: make('br'), gzip: make('gzip'), identity: make('identity') };
  return (encoding) => made[encoding]();
}

/** Held by an encoder until the client has taken all of its stream. */
const ENCODER_BYTES = 500_000;

/** A workbook has xml in its type's name but is compressed already; an encoder for each who watches would cost too much. */
const COMPRESSIBLE = /^text\/(?!event-stream)|[/+](?:json|xml)\b|javascript/;

/** Sends the body in an encoding that the client takes, and counts what it holds in memory until it has been sent. */
export function encodeAnswer(aboveBytes: number, connections: Connections): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    const { body } = ctx;
    if (typeof body === 'string') ctx.body = Buffer.from(body);
    if (Buffer.isBuffer(ctx.body)) {
      await encodeBuffer(ctx, ctx.body, aboveBytes);
    } else if (body instanceof Readable) {
      encodeStream(ctx, body);
    }
    const { body: encoded } = ctx;
    // Shared bytes cost nobody anything.
    const own = Buffer.isBuffer(encoded) && ctx.state.shared === undefined ? encoded.length : 0;
    const streaming = encoded instanceof Readable && encoded !== body ? ENCODER_BYTES : 0;
    connections.hold(ctx.req, own + streaming + ctx.state.sourceBytes);
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
  // An error is told by the stream that failed, see send-answer.ts, and ends the other.
  ctx.body = pipeline(body, createEncoder(encoding), () => undefined);
}

const isCompressible = (ctx: HttpContext) => COMPRESSIBLE.test(ctx.response.get('Content-Type'));

/** Chooses, and says so in the headers. */
function prepare(ctx: HttpContext, isSmall: boolean): Encoding {
  if (!isCompressible(ctx)) return 'identity';
  ctx.vary('Accept-Encoding');
  const encoding = chooseEncoding(ctx.req.headers['accept-encoding']?.toString(), isSmall);
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding);
  return encoding;
}

/** An element of If-None-Match (RFC 9110); what is none, such as `w/"..."`, is passed by. */
const ENTITY_TAG = /(?<=^|,)[ \t]*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/g;

/**
 * Answers 304 where the client has what it asks for. Not Koa's `ctx.fresh`: there If-Modified-Since overrules
 * If-None-Match, and `Cache-Control: no-cache`, which is meant for caches, switches both off.
 */
export function notModified(): HttpMiddleware {
  return async (ctx, next) => {
    await next();
    if (ctx.status !== 200 || ctx.method === 'OPTIONS') return;
    const etag = ctx.response.get('ETag');
    if (!etag || !namesEntity(ctx.get('If-None-Match'), etag)) return;
    // As the 200 varies: a cache takes these headers over to the answer that it keeps.
    if (isCompressible(ctx)) ctx.vary('Accept-Encoding');
    ctx.status = 304;
    ctx.body = null;
  };
}

/** Weak comparison: `W/` makes no difference. */
function namesEntity(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch.trim() === '*') return true;
  const tag = etag.replace(/^W\//, '');
  return [...ifNoneMatch.matchAll(ENTITY_TAG)].some(([, opaque]) => opaque === tag);
}

/** Makes the first piece; rejects as that does. */
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

/** No piece is empty. */
async function* piecesOf(texts: Iterable<string>): AsyncGenerator<string, void, void> {
  for (const text of texts) if (text !== '') yield text;
}

export function isPieces(body: object): body is Pieces {
  return 'next' in body && 'end' in body;
}

/**
 * How long one stream may keep the event loop to itself: about a piece. A request of somebody else meets a handful of turns
 * on its way, and an export lasts a minute.
 */
const TURN_MS = 2;
/** Made ahead of the client. */
const AHEAD_BYTES = 65_536;

/**
 * The pieces as a stream, each made when the client has taken those before it but for the last few; its end, also an
 * early one, ends them.
 * @param onTaken told before each piece but the first that the client has taken what came before
 */
function streamOf(pieces: Pieces, onTaken: () => void): Readable {
  let turnEndsAt = performance.now() + TURN_MS;
  let isFirst = true;
  const next = async () => {
    if (!isFirst) onTaken();
    isFirst = false;
    // Pieces of rows that are there already would else follow each other without anybody getting a turn.
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
      // Its work may still wait for the database: nobody waits for that.
      void pieces.end();
      callback(error);
    },
  });
  return pieces.signal === undefined ? stream : addAbortSignal(pieces.signal, stream);
}

/**
 * Gives an answer to Koa. The body is made first: where making it throws, nothing of the answer is set yet.
 * A success is personal by its token and may be kept if it is asked for again each time (ETag), unless the answer or what
 * all answers are given says otherwise; an error is not kept.
 * @param onTaken told whenever the client has taken a part of an answer that is made as it is taken
 */
export async function sendAnswer(
  ctx: HttpContext,
  answer: ApiAnswer,
  onTaken: () => void = () => undefined,
): Promise<void> {
  const { status, headers, body } = answer;
  const isStreamed = answer.isStreamed && !Buffer.isBuffer(body) && !isPieces(body);
  const pieces = isStreamed ? await beginPieces(piecesOf(body)) : body;
  const made = isPieces(pieces) ? streamOf(pieces, onTaken) : bodyOf({ ...answer, body: pieces });
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
  ctx.state.sourceBytes = sizeOfPieces(body);
  // Where the stream is compressed, nobody else would hear of it: pipe() does not pass errors on.
  made.once('error', (error) => ctx.onerror(error));
}

/** Counts pieces that are made already; those to come hold nothing yet. */
function sizeOfPieces(pieces: ApiAnswer['body']): number {
  return Array.isArray(pieces) ? pieces.reduce((sum: number, piece: string) => sum + piece.length, 0) : 0;
}
