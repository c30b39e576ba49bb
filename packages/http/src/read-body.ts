import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createGunzip } from 'node:zlib';
import { ServiceError } from '@takt/catalogue/errors';
import { ConcurrencyLimiter, type Leave, withDeadline } from '@takt/run';
import type { Body, BodyProblem, BodyRoute } from './answer.js';
import type { HttpContext } from './http-request.js';
import type { HttpLimits } from './limits.js';
import { clientOf } from './places.js';

/** Maximum size in bytes of a small body, which needs no room. */
const SMALL_BODY_BYTES = 65_536;

/** Leaving the loop over a request early must not destroy the request, because its answer needs the connection. */
const KEEP_OPEN = { destroyOnReturn: false };

/** Reads the body of a request for a route. Throws overloaded if there is no room for a large body in time. */
export type ReadBody = (ctx: HttpContext, route: BodyRoute) => Promise<Body>;

/**
 * Creates the function that reads bodies. A body is read before its request takes a place, so that a slow client delays
 * only itself. A body above 64 KB is read on once its sender may send it and there is room, and keeps that room until the
 * answer is sent.
 */
export function createBodyReader(
  routes: readonly BodyRoute[],
  { maxBodiesBytes, answerDeadlineMs }: Pick<HttpLimits, 'maxBodiesBytes' | 'answerDeadlineMs'>,
): ReadBody {
  const largest = Math.max(0, ...routes.map(({ maxBytes }) => maxBytes));
  // The share of one client leaves room for the largest body of another.
  const room = new ConcurrencyLimiter({
    capacity: maxBodiesBytes,
    shares: { client: maxBodiesBytes - largest },
  });
  const read: ReadBody = async ({ req, res, state }, route) => {
    const { headers } = req;
    checkHead(headers, route);
    const isPacked = GZIP.includes(encodingOf(headers));
    const declared = declaredBytes(headers);
    let isInRoom = false;
    const enterRoom = async () => {
      if (isInRoom) return;
      isInRoom = true;
      const may = route.authorizeBody?.(state.request).catch(() => false) ?? Promise.resolve(true);
      if (!(await withDeadline(may, answerDeadlineMs, () => false))) throw new BodyError('unread');
      const size = isPacked ? route.maxBytes : (declared ?? route.maxBytes);
      const untilMs = performance.now() + answerDeadlineMs;
      const leave = await room.enter({ size, owners: { client: clientOf(state.request) }, untilMs });
      if (typeof leave === 'string') throw new ServiceError('overloaded');
      keepUntilSent(leave, res);
    };
    if ((declared ?? 0) > SMALL_BODY_BYTES) await unlessBroken(req, enterRoom());
    if (state.awaitsContinue) res.writeContinue();
    state.awaitsContinue = false;
    const bytes = await withDeadline(
      collect(isPacked ? unpack(req) : req.iterator(KEEP_OPEN), route.maxBytes, enterRoom),
      route.arrivalMs ?? answerDeadlineMs,
      () => {
        throw new BodyError('late');
      },
    );
    return { bytes };
  };
  return (ctx, route) =>
    read(ctx, route).catch((error: unknown) => {
      if (error instanceof BodyError) return { problem: error.problem };
      throw error;
    });
}

/** Gives room back once the answer was sent, or the connection closed. */
function keepUntilSent(leave: Leave, response: ServerResponse): void {
  if (response.destroyed) leave();
  response.once('close', leave);
}

/** Resolves with the promise, unless the rest of the body will not arrive. Nobody else reads the request meanwhile. */
async function unlessBroken(request: IncomingMessage, promise: Promise<void>): Promise<void> {
  let isBroken = false;
  const note = () => {
    isBroken = true;
  };
  request.once('error', note);
  await promise.finally(() => request.off('error', note));
  if (isBroken || request.destroyed) throw new BodyError('malformed');
}

class BodyError extends Error {
  readonly problem: BodyProblem;

  constructor(problem: BodyProblem) {
    super(problem);
    this.problem = problem;
  }
}

const GZIP: readonly string[] = ['gzip', 'x-gzip'];

function encodingOf({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): string {
  return encoding.trim().toLowerCase();
}

/** Returns the size in Content-Length; undefined for a chunked body. */
function declaredBytes(headers: IncomingHttpHeaders): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}

/** Throws if the headers alone show that the body cannot be used. */
function checkHead(headers: IncomingHttpHeaders, { contentTypes, maxBytes }: BodyRoute): void {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!contentTypes.includes(type)) throw new BodyError('type');
  const encoding = encodingOf(headers);
  if (encoding !== '' && encoding !== 'identity' && !GZIP.includes(encoding)) throw new BodyError('encoding');
  if ((declaredBytes(headers) ?? 0) > maxBytes) throw new BodyError('tooLarge');
}

/** Returns the unpacked bytes of a request. Unlike with pipeline(), the request can still be answered after an error. */
async function* unpack(request: IncomingMessage): AsyncGenerator<Buffer> {
  const unpacked = request.pipe(createGunzip());
  let isBroken = false;
  request.once('error', (error) => {
    isBroken = true;
    unpacked.destroy(error);
  });
  try {
    yield* unpacked;
  } catch {
    throw new BodyError(isBroken ? 'malformed' : 'undecodable');
  } finally {
    request.unpipe(unpacked);
    unpacked.destroy();
  }
}

/**
 * Collects the bytes of a body. raw-body does not serve here: it reads a large body before its sender is known and there
 * is room.
 */
async function collect(
  pieces: AsyncIterable<Buffer>,
  maxBytes: number,
  beforeLarge: () => Promise<void>,
): Promise<Buffer> {
  const collected: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      if (bytes > maxBytes) throw new BodyError('tooLarge');
      collected.push(piece);
      if (bytes > SMALL_BODY_BYTES) await beforeLarge();
    }
  } catch (error) {
    const isOurs = error instanceof BodyError || error instanceof ServiceError;
    throw isOurs ? error : new BodyError('malformed');
  }
  return Buffer.concat(collected, bytes);
}

/** Maximum time for which the rest of a body that nobody wants is read. */
const DROP_MS = 1_000;

/**
 * Reads and drops what is left of a body, because many clients read no answer before they have sent everything. Resolves
 * at the end of the body, or after a second.
 */
export async function dropRest(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return;
  const ended = new Promise<void>((resolve) => {
    request.once('end', resolve).once('close', resolve);
  });
  request.resume();
  await withDeadline(ended, DROP_MS, () => undefined);
}
