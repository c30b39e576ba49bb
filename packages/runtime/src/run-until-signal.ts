import type { Logger } from './create-logger.js';

export interface Closeable {
  close(): Promise<void>;
}

/** SIGTERM to exit, at most: what supervisors give before they send SIGKILL is rarely less. */
const CLOSE_DEADLINE_MS = 10_000;

/**
 * The life of an app, for its main.ts: starts, waits for SIGTERM or SIGINT, closes within 10 s, exits. Exits with 1
 * where starting fails, closing takes too long, or `failed` says that the app cannot go on.
 */
export async function runUntilSignal(
  start: (failed: (reason: Error) => void) => Promise<Closeable>,
  logger: Logger,
): Promise<never> {
  const stop = waitForStop();
  try {
    const app = await start(stop.failed);
    const reason = await stop.requested;
    if (reason instanceof Error) logger.fatal(reason, 'cannot go on');
    else logger.info({ signal: reason }, 'closing');
    const closed = await Promise.race([app.close().then(() => true), expiry()]);
    if (!closed) logger.error(`not closed within ${CLOSE_DEADLINE_MS} ms, exiting anyway: nothing is lost`);
    process.exit(closed && !(reason instanceof Error) ? 0 : 1);
  } catch (error) {
    logger.fatal(error, 'cannot start');
    process.exit(1);
  }
}

function waitForStop() {
  let resolve: (reason: NodeJS.Signals | Error) => void = () => undefined;
  const requested = new Promise<NodeJS.Signals | Error>((done) => {
    resolve = done;
  });
  process.once('SIGTERM', resolve);
  process.once('SIGINT', resolve);
  return { requested, failed: resolve };
}

function expiry(): Promise<false> {
  return new Promise((resolve) => {
    setTimeout(resolve, CLOSE_DEADLINE_MS, false).unref();
  });
}
