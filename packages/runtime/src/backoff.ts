export interface BackoffOptions {
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
}

/**
 * How long to wait before attempt `attempt` (1 is the first repetition): doubled each time up to the maximum, of
 * which the upper half is random, so that many who failed together do not come back together.
 */
export function nextDelayMs(attempt: number, { firstDelayMs, maxDelayMs }: BackoffOptions): number {
  const full = Math.min(maxDelayMs, firstDelayMs * 2 ** Math.min(attempt - 1, 30));
  return full / 2 + Math.random() * (full / 2);
}
