import type { Failure, Result } from './failure.js';

/** What can end a wait: the caller, or time. */
export interface Deadline {
  /** Aborted by either. */
  readonly signal: AbortSignal;
  /** Why it was; undefined as long as it was not. */
  ending(): 'aborted' | 'timeout' | undefined;
  /** Forgets timer and caller. */
  release(): void;
}

/**
 * Begins to wait. By hand rather than by AbortSignal.any, which keeps every wait that a long-lived signal of the caller ever
 * took part in.
 */
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

/** What a promise gives, unless the signal is aborted before: then it rejects at once. */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** How often and how long a request is tried that may succeed later. */
export interface RetryPolicy {
  /** Requests at most, the first one too; 1: none is repeated. By default 4. */
  readonly attempts: number;
  /** From the call to its end, waits and answers included. By default 30,000. */
  readonly deadlineMs: number;
  /** How long an attempt may take, to the last byte. By default 10,000. */
  readonly timeoutMs: number;
}

export const defaultPolicy: RetryPolicy = { attempts: 4, deadlineMs: 30_000, timeoutMs: 10_000 };

const FIRST_BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 5_000;
/** What a proxy answers while the service behind it starts. */
const GATEWAY_STATUSES = [502, 503, 504];

/**
 * Tries until something other than a passing failure comes back, the attempts are spent, or the next one would begin after
 * the deadline: then gives the last failure, without a wait that leads to nothing.
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

/** undefined where the same request would fail again: whatever is wrong with the request itself, and the caller's own end. */
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

/** Twice as long each time, less a part by chance: clients that failed together do not come back together. */
function backoff(count: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (count - 1), MAX_BACKOFF_MS) * (0.5 + Math.random() / 2);
}

/** Gives a failure where the caller ends the wait. */
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
