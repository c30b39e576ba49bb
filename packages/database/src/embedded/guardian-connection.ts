import { connect, type Socket } from 'node:net';
import type { Announcement } from './announcement.js';
import { EmbeddedServerError } from './embedded-server-error.js';
import { onLines } from './line-socket.js';

/** A lease on a server that accepts connections. */
export interface GuardianConnection {
  /** The server's port. */
  readonly serverPort: number;
  /** Resolves when the lease has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Gives the lease back; for the last one resolves after the server has stopped. */
  release(): Promise<void>;
}

const ANSWER_DEADLINE_MS = 3_000;
/** The server's own end takes at most 20 s. */
const RELEASE_DEADLINE_MS = 25_000;

/** Whether the announced guardian lives and is not about to end. */
export async function guardianAnswers(announcement: Announcement): Promise<boolean> {
  const peer = await introduce(announcement, 'alive');
  peer?.socket.destroy();
  return peer !== undefined;
}

/**
 * A lease from the announced guardian; undefined when it is gone or goes before the server is ready.
 * Rejects with the guardian's message when the server cannot be started. `giveUp` ends the waiting.
 */
export async function connectLease(
  announcement: Announcement,
  giveUp: AbortSignal,
): Promise<GuardianConnection | undefined> {
  const peer = await introduce(announcement, 'lease');
  if (peer === undefined) return undefined;
  const { socket, ended } = peer;
  const abandon = () => void socket.destroy();
  giveUp.addEventListener('abort', abandon);
  if (giveUp.aborted) abandon();
  const line = await Promise.race([peer.nextLine(), ended]);
  giveUp.removeEventListener('abort', abandon);
  if (line === undefined) return undefined;
  const [word = '', rest = ''] = split(line);
  if (word === 'failed') {
    socket.destroy();
    throw new EmbeddedServerError(String(JSON.parse(rest)));
  }
  // A holder that has nothing else to do may end; the lease ends with it.
  socket.unref();
  return {
    serverPort: Number(rest),
    ended,
    async release() {
      socket.ref();
      socket.setTimeout(RELEASE_DEADLINE_MS, () => socket.destroy());
      if (socket.writable) socket.write('release\n');
      await ended;
    },
  };
}

interface Peer {
  readonly socket: Socket;
  readonly ended: Promise<undefined>;
  nextLine(): Promise<string>;
}

/** Connects and shows the secret; undefined when nobody accepts it in time. */
async function introduce(announcement: Announcement, request: 'alive' | 'lease'): Promise<Peer | undefined> {
  const socket = connect(announcement.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const ended = new Promise<undefined>((resolve) => socket.once('close', () => resolve(undefined)));
  const waiting: Array<(line: string) => void> = [];
  const arrived: string[] = [];
  onLines(socket, (line) => {
    const next = waiting.shift();
    if (next) next(line);
    else arrived.push(line);
  });
  const nextLine = () =>
    new Promise<string>((resolve) => {
      const line = arrived.shift();
      if (line !== undefined) resolve(line);
      else waiting.push(resolve);
    });
  const timer = setTimeout(() => socket.destroy(), ANSWER_DEADLINE_MS);
  socket.write(`${request} ${announcement.secret}\n`);
  const answer = await Promise.race([nextLine(), ended]);
  clearTimeout(timer);
  if (answer === 'accepted') return { socket, ended, nextLine };
  socket.destroy();
  return undefined;
}

function split(line: string): [string, string] {
  const space = line.indexOf(' ');
  return [line.slice(0, space), line.slice(space + 1)];
}
