import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Loaded into a process that is started with --expose-gc, it tells what the process holds when garbage is collected. What
 * is resident says little of that: room that was needed once stays with the process, tens of MB to and fro.
 */
const EVERY_MS = 2_000;
/** The observed process has another temporary folder than who reads: it is told in the module's address. */
const toldFolder = new URL(import.meta.url).searchParams.get('folder');
const fileOf = (pid: number) => join(toldFolder ?? tmpdir(), `takt-held-memory-${pid}`);

const { gc } = globalThis;
if (gc !== undefined) {
  setInterval(() => {
    gc();
    const { heapUsed, external } = process.memoryUsage();
    writeFileSync(fileOf(process.pid), String(heapUsed + external));
  }, EVERY_MS).unref();
  process.once('exit', () => rmSync(fileOf(process.pid), { force: true }));
}

/** The argument for node that loads it into a process. */
export function collectingGarbage(): string {
  const module = new URL(import.meta.url);
  module.searchParams.set('folder', tmpdir());
  return `--import=${module}`;
}

/** What a process with this module held when garbage was collected last, in MB; NaN before. */
export function readHeldMb(pid: number): number {
  try {
    return Number(readFileSync(fileOf(pid), 'utf8')) / 2 ** 20;
  } catch {
    return Number.NaN;
  }
}
