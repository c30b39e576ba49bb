import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { EMBEDDED_NAME } from './create-cluster.js';
import { EmbeddedServerError, messageOf, withAdvice } from './embedded-server-error.js';
import type { GuardianConnection } from './guardian-connection.js';
import { openHome } from './home-layout.js';
import { obtainLease } from './obtain-lease.js';

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
  const password = await readFile(layout.password, 'utf8').catch(async (error: unknown) => {
    await first.release();
    throw withAdvice(error, layout.home);
  });
  const kept = keepLease(first, {
    renew: (cancel) => obtainLease(layout, { settings, deadlineMs, fixedPort: first.serverPort, cancel }),
    onTrouble: options.onTrouble ?? (() => undefined),
  });
  return {
    url: `postgres://${EMBEDDED_NAME}:${password}@127.0.0.1:${first.serverPort}/${EMBEDDED_NAME}`,
    home: layout.home,
    close: kept.close,
  };
}

interface KeepOptions {
  readonly renew: (cancel: AbortSignal) => Promise<GuardianConnection>;
  readonly onTrouble: (error: Error) => void;
}

/** Holds a lease until `close`; one that ends by itself, because its guardian died, is replaced. */
function keepLease(first: GuardianConnection, { renew, onTrouble }: KeepOptions): { close(): Promise<void> } {
  const closing = new AbortController();
  let current = first;
  const renewed = async (): Promise<GuardianConnection | undefined> => {
    try {
      return await renew(closing.signal);
    } catch (error) {
      if (!closing.signal.aborted) onTrouble(error instanceof Error ? error : new Error(messageOf(error)));
      // Does not keep a process alive that has nothing else to do.
      await sleep(RENEWAL_PAUSE_MS, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
      return undefined;
    }
  };
  const keep = async () => {
    while (!closing.signal.aborted) {
      await current.ended;
      if (closing.signal.aborted) return;
      const next = await renewed();
      if (next === undefined) continue;
      current = next;
      if (next.serverPort !== first.serverPort) {
        onTrouble(new EmbeddedServerError(movedMessage(first.serverPort, next.serverPort)));
      }
    }
    await current.release();
  };
  const kept = keep();
  return {
    async close() {
      if (!closing.signal.aborted) {
        closing.abort();
        await current.release();
      }
      await kept;
    },
  };
}

function movedMessage(from: number, to: number): string {
  return `The embedded PostgreSQL server had to move from port ${from} to ${to}: start this command again.`;
}
