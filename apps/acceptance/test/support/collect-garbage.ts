import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Loaded into a process that is started with --expose-gc, it tells what the process holds when garbage is collected. What
 * is resident says little of that: room that was needed once stays with the process, tens of MB to and fro.
 */
const EVERY_MS = 2_000;
const fileOf = (pid: number) => join(tmpdir(), `takt-held-memory-${pid}`);

const { gc } = globalThis;
if (gc !== undefined) {
  setInterval(() => {
    gc();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(fileOf(process.pid), String(heapUsed + external));
  }, EVERY_MS).unref();
  process.once('exit', () => rmSync(fileOf(process.pid), { force: true }));
}

/** What a process with this module held when garbage was collected last, in MB; NaN before. */
export function readHeldMb(pid: number): number {
  try {
    return Number(readFileSync(fileOf(pid), 'utf8')) / 2 ** 20;
  } catch {
    return Number.NaN;
  }
}
