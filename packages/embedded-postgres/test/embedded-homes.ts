import { chmod, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedServerError } from '../src/home.js';
import { runProgram } from '../src/programs.js';
import { findServer, type RunningServer } from '../src/server.js';
import { waitUntil } from './wait-until.js';

/**
 * True for root on Linux. Only there it is certain that a process can give up the rights of root, so the tests of this
 * are skipped elsewhere.
 */
export const IS_LINUX_ROOT = process.platform === 'linux' && process.getuid?.() === 0;

/** Settings for small servers whose data may be lost. */
export const TEST_SETTINGS = { fsync: 'off', shared_buffers: '16MB', max_connections: '20' };

/** Creates temporary directories for homes. `end` removes them, and fails if a process of a home is still running. */
export function temporaryHomes() {
  const made: Array<{ parent: string; home: string }> = [];
  return {
    /** Returns a path in a new directory with this mode. The home at that path does not exist yet. */
    async create(name = 'home', mode = 0o755, place = tmpdir()): Promise<string> {
      const parent = await realpath(await mkdtemp(join(place, 'takt-embedded-')));
      await chmod(parent, mode);
      const home = join(parent, name);
      made.push({ parent, home });
      return home;
    },
    async end(): Promise<void> {
      for (const { parent, home } of made.splice(0)) {
        const left = await waitUntil(
          'no process is left',
          async () => (await processesOf(home)).length === 0,
          25_000,
        )
          .then(() => [])
          .catch(() => processesOf(home));
        for (const { pid } of left) process.kill(pid, 'SIGKILL');
        await rm(parent, { recursive: true, force: true });
        if (left.length > 0) {
          throw new Error(`left running: ${left.map(({ command }) => command).join('\n')}`);
        }
      }
    },
  };
}

/** Returns the error of an attempt to open a server; fails the test if the attempt succeeds. */
export async function refusal(attempt: Promise<unknown>): Promise<EmbeddedServerError> {
  const outcome = await attempt.catch((error: unknown) => error);
  if (outcome instanceof EmbeddedServerError) return outcome;
  throw new Error(`expected an EmbeddedServerError, got ${String(outcome)}`);
}

/** Returns the server of a home; rejects if none is running. */
export async function serverOf(home: string): Promise<RunningServer> {
  const server = await findServer({ data: join(home, 'postgres/data') });
  if (server === undefined) throw new Error('no server has the data directory');
  return server;
}

export interface FoundProcess {
  readonly pid: number;
  readonly kind: 'postgres' | 'other';
  readonly command: string;
}

/** Returns the processes whose command line contains the home or its data: servers, initdb and holders. */
export async function processesOf(home: string): Promise<FoundProcess[]> {
  const all = process.platform === 'linux' ? await processesOfLinux() : await processesOfPs();
  return all
    .filter(({ command }) => command.includes(home))
    .map(({ pid, command }) => ({ pid, command, kind: kindOf(command) }));
}

/** Fails if the server still runs, or if its children do not end soon. */
export async function expectEnded(home: string): Promise<void> {
  const kinds = (await processesOf(home)).map(({ kind }) => kind);
  if (kinds.includes('postgres')) throw new Error('the server still runs');
  await waitUntil('no process is left', async () => (await processesOf(home)).length === 0, 25_000);
}

/** Returns the number of processes of this kind whose command line contains the home. */
export async function count(home: string, kind: FoundProcess['kind']): Promise<number> {
  return (await processesOf(home)).filter((found) => found.kind === kind).length;
}

function kindOf(command: string): FoundProcess['kind'] {
  return / -D /.test(command) ? 'postgres' : 'other';
}

async function processesOfLinux() {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = ids.map(async (id) => {
    const text = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '');
    return { pid: Number(id), command: text.replaceAll('\0', ' ') };
  });
  return Promise.all(found);
}

async function processesOfPs() {
  const { output } = await runProgram('ps', ['-axww', '-o', 'pid=,command='], undefined);
  return output.split('\n').map((line) => ({ pid: Number.parseInt(line, 10), command: line }));
}
