import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A proxy in front of a server. It can lose answers and interrupt connections. */
export interface TcpProxy {
  readonly port: number;
  /**
   * Waits for a request that contains `text`, and lets the server execute the request. Then closes the connection, so
   * that no part of the answer reaches the client. Rejects if there is no such request before the deadline.
   */
  loseAnswer(text: string, deadlineMs: number): Promise<void>;
  /** Silently drops all data in both directions for this time. Then resets all connections through the proxy. */
  swallow(durationMs: number): Promise<void>;
  close(): Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /**
   * Timer that ends the connection once the answer of the server is complete. undefined if no answer has to be lost.
   */
  losing: NodeJS.Timeout | undefined;
  isAwaited: boolean;
}

/** Pause in ms after which an answer counts as complete. All parts of an answer arrive at once on loopback. */
const ANSWER_PAUSE_MS = 20;

export async function startTcpProxy(targetPort: number): Promise<TcpProxy> {
  const links = new Set<Link>();
  let isSwallowing = false;
  let loss: { readonly text: string; readonly done: () => void } | undefined;

  const toServer = (link: Link, chunk: Buffer) => {
    if (isSwallowing) return;
    if (loss !== undefined && chunk.includes(loss.text)) link.isAwaited = true;
    pass(chunk, link.client, link.server);
  };
  const toClient = (link: Link, chunk: Buffer) => {
    if (isSwallowing) return;
    if (!link.isAwaited) return pass(chunk, link.server, link.client);
    clearTimeout(link.losing);
    link.losing = setTimeout(() => {
      end(link);
      loss?.done();
    }, ANSWER_PAUSE_MS);
  };
  const end = (link: Link) => {
    clearTimeout(link.losing);
    links.delete(link);
    link.client.resetAndDestroy();
    link.server.destroy();
  };
  const listener = createServer((client) => {
    const server = connect(targetPort, '127.0.0.1');
    const link: Link = { client, server, losing: undefined, isAwaited: false };
    links.add(link);
    client.on('data', (chunk) => toServer(link, chunk));
    server.on('data', (chunk) => toClient(link, chunk));
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => end(link));
      socket.on('close', () => end(link));
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: portOf(listener.address()),
    loseAnswer: async (text, deadlineMs) => {
      const overdue = new AbortController();
      const lost = new Promise<void>((resolve) => {
        loss = { text, done: resolve };
      });
      const deadline = delay(deadlineMs, undefined, { signal: overdue.signal }).then(() => {
        throw new Error(`no request with ${text} within ${deadlineMs} ms`);
      });
      await Promise.race([lost, deadline]).finally(() => {
        overdue.abort();
        loss = undefined;
      });
    },
    swallow: async (durationMs) => {
      isSwallowing = true;
      await delay(durationMs);
      isSwallowing = false;
      for (const link of [...links]) end(link);
    },
    close: async () => {
      for (const link of [...links]) end(link);
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** Passes a chunk on. If the receiver is slow, pauses reading until the receiver has taken the chunk. */
function pass(chunk: Buffer, from: Socket, to: Socket): void {
  if (to.write(chunk)) return;
  from.pause();
  to.once('drain', () => from.resume());
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (typeof address !== 'object' || address === null) throw new Error('the proxy listens nowhere');
  return address.port;
}
