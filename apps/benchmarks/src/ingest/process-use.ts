import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** What /proc tells of a process (Linux); the clock ticks of proc(5) are made milliseconds. */
const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** User and system CPU time of a process so far and of those of its children that have ended, in milliseconds. */
export function readCpuMs(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  const ticks = afterName.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
  return (ticks * 1000) / TICKS_PER_SECOND;
}

/** The same of a server and of all its children, those that have ended included. */
export function readServerCpuMs(pid: number): number {
  return findChildren(pid).reduce((sum, child) => sum + readCpuMsWhileItRuns(child), readCpuMs(pid));
}

/** A child that has ended since it was found is counted with its parent from then on. */
function readCpuMsWhileItRuns(pid: number): number {
  try {
    return readCpuMs(pid);
  } catch {
    return 0;
  }
}

/** Pids of the children of a process. */
export function findChildren(pid: number): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((candidate) => parentOf(candidate) === pid);
}

function parentOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return 0;
  }
}
