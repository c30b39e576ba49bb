import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

interface Connection {
  readonly open: Map<ServerResponse, (() => void)[]>;
  newestRequest: IncomingMessage | undefined;
  afterLast: (() => void) | undefined;
}

/**
 * Which answers of which connection are still under way. Node tells it of single responses with `close`, but not of
 * those that waited behind another on a connection that broke; so the sockets are watched too.
 */
export class OpenAnswers {
  readonly #connections = new Map<Socket, Connection>();
  #count = 0;
  #drained: (() => void)[] = [];

  /** To be called with every new connection. */
  connect(socket: Socket): void {
    const connection: Connection = { open: new Map(), newestRequest: undefined, afterLast: undefined };
    this.#connections.set(socket, connection);
    socket.once('close', () => {
      connection.afterLast = undefined;
      for (const response of connection.open.keys()) this.#end(connection, response);
      this.#connections.delete(socket);
    });
  }

  /** To be called with every request. */
  begin(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket);
    if (connection === undefined) return;
    connection.newestRequest = request;
    connection.open.set(response, []);
    this.#count += 1;
    response.once('close', () => this.#end(connection, response));
  }

  /** Calls once the answer has been handed over or the connection is gone. */
  whenEnded({ socket }: IncomingMessage, response: ServerResponse, call: () => void): void {
    const calls = this.#connections.get(socket)?.open.get(response);
    if (calls === undefined) {
      call();
    } else {
      calls.push(call);
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

  destroyConnections(): void {
    for (const socket of this.#connections.keys()) socket.destroy();
  }

  #end(connection: Connection, response: ServerResponse): void {
    const calls = connection.open.get(response);
    if (calls === undefined) return;
    connection.open.delete(response);
    this.#count -= 1;
    for (const call of calls) call();
    if (connection.open.size === 0) connection.afterLast?.();
    if (this.#count === 0) for (const resolve of this.#drained.splice(0)) resolve();
  }
}
