import type { Logger } from './create-logger.js';
import { type BackoffOptions, nextDelayMs, pause } from './waiting.js';

/** What an app stands on, as it is found. */
export interface Fitness {
  /** Why the app cannot start on it; empty when it can. */
  readonly problems: readonly string[];
  /** What is to be said loudly and gone on with. */
  readonly warnings: readonly string[];
}

export interface FitnessOptions<Found extends Fitness> {
  /** Rejects where something cannot be reached yet. */
  readonly check: () => Promise<Found>;
  /** What cannot be reached, for the log. */
  readonly what: string;
  readonly logger: Logger;
  /** Aborted when the app is to end. */
  readonly stopping?: AbortSignal | undefined;
}

const DEADLINE_MS = 60_000;
const BACKOFF: BackoffOptions = { firstDelayMs: 200, maxDelayMs: 5_000 };

class UnfitError extends Error {}

/**
 * An app that starts together with what it needs waits for it, for a minute. Rejects with all that is wrong where it
 * is there but cannot be used; gives what was found where it can, its warnings said.
 */
export async function waitUntilFit<Found extends Fitness>({
  check,
  what,
  logger,
  stopping,
}: FitnessOptions<Found>): Promise<Found> {
  const deadline = Date.now() + DEADLINE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      const found = await check();
      for (const warning of found.warnings) logger.warn(warning);
      if (found.problems.length > 0) throw new UnfitError(found.problems.join('\n'));
      return found;
    } catch (error) {
      if (error instanceof UnfitError || Date.now() > deadline) throw error;
      logger.warn({ error }, `${what} cannot be reached yet`);
      await pause(nextDelayMs(attempt, BACKOFF), stopping);
      if (stopping?.aborted === true) throw new Error(`told to stop while waiting for ${what}`);
    }
  }
}
