import type { Pieces } from '@takt/http';

/** What a client may take at the least. Written is three times as much as is sent compressed. */
export interface LeastPace {
  readonly bytesPerSecond: number;
  /** How long it may take less, and how much of a fast beginning counts for later. */
  readonly graceMs: number;
}

const LEAST_PACE: LeastPace = { bytesPerSecond: 10_000, graceMs: 10_000 };

/**
 * The same pieces for a client that takes them. The work on them ends at once, and so does the connection, where the client is
 * too slow. Only the time counts in which the client is waited for, not the database.
 */
export function endWithSlowClient(
  pieces: Pieces,
  { bytesPerSecond, graceMs }: LeastPace = LEAST_PACE,
): Pieces {
  let leftMs = graceMs;
  const givingUp = new AbortController();
  let waitsSinceMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const waitForClient = (taken: number) => {
    leftMs = Math.min(graceMs, leftMs + (taken / bytesPerSecond) * 1_000);
    waitsSinceMs = performance.now();
    timer = setTimeout(() => {
      void pieces.end();
      givingUp.abort();
    }, leftMs);
  };
  const stopWaiting = () => {
    clearTimeout(timer);
    if (waitsSinceMs !== undefined) leftMs -= performance.now() - waitsSinceMs;
    waitsSinceMs = undefined;
  };
  return {
    signal: givingUp.signal,
    next: async () => {
      stopWaiting();
      const piece = await pieces.next();
      if (piece !== undefined) waitForClient(piece.length);
      return piece;
    },
    end: () => {
      stopWaiting();
      return pieces.end();
    },
  };
}
