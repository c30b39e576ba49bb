import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedServerError, messageOf, withAdvice } from './embedded-server-error.js';
import type { Lease } from './leases.js';
import { obtainLease } from './obtain-lease.js';
import { openHome } from './open-home.js';

export interface EmbeddedServerOptions {
  /** TAKT_HOME; made if it is missing. */
  readonly home: string;
  /** Settings of PostgreSQL over the defaults. They count only if this lease is the one that starts the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** 60 s by default. */
  readonly startDeadlineMs?: number;
  /** Told when the server was lost and could not be had again yet, or only at another address. */
  readonly onTrouble?: (error: Error) => void;
}

/** A share in the running server, which lives until the last share ends. */
export interface EmbeddedServerLease {
  /** `postgres://takt:PASSWORD@127.0.0.1:PORT/takt`, of a superuser. */
  readonly url: string;
  /** The real path of the home. */
  readonly home: string;
  /** Ends the share; the last one resolves after the server has stopped. May be called again. */
  close(): Promise<void>;
}

const DEFAULT_START_DEADLINE_MS = 60_000;
const RENEWAL_PAUSE_MS = 1_000;

/**
 * Gives a share in the embedded PostgreSQL server of a home, which is started (and made, the first time) unless it
 * runs already. The server ends with its last share, also when the holders are killed. A server that dies comes
 * back at the same address without help. Rejects with an `EmbeddedServerError` that says what to do.
 */
export async function leaseEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServerLease> {
  const layout = await openHome(options.home);
  const settings = options.settings ?? {};
  const deadlineMs = options.startDeadlineMs ?? DEFAULT_START_DEADLINE_MS;
  const first = await obtainLease(layout, { settings, deadlineMs }).catch((error: unknown) => {
    throw withAdvice(error, layout.home);
  });
  const close = keepLease(first, {
    renew: ({ guardianPid }, cancel) =>
      obtainLease(layout, { settings, deadlineMs, fixedPort: first.server.port, guardianPid, cancel }),
    onTrouble: options.onTrouble ?? (() => undefined),
  });
  return { url: first.url, home: layout.home, close };
}

interface KeepOptions {
  readonly renew: (lost: Lease['server'], cancel: AbortSignal) => Promise<Lease>;
  readonly onTrouble: (error: Error) => void;
}

/** Holds a lease until what it gives is called; one that ends by itself, with its server, is replaced. */
function keepLease(first: Lease, { renew, onTrouble }: KeepOptions): () => Promise<void> {
  const closing = new AbortController();
  let current = first;
  const renewCurrent = async (): Promise<void> => {
    try {
      current = await renew(current.server, closing.signal);
      const { port } = current.server;
      if (port === first.server.port) return;
      throw new EmbeddedServerError(
        `The embedded PostgreSQL server had to move from port ${first.server.port} to ${port}: start this command again.`,
      );
    } catch (error) {
      if (closing.signal.aborted) return;
      onTrouble(error instanceof Error ? error : new Error(messageOf(error)));
      // Does not keep a process alive that has nothing else to do.
      await sleep(RENEWAL_PAUSE_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
    }
  };
  const closed = once(closing.signal, 'abort');
  const keep = async () => {
    while (!closing.signal.aborted) {
      await Promise.race([current.ended, closed]);
      if (!closing.signal.aborted) await renewCurrent();
    }
    await current.release();
  };
  const kept = keep();
  return () => {
    closing.abort();
    return kept;
  };
}
