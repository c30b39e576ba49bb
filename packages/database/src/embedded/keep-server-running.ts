import { setTimeout as sleep } from 'node:timers/promises';
import { errorWithLog, type ServerLog } from './server-log.js';
import { findFreePort } from './server-port.js';
import { type Postmaster, type ServerPlace, startPostmaster } from './start-postmaster.js';

export interface KeepRunningOptions {
  readonly place: ServerPlace;
  readonly log: ServerLog;
  readonly port: number;
  /** Whether somebody relies on the port, so that a clash is waited out and not dodged. */
  readonly portIsFixed: boolean;
  /** The data directory belongs to this server process now. */
  readonly onLocked: (postgresPid: number, port: number) => Promise<void>;
  readonly onReady: (port: number) => void;
  readonly onDown: () => void;
  /** Another server has the data directory: true when it is gone, false when it is to be left alone. */
  readonly clearDataDirectory: (isStopping: () => boolean) => Promise<boolean>;
}

export interface KeptServer {
  /**
   * 'foreign' when another guardian's server has the data directory, else 'stopped', after `stop`. Rejects when the
   * server cannot be started at all; one that ran once is started again without end.
   */
  readonly ended: Promise<'stopped' | 'foreign'>;
  stop(): Promise<void>;
}

const RETRY_MS = 500;
/** Refusals at the start that pass by themselves, such as memory still in use, pass within 10 s. */
const MAXIMUM_REFUSALS = 20;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 2_000;
const STABLE_AFTER_MS = 5_000;

/** Starts the server, and again whenever it ends without having been asked to. */
export function keepServerRunning(options: KeepRunningOptions): KeptServer {
  const stopping = new AbortController();
  let current: Postmaster | undefined;
  const isStopping = () => stopping.signal.aborted;

  const run = async () => {
    const state = { port: options.port, wasReady: false, refusals: 0, crashes: 0 };
    while (!isStopping()) {
      const logOffset = await options.log.lengthBytes();
      if (isStopping()) break;
      current = startPostmaster(options.place, state.port, options.log);
      const ready = await current.untilReady((pid) => options.onLocked(pid, state.port));
      const delayMs = ready
        ? await serve(current, state, options, isStopping)
        : await overcome(logOffset, state, options, isStopping);
      if (delayMs === undefined) return 'foreign';
      await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
    return 'stopped';
  };
  return {
    ended: run(),
    async stop() {
      stopping.abort();
      await current?.stop();
    },
  };
}

interface State {
  port: number;
  wasReady: boolean;
  refusals: number;
  crashes: number;
}

/** Waits for the end of a server that is ready; gives the time to wait before the next start. */
async function serve(
  server: Postmaster,
  state: State,
  options: KeepRunningOptions,
  isStopping: () => boolean,
): Promise<number> {
  state.wasReady = true;
  state.refusals = 0;
  const readyAt = performance.now();
  options.onReady(state.port);
  await server.exited;
  options.onDown();
  if (!isStopping()) await options.log.note('the server ended unasked and is started again');
  state.crashes = performance.now() - readyAt > STABLE_AFTER_MS ? 0 : state.crashes + 1;
  return Math.min(FIRST_BACKOFF_MS * 2 ** state.crashes, LONGEST_BACKOFF_MS);
}

/**
 * Does what helps against a start that failed; gives the time to wait before the next one, or undefined when the
 * data directory is to be left to another guardian. Rejects if nothing will help.
 */
async function overcome(
  logOffset: number,
  state: State,
  options: KeepRunningOptions,
  isStopping: () => boolean,
): Promise<number | undefined> {
  if (isStopping()) return 0;
  const said = await options.log.textSince(logOffset);
  if (/lock file .* already exists/.test(said)) {
    return (await options.clearDataDirectory(isStopping)) ? FIRST_BACKOFF_MS : undefined;
  }
  if (state.wasReady) return RETRY_MS;
  state.refusals++;
  const portClash = /Address already in use|could not bind/.test(said);
  const passes = portClash || /shared memory .*in use/.test(said);
  if (!passes || state.refusals > MAXIMUM_REFUSALS) {
    const reason = portClash
      ? `its port ${state.port} is taken by another program: end that one`
      : 'see below';
    throw await errorWithLog(
      `The embedded PostgreSQL server cannot be started (${reason}).`,
      options.log.path,
      logOffset,
    );
  }
  if (!portClash || options.portIsFixed) return RETRY_MS;
  state.port = await findFreePort();
  return 0;
}
