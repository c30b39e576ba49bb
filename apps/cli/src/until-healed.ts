import { nextDelayMs, pause } from '@takt/run/waiting';

const DEADLINE_MS = 60_000;
const BACKOFF = { firstDelayMs: 250, maxDelayMs: 2_000 };
const MAX_CAUSES = 5;

/** SQLSTATE classes of a server that ends, starts or has lost a connection. */
const PASSING_STATES = /^(?:08|57P0|53)/;
const LOST_CONNECTION = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTCONN']);
/** What pg says of a connection that broke, which has no code. */
const LOST_MESSAGES = /Connection terminated|connection error|timeout exceeded when trying to connect/i;

interface HealingOptions {
  /** Ends the waiting: what failed last is then thrown. */
  readonly signal?: AbortSignal;
  /** Hears that there is something to wait for. */
  readonly onWait?: () => void;
}

/**
 * Passes on what work gives. Where it fails because its database is gone it is done again, for a minute: a server that
 * was killed is started again by whoever holds a lease. The work must be one that may be done twice.
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
      // An attempt that began before the end may have waited long for an answer on a connection that is gone.
      deadline ??= Date.now() + DEADLINE_MS;
      const isOver = startedAt > deadline || signal?.aborted === true;
      if (isOver || !isOfLostConnection(error)) throw error;
      if (attempt === 1) onWait();
      await pause(nextDelayMs(attempt, BACKOFF), signal);
    }
  }
}

/** Whether an error, or one of its causes, says that the server went away. */
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
