import type { Logger } from './create-logger.js';
import { type BackoffOptions, nextDelayMs, pause } from './waiting.js';

export interface FitnessOptions {
  /** Why the app cannot start on what it finds; empty when it can. Rejects where something cannot be reached yet. */
  readonly findUnfitness: () => Promise<readonly string[]>;
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
 * is there but cannot be used.
 */
export async function waitUntilFit({ findUnfitness, what, logger, stopping }: FitnessOptions): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      const problems = await findUnfitness();
      if (problems.length > 0) throw new UnfitError(problems.join('\n'));
      return;
    } catch (error) {
      if (error instanceof UnfitError || Date.now() > deadline) throw error;
      logger.warn({ error }, `${what} cannot be reached yet`);
      await pause(nextDelayMs(attempt, BACKOFF), stopping);
      if (stopping?.aborted === true) throw new Error(`told to stop while waiting for ${what}`);
    }
  }
}
