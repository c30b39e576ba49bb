import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from './limits.js';
import type { Turns } from './turns.js';

/** Why a connection was ended although its client did nothing wrong by HTTP. */
export const shedReasons = ['connections', 'address', 'bytes'] as const;
export type ShedReason = (typeof shedReasons)[number];

/** A request with its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: () => void;
  /** When the first byte of the request came. */
  arrivedAtMs: number;
  /** Bytes in memory for it. */
  bytes: number;
}

interface Connection {
  readonly socket: Socket;
  /** Undefined: it counts for no address. */
  readonly address: string | undefined;
  /** The one that is being answered; undefined: the connection is idle. */
  current: Exchange | undefined;
  /** Those behind it. */
  readonly waiting: Exchange[];
  newestRequest: IncomingMessage | undefined;
  /** Nothing more of it is a request. */
  isGivenUp: boolean;
  whenIdle: (() => void) | undefined;
  /** Sent by its client, and read by nobody. */
  unreadBytes: number;
  heldBytes: number;
  /** When it began to hold what it holds. */
  heldSinceMs: number;
  /** When the first byte of the next request came. */
  firstByteAtMs: number | undefined;
}

interface ConnectionsOptions {
  readonly limits: HttpLimits;
  readonly turns: Turns;
  readonly onShed: (reason: ShedReason) => void;
  /** True for the address of a trusted proxy, whose connections are those of many. */
  readonly isProxy: (address: string) => boolean;
}

/** About what Node keeps for a request and its answer before anything has been done with them. */
const REQUEST_BYTES = 8_192;
/** The most that Node reads ahead of a connection that is paused. */
const READ_AHEAD_BYTES = 131_072;
/** Held bytes count for this time at least: many in an instant weigh more than a few that wait. */
const LEAST_HELD_MS = 100;

/**
 * All connections, their answers under way, and what they may hold. Three bounds keep the memory flat whatever clients do:
 *
 * - A connection has one request answered at a time. While others wait behind it, which are a handful, nothing more is read.
 * - What answers that nobody takes have in memory is counted over all connections, and so is what nobody has read. Over the
 *   bound, the connection that costs most (bytes times the time it has held them) is destroyed: never a client that takes
 *   what it asked for.
 * - A connection over their number is taken, and the one that has done nothing for longest ends instead: who holds idle
 *   connections shuts nobody out, and a probe always gets in. The same within one remote address.
 *
 * Refusing new connections instead would let the first 2,000 shut everybody out.
 */
export class Connections {
  /** The one that has done nothing for longest comes first. */
  readonly #connections = new Map<Socket, Connection>();
  readonly #perAddress = new Map<string, number>();
  readonly #options: ConnectionsOptions;
  /** Connections that are not idle. */
  #busy = 0;
  #heldBytes = 0;
  #tellDrained: () => void = () => undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** To be called with every new connection. */
  connect(socket: Socket): void {
    const { limits, turns, isProxy } = this.#options;
    turns.accept();
    const remote = socket.remoteAddress ?? '';
    const connection: Connection = {
      socket,
      address: isProxy(remote) ? undefined : remote,
      ...{ current: undefined, waiting: [], newestRequest: undefined, isGivenUp: false, whenIdle: undefined },
      ...{ unreadBytes: 0, heldBytes: 0, heldSinceMs: 0, firstByteAtMs: undefined },
    };
    this.#connections.set(socket, connection);
    this.#readInPieces(connection);
    socket.once('close', () => this.#forget(connection));
    const ofAddress = this.#countAddress(connection, 1);
    if (ofAddress > limits.maxConnectionsPerAddress) this.#makeRoom('address', remote);
    if (this.#connections.size > limits.maxConnections) this.#makeRoom('connections');
  }

  /** To be called with every request; calls `start` when it is its turn, never if the connection ends before. */
  begin(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    connection.newestRequest = request;
    this.#hold(connection, REQUEST_BYTES);
    const exchange = { request, response, start, arrivedAtMs: 0, bytes: REQUEST_BYTES };
    if (connection.current === undefined) {
      this.#start(connection, exchange);
    } else {
      connection.waiting.push(exchange);
    }
  }

  /** The time of the request begins now, as if its first byte had just come. */
  restartClock(request: IncomingMessage): void {
    const exchange = this.#currentOf(request);
    if (exchange !== undefined) exchange.arrivedAtMs = performance.now();
  }

  /** When the first byte of the request had come, in the time of performance.now(). */
  arrivedAtMs(request: IncomingMessage): number {
    return this.#currentOf(request)?.arrivedAtMs ?? performance.now();
  }

  /** Counts bytes that are in memory until the answer has been handed over. */
  hold(request: IncomingMessage, bytes: number): void {
    const connection = this.#connections.get(request.socket);
    if (connection?.current?.request !== request) return;
    connection.current.bytes += bytes;
    this.#hold(connection, bytes);
  }

  /** To be called when a client has taken a part of a long answer: it is neither idle nor stalled. */
  progress({ socket }: IncomingMessage): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.heldSinceMs = performance.now();
    this.#touch(connection);
  }

  /** Calls once the connection has no answer under way; never if it closes before. */
  whenIdle(socket: Socket, call: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection?.current === undefined) {
      call();
    } else {
      connection.whenIdle = call;
    }
  }

  /** Nothing more of this connection is a request. Gives the newest request where that has not arrived completely. */
  giveUp(socket: Socket): IncomingMessage | undefined {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return undefined;
    // Its parser may be another connection's from now on.
    connection.isGivenUp = true;
    return connection.newestRequest?.complete === false ? connection.newestRequest : undefined;
  }

  /** Resolves when no answer is under way. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#tellDrained = resolve;
      if (this.#busy === 0) resolve();
    });
  }

  destroyAll(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  /**
   * Gives Node's parser what comes in pieces, and stops where requests wait. By itself Node takes apart all that one read has
   * brought, and nothing stops it: 300 connections that send 64 KB of requests each cost bare Node 1.4 GB and 26 s, though
   * all but the first few are dropped. The rest stays in the socket, which is not read meanwhile, so that TCP holds the
   * client back. The parser's listeners are asked for by their event, as it is public.
   */
  #readInPieces(connection: Connection): void {
    const { socket, waiting } = connection;
    const parsers = socket.listeners('data');
    const isOver = () => socket.destroyed || connection.isGivenUp;
    socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
      // Behind its own requests a client waits for itself.
      if (connection.current === undefined) connection.firstByteAtMs ??= performance.now();
      let rest = chunk;
      while (rest.length > 0 && waiting.length === 0 && !socket.isPaused() && !isOver()) {
        const piece = pieceOf(rest);
        rest = rest.subarray(piece.length);
        for (const parse of parsers) Reflect.apply(parse, socket, [piece]);
      }
      if (isOver()) return;
      // Node reads on by itself after each request, so it is told every time.
      if (waiting.length > 0) socket.pause();
      if (rest.length > 0) socket.unshift(rest);
      this.#countUnread(connection);
    });
  }

  #countUnread(connection: Connection): void {
    const { socket, current, waiting } = connection;
    let unread = current?.request.readableLength ?? 0;
    for (const { request } of waiting) unread += request.readableLength;
    if (socket.readableLength > 0) unread += READ_AHEAD_BYTES;
    const change = unread - connection.unreadBytes;
    connection.unreadBytes = unread;
    if (change !== 0) this.#hold(connection, change);
  }

  #start(connection: Connection, exchange: Exchange): void {
    connection.current = exchange;
    this.#busy += 1;
    exchange.response.once('close', () => this.#end(connection, exchange));
    exchange.arrivedAtMs = connection.firstByteAtMs ?? performance.now();
    connection.firstByteAtMs = undefined;
    this.#touch(connection);
    this.#options.turns.add(() => {
      if (connection.current === exchange) exchange.start();
    });
  }

  #end(connection: Connection, exchange: Exchange): void {
    if (connection.current !== exchange) return;
    connection.current = undefined;
    this.#busy -= 1;
    this.#hold(connection, -exchange.bytes);
    this.#touch(connection);
    this.#countUnread(connection);
    const { socket, waiting } = connection;
    const next = waiting.shift();
    if (next !== undefined) this.#start(connection, next);
    if (waiting.length === 0 && socket.isPaused()) socket.resume();
    if (next === undefined) connection.whenIdle?.();
    if (this.#busy === 0) this.#tellDrained();
  }

  #currentOf(request: IncomingMessage): Exchange | undefined {
    const current = this.#connections.get(request.socket)?.current;
    return current?.request === request ? current : undefined;
  }

  #hold(connection: Connection, bytes: number): void {
    if (!this.#connections.has(connection.socket)) return;
    if (connection.heldBytes === 0) connection.heldSinceMs = performance.now();
    connection.heldBytes += bytes;
    this.#heldBytes += bytes;
    while (this.#heldBytes > this.#options.limits.maxHeldBytes) {
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
      const { current } = connection;
      if (address !== undefined && connection.address !== address) continue;
      // Where the answer is made, it waits for the client; so does a request without its body.
      if (current !== undefined && !current.response.headersSent && current.request.complete) continue;
      this.#shed(connection, reason);
      return;
    }
  }

  #shed(connection: Connection, reason: ShedReason): void {
    connection.socket.destroy();
    this.#forget(connection);
    this.#options.onShed(reason);
  }

  #forget(connection: Connection): void {
    if (!this.#connections.delete(connection.socket)) return;
    this.#countAddress(connection, -1);
    this.#heldBytes -= connection.heldBytes;
    connection.whenIdle = undefined;
    connection.waiting.length = 0;
    if (connection.current !== undefined) this.#end(connection, connection.current);
  }

  /** Gives how many connections its address has then. */
  #countAddress({ address }: Connection, change: 1 | -1): number {
    if (address === undefined) return 0;
    const count = (this.#perAddress.get(address) ?? 0) + change;
    if (count === 0) {
      this.#perAddress.delete(address);
    } else {
      this.#perAddress.set(address, count);
    }
    return count;
  }

  #touch(connection: Connection): void {
    if (!this.#connections.delete(connection.socket)) return;
    this.#connections.set(connection.socket, connection);
  }
}

const HEAD_END = '\r\n\r\n';
/** Holds three of the shortest requests. */
const LEAST_PIECE_BYTES = 64;

/** The part to give to the parser at once: to the end of a head, so few requests in any case, and most bodies whole. */
function pieceOf(chunk: Buffer): Buffer {
  const end = chunk.indexOf(HEAD_END, LEAST_PIECE_BYTES - HEAD_END.length);
  return end < 0 ? chunk : chunk.subarray(0, end + HEAD_END.length);
}
