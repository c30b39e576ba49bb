import { connect, type Socket } from 'node:net';

/** How long an answer took, in milliseconds, by what it was. */
export interface AskedLoad {
  readonly seconds: number;
  readonly acceptedMs: readonly number[];
  readonly refusedMs: readonly number[];
  /** Other answers, and connections that broke. */
  readonly failures: number;
}

interface AskOptions {
  readonly port: number;
  /** Whole messages. */
  readonly requests: readonly string[];
  /** Each asks again as soon as it has its answer, also where it was refused. */
  readonly connections: number;
  readonly seconds: number;
  /** Before those that are measured: until all connections have been taken, which is one a turn of the event loop. */
  readonly warmUpSeconds: number;
}

const HEAD_END = '\r\n\r\n';

/**
 * As many clients as there are connections, none of which waits. Bytes are read no further than it takes to know the status
 * and the end of an answer, since the client takes its time from the same machine.
 */
export async function keepAsking(options: AskOptions): Promise<AskedLoad> {
  const { port, requests, connections, seconds, warmUpSeconds } = options;
  const measuredFrom = performance.now() + warmUpSeconds * 1_000;
  const acceptedMs: number[] = [];
  const refusedMs: number[] = [];
  let failures = 0;
  let isOver = false;
  let next = 0;
  const ask = (socket: Socket) => {
    let sentAt = 0;
    let missingBytes = 0;
    let status = '';
    const send = () => {
      if (isOver) return;
      sentAt = performance.now();
      socket.write(requests[next % requests.length] ?? '', 'latin1');
      next += 1;
    };
    socket.on('data', (chunk: Buffer) => {
      if (status === '') {
        const headEnd = chunk.indexOf(HEAD_END);
        const head = chunk.toString('latin1', 0, headEnd);
        status = head.slice(9, 12);
        missingBytes = Number(/content-length: (\d+)/i.exec(head)?.[1]) + headEnd + HEAD_END.length;
      }
      missingBytes -= chunk.length;
      if (missingBytes > 0) return;
      const took = performance.now() - sentAt;
      const kind = { '200': acceptedMs, '500': refusedMs }[status];
      if (kind === undefined) failures += 1;
      if (sentAt >= measuredFrom) kind?.push(took);
      status = '';
      send();
    });
    socket.on('error', () => {
      failures += 1;
    });
    socket.once('connect', send);
  };
  const sockets = Array.from({ length: connections }, () =>
    connect({ port, host: '127.0.0.1', noDelay: true }),
  );
  for (const socket of sockets) ask(socket);
  await new Promise((resolve) => setTimeout(resolve, (warmUpSeconds + seconds) * 1_000));
  isOver = true;
  for (const socket of sockets) socket.destroy();
  return { seconds, acceptedMs, refusedMs, failures };
}
