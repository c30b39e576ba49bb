/**
 * Returns the CPU time of synchronous work in this process, in ms. Unlike wall-clock time, it is independent of other
 * programs.
 */
export function processorMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
