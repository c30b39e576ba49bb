import type { Failure, Result } from './failure.js';

/** A limit that ends a wait when the caller's signal is aborted or when a time has passed. */
export interface Deadline {
  /** Aborted when the caller's signal is aborted or the time has passed. */
  readonly signal: AbortSignal;
  /** Returns the reason why the wait ended; undefined while it has not ended. */
  ending(): 'aborted' | 'timeout' | undefined;
  /** Clears the timer and removes the listener. */
  release(): void;
}

/** Starts a deadline. AbortSignal.any cannot be used, because a long-lived signal would retain every wait. */
export function openDeadline(caller: AbortSignal | undefined, ms: number): Deadline {
  const controller = new AbortController();
  let ending: 'aborted' | 'timeout' | undefined;
  const end = (why: 'aborted' | 'timeout') => {
    ending ??= why;
    controller.abort();
  };
  const onTime = () => end('timeout');
  const onCaller = () => end('aborted');
  const timer = setTimeout(onTime, ms);
  caller?.addEventListener('abort', onCaller, { once: true });
  if (caller?.aborted) onCaller();
  return {
    signal: controller.signal,
    ending: () => ending,
    release: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', onCaller);
    },
  };
}

/** Resolves like the promise, but rejects at once when the signal is aborted. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Limits for retries after temporary failures. */
export interface RetryPolicy {
  /** Maximum number of requests, including the first one. 1 means that there is no retry. Default 4. */
  readonly attempts: number;
  /** Maximum time in ms from the call to its end, including waits and answers. Default 30,000. */
  readonly deadlineMs: number;
  /** Maximum time in ms of each attempt, until its last byte. Default 10,000. */
  readonly timeoutMs: number;
}

export const defaultPolicy: RetryPolicy = { attempts: 4, deadlineMs: 30_000, timeoutMs: 10_000 };

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 5_000;
/** Statuses with which a proxy answers while the service behind it starts. */
const GATEWAY_STATUSES = [502, 503, 504];

/**
 * Runs an attempt, and retries after temporary failures until attempts or time are used up. If the next retry would
 * come too late, returns the last failure at once instead of waiting.
 */
export async function withRetries<Success extends object>(
  attempt: (timeoutMs: number) => Promise<Result<Success>>,
  { attempts, deadlineMs, timeoutMs }: RetryPolicy,
  signal: AbortSignal | undefined,
): Promise<Result<Success>> {
  const endsAt = performance.now() + deadlineMs;
  for (let count = 1; ; count += 1) {
    const result = await attempt(Math.min(timeoutMs, endsAt - performance.now()));
    if (result.ok || count >= attempts) return result;
    const waitMs = waitAfter(result.error, count);
    if (waitMs === undefined || performance.now() + waitMs >= endsAt) return result;
    const aborted = await sleep(waitMs, signal);
    if (aborted !== undefined) return { ok: false, error: aborted };
  }
}

/**
 * Returns the time to wait before a retry. Returns undefined if the same request would fail again or the caller has
 * aborted it.
 */
function waitAfter(failure: Failure, count: number): number | undefined {
  switch (failure.kind) {
    case 'network':
    case 'timeout':
      return backoff(count);
    case 'not-json':
    case 'api':
      if (failure.status < 500) return undefined;
      return failure.retryAfterMs ?? (GATEWAY_STATUSES.includes(failure.status) ? backoff(count) : undefined);
    case 'aborted':
    case 'token':
      return undefined;
  }
}

/**
 * Returns the delay before a retry. It doubles with each retry, and a random part is subtracted, so that clients which
 * failed together do not retry together.
 */
function backoff(count: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (count - 1), MAX_BACKOFF_MS) * (0.5 + Math.random() / 2);
}

/** Waits. Returns a failure if the caller aborts the wait. */
async function sleep(ms: number, signal: AbortSignal | undefined): Promise<Failure | undefined> {
  const deadline = openDeadline(signal, ms);
  if (!deadline.signal.aborted) {
    await new Promise((resolve) => deadline.signal.addEventListener('abort', resolve, { once: true }));
  }
  deadline.release();
  return deadline.ending() === 'aborted' ? abortedBy(signal) : undefined;
}

export function abortedBy(signal: AbortSignal | undefined): Failure {
  return { kind: 'aborted', message: 'the caller ended the call', reason: signal?.reason };
}
