import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { ConcurrencyLimiter, type Leave, type Refusal } from '@takt/run';
import type { Body, BodyProblem, BodyRoute } from './answer.js';
import type { Connections } from './connections.js';
import { GrowingBuffer } from './growing-buffer.js';
import { type BasePath, hasCostlyBody, pathBelow, readRequestTarget } from './http-request.js';
import { SMALL_BODY_BYTES } from './limits.js';
import type { Serving } from './request-record.js';

interface BodiesOptions extends BasePath, Pick<Serving, 'limits' | 'connections' | 'addressOf'> {
  readonly routes: readonly BodyRoute[];
}

/**
 * The result of waiting for a body. `late`: the body has not arrived in time, and its route does not report that
 * itself. `full`: there was no room for the body. `scattered`: the chunks of the body are too small.
 */
type Arrival = 'arrived' | 'late' | NotTaken;
type NotTaken = 'full' | 'scattered';

/**
 * Reads the bodies of requests before the requests take a place, so a slow client delays only itself. If the routes
 * read the bodies, sixteen slow clients would take all places.
 */
export class Bodies {
  readonly #options: BodiesOptions;
  readonly #routes: ReadonlyMap<string, BodyRoute>;
  readonly #room: ConcurrencyLimiter;
  readonly #bodies = new WeakMap<IncomingMessage, Body>();
  /** The requests whose bodies have been read completely. */
  readonly #read = new WeakSet<IncomingMessage>();

  constructor(options: BodiesOptions) {
    this.#options = options;
    this.#routes = new Map(options.routes.map((route) => [route.path, route]));
    const { maxBodiesBytes } = options.limits;
    const largest = Math.max(0, ...options.routes.map(({ maxBytes }) => maxBytes));
    // The share of one address leaves room for the largest body, so that another address can always send a body.
    this.#room = new ConcurrencyLimiter({
      capacity: maxBodiesBytes,
      shares: { address: maxBodiesBytes - largest },
    });
  }

  /**
   * Resolves when the body has been read. Resolves at once if no route takes a body, and never if the connection closes
   * first.
   * @param untilMs the latest time at which starting the work is still useful, in the time of performance.now()
   */
  async read(request: IncomingMessage, response: ServerResponse, untilMs: () => number): Promise<Arrival> {
    const route = this.#routeOf(request);
    if (route === undefined) return 'arrived';
    const { connections, addressOf } = this.#options;
    const problem = problemOfHead(request.headers, route) ?? (await problemOfSender(request, route));
    const isPacked = GZIP.includes(encodingOf(request.headers));
    const roomUntilMs = untilMs();
    const enter = (size: number, untilMs: number, signal?: AbortSignal) =>
      this.#room.enter({ size, owners: { address: addressOf(request) }, untilMs, signal });
    const body = await readBody(request, response, {
      ...{ route, connections, problem },
      // A gzip body immediately takes room for the largest unpacked size, because it is unpacked in the same room.
      enterRoom: (size, signal) => enter(isPacked ? route.maxBytes : size, roomUntilMs, signal),
      arrivesUntilMs: route.arrivalMs === undefined ? roomUntilMs : performance.now() + route.arrivalMs,
    });
    if (body.problem === undefined || !body.isLeft) this.#read.add(request);
    if (body.problem !== undefined) return this.#keep(request, body.problem, route);
    if (route.arrivalMs !== undefined) connections.restartClock(request);
    // Node.js keeps a reference to the last request of a keep-alive connection, which would retain the body.
    whenClosed(response, () => this.#bodies.delete(request));
    const enterAgain = body.isInRoom ? undefined : () => enter(route.maxBytes, untilMs());
    const found = isPacked ? await unpack(body.bytes, response, route.maxBytes, enterAgain) : body;
    if (found.problem !== undefined) return this.#keep(request, found.problem, route);
    this.#bodies.set(request, { bytes: found.bytes });
    return 'arrived';
  }

  /** Returns the body of a request; undefined if no route takes the body. */
  bodyOf(request: IncomingMessage): Body | undefined {
    return this.#bodies.get(request);
  }

  /** Returns true if the route of the request takes bodies. */
  isFor(request: IncomingMessage): boolean {
    return this.#routeOf(request) !== undefined;
  }

  /**
   * Returns true if the connection must close, because the rest of the body is broken, or is too long to be read just
   * to keep the connection.
   */
  endsConnection(request: IncomingMessage): boolean {
    if (this.#read.has(request)) return false;
    const body = this.#bodies.get(request);
    const isBroken = body?.problem === 'late' || body?.problem === 'malformed';
    return isBroken || hasCostlyBody(request.headers, this.#options.limits.maxIgnoredBodyBytes);
  }

  #keep(request: IncomingMessage, problem: BodyProblem | NotTaken, { arrivalMs }: BodyRoute): Arrival {
    if (problem === 'full' || problem === 'scattered') return problem;
    this.#bodies.set(request, { problem });
    return problem === 'late' && arrivalMs === undefined ? 'late' : 'arrived';
  }

  #routeOf({ method, url = '' }: IncomingMessage): BodyRoute | undefined {
    if (method !== 'POST') return undefined;
    const path = pathBelow(this.#options, readRequestTarget(url).path);
    return path === undefined ? undefined : this.#routes.get(path);
  }
}

/** Asks the route if the sender may send a large body, and returns the problem if not. */
async function problemOfSender(request: IncomingMessage, route: BodyRoute): Promise<BodyProblem | undefined> {
  const { headers, url = '' } = request;
  if (route.mayBring === undefined) return undefined;
  if ((declaredBytes(headers) ?? route.maxBytes) <= SMALL_BODY_BYTES) return undefined;
  const { queryText } = readRequestTarget(url);
  const may = await route.mayBring({ headers, queryText }).catch(() => false);
  return may ? undefined : 'unread';
}

const GZIP: readonly string[] = ['gzip', 'x-gzip'];

function encodingOf({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): string {
  return encoding.trim().toLowerCase();
}

/** Finds a problem that can be seen from the headers alone. */
function problemOfHead(
  headers: IncomingHttpHeaders,
  { contentTypes, maxBytes }: BodyRoute,
): BodyProblem | undefined {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!contentTypes.includes(type)) return 'type';
  const encoding = encodingOf(headers);
  if (encoding !== '' && encoding !== 'identity' && !GZIP.includes(encoding)) return 'encoding';
  return (declaredBytes(headers) ?? 0) > maxBytes ? 'tooLarge' : undefined;
}

/**
 * Number of chunks whose size does not matter. If a body has more chunks, they must have at least LEAST_CHUNK_BYTES on
 * average, because parsing a chunk takes 1 µs.
 */
const FREE_CHUNKS = 256;
const LEAST_CHUNK_BYTES = 16;

/**
 * Returns true for a chunked body that has too many small chunks. In a body with Content-Length, the network determines
 * the pieces, so they do not count.
 */
function isScattered(bytes: number, chunks: number, declared: number | undefined): boolean {
  return declared === undefined && chunks > FREE_CHUNKS && bytes < chunks * LEAST_CHUNK_BYTES;
}

const expand = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(gunzip);

type Unpacked =
  | { readonly bytes: Buffer; readonly problem?: undefined }
  | { readonly problem: BodyProblem | 'full' };

/**
 * Unpacks a gzip body. Most bodies stay small and need no room. A sender may state any unpacked size, so the stated
 * size is not used: a body that turns out to be larger is unpacked a second time, in room for the largest body.
 * @param enterRoom takes room for the largest body; undefined if the memory of the body is counted already
 */
async function unpack(
  packed: Buffer,
  response: ServerResponse,
  maxBytes: number,
  enterRoom: (() => Promise<Leave | Refusal>) | undefined,
): Promise<Unpacked> {
  const isEnough = enterRoom === undefined || maxBytes <= SMALL_BODY_BYTES;
  const first = await tryToUnpack(packed, isEnough ? maxBytes : SMALL_BODY_BYTES);
  if (first.problem !== 'tooLarge' || isEnough) return first;
  const leave = await enterRoom();
  if (typeof leave === 'string') return { problem: 'full' };
  const second = await tryToUnpack(packed, maxBytes);
  if (second.problem === undefined) {
    whenClosed(response, leave);
  } else {
    leave();
  }
  return second;
}

async function tryToUnpack(packed: Buffer, maxOutputLength: number): Promise<Unpacked> {
  try {
    return { bytes: await expand(packed, { maxOutputLength }) };
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    return { problem: isTooLarge ? 'tooLarge' : 'undecodable' };
  }
}

/** The body as it was sent. `isInRoom` is true if its memory is counted in the room for bodies. */
type ReadBody =
  | { readonly bytes: Buffer; readonly isInRoom: boolean; readonly problem?: undefined }
  /** `isLeft` is true if a part of the body is unread. */
  | { readonly problem: BodyProblem | NotTaken; readonly isLeft: boolean };

interface ReadBodyOptions {
  readonly route: BodyRoute;
  readonly connections: Connections;
  /** Waits until there is room for this many bytes. */
  readonly enterRoom: (size: number, signal: AbortSignal) => Promise<Leave | Refusal>;
  /** Time until which the body must arrive, in the time of performance.now(). */
  readonly arrivesUntilMs: number;
  /** The reason why the body cannot be used; undefined if there is none so far. */
  readonly problem: BodyProblem | undefined;
}

/** Returns the size in Content-Length; undefined for a chunked body. */
function declaredBytes(headers: IncomingHttpHeaders): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}

/** Runs `call` after the answer was sent or the connection was closed. */
function whenClosed(response: ServerResponse, call: () => void): void {
  if (response.destroyed) {
    call();
  } else {
    response.once('close', call);
  }
}

const BROKEN = 'broken';
const broken = new WeakSet<IncomingMessage>();

/** Marks the body as broken, which means that the rest of the body will not arrive. */
export function breakBody(request: IncomingMessage): void {
  broken.add(request);
  request.emit(BROKEN);
}

/** Destroys a request that is read as it arrives, if the rest of its body will not arrive. */
export function destroyIfBroken(request: IncomingMessage): void {
  const end = () => void request.destroy(new Error('the client left before the end of the body'));
  if (broken.has(request)) end();
  request.once(BROKEN, end);
}

/**
 * Reads a body to its end. Never resolves if the connection closes first. A large body stays in the buffers of the
 * operating system until there is room. A body that will not be used is read and discarded if the route asks for that,
 * because many clients read no answer before they have sent everything.
 */
function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  options: ReadBodyOptions,
): Promise<ReadBody> {
  return new Promise((resolve) => takeBody(request, response, options, resolve));
}

function takeBody(
  request: IncomingMessage,
  response: ServerResponse,
  { route, connections, enterRoom, arrivesUntilMs, problem: earlyProblem }: ReadBodyOptions,
  done: (body: ReadBody) => void,
): void {
  const { maxBytes, maxIgnoredBytes = 0 } = route;
  const declared = declaredBytes(request.headers);
  // A client that sent Expect waits for an answer before it sends the body, so the body need not be read.
  const asksFirst = request.headers.expect !== undefined;
  const taken = new GrowingBuffer(Math.min(declared ?? maxBytes, maxBytes));
  /** Abort this to stop waiting for room. It is undefined while nothing waits. */
  let waiting: AbortController | undefined;
  let bytes = 0;
  let chunks = 0;
  let problem: BodyProblem | NotTaken | undefined = earlyProblem;
  let isInRoom = false;
  let hasStopped = false;

  const stop = () => {
    hasStopped = true;
    waiting?.abort();
    clearTimeout(timer);
    request.off('data', take).off('end', finish).off('close', stop).off(BROKEN, breakOff);
  };
  const finish = () => {
    stop();
    done(problem === undefined ? { bytes: taken.content(), isInRoom } : { problem, isLeft: false });
  };
  const leaveRest = (why: BodyProblem | NotTaken) => {
    stop();
    connections.want(request, true);
    // Without a listener the request stays paused and the rest would never be read. So reading must be resumed.
    request.resume();
    done({ problem: why, isLeft: true });
  };
  const breakOff = () => leaveRest('malformed');
  const fail = (why: BodyProblem | NotTaken) => {
    problem = why;
    taken.clear();
  };
  const take = (chunk: Buffer) => {
    bytes += chunk.length;
    chunks += 1;
    if (isScattered(bytes, chunks, declared)) {
      stop();
      connections.giveUp(request.socket);
      done({ problem: 'scattered', isLeft: true });
      return;
    }
    if (problem === undefined && bytes > maxBytes) fail('tooLarge');
    if (problem !== undefined) {
      if (bytes > maxIgnoredBytes) leaveRest(problem);
      return;
    }
    const grown = taken.append(chunk);
    if (isInRoom) return;
    connections.hold(request, grown);
    if (bytes > SMALL_BODY_BYTES && waiting === undefined) void waitForRoom(maxBytes);
  };
  const goOn = () => {
    if (problem !== undefined && (asksFirst || (declared ?? 0) > maxIgnoredBytes || maxIgnoredBytes === 0)) {
      leaveRest(problem);
      return;
    }
    if (asksFirst && bytes === 0) response.writeContinue();
    connections.want(request, true);
    request.off('data', take).on('data', take).resume();
  };
  const waitForRoom = async (size: number) => {
    // The 'data' listener stays while the body waits. Without it, Node.js would buffer each parsed piece.
    connections.want(request, false);
    waiting = new AbortController();
    const outcome = await enterRoom(size, waiting.signal);
    waiting = undefined;
    if (typeof outcome === 'string') {
      fail('full');
    } else {
      isInRoom = true;
      whenClosed(response, outcome);
    }
    if (!hasStopped) goOn();
  };
  const timer = setTimeout(() => leaveRest('late'), Math.max(0, arrivesUntilMs - performance.now()));
  request.on('end', finish).on('close', stop).on(BROKEN, breakOff);
  if (broken.has(request)) {
    breakOff();
  } else if (problem === undefined && (declared ?? 0) > SMALL_BODY_BYTES) {
    void waitForRoom(declared ?? maxBytes);
  } else {
    goOn();
  }
}
