import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type HttpLimits, MAX_HEADERS } from './limits.js';
import type { TimeSlices } from './time-slices.js';

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
  /** False: its body stays in the buffer of the socket. */
  isBodyWanted: boolean;
}

/** A remote address, with the number of its connections and what they hold together. */
interface Address {
  readonly remote: string;
  connections: number;
  heldBytes: number;
}

interface Connection {
  readonly socket: Socket;
  /** Undefined: it counts for no address. */
  readonly address: Address | undefined;
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
  /** Bytes in memory for a head that has not come to its end, and its lines so far. */
  headBytes: number;
  headLines: number;
  /** It waits for its turn to go on reading. */
  isResting: boolean;
}

interface ConnectionsOptions {
  readonly limits: HttpLimits;
  readonly slices: TimeSlices;
  readonly onShed: (reason: ShedReason) => void;
  /** A head has more headers than are taken, and has not come to its end. */
  readonly onTooManyHeaders: (socket: Socket) => void;
  /** True for the address of a trusted proxy, whose connections are those of many. */
  readonly isProxy: (address: string) => boolean;
}

/** About what Node keeps for a request and its answer before anything has been done with them, beside the head. */
const REQUEST_BYTES = 8_192;
/** About what Node keeps for as many headers as a head may have, beside their bytes. */
const HEADERS_BYTES = 12_288;
/** Data of a connection are parsed for this long at a time, in ms; then others have their turn. */
const PARSE_MS = 0.1;
/** The most that Node reads ahead of a connection that is paused. */
const READ_AHEAD_BYTES = 131_072;
/** The connections of one address may hold this share of what all connections may. */
const SHARE_OF_ADDRESS = 3 / 4;
/** Held bytes count for this time at least: many in an instant weigh more than a few that wait. */
const LEAST_HELD_MS = 100;

/**
 * All connections, their answers under way, and what they may hold. Three bounds keep the memory flat whatever clients do:
 *
 * - A connection has one request answered at a time. While others wait behind it, which are a handful, nothing more is read,
 *   and nothing of a body that nobody reads yet: Node keeps some 400 bytes for each of its chunks, of one byte or more.
 * - What answers that nobody takes have in memory is counted over all connections, and so are what nobody has read and heads
 *   under way. Over the bound, which is lower for each address, the connection that costs most (bytes times the time it has
 *   held them) is destroyed: never a client that takes what it asked for.
 * - A connection over their number is taken, and the one that has done nothing for longest ends instead: who holds idle
 *   connections shuts nobody out, and a probe always gets in. The same within one remote address.
 *
 * Refusing new connections instead would let the first 2,000 shut everybody out.
 */
export class Connections {
  /** The one that has done nothing for longest comes first. */
  readonly #connections = new Map<Socket, Connection>();
  readonly #addresses = new Map<string, Address>();
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
    const { limits, slices, isProxy } = this.#options;
    slices.accept();
    const remote = socket.remoteAddress ?? '';
    const connection: Connection = {
      socket,
      address: isProxy(remote) ? undefined : this.#addressOf(remote),
      ...{ current: undefined, waiting: [], newestRequest: undefined, isGivenUp: false, whenIdle: undefined },
      ...{ unreadBytes: 0, heldBytes: 0, heldSinceMs: 0, firstByteAtMs: undefined, headBytes: 0 },
      ...{ headLines: 0, isResting: false },
    };
    this.#connections.set(socket, connection);
    this.#readInPieces(connection);
    socket.once('close', () => this.#forget(connection));
    const { address } = connection;
    if (address !== undefined) address.connections += 1;
    if ((address?.connections ?? 0) > limits.maxConnectionsPerAddress) this.#makeRoom('address', address);
    if (this.#connections.size > limits.maxConnections) this.#makeRoom('connections');
  }

  /** To be called with every request; calls `start` when it is its turn, never if the connection ends before. */
  begin(request: IncomingMessage, response: ServerResponse, start: () => void): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    connection.newestRequest = request;
    const bytes = REQUEST_BYTES + lengthOfHead(request);
    this.#hold(connection, bytes);
    const exchange = { request, response, start, arrivedAtMs: 0, bytes, isBodyWanted: false };
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

  /** To be called before the body of a request is read, and while no more of it is to be parsed. */
  want(request: IncomingMessage, isBodyWanted: boolean): void {
    const exchange = this.#currentOf(request);
    if (exchange === undefined) return;
    exchange.isBodyWanted = isBodyWanted;
    if (isBodyWanted) request.socket.resume();
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
    const { socket } = connection;
    const parsers = socket.listeners('data');
    const isOver = () => socket.destroyed || connection.isGivenUp;
    socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
      // Behind its own requests a client waits for itself.
      if (connection.current === undefined) connection.firstByteAtMs ??= performance.now();
      let rest = chunk;
      const restsAtMs = performance.now() + PARSE_MS;
      while (rest.length > 0 && !holdsUp(connection) && !socket.isPaused() && !isOver()) {
        const piece = pieceOf(rest, connection);
        rest = rest.subarray(piece.length);
        this.#parse(connection, piece, () => {
          for (const parse of parsers) Reflect.apply(parse, socket, [piece]);
        });
        if (rest.length > 0 && performance.now() > restsAtMs) this.#rest(connection);
      }
      if (isOver()) return;
      // Node reads on by itself after each request, so it is told every time.
      if (holdsUp(connection)) socket.pause();
      if (rest.length > 0) socket.unshift(rest);
      this.#countUnread(connection);
    });
  }

  /** Lets others go first. */
  #rest(connection: Connection): void {
    connection.isResting = true;
    this.#options.slices.addReading(() => {
      connection.isResting = false;
      if (!holdsUp(connection)) connection.socket.resume();
    });
  }

  /** Parses a piece. As long as it belongs to a head that has not ended, it counts as held. */
  #parse(connection: Connection, piece: Buffer, parse: () => void): void {
    const { headBytes, newestRequest, current } = connection;
    const isOfBody = current?.request.complete === false;
    parse();
    if (connection.newestRequest !== newestRequest) {
      connection.headBytes = 0;
      connection.headLines = 0;
    } else if (!isOfBody) {
      connection.headBytes = Math.max(headBytes, HEADERS_BYTES) + piece.length;
      for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, at + 1))
        connection.headLines += 1;
    }
    if (connection.headBytes !== headBytes) this.#hold(connection, connection.headBytes - headBytes);
    // The request line and the empty line are no headers.
    if (connection.headLines > MAX_HEADERS + 2) this.#options.onTooManyHeaders(connection.socket);
  }

  #countUnread(connection: Connection): void {
    const { socket, current, waiting } = connection;
    let unread = current?.request.readableLength ?? 0;
    for (const { request } of waiting) unread += request.readableLength;
    if (socket.readableLength > 0) unread += waiting.length > 0 ? READ_AHEAD_BYTES : socket.readableLength;
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
    this.#options.slices.add(() => {
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
    if (!holdsUp(connection) && socket.isPaused()) socket.resume();
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
    const { address } = connection;
    if (address !== undefined) address.heldBytes += bytes;
    for (let over = this.#findCostliest(address); over !== undefined; over = this.#findCostliest(address)) {
      this.#shed(over, 'bytes');
    }
  }

  /** The connection that is to end because this address, or all together hold too much; undefined: they do not. */
  #findCostliest(address: Address | undefined): Connection | undefined {
    const { maxHeldBytes } = this.#options.limits;
    const isAddressOver = address !== undefined && address.heldBytes > maxHeldBytes * SHARE_OF_ADDRESS;
    if (!isAddressOver && this.#heldBytes <= maxHeldBytes) return undefined;
    const nowMs = performance.now();
    let costliest: Connection | undefined;
    let highest = 0;
    for (const connection of this.#connections.values()) {
      if (isAddressOver && connection.address !== address) continue;
      const cost = connection.heldBytes * (nowMs - connection.heldSinceMs + LEAST_HELD_MS);
      if (cost <= highest) continue;
      costliest = connection;
      highest = cost;
    }
    return costliest;
  }

  /** Ends the connection that has done nothing for longest; one whose request is in work is not among them. */
  #makeRoom(reason: ShedReason, address?: Address): void {
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
    const { address, heldBytes } = connection;
    this.#heldBytes -= heldBytes;
    if (address !== undefined) {
      address.heldBytes -= heldBytes;
      address.connections -= 1;
      if (address.connections === 0) this.#addresses.delete(address.remote);
    }
    connection.whenIdle = undefined;
    connection.waiting.length = 0;
    if (connection.current !== undefined) this.#end(connection, connection.current);
  }

  #addressOf(remote: string): Address {
    const known = this.#addresses.get(remote);
    if (known !== undefined) return known;
    const address = { remote, connections: 0, heldBytes: 0 };
    this.#addresses.set(remote, address);
    return address;
  }

  #touch(connection: Connection): void {
    if (!this.#connections.delete(connection.socket)) return;
    this.#connections.set(connection.socket, connection);
  }
}

/** True while new data must stay in the socket: others have their turn, requests wait, or nobody reads the body yet. */
function holdsUp({ waiting, current, isResting }: Connection): boolean {
  return (
    isResting ||
    waiting.length > 0 ||
    (current !== undefined && !current.request.complete && !current.isBodyWanted)
  );
}

/** About what the head takes in memory, in bytes: a header takes a little more than its text. */
function lengthOfHead({ url = '', rawHeaders }: IncomingMessage): number {
  let length = url.length;
  for (const text of rawHeaders) length += text.length + 50;
  return length;
}

const HEAD_END = '\r\n\r\n';
/** Holds three of the shortest requests. */
const LEAST_PIECE_BYTES = 64;

/** The parser makes at most some 250 headers or chunks of this many bytes. */
const MOST_PIECE_BYTES = 1_024;
const NEWLINE = 0x0a;

/** Gives the piece to parse next. It ends with a head, so that it makes few requests; a body without chunks is one piece. */
function pieceOf(chunk: Buffer, { current }: Connection): Buffer {
  const isPlainBody =
    current?.request.complete === false && current.request.headers['transfer-encoding'] === undefined;
  const most = isPlainBody ? chunk : chunk.subarray(0, MOST_PIECE_BYTES);
  const end = most.indexOf(HEAD_END, LEAST_PIECE_BYTES - HEAD_END.length);
  return end < 0 ? most : most.subarray(0, end + HEAD_END.length);
}
