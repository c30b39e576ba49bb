/**
 * Processor time that a piece of work takes, in ms: unlike the clock it stands still while other programs of a busy
 * machine run. For work that is done in this process, before the function returns.
 */
export function processorMsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
