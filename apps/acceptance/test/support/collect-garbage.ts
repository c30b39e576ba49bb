import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Loaded into a process with --expose-gc, this module reports the memory in use after each garbage collection. Resident
 * memory says little about it: a process keeps memory it once needed, and it varies by tens of MB.
 */
const EVERY_MS = 2_000;
/** The observed process has another temporary folder than the reader, so the module's address names the folder. */
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

/** Returns the argument for node that loads this module. */
export function collectingGarbage(): string {
  const module = new URL(import.meta.url);
  module.searchParams.set('folder', tmpdir());
  return `--import=${module}`;
}

/**
 * Returns the memory that a process with this module used after its last garbage collection, in MB; NaN before the
 * first.
 */
export function readHeldMb(pid: number): number {
  try {
    return Number(readFileSync(fileOf(pid), 'utf8')) / 2 ** 20;
  } catch {
    return Number.NaN;
  }
}
