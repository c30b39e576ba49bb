import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { HttpLimits } from './limits.js';

/** Why a connection was ended although its client did nothing wrong by HTTP. */
export type ShedReason = 'connections' | 'address' | 'bytes';

interface OpenAnswer {
  readonly start: () => void;
  readonly calls: (() => void)[];
  isStarted: boolean;
  /** What is in memory for it. */
  bytes: number;
}

interface Connection {
  readonly socket: Socket;
  readonly address: string;
  /** In the order of the requests. */
  readonly open: Map<ServerResponse, OpenAnswer>;
  newestRequest: IncomingMessage | undefined;
  afterLast: (() => void) | undefined;
  heldBytes: number;
  /** When it began to hold what it holds. */
  heldSinceMs: number;
  /** What of `socket.bytesRead` belongs to requests that are complete. */
  readBytes: number;
  /** When the first byte of a request that is not complete yet had come, as far as that was noticed. */
  firstByteAtMs: number | undefined;
}

/** About what Node keeps for a request and its answer before anything has been done with them. */
const REQUEST_BYTES = 8_192;
/** How often it is looked after requests that are slow to arrive. */
const ARRIVAL_CHECK_MS = 250;
/** What a connection holds counts for this time at least: many bytes in an instant weigh more than a few that wait. */
const LEAST_HELD_MS = 100;

/**
 * All connections, their answers under way, and what they may hold. Three bounds keep the memory flat whatever clients do:
 *
 * - Of a connection that pipelines, a few requests are in work; the others wait, and nothing more is read.
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
  readonly #onShed: (reason: ShedReason) => void;
  readonly #arrivalCheck: NodeJS.Timeout;
  #count = 0;
  #heldBytes = 0;
  #drained: (() => void)[] = [];

  constructor(limits: HttpLimits, onShed: (reason: ShedReason) => void) {
    this.#limits = limits;
    this.#onShed = onShed;
    this.#arrivalCheck = setInterval(() => this.#watchArrivals(), ARRIVAL_CHECK_MS).unref();
  }

  /** To be called with every new connection. */
  connect(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const connection: Connection = {
      socket,
      address,
      open: new Map(),
      newestRequest: undefined,
      afterLast: undefined,
      heldBytes: 0,
      heldSinceMs: 0,
      readBytes: 0,
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
    connection.newestRequest = request;
    const answer: OpenAnswer = { start, calls: [], isStarted: false, bytes: 0 };
    connection.open.set(response, answer);
    this.#count += 1;
    response.once('close', () => this.#end(connection, response));
    this.#arrivals.set(request, connection.firstByteAtMs ?? performance.now());
    connection.firstByteAtMs = undefined;
    connection.readBytes = request.socket.bytesRead;
    this.#touch(connection);
    this.#hold(connection, answer, REQUEST_BYTES);
    if (connection.open.size <= this.#limits.maxOpenPerConnection) {
      answer.isStarted = true;
      start();
    } else {
      // Later, as Node itself goes on reading when it has told of a request.
      process.nextTick(() => this.#regulate(connection));
    }
  }

  /** When the first byte of the request had come, in the time of performance.now(). */
  arrivedAtMs(request: IncomingMessage): number {
    return this.#arrivals.get(request) ?? performance.now();
  }

  /** Counts bytes that are in memory until the answer has been handed over. */
  hold({ socket }: IncomingMessage, response: ServerResponse, bytes: number): void {
    const connection = this.#connections.get(socket);
    const answer = connection?.open.get(response);
    if (connection !== undefined && answer !== undefined) this.#hold(connection, answer, bytes);
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
    if (connection === undefined || connection.open.size === 0) {
      call();
    } else {
      connection.afterLast = call;
    }
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
    clearInterval(this.#arrivalCheck);
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  #hold(connection: Connection, answer: OpenAnswer, bytes: number): void {
    if (connection.heldBytes === 0) connection.heldSinceMs = performance.now();
    answer.bytes += bytes;
    connection.heldBytes += bytes;
    this.#heldBytes += bytes;
    while (this.#heldBytes > this.#limits.maxHeldBytes) this.#shed(this.#findCostliest(), 'bytes');
  }

  #release(connection: Connection, bytes: number): void {
    connection.heldBytes -= bytes;
    this.#heldBytes -= bytes;
  }

  /** Called where something is held, so there is one. */
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
      // Where the first answer is made, it waits for the client, and what is behind it too.
      if (first !== undefined && !first.headersSent) continue;
      this.#shed(connection, reason);
      return;
    }
  }

  #shed(connection: Connection | undefined, reason: ShedReason): void {
    if (connection === undefined) return;
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
    for (const response of connection.open.keys()) this.#end(connection, response);
  }

  #end(connection: Connection, response: ServerResponse): void {
    const answer = connection.open.get(response);
    if (answer === undefined) return;
    connection.open.delete(response);
    this.#count -= 1;
    this.#release(connection, answer.bytes);
    for (const call of answer.calls) call();
    this.#touch(connection);
    this.#startNext(connection);
    if (connection.open.size === 0) connection.afterLast?.();
    if (this.#count === 0) for (const resolve of this.#drained.splice(0)) resolve();
  }

  #startNext(connection: Connection): void {
    if (!this.#connections.has(connection.socket)) return;
    let turns = this.#limits.maxOpenPerConnection;
    for (const answer of connection.open.values()) {
      if (turns === 0) break;
      turns -= 1;
      if (answer.isStarted) continue;
      answer.isStarted = true;
      answer.start();
    }
    this.#regulate(connection);
  }

  /** Reads on only where the next request could be begun. Node reads on by itself after each answer, so it is told again. */
  #regulate({ socket, open }: Connection): void {
    if (socket.destroyed) return;
    if (open.size > this.#limits.maxOpenPerConnection) {
      socket.pause();
    } else if (socket.isPaused()) {
      socket.resume();
    }
  }

  #touch(connection: Connection): void {
    if (!this.#connections.delete(connection.socket)) return;
    this.#connections.set(connection.socket, connection);
  }

  /** Node tells of a request when its headers are complete; when they began can only be seen in the bytes that came. */
  #watchArrivals(): void {
    const noticedAtMs = performance.now() - ARRIVAL_CHECK_MS;
    for (const connection of this.#connections.values()) {
      if (connection.open.size > 0 || connection.socket.bytesRead === connection.readBytes) continue;
      connection.firstByteAtMs ??= noticedAtMs;
    }
  }
}
