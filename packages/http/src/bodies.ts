import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Body, BodyFault, BodyRoute } from './answer.js';
import { type ByteRoom, createByteRoom } from './byte-room.js';
import type { Connections } from './connections.js';
import { decodeBody } from './decode-body.js';
import { hasCostlyBody, pathBelow, readRequestTarget } from './http-request.js';
import { type HttpLimits, SMALL_BODY_BYTES } from './limits.js';
import { declaredBytes, type ReadBody, readBody } from './read-body.js';

export interface BodiesOptions {
  readonly basePath: string;
  readonly routes: readonly BodyRoute[];
  readonly limits: Pick<HttpLimits, 'maxBodiesBytes' | 'maxIgnoredBodyBytes'>;
  readonly connections: Connections;
}

export interface BodyCalls {
  /** Until when the work on it must have begun to be of use, in the time of performance.now(). */
  readonly untilMs: () => number;
  readonly arrived: () => void;
  /** It has not come in time, and its route does not want to say so itself. */
  readonly late: () => void;
  /** There was no room for it. */
  readonly full: () => void;
}

/**
 * Reads the bodies of requests whose routes take one, each to its end before the request may take a place in work: a
 * client that sends slowly holds up nobody but itself. Read by the route instead, sixteen such clients would have had all
 * the places.
 */
export class Bodies {
  readonly #options: BodiesOptions;
  readonly #routes: ReadonlyMap<string, BodyRoute>;
  readonly #room: ByteRoom;
  readonly #bodies = new WeakMap<IncomingMessage, Body>();
  /** Of these nothing is left on the connection. */
  readonly #read = new WeakSet<IncomingMessage>();

  constructor(options: BodiesOptions) {
    this.#options = options;
    this.#routes = new Map(options.routes.map((route) => [route.path, route]));
    this.#room = createByteRoom(options.limits.maxBodiesBytes);
  }

  /**
   * Calls `arrived` once the body has been read, or at once where no route takes one. Calls nothing if the connection ends
   * before.
   */
  read(request: IncomingMessage, response: ServerResponse, calls: BodyCalls): void {
    const route = this.#routeOf(request);
    if (route === undefined) {
      calls.arrived();
      return;
    }
    const fault = faultOfHead(request.headers, route);
    const begin = (found: BodyFault | undefined) =>
      this.#begin(request, response, { ...calls, route, fault: found });
    const isLarge = (declaredBytes(request.headers) ?? route.maxBytes) > SMALL_BODY_BYTES;
    if (fault !== undefined || route.mayBring === undefined || !isLarge) {
      begin(fault);
      return;
    }
    const { queryText } = readRequestTarget(request.url ?? '');
    const may = route.mayBring({ headers: request.headers, queryText }).catch(() => false);
    void may.then((isPermitted) => begin(isPermitted ? undefined : 'unread'));
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
  #begin(request: IncomingMessage, response: ServerResponse, reading: Reading): void {
    const { route, fault } = reading;
    const { connections } = this.#options;
    // It is unpacked in the same room, up to the most that it may hold.
    const roomBytes = isEncoded(request.headers) ? route.maxBytes : undefined;
    const roomUntilMs = reading.untilMs();
    const arrivesUntilMs = route.arrivalMs === undefined ? roomUntilMs : performance.now() + route.arrivalMs;
    readBody(
      request,
      response,
      { route, connections, room: this.#room, roomBytes, roomUntilMs, arrivesUntilMs, fault },
      (body) => this.#take(request, response, body, reading),
    );
  }

  #take(request: IncomingMessage, response: ServerResponse, body: ReadBody, reading: Reading): void {
    const { route, arrived, late } = reading;
    const { connections } = this.#options;
    if ('fault' in body) {
      if (!body.isLeft) this.#read.add(request);
      this.#keep(request, body.fault, { ...reading, late: route.arrivalMs === undefined ? late : arrived });
      return;
    }
    this.#read.add(request);
    if (route.arrivalMs !== undefined) connections.restartClock(request);
    // A kept connection keeps its last request, and would keep its body as well.
    connections.whenEnded(request, response, () => this.#bodies.delete(request));
    if (!isEncoded(request.headers)) {
      this.#bodies.set(request, body);
      arrived();
      return;
    }
    const room = body.isInRoom ? undefined : this.#room;
    void decodeBody(body.bytes, { maxBytes: route.maxBytes, room, untilMs: reading.untilMs() }).then(
      (decoded) => {
        if ('fault' in decoded) {
          this.#keep(request, decoded.fault, reading);
          return;
        }
        connections.whenEnded(request, response, decoded.leave);
        this.#bodies.set(request, decoded);
        arrived();
      },
    );
  }

  #keep(request: IncomingMessage, fault: BodyFault | 'full', { arrived, late, full }: BodyCalls): void {
    if (fault === 'full') {
      full();
      return;
    }
    this.#bodies.set(request, { fault });
    if (fault === 'late') {
      late();
    } else {
      arrived();
    }
  }

  #routeOf({ method, url = '' }: IncomingMessage): BodyRoute | undefined {
    if (method !== 'POST') return undefined;
    const path = pathBelow(this.#options.basePath, readRequestTarget(url).path);
    return path === undefined ? undefined : this.#routes.get(path);
  }
}

/** One body that is being read. */
interface Reading extends BodyCalls {
  readonly route: BodyRoute;
  readonly fault: BodyFault | undefined;
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
