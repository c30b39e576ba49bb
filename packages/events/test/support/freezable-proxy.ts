import { connect, createServer, type Socket } from 'node:net';

/** A TCP proxy that can freeze like a broken network: its connections stay open, but transfer no data. */
export interface FreezableProxy {
  /** The URL of the target server, with the address of the proxy instead of its own. */
  readonly url: string;
  readonly freeze: () => void;
  readonly thaw: () => void;
  /** Breaks all connections. The proxy still accepts new ones. */
  readonly cut: () => void;
  /**
   * Breaks a connection after it has sent `text` to the target and the target has answered, before the client receives
   * the answer.
   */
  readonly loseAnswerTo: (text: string) => void;
  /** Breaks all connections and refuses new ones. */
  readonly refuse: () => void;
  /** Accepts new connections again. */
  readonly accept: () => void;
  readonly attempts: () => number;
  readonly close: () => Promise<void>;
}

/** Starts a proxy in front of the server of `targetUrl`. */
export async function startFreezableProxy(targetUrl: string): Promise<FreezableProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let isRefusing = false;
  let attempts = 0;
  let textToLose: string | undefined;
  const cut = () => {
    for (const socket of sockets) {
      socket.destroy();
    }
  };
  const server = createServer((client) => {
    attempts += 1;
    if (isRefusing) {
      client.destroy();
      return;
    }
    const upstream = connect(Number(target.port), target.hostname);
    let losesAnswer = false;
    client.on('data', (data) => {
      if (textToLose === undefined || !data.includes(textToLose)) return;
      textToLose = undefined;
      losesAnswer = true;
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on('data', (data) => {
        if (losesAnswer && socket === upstream) {
          socket.destroy();
        } else {
          other.write(data);
        }
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      if (isFrozen) {
        socket.pause();
      }
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  return {
    url: url.href,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) {
        socket.pause();
      }
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) {
        socket.resume();
      }
    },
    cut,
    loseAnswerTo: (text) => {
      textToLose = text;
    },
    refuse: () => {
      isRefusing = true;
      cut();
    },
    accept: () => {
      isRefusing = false;
    },
    attempts: () => attempts,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
