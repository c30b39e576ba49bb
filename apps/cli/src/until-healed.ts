import { nextDelayMs, pause } from '@takt/run/waiting';

const DEADLINE_MS = 60_000;
const BACKOFF = { firstDelayMs: 250, maxDelayMs: 2_000 };
const MAX_CAUSES = 5;

/** Matches the SQLSTATE of a server that stops, starts or has lost a connection. */
const PASSING_STATES = /^(?:08|57P0|53)/;
const LOST_CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTCONN']);
/** Matches pg's messages about a lost connection, which have no code. */
const LOST_MESSAGES = /Connection terminated|connection error|timeout exceeded when trying to connect/i;

interface HealingOptions {
  /** Aborted to end the wait. The last error is then thrown. */
  readonly signal?: AbortSignal;
  /** Called when the wait begins. */
  readonly onWait?: () => void;
}

/**
 * Runs work that can be repeated. While the database of the work is unavailable, the work is repeated for up to a
 * minute, because the programs that use the embedded server restart it if it was killed.
 */
export async function untilHealed<Result>(
  work: () => Promise<Result>,
  { signal, onWait = () => undefined }: HealingOptions = {},
): Promise<Result> {
  let deadline: number | undefined;
  for (let attempt = 1; ; attempt++) {
    const startedAt = Date.now();
    try {
      return await work();
    } catch (error) {
      // An attempt may have waited long on a lost connection, so the deadline counts from the first failure.
      deadline ??= Date.now() + DEADLINE_MS;
      const isOver = startedAt > deadline || signal?.aborted === true;
      if (isOver || !isOfLostConnection(error)) throw error;
      if (attempt === 1) onWait();
      await pause(nextDelayMs(attempt, BACKOFF), signal);
    }
  }
}

/** Returns true if an error, or one of its causes, says that the server is gone. */
export function isOfLostConnection(error: unknown): boolean {
  let current = error;
  for (let cause = 0; cause < MAX_CAUSES && current instanceof Error; cause++) {
    if (current instanceof AggregateError && current.errors.some(isOfLostConnection)) return true;
    const code = 'code' in current ? String(current.code) : '';
    const isLost = LOST_CONNECTION.has(code) || PASSING_STATES.test(code);
    if (isLost || LOST_MESSAGES.test(current.message)) return true;
    current = current.cause;
  }
  return false;
}
