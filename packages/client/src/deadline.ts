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
