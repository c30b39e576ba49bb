import { setTimeout as sleep } from 'node:timers/promises';
import { urlOf } from './hold-server.js';
import {
  EmbeddedServerError,
  type HomeLayout,
  messageOf,
  openHome,
  systemErrorCode,
  withAdvice,
} from './home.js';
import { type HeldServer, obtainServer } from './obtain-server.js';
import { findServer } from './server.js';
import { boundLog } from './server-log.js';

export interface EmbeddedServerOptions {
  /** The folder TAKT_HOME. It is created if it is missing. */
  readonly home: string;
  /** Settings of PostgreSQL that override the defaults. They apply only if this process starts the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Maximum time for starting the server. Default 60 s. */
  readonly startDeadlineMs?: number;
  /** Called if the server was lost and could not be restarted yet, or could be restarted only at another address. */
  readonly onTrouble?: (error: Error) => void;
}

/** The running server of a home, for one of its users. */
export interface EmbeddedServer {
  /** Address for a superuser: `postgres://takt:PASSWORD@127.0.0.1:PORT/takt`. */
  readonly url: string;
  /** Real path of the home, without symbolic links. */
  readonly home: string;
  /** Ends the use. If nobody else uses the server, resolves after it has stopped. Safe to repeat. */
  close(): Promise<void>;
}

const DEFAULT_START_DEADLINE_MS = 60_000;
const RETRY_MS = 500;
const BOUND_LOG_EVERY_MS = 60_000;
const POLL_MS = 50;
/** Times after which the server is stopped without a checkpoint, and by force. */
const QUIT_AFTER_MS = 10_000;
const KILL_AFTER_MS = 15_000;

/**
 * Opens the embedded PostgreSQL server of a home: the running one, or one that is created and started. It stops when its
 * last user closes it. If users were killed, it runs on, and the next user takes it over. While it is used, a server
 * that dies is restarted at the same address. Rejects with an `EmbeddedServerError` that says what to do.
 */
export async function openEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const { settings = {}, startDeadlineMs: deadlineMs = DEFAULT_START_DEADLINE_MS } = options;
  const layout = await openHome(options.home);
  const closing = new AbortController();
  const obtain = (fixedPort?: number) =>
    obtainServer(layout, { settings, deadlineMs, closing: closing.signal, fixedPort });
  try {
    const first = await obtain();
    const url = await urlOf(layout, first.port);
    const kept = keep(first, { obtain, closing: closing.signal, onTrouble: options.onTrouble });
    const bounding = setInterval(() => void boundLog(layout.log).catch(() => undefined), BOUND_LOG_EVERY_MS);
    bounding.unref();
    let closed: Promise<void> | undefined;
    const close = () => {
      clearInterval(bounding);
      closing.abort();
      closed ??= kept.then((last) => release(layout, last));
      return closed;
    };
    return { url, home: layout.home, close };
  } catch (error) {
    throw withAdvice(error, layout.home);
  }
}

interface KeepOptions {
  readonly obtain: (fixedPort: number) => Promise<HeldServer>;
  readonly closing: AbortSignal;
  readonly onTrouble: ((error: Error) => void) | undefined;
}

/** Obtains the server again whenever it is lost, until the use ends. Resolves to the last server. */
async function keep(first: HeldServer, { obtain, closing, onTrouble }: KeepOptions): Promise<HeldServer> {
  const over = new Promise<void>((resolve) => closing.addEventListener('abort', () => resolve()));
  let held = first;
  for (;;) {
    await Promise.race([held.session.ended, over]);
    if (closing.aborted) return held;
    try {
      const next = await obtain(first.port);
      held = next;
      if (next.port !== first.port) {
        throw new EmbeddedServerError(
          `The embedded PostgreSQL server had to move from port ${first.port} to ${next.port}: start this command again.`,
        );
      }
    } catch (error) {
      if (!closing.aborted) onTrouble?.(error instanceof Error ? error : new Error(messageOf(error)));
      await sleep(RETRY_MS, undefined, { ref: false, signal: closing }).catch(() => undefined);
    }
  }
}

async function release(layout: HomeLayout, { session }: HeldServer): Promise<void> {
  // If the session was lost, the server has ended, or the next user stops it.
  const isAlone = await session.release().catch(() => false);
  if (isAlone) await stopServer(layout);
  await session.end();
}

/** Stops the server, and resolves when it has ended. */
async function stopServer(layout: HomeLayout): Promise<void> {
  const begunAt = performance.now();
  let sent: NodeJS.Signals | undefined;
  for (;;) {
    const server = await findServer(layout.data);
    if (server === undefined) return;
    const elapsedMs = performance.now() - begunAt;
    const signal = elapsedMs < QUIT_AFTER_MS ? 'SIGINT' : elapsedMs < KILL_AFTER_MS ? 'SIGQUIT' : 'SIGKILL';
    if (signal !== sent) signalServer(server.pid, signal);
    sent = signal;
    await sleep(POLL_MS);
  }
}

/** Sends a signal to the server. It may have ended in the meantime. */
function signalServer(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (systemErrorCode(error) !== 'ESRCH') throw error;
  }
}
