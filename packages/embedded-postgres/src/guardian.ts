import { withAdvice } from './embedded-server-error.js';
import { untilNoLease } from './leases.js';
import { type HomeLayout, openHome } from './open-home.js';
import { endPostmaster, type Postmaster, pause, startPostmaster } from './postmaster.js';
import { prepareServer, type ServerSetup } from './prepare-server.js';
import { writePrivateFile } from './private-files.js';
import { disarmLock, findServer, isGuardian, serverRuns } from './running-server.js';
import { errorWithLog, openServerLog, type ServerLog } from './server-log.js';
import { findFreePort, rememberedPort } from './server-port.js';

export interface GuardianOptions {
  /** Settings of PostgreSQL over the defaults. */
  readonly settings: Readonly<Record<string, string>>;
  /** The server's port that must not change, if there is one. */
  readonly fixedPort?: number;
}

const LOG_CHECK_INTERVAL_MS = 60_000;
const RETRY_MS = 500;
/** Refusals at the start that pass by themselves, such as memory still in use or a kill, pass within 10 s. */
const MAXIMUM_REFUSALS = 20;
/** A killed server keeps its process id for up to 2 s. */
const REFUSALS_BY_A_DYING_SERVER = 6;
const FIRST_BACKOFF_MS = 100;
const LONGEST_BACKOFF_MS = 2_000;
const STABLE_AFTER_MS = 5_000;

/**
 * Runs the server of a home for as long as somebody holds a lease. Resolves when the server has stopped: after the
 * last lease, when `stopping` is aborted, when another guardian has the server, or before the start where
 * `starterLeft` is aborted by then. Rejects with an EmbeddedServerError if the server cannot be started, or started
 * again: then whoever still holds a lease on it starts another guardian, and hears why.
 */
export async function guard(
  home: string,
  options: GuardianOptions,
  signals: Pick<Watch, 'starterLeft' | 'stopping'>,
): Promise<void> {
  const layout = await openHome(home);
  const log = await openServerLog(layout.log);
  const logCheck = setInterval(() => void log.bound().catch(() => undefined), LOG_CHECK_INTERVAL_MS);
  try {
    await log.bound();
    const setup = await prepareServer(layout, options.settings);
    if (signals.starterLeft.aborted) return;
    const port = options.fixedPort ?? (await rememberedPort(layout.port)) ?? (await findFreePort());
    const hasHolders = options.fixedPort !== undefined;
    await keepServerRunning({ ...signals, layout, log, setup, port, hasHolders, refusals: 0, crashes: 0 });
  } catch (error) {
    throw withAdvice(error, layout.home);
  } finally {
    clearInterval(logCheck);
    await log.close();
  }
}

/** What a guardian works with, and what happened so far. */
interface Watch {
  readonly layout: HomeLayout;
  readonly log: ServerLog;
  readonly setup: ServerSetup;
  readonly stopping: AbortSignal;
  /** Aborted when the process that started the guardian has a lease, or has ended. */
  readonly starterLeft: AbortSignal;
  port: number;
  /** Whether somebody relies on the port, so that a clash is waited out and not dodged, and renews a lease. */
  hasHolders: boolean;
  /** In a row. */
  refusals: number;
  /** In a row, each soon after the start. */
  crashes: number;
}

/** Starts the server, and again whenever it ends without having been asked to. */
async function keepServerRunning(watch: Watch): Promise<void> {
  const { setup, log, stopping } = watch;
  while (!stopping.aborted) {
    const logOffset = await log.lengthBytes();
    const postmaster = startPostmaster(setup, watch.port, log);
    try {
      const isReady = await postmaster.untilReady(stopping);
      if (stopping.aborted) return;
      const retryMs = isReady
        ? await serve(postmaster, watch)
        : await recoverFromRefusal(logOffset, postmaster.wasKilled(), watch);
      if (retryMs === undefined) return;
      await pause(retryMs, stopping);
    } finally {
      await postmaster.stop();
    }
  }
}

/** Gives the time to wait before the server, which has crashed, is started again; undefined if nobody needs it. */
async function serve(postmaster: Postmaster, watch: Watch): Promise<number | undefined> {
  const { layout, log, stopping, starterLeft, port, hasHolders } = watch;
  watch.hasHolders = true;
  watch.refusals = 0;
  const readyAt = performance.now();
  await writePrivateFile(layout.port, `${port}\n`);
  const over = AbortSignal.any([stopping, postmaster.ended]);
  await untilNoLease(layout, port, { over, hasHolders, starterLeft });
  if (stopping.aborted || !postmaster.ended.aborted) return undefined;
  await log.note('the server ended unasked and is started again');
  watch.crashes = performance.now() - readyAt > STABLE_AFTER_MS ? 0 : watch.crashes + 1;
  return Math.min(FIRST_BACKOFF_MS * 2 ** watch.crashes, LONGEST_BACKOFF_MS);
}

/**
 * Does what helps against a start that failed; gives the time to wait before the next one, or undefined when the
 * data directory is to be left to another guardian. Rejects if nothing will help.
 */
async function recoverFromRefusal(
  logOffset: number,
  wasKilled: boolean,
  watch: Watch,
): Promise<number | undefined> {
  const said = await watch.log.textSince(logOffset);
  watch.refusals++;
  const isLocked = /lock file .* already exists/.test(said);
  const isPortClash = /Address already in use|could not bind/.test(said);
  // It ended so soon after it was ready that nobody had looked yet.
  const wasReady = /ready to accept connections/.test(said);
  const passes = wasKilled || wasReady || isLocked || isPortClash || /shared memory .*in use/.test(said);
  if (!passes || watch.refusals > MAXIMUM_REFUSALS) {
    const reason = isPortClash
      ? `its port ${watch.port} is taken by another program: end that one`
      : 'see below';
    throw await errorWithLog(
      `The embedded PostgreSQL server cannot be started (${reason}).`,
      watch.log.path,
      logOffset,
    );
  }
  if (isLocked) return breakLock(watch);
  if (!isPortClash || watch.hasHolders) return RETRY_MS;
  watch.port = await findFreePort();
  return 0;
}

/** Ends the server that has the data directory, unless it has a guardian; makes way if the lock is nobody's. */
async function breakLock({ layout, setup, refusals }: Watch): Promise<number | undefined> {
  const other = await findServer(layout.data);
  if (other === undefined) {
    if (refusals > REFUSALS_BY_A_DYING_SERVER) await disarmLock(setup.data.directory);
    return RETRY_MS;
  }
  if (await isGuardian(other.guardianPid, layout.home)) return undefined;
  await endPostmaster(other.pid, async () => !(await serverRuns(other)));
  return FIRST_BACKOFF_MS;
}
