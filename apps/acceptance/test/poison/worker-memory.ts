import { readFileSync } from 'node:fs';

/** The most memory that a process has ever held resident, in MB of 2^20 bytes (Linux). */
export function readPeakMemoryMb(pid: number): number {
  const peakKb = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(peakKb) / 1_024;
}
