/** What a process writes when an error reached nobody: node itself, pino's fatal, and BullMQ's own fallback. */
const SIGNS = [
  /^Node\.js v\d/m,
  /"level":60/,
  /UnhandledPromiseRejection/,
  /Unexpected Error in AsyncFifoQueue/,
  /MaxListenersExceededWarning/,
];
const EXCERPT_LENGTH = 600;

/** A sentence for each output of a worker that tells of an error nobody caught. */
export function findCrashes(outputs: readonly string[]): string[] {
  return outputs.flatMap((output) => {
    const at = SIGNS.map((sign) => output.search(sign)).find((position) => position >= 0);
    if (at === undefined) return [];
    const from = Math.max(0, at - EXCERPT_LENGTH);
    return [`a worker wrote: ...${output.slice(from, at + EXCERPT_LENGTH)}`];
  });
}
