/** Thrown if work took too long. The work may still complete later. */
export class DeadlineExceededError extends Error {
  override readonly name = 'DeadlineExceededError';

  constructor(what: string, deadlineMs: number, options?: ErrorOptions) {
    super(`${what} took longer than ${deadlineMs} ms`, options);
  }
}

/**
 * Settles like `work`, but rejects with a DeadlineExceededError if `work` has not settled after `deadlineMs`. The work
 * continues, because BullMQ's calls cannot be cancelled, and some of them never settle while the store is unreachable.
 */
export async function withDeadline<Result>(
  what: string,
  deadlineMs: number,
  work: Promise<Result>,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceededError(what, deadlineMs)), deadlineMs);
  });
  try {
    return await Promise.race([work, expiry]);
  } finally {
    clearTimeout(timer);
  }
}
