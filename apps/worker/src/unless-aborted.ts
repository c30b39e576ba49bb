/** The worker closes and waits no longer for database or queue; the events were not taken and go back. */
export class GivenUpError extends Error {
  override readonly name = 'GivenUpError';
}

/**
 * Gives what `task` gives, but does not wait for it once `signal` is aborted: then it rejects with a GivenUpError.
 * What was abandoned may still take effect, so the task must be one that may be done twice.
 */
export async function unlessAborted<Result>(
  signal: AbortSignal,
  task: () => Promise<Result>,
): Promise<Result> {
  const givenUp = () => new GivenUpError('closing, waiting no longer for database or queue');
  if (signal.aborted) throw givenUp();
  let abandon: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abandon = () => reject(givenUp());
    signal.addEventListener('abort', abandon);
  });
  try {
    return await Promise.race([task(), aborted]);
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}
