/** Resident memory of a process in bytes, as its own metrics tell. */
export async function readProcessMemory(metricsUrl: string): Promise<number> {
  const metrics = await (await fetch(metricsUrl)).text();
  const bytes = Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)?.[1]);
  if (Number.isNaN(bytes)) throw new Error('the metrics tell no process_resident_memory_bytes');
  return bytes;
}
