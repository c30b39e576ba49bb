import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The wall clocks of processes that are started with `nodeArguments`. */
export interface Clocks {
  readonly nodeArguments: readonly string[];
  /** Shifts the clock of a process by `byMs`. The shift takes effect within 50 ms; 0 sets the clock right again. */
  shift(pid: number, byMs: number): Promise<void>;
  close(): Promise<void>;
}

export async function openClocks(): Promise<Clocks> {
  const folder = await mkdtemp(join(tmpdir(), 'takt-clocks-'));
  const preload = new URL('./shift-clock.js', import.meta.url);
  preload.searchParams.set('folder', folder);
  return {
    nodeArguments: ['--import', preload.href],
    shift: async (pid, byMs) => {
      const file = join(folder, String(pid));
      // Renames a complete file into place, so that the process never reads a partial file.
      await writeFile(`${file}.new`, String(byMs));
      await rename(`${file}.new`, file);
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
