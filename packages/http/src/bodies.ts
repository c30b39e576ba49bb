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
 * `late`: it has not come in time, and its route does not want to say so itself. `full`: there was no room for it.
 * `scattered`: it came in chunks that are too small.
 */
type Arrival = 'arrived' | 'late' | NotTaken;
type NotTaken = 'full' | 'scattered';

/**
 * Reads the bodies of requests whose routes take one, each to its end before the request may take a place in work: a
 * client that sends slowly holds up nobody but itself. Read by the route instead, sixteen such clients would have had all
 * the places.
 */
export class Bodies {
  readonly #options: BodiesOptions;
  readonly #routes: ReadonlyMap<string, BodyRoute>;
  readonly #room: ConcurrencyLimiter;
  readonly #bodies = new WeakMap<IncomingMessage, Body>();
  /** Nothing of theirs is left on the connection. */
  readonly #read = new WeakSet<IncomingMessage>();

  constructor(options: BodiesOptions) {
    this.#options = options;
    this.#routes = new Map(options.routes.map((route) => [route.path, route]));
    const { maxBodiesBytes } = options.limits;
    const largest = Math.max(0, ...options.routes.map(({ maxBytes }) => maxBytes));
    // The largest body of another address always finds room.
    this.#room = new ConcurrencyLimiter({
      capacity: maxBodiesBytes,
      shares: { address: maxBodiesBytes - largest },
    });
  }

  /**
   * Resolves once the body has been read, at once where no route takes one, and never if the connection ends before.
   * @param untilMs until when the work on it must have begun to be of use, in the time of performance.now()
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
      // It is unpacked in the same room, up to the most that it may hold.
      enterRoom: (size, signal) => enter(isPacked ? route.maxBytes : size, roomUntilMs, signal),
      arrivesUntilMs: route.arrivalMs === undefined ? roomUntilMs : performance.now() + route.arrivalMs,
    });
    if (body.problem === undefined || !body.isLeft) this.#read.add(request);
    if (body.problem !== undefined) return this.#keep(request, body.problem, route);
    if (route.arrivalMs !== undefined) connections.restartClock(request);
    // A kept connection keeps its last request, and would keep its body as well.
    whenClosed(response, () => this.#bodies.delete(request));
    const enterAgain = body.isInRoom ? undefined : () => enter(route.maxBytes, untilMs());
    const found = isPacked ? await unpack(body.bytes, response, route.maxBytes, enterAgain) : body;
    if (found.problem !== undefined) return this.#keep(request, found.problem, route);
    this.#bodies.set(request, { bytes: found.bytes });
    return 'arrived';
  }

  /** The body that a request brought to its route; undefined: no route takes it. */
  bodyOf(request: IncomingMessage): Body | undefined {
    return this.#bodies.get(request);
  }

  /** Does its route take bodies, whatever it brings? */
  isFor(request: IncomingMessage): boolean {
    return this.#routeOf(request) !== undefined;
  }

  /** Is more of a body left than is read to keep the connection? */
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

/** Asks the route whether its sender may bring a large one. */
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

/** The problem that shows before anything of the body has been read. */
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

/** A body in more than FREE_CHUNKS chunks is refused if they have fewer than LEAST_CHUNK_BYTES on average: each takes 1 µs to parse. */
const FREE_CHUNKS = 256;
const LEAST_CHUNK_BYTES = 16;

/** A body with Content-Length comes in the pieces that the network makes of it. */
function isScattered(bytes: number, chunks: number, declared: number | undefined): boolean {
  return declared === undefined && chunks > FREE_CHUNKS && bytes < chunks * LEAST_CHUNK_BYTES;
}

const expand = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(gunzip);

type Unpacked =
  | { readonly bytes: Buffer; readonly problem?: undefined }
  | { readonly problem: BodyProblem | 'full' };

/**
 * Unpacks a gzip body. Most are small and take no room; a larger one is expanded a second time, in room for the largest:
 * the size that a body states is whatever its sender wrote.
 * @param enterRoom takes room for the largest; undefined: what it takes up is counted already
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

/** As it was sent. `isInRoom`: what it takes up is counted. */
type ReadBody =
  | { readonly bytes: Buffer; readonly isInRoom: boolean; readonly problem?: undefined }
  /** `isLeft`: not all of it has been read. */
  | { readonly problem: BodyProblem | NotTaken; readonly isLeft: boolean };

interface ReadBodyOptions {
  readonly route: BodyRoute;
  readonly connections: Connections;
  /** Waits for room for so many bytes. */
  readonly enterRoom: (size: number, signal: AbortSignal) => Promise<Leave | Refusal>;
  /** Until when it is to have arrived, in the time of performance.now(). */
  readonly arrivesUntilMs: number;
  /** Why none of it will be used; undefined: nothing speaks against it so far. */
  readonly problem: BodyProblem | undefined;
}

/** Size of a body as its client says; undefined: it comes in chunks, and there is no saying. */
function declaredBytes(headers: IncomingHttpHeaders): number | undefined {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : undefined;
}

/** Calls once the answer has been handed over or the connection is gone. */
function whenClosed(response: ServerResponse, call: () => void): void {
  if (response.destroyed) {
    call();
  } else {
    response.once('close', call);
  }
}

const BROKEN = 'broken';
const broken = new WeakSet<IncomingMessage>();

/** The body of the request will not come to its end, whether it is being read yet or not. */
export function breakBody(request: IncomingMessage): void {
  broken.add(request);
  request.emit(BROKEN);
}

/**
 * Reads a body to its end; never resolves if the connection ends before. A large one waits for room before
 * it is read, and stays with the system until then. One that nobody will use is read and thrown away where the route says
 * so, for many clients read no answer before they have sent all.
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
  // A client at fault may not be reading, but one that asks first is: nothing of that body is needed.
  const asksFirst = request.headers.expect !== undefined;
  const taken = new GrowingBuffer(Math.min(declared ?? maxBytes, maxBytes));
  /** Takes the question for room back; absent while there is none. */
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
    // Without a listener and not flowing, what still comes would never be read to its end.
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
      // Nothing more of the connection is parsed.
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
    // The listener stays: Node.js would keep what has been parsed already in pieces.
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
