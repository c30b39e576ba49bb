import { type ChildProcess, spawn } from 'node:child_process';
import { nextDelayMs, pause } from '@takt/run/waiting';
import { CommandError } from './errors.js';

interface SuperviseOptions {
  readonly name: string;
  readonly script: string;
  readonly nodeArguments?: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** URL that answers 200 once the app is ready. */
  readonly readyUrl: string;
  /** Aborted before the shutdown, so that the app is not restarted. */
  readonly signal: AbortSignal;
  /** Receives messages about the app. */
  readonly say: (line: string) => void;
}

/** An app that is restarted until it is closed. */
interface SupervisedApp {
  /**
   * Resolves once the app is ready. Rejects with a CommandError if the app ends before it is ready, or if it takes too
   * long.
   */
  readonly ready: Promise<void>;
  /** Sends SIGTERM to the app, and SIGKILL after 10 s. Resolves when the app has ended. */
  close(): Promise<void>;
}

const READY_DEADLINE_MS = 60_000;
const READY_POLL_MS = 100;
const ANSWER_DEADLINE_MS = 5_000;
const CLOSE_DEADLINE_MS = 10_000;
const RESTART_BACKOFF = { firstDelayMs: 500, maxDelayMs: 30_000 };
/** If an app has run for at least this time, the next restart has the shortest delay again. */
const WELL_AFTER_MS = 60_000;
/**
 * Number of attempts to start an app. An app that ends before it is ready has either lost its database for a moment or
 * will never become ready. Three attempts distinguish the two cases.
 */
const START_ATTEMPTS = 3;
const END_WITH_PARENT = new URL('./end-with-parent.js', import.meta.url).href;

export function superviseApp(options: SuperviseOptions): SupervisedApp {
  const { name, say } = options;
  const closing = new AbortController();
  const stopped = AbortSignal.any([closing.signal, options.signal]);
  let app = launch(options);

  const keepRunning = async () => {
    let failures = 0;
    while (!stopped.aborted) {
      const startedAt = Date.now();
      const end = await app.ended;
      if (stopped.aborted) return;
      failures = Date.now() - startedAt > WELL_AFTER_MS ? 1 : failures + 1;
      const delayMs = nextDelayMs(failures, RESTART_BACKOFF);
      say(`takt: the ${name} ended (${end}), starting it again in ${(delayMs / 1_000).toFixed(1)} s`);
      await pause(delayMs, stopped);
      if (!stopped.aborted) app = launch(options);
    }
  };
  const untilReady = async () => {
    const answers = untilAnswers(options.readyUrl, stopped);
    for (let attempt = 1; ; attempt++) {
      const end = await Promise.race([app.ended, answers]);
      if (end === undefined || stopped.aborted) return;
      if (attempt === START_ATTEMPTS) {
        throw new CommandError(`the ${name} did not start (${end}): see its messages above`);
      }
      await pause(nextDelayMs(attempt, RESTART_BACKOFF), stopped);
      if (!stopped.aborted) app = launch(options);
    }
  };
  const ready = untilReady();
  // An app is restarted only if it was ready once. If it ends earlier, `ready` reports the failure.
  const kept = ready.then(keepRunning, () => undefined);
  let closed: Promise<void> | undefined;
  return {
    ready,
    close: () => {
      closing.abort();
      closed ??= app.end().then(() => kept);
      return closed;
    },
  };
}

function launch({ script, nodeArguments = [], environment }: SuperviseOptions) {
  const child = spawn(process.execPath, [...nodeArguments, '--import', END_WITH_PARENT, script], {
    env: { ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    child.once('error', (error) => resolve(error.message));
  });
  return { ended, end: () => endChild(child, ended) };
}

async function endChild(child: ChildProcess, ended: Promise<string>): Promise<void> {
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), CLOSE_DEADLINE_MS);
  await ended;
  clearTimeout(kill);
}

/** Resolves when the address answers 200, or when the signal is aborted. */
async function untilAnswers(url: string, signal: AbortSignal): Promise<undefined> {
  const deadline = Date.now() + READY_DEADLINE_MS;
  while (!signal.aborted) {
    if (await answers(url)) return;
    if (Date.now() > deadline) {
      throw new CommandError(`${url} did not answer within ${READY_DEADLINE_MS / 1_000} s`);
    }
    await pause(READY_POLL_MS, signal);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(ANSWER_DEADLINE_MS) })).ok;
  } catch {
    return false;
  }
}
