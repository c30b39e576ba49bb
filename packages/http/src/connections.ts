import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from './limits.js';
import { RequestFeed } from './request-feed.js';
import type { Slices } from './slices.js';

/** Why a connection was ended although its client did nothing wrong by HTTP. */
export const shedReasons = ['connections', 'address', 'bytes'] as const;
export type ShedReason = (typeof shedReasons)[number];

interface Waiting {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: () => void;
}

interface OpenAnswer {
  readonly calls: (() => void)[];
  /** What is in memory for it. */
  bytes: number;
}

/** A body that is being read. */
export interface AwaitedBody {
  /** So many bytes more belong to it for certain; 0: there is no saying. */
  readonly left: () => number;
  /** It will not come to its end. */
  readonly broken: () => void;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** In the order of the requests, as those behind them. */
  readonly open: Map<ServerResponse, OpenAnswer>;
  readonly waiting: Waiting[];
  readonly feed: RequestFeed;
  newestRequest: IncomingMessage | undefined;
  /** The request in work whose body is being read. */
  bodyOf: IncomingMessage | undefined;
  body: AwaitedBody | undefined;
  /** The newest request will not come to its end. */
  isBroken: boolean;
  afterLast: (() => void) | undefined;
  heldBytes: number;
  /** When it began to hold what it holds. */
  heldSinceMs: number;
  /** When the first byte of the next request came. */
  firstByteAtMs: number | undefined;
}

/** About what Node keeps for a request and its answer before anything has been done with them. */
const REQUEST_BYTES = 8_192;
/** What a connection holds counts for this time at least: many bytes in an instant weigh more than a few that wait. */
const LEAST_HELD_MS = 100;

/**
 * All connections, their answers under way, and what they may hold. Three bounds keep the memory flat whatever clients do:
 *
 * - Of a connection that pipelines, a few requests are in work; nothing more is read until they have been answered.
 * - What answers that nobody takes have in memory is counted over all connections. Over the bound, the connection that
 *   costs most (bytes times the time it has held them) is destroyed: never a client that takes what it asked for.
 * - A connection over their number is taken, and the one that has done nothing for longest ends instead: who holds idle
 *   connections shuts nobody out, and a probe always gets in. The same within one remote address.
 *
 * Refusing new connections instead would let the first 2,000 shut everybody out.
 */
export class Connections {
  /** The one that has done nothing for longest comes first. */
  readonly #connections = new Map<Socket, Connection>();
  readonly #perAddress = new Map<string, number>();
  readonly #arrivals = new WeakMap<IncomingMessage, number>();
  readonly #limits: HttpLimits;
  readonly #slices: Slices;
  readonly #onShed: (reason: ShedReason) => void;
  /** Those of which something is to be read or begun. */
  readonly #due = new Set<Connection>();
  #isReading = false;
  #count = 0;
  #heldBytes = 0;
  #drained: (() => void)[] = [];

  constructor(limits: HttpLimits, slices: Slices, onShed: (reason: ShedReason) => void) {
    this.#limits = limits;
    this.#slices = slices;
    this.#onShed = onShed;
  }

  /** To be called with every new connection. */
  connect(socket: Socket): void {
    this.#slices.accept();
    const address = socket.remoteAddress ?? '';
    const connection: Connection = {
      socket,
      address,
      open: new Map(),
      waiting: [],
      feed: new RequestFeed(socket, {
        room: () => roomOf(connection),
        onBytes: () => {
          // Behind its own requests a client waits for itself.
          if (isIdle(connection)) connection.firstByteAtMs ??= performance.now();
          this.#readLater(connection);
        },
        onHeld: (bytes) => this.#hold(connection, bytes),
      }),
      newestRequest: undefined,
      bodyOf: undefined,
      body: undefined,
      isBroken: false,
      afterLast: undefined,
      heldBytes: 0,
      heldSinceMs: 0,
      firstByteAtMs: undefined,
    };
    this.#connections.set(socket, connection);
    const ofAddress = (this.#perAddress.get(address) ?? 0) + 1;
    this.#perAddress.set(address, ofAddress);
    socket.once('close', () => this.#forget(connection));
    if (ofAddress > this.#limits.maxConnectionsPerAddress) this.#makeRoom('address', address);
    if (this.#connections.size > this.#limits.maxConnections) this.#makeRoom('connections');
  }

  /** To be called with every request; calls `start` when it is its turn, never if the connection ends before. */
  begin(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    const { open, waiting } = connection;
    connection.newestRequest = request;
    this.#count += 1;
    this.#hold(connection, REQUEST_BYTES);
    if (open.size < this.#limits.maxOpenPerConnection && waiting.length === 0) {
      this.#start(connection, { request, response, start });
      return;
    }
    waiting.push({ request, response, start });
  }

  /** Has the body of a request in work read, which else stays with the system until there is an answer. */
  takeBody(request: IncomingMessage, body: AwaitedBody): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    connection.bodyOf = request;
    connection.body = body;
    if (connection.isBroken && connection.newestRequest === request) body.broken();
    this.#readLater(connection);
  }

  /** What is left of the body stays with the system again. */
  leaveBody({ socket }: IncomingMessage): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.bodyOf = undefined;
    connection.body = undefined;
  }

  /** The newest request of the connection will not come to its end, whether its body is being read yet or not. */
  breakBody(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.isBroken = true;
    if (connection.bodyOf === connection.newestRequest) connection.body?.broken();
  }

  /** The time of the request begins now, as if its first byte had just come. */
  restartClock(request: IncomingMessage): void {
    this.#arrivals.set(request, performance.now());
  }

  /** When the first byte of the request had come, in the time of performance.now(). */
  arrivedAtMs(request: IncomingMessage): number {
    return this.#arrivals.get(request) ?? performance.now();
  }

  /** Counts bytes that are in memory until the answer has been handed over. */
  hold({ socket }: IncomingMessage, response: ServerResponse, bytes: number): void {
    const connection = this.#connections.get(socket);
    const answer = connection?.open.get(response);
    if (connection === undefined || answer === undefined) return;
    answer.bytes += bytes;
    this.#hold(connection, bytes);
  }

  /** To be called when a client has taken a part of a long answer: it is neither idle nor stalled. */
  progress({ socket }: IncomingMessage): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.heldSinceMs = performance.now();
    this.#touch(connection);
  }

  /** Calls once the answer has been handed over or the connection is gone. */
  whenEnded({ socket }: IncomingMessage, response: ServerResponse, call: () => void): void {
    const answer = this.#connections.get(socket)?.open.get(response);
    if (answer === undefined) {
      call();
    } else {
      answer.calls.push(call);
    }
  }

  /** Calls once the connection has no answer under way; never if it closes before. */
  whenIdle(socket: Socket, call: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined || isIdle(connection)) {
      call();
    } else {
      connection.afterLast = call;
    }
  }

  /** Nothing more of this connection is a request. */
  giveUp(socket: Socket): void {
    this.#connections.get(socket)?.feed.stop();
  }

  /** Has the newest request of the connection not arrived completely yet? */
  isInsideRequest(socket: Socket): boolean {
    return this.#connections.get(socket)?.newestRequest?.complete === false;
  }

  /** Resolves when no answer is under way. */
  drained(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => this.#drained.push(resolve));
  }

  destroyAll(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  #start(connection: Connection, { request, response, start }: Waiting): void {
    connection.open.set(response, { calls: [], bytes: REQUEST_BYTES });
    response.once('close', () => this.#end(connection, response));
    this.#arrivals.set(request, connection.firstByteAtMs ?? performance.now());
    connection.firstByteAtMs = undefined;
    this.#touch(connection);
    start();
  }

  #hold(connection: Connection, bytes: number): void {
    if (!this.#connections.has(connection.socket)) return;
    if (connection.heldBytes === 0) connection.heldSinceMs = performance.now();
    connection.heldBytes += bytes;
    this.#heldBytes += bytes;
    while (this.#heldBytes > this.#limits.maxHeldBytes) {
      const costliest = this.#findCostliest();
      if (costliest === undefined) return;
      this.#shed(costliest, 'bytes');
    }
  }

  #findCostliest(): Connection | undefined {
    const nowMs = performance.now();
    let costliest: Connection | undefined;
    let highest = 0;
    for (const connection of this.#connections.values()) {
      const cost = connection.heldBytes * (nowMs - connection.heldSinceMs + LEAST_HELD_MS);
      if (cost <= highest) continue;
      costliest = connection;
      highest = cost;
    }
    return costliest;
  }

  /** Ends the connection that has done nothing for longest; one whose request is in work is not among them. */
  #makeRoom(reason: ShedReason, address?: string): void {
    for (const connection of this.#connections.values()) {
      if (address !== undefined && connection.address !== address) continue;
      const [first] = connection.open.keys();
      // Where the first answer is made, it waits for the client, and what is behind it too; so does one without its body.
      if (first !== undefined && !first.headersSent && !waitsForBody(connection)) continue;
      this.#shed(connection, reason);
      return;
    }
  }

  #shed(connection: Connection, reason: ShedReason): void {
    connection.socket.destroy();
    this.#forget(connection);
    this.#onShed(reason);
  }

  #forget(connection: Connection): void {
    if (!this.#connections.delete(connection.socket)) return;
    const left = (this.#perAddress.get(connection.address) ?? 1) - 1;
    if (left === 0) {
      this.#perAddress.delete(connection.address);
    } else {
      this.#perAddress.set(connection.address, left);
    }
    connection.afterLast = undefined;
    this.#count -= connection.waiting.splice(0).length;
    for (const response of connection.open.keys()) this.#end(connection, response);
    this.#heldBytes -= connection.heldBytes;
    this.#tellDrained();
  }

  #end(connection: Connection, response: ServerResponse): void {
    const answer = connection.open.get(response);
    if (answer === undefined) return;
    connection.open.delete(response);
    this.#count -= 1;
    connection.heldBytes -= answer.bytes;
    this.#heldBytes -= answer.bytes;
    for (const call of answer.calls) call();
    this.#touch(connection);
    this.#readLater(connection);
    if (isIdle(connection)) connection.afterLast?.();
    this.#tellDrained();
  }

  #tellDrained(): void {
    if (this.#count === 0) for (const resolve of this.#drained.splice(0)) resolve();
  }

  /**
   * Requests are read and begun in slices of the event loop, each connection in its turn. Answers that need no waiting
   * could otherwise follow each other without end, and a turn in which a thousand connections are read lasts long: of new
   * connections the event loop takes one a turn.
   */
  #readLater(connection: Connection): void {
    this.#due.add(connection);
    if (this.#isReading) return;
    this.#isReading = true;
    setImmediate(() => this.#readDue());
  }

  #readDue(): void {
    const sliceEndsAtMs = this.#slices.nextEndMs();
    for (const connection of this.#due) {
      this.#due.delete(connection);
      const next = connection.waiting.shift();
      if (next !== undefined) this.#start(connection, next);
      if (hasRoom(connection)) connection.feed.next();
      // At the end: a slice gets something done, however late it began.
      if (performance.now() > sliceEndsAtMs) break;
    }
    this.#isReading = this.#due.size > 0;
    if (this.#isReading) setImmediate(() => this.#readDue());
  }

  #touch(connection: Connection): void {
    if (!this.#connections.delete(connection.socket)) return;
    this.#connections.set(connection.socket, connection);
  }
}

/** Holds fourteen of the shortest requests, and the larger part of a usual one. */
const PIECE_BYTES = 256;
const MAX_PIECE_BYTES = 65_536;

/** How much of what comes next may be read as one piece: what is certainly of a body may be large. */
function roomOf(connection: Connection): number {
  const left = waitsForBody(connection) ? (connection.body?.left() ?? 0) : 0;
  if (left > PIECE_BYTES) return Math.min(left, MAX_PIECE_BYTES);
  return hasRoom(connection) ? PIECE_BYTES : 0;
}

/** May what comes next be read? */
function hasRoom(connection: Connection): boolean {
  return isIdle(connection) || waitsForBody(connection);
}

function waitsForBody({ bodyOf }: Connection): boolean {
  return bodyOf?.complete === false;
}

function isIdle({ open, waiting }: Connection): boolean {
  return open.size === 0 && waiting.length === 0;
}
