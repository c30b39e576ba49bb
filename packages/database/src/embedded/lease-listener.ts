import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from './embedded-server-error.js';
import { onLines } from './line-socket.js';

/*
 * The guardian's side of its protocol, one line a message:
 *
 *   alive SECRET    -> accepted
 *   lease SECRET    -> accepted, then `ready PORT` once the server of that port accepts connections, or
 *                      `failed MESSAGE`, a JSON string. The lease lasts as long as the connection.
 *   release         -> the connection ends; for the last lease only after the server has stopped.
 */

export interface LeaseListenerOptions {
  readonly secret: string;
  /** Resolves with the server's port when it accepts connections. */
  readonly untilReady: () => Promise<number>;
  readonly hold: () => EndLease;
}

/** Ends a lease, once or more often; says whether others remain. */
export type EndLease = () => boolean;

export interface LeaseListener {
  readonly port: number;
  /** Accepts nobody any more; those connected stay. */
  refuse(): void;
  /** Ends all connections after what was written has been sent. */
  close(): Promise<void>;
}

const INTRODUCTION_DEADLINE_MS = 5_000;
const CLOSE_DEADLINE_MS = 1_000;

/** Listens on a free port of 127.0.0.1 for those who want a lease. */
export async function listenForLeases(options: LeaseListenerOptions): Promise<LeaseListener> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    // A holder that was killed resets its connection; the close that follows is what counts.
    socket.on('error', () => undefined);
    introduce(socket, options);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The guardian has no TCP port.');
  const refuse = () => void server.close();
  return {
    port: address.port,
    refuse,
    async close() {
      refuse();
      const gone = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of sockets) socket.destroySoon();
      await Promise.race([Promise.all(gone), sleep(CLOSE_DEADLINE_MS)]);
    },
  };
}

function introduce(socket: Socket, options: LeaseListenerOptions): void {
  const deadline = setTimeout(() => socket.destroy(), INTRODUCTION_DEADLINE_MS);
  socket.on('close', () => clearTimeout(deadline));
  let onLine = (line: string): void => {
    clearTimeout(deadline);
    const [word, shown = ''] = line.split(' ');
    if (!isSameSecret(shown, options.secret)) socket.destroy();
    else if (word === 'alive') socket.end('accepted\n');
    else if (word === 'lease') onLine = lease(socket, options);
  };
  onLines(socket, (line) => onLine(line));
}

/** Grants the lease; gives what is to be done with the lines that follow. */
function lease(socket: Socket, { hold, untilReady }: LeaseListenerOptions): (line: string) => void {
  const end = hold();
  socket.on('close', end);
  socket.write('accepted\n');
  untilReady().then(
    (port) => socket.write(`ready ${port}\n`),
    (error: unknown) => socket.write(`failed ${JSON.stringify(messageOf(error))}\n`),
  );
  return (line) => {
    if (line === 'release' && end()) socket.end();
  };
}

function isSameSecret(shown: string, secret: string): boolean {
  const [left, right] = [Buffer.from(shown), Buffer.from(secret)];
  return left.length === right.length && timingSafeEqual(left, right);
}
