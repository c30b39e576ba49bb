import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/*
 * Regularly collects garbage in a process that loads this module with --expose-gc, and writes the remaining memory in
 * use to a file. Resident memory says little about leaks: a process keeps memory that it once needed, and its resident
 * memory varies by tens of MB.
 */
const EVERY_MS = 2_000;
/**
 * Folder for the files. The URL of this module contains the folder, because the observed process and the reader have
 * different temporary folders.
 */
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

/** Returns the Node.js argument that loads this module. */
export function collectingGarbage(): string {
  const module = new URL(import.meta.url);
  module.searchParams.set('folder', tmpdir());
  return `--import=${module}`;
}

/**
 * Returns the memory in MB after the last garbage collection in a process with this module. NaN before the first
 * collection.
 */
export function readHeldMb(pid: number): number {
  try {
    return Number(readFileSync(fileOf(pid), 'utf8')) / 2 ** 20;
  } catch {
    return Number.NaN;
  }
}
