import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { waitUntil } from '@takt/test-support';

const run = promisify(execFile);
const PIECES = [1_048_576, 4_096];
const LOOK_EVERY_MS = 20;
const UNMOUNT_DEADLINE_MS = 60_000;

/** A disk of limited size. */
export interface SmallDisk {
  readonly path: string;
  /**
   * Fills the disk, including space that other processes free later. Returns a function that stops filling and frees
   * the disk.
   */
  fill(): Promise<() => Promise<void>>;
  /** Unmounts the disk. The caller must first stop all processes that use the disk. */
  close(): Promise<void>;
}

/** Mounts a file system in memory as a small disk. Returns undefined if this process may not mount a file system. */
export async function mountSmallDisk(sizeMb: number): Promise<SmallDisk | undefined> {
  const path = await mkdtemp(join(tmpdir(), 'takt-small-disk-'));
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${sizeMb}m,mode=0755`, 'tmpfs', path]);
  } catch {
    await rmdir(path);
    return undefined;
  }
  return {
    path,
    fill: async () => {
      const filler = join(path, 'filler');
      const file = await open(filler, 'w');
      let isOver = false;
      const takeRest = async () => {
        for (const size of PIECES) await writeUntilFull(file, Buffer.alloc(size));
      };
      const goOn = async () => {
        while (!isOver) {
          await delay(LOOK_EVERY_MS);
          await takeRest();
        }
      };
      await takeRest();
      const going = goOn();
      going.catch(() => undefined);
      return async () => {
        isOver = true;
        await going.finally(() => file.close()).finally(() => rm(filler));
      };
    },
    close: async () => {
      // A server on the disk may take a moment to exit.
      await waitUntil('the disk is no longer used', () => unmounted(path), UNMOUNT_DEADLINE_MS);
      await rmdir(path);
    },
  };
}

function unmounted(path: string): Promise<boolean> {
  return run('umount', [path]).then(
    () => true,
    () => false,
  );
}

async function writeUntilFull(file: Awaited<ReturnType<typeof open>>, piece: Buffer): Promise<void> {
  for (;;) {
    try {
      const { bytesWritten } = await file.write(piece);
      if (bytesWritten < piece.length) return;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return;
      throw error;
    }
  }
}
