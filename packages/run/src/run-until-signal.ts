import type { Server } from 'node:net';
import type { Logger } from './create-logger.js';
import { withDeadline } from './waiting.js';

export interface Closeable {
  close(): Promise<void>;
}

interface AppLifetime {
  /** To be called when the app cannot continue and should be restarted. */
  readonly failed: (reason: Error) => void;
  /** Aborted when the app should end. If the start still waits then, it rejects. */
  readonly stopping: AbortSignal;
}

/** Maximum time from SIGTERM to the exit. Most supervisors wait at least this long before they send SIGKILL. */
const CLOSE_DEADLINE_MS = 10_000;
/**
 * Maximum time to wait until the log is written. The wait is bounded because the reader of the log may be gone or
 * blocked.
 */
const FLUSH_DEADLINE_MS = 500;

/**
 * Runs an app: starts it, waits for SIGTERM or SIGINT, closes it, and exits within 10 s of the signal. Exits with
 * status 1 if the start fails, if closing takes too long, or if `failed` was called.
 */
export async function runUntilSignal(
  start: (lifetime: AppLifetime) => Promise<Closeable>,
  logger: Logger,
): Promise<never> {
  const stop = waitForStop();
  void stop.requested.then(() => exitAtDeadline(logger));
  const app = await start(stop).catch((error: unknown) => {
    if (stop.stopping.aborted) {
      logger.info('stopped before it had started');
    } else {
      logger.fatal(error, 'cannot start');
    }
    return exit(stop.stopping.aborted ? 0 : 1, logger);
  });
  const reason = await stop.requested;
  if (reason instanceof Error) {
    logger.fatal(reason, 'cannot go on');
  } else {
    logger.info({ signal: reason }, 'closing');
  }
  await app.close().catch((error: unknown) => logger.error(error, 'closing failed'));
  return exit(reason instanceof Error ? 1 : 0, logger);
}

/**
 * Ends the process after the log is written. Pino writes in the background, so the last lines would otherwise be lost.
 */
async function exit(code: number, logger: Logger): Promise<never> {
  const written = new Promise<void>((resolve) => logger.flush(() => resolve()));
  await withDeadline(written, FLUSH_DEADLINE_MS, () => undefined);
  return process.exit(code);
}

function waitForStop(): AppLifetime & { readonly requested: Promise<NodeJS.Signals | Error> } {
  const controller = new AbortController();
  let resolve: (reason: NodeJS.Signals | Error) => void = () => undefined;
  const requested = new Promise<NodeJS.Signals | Error>((done) => {
    resolve = done;
  });
  const stop = (reason: NodeJS.Signals | Error) => {
    resolve(reason);
    controller.abort();
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  return { requested, failed: stop, stopping: controller.signal };
}

function exitAtDeadline(logger: Logger): void {
  setTimeout(() => {
    logger.error(`not closed within ${CLOSE_DEADLINE_MS} ms, exiting anyway: nothing is lost`);
    void exit(1, logger);
  }, CLOSE_DEADLINE_MS).unref();
}

/**
 * Maximum number of connections that wait to be accepted. Further connections are dropped, and their clients retry
 * after a second.
 */
const BACKLOG = 2_048;

/**
 * Makes the server listen and resolves with the port, which the system chooses if `port` is 0. Rejects if the address
 * cannot be used.
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.removeListener('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}
