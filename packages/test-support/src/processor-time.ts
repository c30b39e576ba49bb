/**
 * CPU time of a piece of work, in ms; unlike wall-clock time it is independent of other programs. The work must run
 * synchronously in this process.
 */
export function processorMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
