import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A proxy to a server that can lose answers and connections. */
export interface TcpProxy {
  readonly port: number;
  /**
   * Waits for a request that contains `text`, lets the server execute it, and closes the connection before any of the
   * answer is passed back. Rejects at the deadline.
   */
  loseAnswer(text: string, deadlineMs: number): Promise<void>;
  /** Silently drops everything in both directions for this time, then resets all these connections. */
  swallow(durationMs: number): Promise<void>;
  close(): Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly server: Socket;
  /** If set, ends the link once the server's answer is complete. */
  losing: NodeJS.Timeout | undefined;
  isAwaited: boolean;
}

/** An answer is complete if nothing follows for this time; on loopback its parts arrive at once. */
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

/** Passes a chunk on, and pauses reading until it has been written. */
function pass(chunk: Buffer, from: Socket, to: Socket): void {
  if (to.write(chunk)) return;
  from.pause();
  to.once('drain', () => from.resume());
}

function portOf(address: ReturnType<ReturnType<typeof createServer>['address']>): number {
  if (typeof address !== 'object' || address === null) throw new Error('the proxy listens nowhere');
  return address.port;
}
