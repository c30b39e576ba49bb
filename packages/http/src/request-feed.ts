import type { Socket } from 'node:net';

/** So much may come before it is the connection's turn. */
const MAX_WAITING_BYTES = 16_384;

export interface FeedOptions {
  /** How many bytes of what comes next may be given to the parser at once now; 0: none. */
  readonly room: () => number;
  /** Told of bytes that have come; `next` is called for it when it is the connection's turn. */
  readonly onBytes: () => void;
  /** Told of how many bytes more (or, below 0, fewer) wait. */
  readonly onHeld: (bytes: number) => void;
}

/**
 * Stands between a connection and Node's parser, and gives it bytes in pieces, each when the requests before have been
 * answered. By itself Node takes apart all that one read has brought, which can be 2,500 requests of one connection, and
 * neither destroying the connection nor pausing the parser stops it. What waits is not read from the system either, so
 * that a client that pipelines is held back by TCP.
 *
 * The parser's listeners are asked for by their events, as they are public; Node then no longer reads past them.
 */
export class RequestFeed {
  readonly #socket: Socket;
  readonly #options: FeedOptions;
  readonly #parse: (piece: Buffer) => void;
  readonly #end: () => void;
  #rest: Buffer = Buffer.alloc(0);
  #heldBytes = 0;
  #isFeeding = false;
  #hasEnded = false;
  #isStopped = false;

  constructor(socket: Socket, options: FeedOptions) {
    this.#socket = socket;
    this.#options = options;
    const [onData, onEnd] = [socket.listeners('data'), socket.listeners('end')];
    this.#parse = (piece) => {
      for (const listener of onData) Reflect.apply(listener, socket, [piece]);
    };
    this.#end = () => {
      for (const listener of onEnd) Reflect.apply(listener, socket, []);
    };
    socket.removeAllListeners('data').on('data', (chunk: Buffer) => this.#receive(chunk));
    socket.removeAllListeners('end').on('end', () => {
      if (this.#isStopped) return;
      this.#hasEnded = true;
      options.onBytes();
    });
  }

  /** To be called when there may be room again. */
  next(): void {
    if (this.#isFeeding || this.#socket.destroyed) return;
    this.#isFeeding = true;
    while (this.#rest.length > 0 && !this.#socket.destroyed) {
      const room = this.#options.room();
      if (room === 0) break;
      const piece = this.#rest.subarray(0, room);
      this.#rest = this.#rest.subarray(room);
      this.#parse(piece);
    }
    this.#isFeeding = false;
    this.#settle();
  }

  /** Nothing more of this connection is a request: what comes is thrown away. Its parser may be another's from now on. */
  stop(): void {
    this.#isStopped = true;
    this.#rest = Buffer.alloc(0);
    this.#settle();
  }

  #receive(chunk: Buffer): void {
    if (this.#isStopped) return;
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    if (this.#options.room() === 0 || this.#rest.length > MAX_WAITING_BYTES) this.#settle();
    this.#options.onBytes();
  }

  /** Node reads on by itself after each answer, so it is told every time. */
  #settle(): void {
    const held = this.#rest.length;
    if (held > 0) {
      this.#socket.pause();
    } else {
      if (this.#socket.isPaused()) this.#socket.resume();
      if (this.#hasEnded) {
        this.#hasEnded = false;
        this.#end();
      }
    }
    if (held === this.#heldBytes) return;
    const change = held - this.#heldBytes;
    this.#heldBytes = held;
    this.#options.onHeld(change);
  }
}
