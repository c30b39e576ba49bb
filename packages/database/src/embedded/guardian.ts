import { setImmediate } from 'node:timers/promises';
import { withdrawAnnouncement, writeAnnouncement } from './announcement.js';
import { clearDataDirectory } from './clear-data-directory.js';
import { withAdvice } from './embedded-server-error.js';
import type { GuardianNews } from './guardian-news.js';
import { type HomeLayout, openHome } from './home-layout.js';
import { type KeptServer, keepServerRunning } from './keep-server-running.js';
import { type EndLease, listenForLeases } from './lease-listener.js';
import { prepareServerPlace } from './prepare-server-place.js';
import { createReadiness } from './readiness.js';
import { randomSecret, writePrivateFile } from './secret-file.js';
import { openServerLog, type ServerLog } from './server-log.js';
import { findFreePort, rememberedPort } from './server-port.js';
import type { ServerPlace } from './start-postmaster.js';

export interface GuardianOptions {
  readonly home: string;
  /** Settings of PostgreSQL over the defaults. */
  readonly settings: Readonly<Record<string, string>>;
  /** The server's port that must not change, if there is one. */
  readonly fixedPort?: number;
}

export interface Guardian {
  /** Resolves when the server has stopped and nothing is left running. */
  readonly finished: Promise<void>;
  /** Stops the server although it is leased. */
  stop(): void;
  /** The process that started the guardian has died, or needs it no more. */
  starterLeft(): void;
}

const LOG_CHECK_INTERVAL_MS = 60_000;

/**
 * Runs the server of a home for as long as somebody holds a lease; the starter counts as a holder until the
 * first lease. The first that `tell` is given is what the starter waits for.
 */
export function startGuardian(options: GuardianOptions, tell: (news: GuardianNews) => void): Guardian {
  const stopping = new AbortController();
  const holders = new Set<symbol>();
  const hold = (): EndLease => {
    const holder = Symbol('lease');
    holders.add(holder);
    return () => {
      if (holders.delete(holder) && holders.size === 0) stopping.abort();
      return holders.size > 0;
    };
  };
  const starterLeft = hold();
  const holdInstead = () => {
    const end = hold();
    // The starter's own lease, as a rule; else its lease fails if this one ends first, and it starts anew.
    starterLeft();
    return end;
  };
  const finished = guard(options, { hold: holdInstead, stopping: stopping.signal, tell }).catch(
    (error: unknown) => tell({ kind: 'failed', message: withAdvice(error, options.home).message }),
  );
  return { finished, starterLeft, stop: () => stopping.abort() };
}

interface Surroundings {
  readonly hold: () => EndLease;
  readonly stopping: AbortSignal;
  readonly tell: (news: GuardianNews) => void;
}

async function guard(options: GuardianOptions, surroundings: Surroundings): Promise<void> {
  const layout = await openHome(options.home);
  const log = await openServerLog(layout.log);
  const logCheck = setInterval(() => void log.bound().catch(() => undefined), LOG_CHECK_INTERVAL_MS);
  try {
    await log.bound();
    const place = await prepareServerPlace(layout, options.settings);
    const port = options.fixedPort ?? (await rememberedPort(layout.port)) ?? (await findFreePort());
    if (!surroundings.stopping.aborted) {
      await serveLeases(
        { layout, log, place, port, portIsFixed: options.fixedPort !== undefined },
        surroundings,
      );
    }
  } finally {
    clearInterval(logCheck);
    await log.close();
  }
}

interface Service {
  readonly layout: HomeLayout;
  readonly log: ServerLog;
  readonly place: ServerPlace;
  readonly port: number;
  readonly portIsFixed: boolean;
}

async function serveLeases(service: Service, { hold, stopping, tell }: Surroundings): Promise<void> {
  const { layout, place } = service;
  const secret = randomSecret();
  const readiness = createReadiness();
  const listener = await listenForLeases({ secret, hold, untilReady: readiness.untilReady });
  const server: KeptServer = keepServerRunning({
    ...service,
    onReady: readiness.up,
    onDown: readiness.down,
    async onLocked(postgresPid, port) {
      await writePrivateFile(layout.port, `${port}\n`);
      await writeAnnouncement(layout.guardian, {
        guardianPid: process.pid,
        postgresPid,
        port: listener.port,
        secret,
      });
      tell({ kind: 'announced' });
    },
    clearDataDirectory: (isStopping) => clearDataDirectory(place.data.directory, layout.guardian, isStopping),
  });
  const stop = async () => {
    listener.refuse();
    await withdrawAnnouncement(layout.guardian, secret);
    await server.stop();
  };
  stopping.addEventListener('abort', () => void stop().catch(() => undefined));
  if (stopping.aborted) await stop();
  try {
    if ((await server.ended) === 'foreign') tell({ kind: 'foreign' });
  } catch (error) {
    readiness.fail(withAdvice(error, layout.home));
    // Those who wait are told before their connections end.
    await setImmediate();
    throw error;
  } finally {
    await stop();
    await listener.close();
  }
}
