import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createTurnstile, type Turnstile } from '@takt/runtime';
import type { Body, BodyFault, BodyRoute } from './answer.js';
import type { Connections } from './connections.js';
import { decodeBody } from './decode-body.js';
import { type BasePath, hasCostlyBody, pathBelow, readRequestTarget } from './http-request.js';
import { type HttpLimits, SMALL_BODY_BYTES } from './limits.js';
import { declaredBytes, readBody } from './read-body.js';

export interface BodiesOptions extends BasePath {
  readonly routes: readonly BodyRoute[];
  readonly limits: Pick<HttpLimits, 'maxBodiesBytes' | 'maxIgnoredBodyBytes'>;
  readonly connections: Connections;
  /** Remote address of the client. */
  readonly addressOf: (request: IncomingMessage) => string;
}

export interface Waiting {
  /** Until when the work on it must have begun to be of use, in the time of performance.now(). */
  readonly untilMs: () => number;
  /** Tells a client that asks first to go on. */
  readonly goOn: () => void;
}

/** `late`: it has not come in time, and its route does not want to say so itself. `full`: there was no room for it. */
export type Arrival = 'arrived' | 'late' | 'full';

/**
 * Reads the bodies of requests whose routes take one, each to its end before the request may take a place in work: a
 * client that sends slowly holds up nobody but itself. Read by the route instead, sixteen such clients would have had all
 * the places.
 */
export class Bodies {
  readonly #options: BodiesOptions;
  readonly #routes: ReadonlyMap<string, BodyRoute>;
  readonly #room: Turnstile;
  readonly #bodies = new WeakMap<IncomingMessage, Body>();
  /** Of these nothing is left on the connection. */
  readonly #read = new WeakSet<IncomingMessage>();

  constructor(options: BodiesOptions) {
    this.#options = options;
    this.#routes = new Map(options.routes.map((route) => [route.path, route]));
    const { maxBodiesBytes } = options.limits;
    const largest = Math.max(0, ...options.routes.map(({ maxBytes }) => maxBytes));
    // The largest body of another address always finds room.
    this.#room = createTurnstile({ capacity: maxBodiesBytes, shares: { address: maxBodiesBytes - largest } });
  }

  /** Resolves once the body has been read, at once where no route takes one, and never if the connection ends before. */
  async read(request: IncomingMessage, { untilMs, goOn }: Waiting): Promise<Arrival> {
    const route = this.#routeOf(request);
    if (route === undefined) return 'arrived';
    const { connections, addressOf } = this.#options;
    const fault = faultOfHead(request.headers, route) ?? (await faultOfSender(request, route));
    const isPacked = isEncoded(request.headers);
    const owners = { address: addressOf(request) };
    const roomUntilMs = untilMs();
    const body = await readBody(request, {
      ...{ route, connections, room: this.#room, owners, roomUntilMs, fault, goOn },
      // It is unpacked in the same room, up to the most that it may hold.
      roomBytes: isPacked ? route.maxBytes : undefined,
      arrivesUntilMs: route.arrivalMs === undefined ? roomUntilMs : performance.now() + route.arrivalMs,
    });
    if (!('fault' in body && body.isLeft)) this.#read.add(request);
    if ('fault' in body) return this.#keep(request, body.fault, route);
    if (route.arrivalMs !== undefined) connections.restartClock(request);
    // A kept connection keeps its last request, and would keep its body as well.
    connections.whenEnded(request, () => this.#bodies.delete(request));
    if (!isPacked) {
      this.#bodies.set(request, body);
      return 'arrived';
    }
    const size = route.maxBytes;
    const enter = () => this.#room.enter({ size, owners, untilMs: untilMs() });
    const decoded = await decodeBody(body.bytes, size, body.isInRoom ? undefined : enter);
    if ('fault' in decoded) return this.#keep(request, decoded.fault, route);
    connections.whenEnded(request, decoded.leave);
    this.#bodies.set(request, decoded);
    return 'arrived';
  }

  /** What a request brought to its route; undefined: no route takes it. */
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
    const isBroken = body?.fault === 'late' || body?.fault === 'malformed';
    return isBroken || hasCostlyBody(request.headers, this.#options.limits.maxIgnoredBodyBytes);
  }

  #keep(request: IncomingMessage, fault: BodyFault | 'full', { arrivalMs }: BodyRoute): Arrival {
    if (fault === 'full') return 'full';
    this.#bodies.set(request, { fault });
    return fault === 'late' && arrivalMs === undefined ? 'late' : 'arrived';
  }

  #routeOf({ method, url = '' }: IncomingMessage): BodyRoute | undefined {
    if (method !== 'POST') return undefined;
    const path = pathBelow(this.#options, readRequestTarget(url).path);
    return path === undefined ? undefined : this.#routes.get(path);
  }
}

/** Asks the route whether its sender may bring a large one. */
async function faultOfSender(request: IncomingMessage, route: BodyRoute): Promise<BodyFault | undefined> {
  const { headers, url = '' } = request;
  if (route.mayBring === undefined) return undefined;
  if ((declaredBytes(headers) ?? route.maxBytes) <= SMALL_BODY_BYTES) return undefined;
  const { queryText } = readRequestTarget(url);
  const may = await route.mayBring({ headers, queryText }).catch(() => false);
  return may ? undefined : 'unread';
}

const GZIP: readonly string[] = ['gzip', 'x-gzip'];

function isEncoded(headers: IncomingHttpHeaders): boolean {
  return GZIP.includes(encodingOf(headers));
}

function encodingOf({ 'content-encoding': encoding = '' }: IncomingHttpHeaders): string {
  return encoding.trim().toLowerCase();
}

/** What is wrong before anything of the body has been read. */
function faultOfHead(
  headers: IncomingHttpHeaders,
  { contentTypes, maxBytes }: BodyRoute,
): BodyFault | undefined {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!contentTypes.includes(type)) return 'type';
  const encoding = encodingOf(headers);
  if (encoding !== '' && encoding !== 'identity' && !GZIP.includes(encoding)) return 'encoding';
  return (declaredBytes(headers) ?? 0) > maxBytes ? 'tooLarge' : undefined;
}
