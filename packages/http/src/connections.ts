import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type HttpLimits, MAX_HEADERS } from './limits.js';
import type { TimeSlices } from './time-slices.js';

/** Reasons for closing a connection although its client has broken no rule of HTTP. */
export const shedReasons = ['connections', 'address', 'bytes'] as const;
export type ShedReason = (typeof shedReasons)[number];

/** A request and its answer. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly start: () => void;
  /**
   * Time at which the first byte of the request arrived. If the request arrived during the previous exchange, the time
   * at which that exchange ended.
   */
  arrivedAtMs: number;
  /** Number of bytes that the exchange has in memory. */
  bytes: number;
  /** If false, the body is not read and stays in the buffer of the socket. */
  isBodyWanted: boolean;
}

/** A remote address with the number of its connections and their bytes in memory. */
interface Address {
  readonly remote: string;
  connections: number;
  heldBytes: number;
}

interface Connection {
  readonly socket: Socket;
  /** The remote address. Undefined for trusted proxies, because their connections are not counted by address. */
  readonly address: Address | undefined;
  /** The exchange that is being answered. Undefined if the connection is idle. */
  current: Exchange | undefined;
  /** Pipelined exchanges, which wait until the current exchange has ended. */
  readonly waiting: Exchange[];
  newestRequest: IncomingMessage | undefined;
  /** True if all further data of the connection are ignored. */
  isGivenUp: boolean;
  whenIdle: (() => void) | undefined;
  /** Number of bytes that the client has sent and that have not been read yet. */
  unreadBytes: number;
  heldBytes: number;
  /** Time since when the connection uses memory without a pause, or time of its latest progress. */
  heldSinceMs: number;
  /** Time at which the first byte of the next request arrived. */
  firstByteAtMs: number | undefined;
  /** Number of bytes in memory for a head that is incomplete. The next field is the number of its lines so far. */
  headBytes: number;
  headLines: number;
  /** True while the connection waits for its turn to be read. */
  isResting: boolean;
}

interface ConnectionsOptions {
  readonly limits: HttpLimits;
  readonly slices: TimeSlices;
  readonly onShed: (reason: ShedReason) => void;
  /** Called if a head that is still incomplete already has too many headers. */
  readonly onTooManyHeaders: (socket: Socket) => void;
  /** Returns true for a trusted proxy, whose connections belong to many clients. */
  readonly isProxy: (address: string) => boolean;
}

/** Approximate memory that Node.js uses for a new request and its answer, without the head. */
const REQUEST_BYTES = 8_192;
/** Approximate memory that Node.js uses for the maximum number of headers, without the bytes of the headers. */
const HEADERS_BYTES = 12_288;
/** Milliseconds for which a connection may parse in one turn. */
const PARSE_MS = 0.1;
/** Maximum number of bytes that Node.js reads ahead on a paused connection. */
const READ_AHEAD_BYTES = 131_072;
/** Share of the memory limit that the connections of one address may use. */
const SHARE_OF_ADDRESS = 3 / 4;
/**
 * Milliseconds that are added to the age of memory when its cost is computed, so that many new bytes cost more than a
 * few old bytes.
 */
const LEAST_HELD_MS = 100;

/**
 * Tracks all connections and their answers. Three limits bound the memory whatever clients do:
 * - On each connection, one request is answered at a time. While other requests wait behind it, or while it is not the
 *   turn of its body, nothing more is read from the connection. The reason is that Node.js keeps some 400 bytes for
 *   each chunk, even for a chunk of one byte.
 * - Unsent answers, unread data and incomplete heads are counted over all connections. Above the limit, which is lower
 *   for a single address, the connection with the highest cost (bytes times their age) is destroyed. A client that
 *   reads its answers is never cut off.
 * - Above the maximum number of connections, a new connection is accepted and the connection that has been idle longest
 *   is closed. So idle connections shut nobody out, and a probe always gets in. The same applies to each address. If
 *   new connections were refused instead, the first 2,000 connections would shut everybody out.
 */
export class Connections {
  /** All connections. The connection that has been idle longest comes first. */
  readonly #connections = new Map<Socket, Connection>();
  readonly #addresses = new Map<string, Address>();
  readonly #options: ConnectionsOptions;
  #busy = 0;
  #heldBytes = 0;
  #tellDrained: () => void = () => undefined;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Must be called for each new connection. */
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

  /**
   * Must be called for each request. Calls `start` when it is the turn of the request; never if the connection closes
   * first.
   */
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

  /** Restarts the time of the request, as if the first byte of the request had just arrived. */
  restartClock(request: IncomingMessage): void {
    const exchange = this.#currentOf(request);
    if (exchange !== undefined) exchange.arrivedAtMs = performance.now();
  }

  /** Returns the time at which the first byte of the request arrived, in the time of performance.now(). */
  arrivedAtMs(request: IncomingMessage): number {
    return this.#currentOf(request)?.arrivedAtMs ?? performance.now();
  }

  /** Counts bytes as memory of the connection until the answer is sent. */
  hold(request: IncomingMessage, bytes: number): void {
    const connection = this.#connections.get(request.socket);
    if (connection?.current?.request !== request) return;
    connection.current.bytes += bytes;
    this.#hold(connection, bytes);
  }

  /** Resumes or pauses the parsing of a request's body. */
  want(request: IncomingMessage, isBodyWanted: boolean): void {
    const exchange = this.#currentOf(request);
    if (exchange === undefined) return;
    exchange.isBodyWanted = isBodyWanted;
    if (isBodyWanted) request.socket.resume();
  }

  /**
   * To be called when a client has received part of a long answer. The connection then counts as neither idle nor
   * stalled.
   */
  progress({ socket }: IncomingMessage): void {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return;
    connection.heldSinceMs = performance.now();
    this.#touch(connection);
  }

  /** Runs `call` once the connection has no exchange; never if the connection closes first. */
  whenIdle(socket: Socket, call: () => void): void {
    const connection = this.#connections.get(socket);
    if (connection?.current === undefined) {
      call();
    } else {
      connection.whenIdle = call;
    }
  }

  /** Ignores all further data of the connection. Returns the newest request if that request is incomplete. */
  giveUp(socket: Socket): IncomingMessage | undefined {
    const connection = this.#connections.get(socket);
    if (connection === undefined) return undefined;
    // The flag is needed because Node.js may reuse the parser for another connection.
    connection.isGivenUp = true;
    return connection.newestRequest?.complete === false ? connection.newestRequest : undefined;
  }

  /** Resolves when no answer is being sent any more. */
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
   * Passes data to Node's parser in pieces, and stops while requests wait. Without this, Node.js parses everything that
   * one read returns: 300 connections that send 64 KB of requests each cost bare Node.js 1.4 GB and 26 s, although it
   * drops all but the first few. With pieces, the rest stays in the socket, so that TCP slows the client down. The
   * parser is found through the listeners of the public event 'data'.
   */
  #readInPieces(connection: Connection): void {
    const { socket } = connection;
    const parsers = socket.listeners('data');
    const isOver = () => socket.destroyed || connection.isGivenUp;
    socket.removeAllListeners('data').on('data', (chunk: Buffer) => {
      // While an earlier request is answered, the clock of the next request does not start, because the client caused
      // this wait itself.
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
      // Node.js resumes reading after each request, so the socket is paused each time.
      if (holdsUp(connection)) socket.pause();
      if (rest.length > 0) socket.unshift(rest);
      this.#countUnread(connection);
    });
  }

  /** Lets other connections have their turn. */
  #rest(connection: Connection): void {
    connection.isResting = true;
    this.#options.slices.addReading(() => {
      connection.isResting = false;
      if (!holdsUp(connection)) connection.socket.resume();
    });
  }

  /** Parses a piece. The bytes of the piece count as memory while they belong to an incomplete head. */
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
    // The 2 additional lines are the request line and the empty line, which are not headers.
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

  /**
   * Returns the connection to destroy because this address, or all addresses together, use too much memory. Returns
   * undefined if they do not.
   */
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

  /** Closes the connection that has been idle longest. Connections with a request in work are not closed. */
  #makeRoom(reason: ShedReason, address?: Address): void {
    for (const connection of this.#connections.values()) {
      const { current } = connection;
      if (address !== undefined && connection.address !== address) continue;
      // Only connections that wait for their client are closed: idle connections, connections whose answer is being
      // sent, and connections with an incomplete body.
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

/**
 * Returns true while new data must stay in the socket: it is the turn of other connections, requests wait, or it is not
 * the turn of the body.
 */
function holdsUp({ waiting, current, isResting }: Connection): boolean {
  return (
    isResting ||
    waiting.length > 0 ||
    (current !== undefined && !current.request.complete && !current.isBodyWanted)
  );
}

/** Returns the approximate memory of the head in bytes. A header takes a little more than its text. */
function lengthOfHead({ url = '', rawHeaders }: IncomingMessage): number {
  let length = url.length;
  for (const text of rawHeaders) length += text.length + 50;
  return length;
}

const HEAD_END = '\r\n\r\n';
/** Minimum size of a piece in bytes. It has room for three of the shortest requests. */
const LEAST_PIECE_BYTES = 64;

/** Maximum size of a piece in bytes. From this many bytes, the parser produces at most some 250 headers or chunks. */
const MOST_PIECE_BYTES = 1_024;
const NEWLINE = 0x0a;

/**
 * Returns the next piece to parse. A piece ends with the head of a request, so that it contains few requests. A body
 * without chunks is a single piece.
 */
function pieceOf(chunk: Buffer, { current }: Connection): Buffer {
  const isPlainBody =
    current?.request.complete === false && current.request.headers['transfer-encoding'] === undefined;
  const most = isPlainBody ? chunk : chunk.subarray(0, MOST_PIECE_BYTES);
  const end = most.indexOf(HEAD_END, LEAST_PIECE_BYTES - HEAD_END.length);
  return end < 0 ? most : most.subarray(0, end + HEAD_END.length);
}
