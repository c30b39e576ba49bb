import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { readIfPresent, writePrivateFile } from '@takt/embedded-postgres/files';
import { resolveSettings } from '@takt/run/settings';
import { type Context, withContext } from './context.js';
import { CommandError } from './errors.js';
import type { Terminal } from './terminal.js';

/** The addresses of a running `takt start`, which commands in other terminals need. URLs have no trailing slash. */
export interface RunningTakt {
  readonly pid: number;
  /** True if the running Takt uses the embedded server as its database, and false if it uses a DATABASE_URL. */
  readonly isEmbedded: boolean;
  /** Base URL at which this machine reaches the API. */
  readonly apiUrl: string;
  /** Base URL of the API's pages. A browser must use this URL, because sessions belong to a host. */
  readonly pagesUrl: string;
  readonly dashboardUrl: string;
  readonly intakeUrl: string;
}

const FILE = 'running.json';
const ANSWER_DEADLINE_MS = 5_000;

/** Writes the addresses to a file in TAKT_HOME. Returns a function that removes the file. */
export async function noteRunning(home: string, running: RunningTakt): Promise<() => Promise<void>> {
  const path = join(home, FILE);
  await writePrivateFile(path, `${JSON.stringify(running, null, 2)}\n`);
  return async () => {
    // A second `takt start` with other ports may have replaced the file in the meantime.
    if ((await readNote(home))?.pid === running.pid) await rm(path, { force: true });
  };
}

/**
 * Returns the Takt that runs with this TAKT_HOME. Returns undefined if none runs, even if a Takt that was killed has
 * left its file.
 */
export async function findRunning(home: string): Promise<RunningTakt | undefined> {
  const running = await readNote(home);
  if (running === undefined) return undefined;
  const health = fetch(`${running.apiUrl}/health/live`, { signal: AbortSignal.timeout(ANSWER_DEADLINE_MS) });
  const isThere = await health.then(
    ({ ok }) => ok,
    () => false,
  );
  return isThere ? running : undefined;
}

async function readNote(home: string): Promise<RunningTakt | undefined> {
  try {
    return JSON.parse((await readIfPresent(join(home, FILE))) ?? '') as RunningTakt;
  } catch {
    return undefined;
  }
}

interface RunningOptions {
  readonly running: RunningTakt;
  readonly home: string;
  readonly context: Context;
}

/** Runs work with the running Takt. Throws a CommandError if none runs or it uses another database. */
export async function withRunning(
  terminal: Terminal,
  work: (options: RunningOptions) => Promise<void>,
): Promise<void> {
  const settings = resolveSettings(terminal.environment);
  const home = resolve(settings.home);
  const running = await findRunning(home);
  if (running === undefined) {
    throw new CommandError(`no Takt is running with its data in ${home}: npm start starts it`);
  }
  if (running.isEmbedded !== (settings.databaseUrl === undefined)) {
    const state = running.isEmbedded ? 'without' : 'with';
    throw new CommandError(`Takt was started ${state} DATABASE_URL: run this command ${state} it too`);
  }
  await withContext(terminal, (context) => work({ running, home, context }));
}
