import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  EmbeddedServerError,
  type HomeLayout,
  messageOf,
  openHome,
  readIfPresent,
  withAdvice,
  writePrivateFile,
} from './home.js';
import { EMBEDDED_NAME, prepareServer, type ServerSetup } from './prepare-server.js';
import { disarmLock, findServer, type RunningServer, startServer } from './server.js';
import { boundLog, errorWithLog, logLengthBytes, logTextSince } from './server-log.js';
import { removeEndedLeases, takeLease, type Watcher } from './watcher.js';

export interface EmbeddedServerOptions {
  /** The folder TAKT_HOME. It is created if it is missing. */
  readonly home: string;
  /** Settings of PostgreSQL that override the defaults. They apply only if this lease starts the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Maximum time for starting the server. Default 60 s. */
  readonly startDeadlineMs?: number;
  /** Called if the server was lost and could not be restarted yet, or could be restarted only at another address. */
  readonly onTrouble?: (error: Error) => void;
}

/** A share in the running server. The server stops after the last share is closed. */
export interface EmbeddedServerLease {
  /** Address for a superuser: `postgres://takt:PASSWORD@127.0.0.1:PORT/takt`. */
  readonly url: string;
  /** Real path of the home, without symbolic links. */
  readonly home: string;
  /** Closes the share. For the last share, resolves after the server has stopped. Safe to repeat. */
  close(): Promise<void>;
}

const DEFAULT_START_DEADLINE_MS = 60_000;
const POLL_MS = 20;
/**
 * Interval between checks of the server. On systems other than Linux it is longer, because each check starts a program.
 */
const CHECK_MS = process.platform === 'linux' ? 500 : 2_000;
const ANSWER_DEADLINE_MS = 5_000;
const RETRY_MS = 500;
/** Maximum number of failed starts. Temporary failures, such as memory still in use or a kill, pass within 10 s. */
const MAXIMUM_FAILED_STARTS = 20;
/**
 * Number of starts that may fail because of a dying server, because a killed server keeps its process id for up to 2 s.
 */
const FAILED_STARTS_BY_A_DYING_SERVER = 6;
/**
 * Lowest port for the server. The ports are below the usual range of outgoing ports, so that no outgoing connection
 * takes the port.
 */
const LOWEST_PORT = 15_000;
const HIGHEST_PORT = 32_000;

/**
 * Leases the embedded PostgreSQL server of a home. The server is created and started if needed. It stops with its last
 * lease, even if the holders of the leases are killed. A server that dies is restarted at the same address. Rejects
 * with an `EmbeddedServerError` that says what to do.
 */
export async function leaseEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServerLease> {
  const layout = await openHome(options.home);
  const closing = new AbortController();
  const obtain = (fixedPort?: number) =>
    obtainServer(layout, {
      settings: options.settings ?? {},
      deadlineMs: options.startDeadlineMs ?? DEFAULT_START_DEADLINE_MS,
      closing: closing.signal,
      fixedPort,
    });
  const { watcher, port, url } = await begin(layout, obtain, closing.signal);
  const held: KeptLease = { layout, watcher, port, obtain, closing: closing.signal };
  const kept = keep(held, options.onTrouble ?? (() => undefined));
  let closed: Promise<void> | undefined;
  return {
    url,
    home: layout.home,
    close() {
      closing.abort();
      closed ??= kept.then(() => release(held));
      return closed;
    },
  };
}

/** Returns the running server, and starts it if needed. With `fixedPort`, it must run at that port. */
type Obtain = (fixedPort?: number) => Promise<RunningServer>;

async function begin(layout: HomeLayout, obtain: Obtain, closing: AbortSignal) {
  let watcher: Watcher | undefined;
  try {
    watcher = await takeLease(layout, closing);
    const { port } = await obtain();
    return { watcher, port, url: await urlOf(layout, port) };
  } catch (error) {
    await watcher?.end();
    throw withAdvice(error, layout.home);
  }
}

/** A lease, together with its options. */
interface KeptLease {
  readonly layout: HomeLayout;
  readonly port: number;
  readonly obtain: Obtain;
  readonly closing: AbortSignal;
  watcher: Watcher;
}

/** Replaces the watcher or the server if it ends unexpectedly, until the lease is closed. */
async function keep(held: KeptLease, onTrouble: (error: Error) => void): Promise<void> {
  const { layout, closing } = held;
  while (await idle(CHECK_MS, closing)) {
    try {
      if (!held.watcher.isRunning()) held.watcher = await takeLease(layout, closing);
      await removeEndedLeases(layout);
      if ((await findServer(layout.data)) === undefined) await replaceServer(held);
      await boundLog(layout.log);
    } catch (error) {
      if (!closing.aborted) onTrouble(error instanceof Error ? error : new Error(messageOf(error)));
    }
  }
}

async function release({ layout, watcher }: KeptLease): Promise<void> {
  if (await watcher.end()) return;
  await (await takeLease(layout, AbortSignal.timeout(DEFAULT_START_DEADLINE_MS))).end();
}

async function replaceServer({ obtain, port }: KeptLease): Promise<void> {
  const found = await obtain(port);
  if (found.port === port) return;
  throw new EmbeddedServerError(
    `The embedded PostgreSQL server had to move from port ${port} to ${found.port}: start this command again.`,
  );
}

/** Waits without keeping the process alive. Returns false if `over` is aborted. */
function idle(ms: number, over: AbortSignal): Promise<boolean> {
  return sleep(ms, undefined, { ref: false, signal: over }).then(
    () => true,
    () => false,
  );
}

interface ObtainOptions {
  readonly settings: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  readonly closing: AbortSignal;
  /**
   * Port that the server must have, because clients already use its address. If the port is taken, the start waits
   * until it is free instead of choosing another port.
   */
  readonly fixedPort: number | undefined;
}

/** Returns the server of the home, ready for connections. It is started if needed. */
async function obtainServer(layout: HomeLayout, options: ObtainOptions): Promise<RunningServer> {
  const giveUp = AbortSignal.any([AbortSignal.timeout(options.deadlineMs), options.closing]);
  let start: Start | undefined;
  try {
    while (!giveUp.aborted) {
      const server = await findServer(layout.data);
      if (server?.isReady && (await accepts(layout, server.port))) {
        if (server.pid === start?.child?.pid) await writePrivateFile(layout.port, `${server.port}\n`);
        return server;
      }
      if (server === undefined && !isRunning(start?.child)) {
        start ??= await prepareStart(layout, options, giveUp);
        await startOnce(start);
      }
      await sleep(POLL_MS);
    }
  } catch (error) {
    if (!giveUp.aborted) throw error;
  }
  throw await errorWithLog(
    `The embedded PostgreSQL server of ${layout.home} did not accept connections within ` +
      `${options.deadlineMs / 1000} s: allow more time (startDeadlineMs), for recovery after a crash can take ` +
      'minutes, or see its log.',
    layout.log,
  );
}

/** The attempts of one process to start the server. */
interface Start {
  readonly layout: HomeLayout;
  readonly setup: ServerSetup;
  readonly hasFixedPort: boolean;
  readonly giveUp: AbortSignal;
  port: number;
  child?: ChildProcess;
  /** Length of the log in bytes before the last attempt. */
  logOffset: number;
  failedStarts: number;
}

async function prepareStart(layout: HomeLayout, options: ObtainOptions, giveUp: AbortSignal): Promise<Start> {
  await boundLog(layout.log);
  const setup = await prepareServer(layout, options.settings, giveUp);
  const hasFixedPort = options.fixedPort !== undefined;
  const port = options.fixedPort ?? (await rememberedPort(layout.port)) ?? inventPort();
  return { layout, setup, hasFixedPort, giveUp, port, logOffset: 0, failedStarts: 0 };
}

function isRunning(child: ChildProcess | undefined): boolean {
  return child?.pid !== undefined && child.exitCode === null && child.signalCode === null;
}

/** Starts a server. If the previous attempt failed, the remedy for its failure is applied first. */
async function startOnce(start: Start): Promise<void> {
  const { layout, setup, giveUp } = start;
  if (start.child !== undefined) {
    await recoverFromFailedStart(start, start.child);
    if (giveUp.aborted || (await findServer(layout.data)) !== undefined) return;
  }
  start.logOffset = await logLengthBytes(layout.log);
  start.child = await startServer(setup, start.port, layout.log);
}

/** Applies the remedy for a failed start, and waits. Rejects if there is no remedy. */
async function recoverFromFailedStart(start: Start, { signalCode, pid }: ChildProcess): Promise<void> {
  const said = await logTextSince(start.layout.log, start.logOffset);
  start.failedStarts++;
  const isLocked = /lock file .* (already exists|is empty)/.test(said);
  const isPortClash = /Address already in use|could not bind/.test(said);
  // If the log says that the server was ready, the server ended so soon afterwards that its readiness was not noticed.
  const wasReady = /ready to accept connections/.test(said);
  const passes =
    signalCode !== null || wasReady || isLocked || isPortClash || /shared memory .*in use/.test(said);
  if (pid === undefined || !passes || start.failedStarts > MAXIMUM_FAILED_STARTS) {
    const reason = isPortClash
      ? `its port ${start.port} is taken by another program: end that one`
      : 'see below';
    throw await errorWithLog(
      `The embedded PostgreSQL server cannot be started (${reason}).`,
      start.layout.log,
      start.logOffset,
    );
  }
  if (isPortClash && !start.hasFixedPort) {
    start.port = inventPort();
    return;
  }
  if (isLocked && start.failedStarts > FAILED_STARTS_BY_A_DYING_SERVER) {
    await disarmLock(start.setup.data.directory);
  }
  await sleep(RETRY_MS, undefined, { signal: start.giveUp });
}

/** Returns the port that is stored in the home; undefined if none is stored. */
async function rememberedPort(path: string): Promise<number | undefined> {
  const port = Number(await readIfPresent(path));
  return Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

/** Returns a random port. If the port is taken, the start fails and another port is tried. */
function inventPort(): number {
  return randomInt(LOWEST_PORT, HIGHEST_PORT);
}

/** Returns the address of the server. Rejects if the password cannot be read. */
async function urlOf(layout: HomeLayout, port: number): Promise<string> {
  const password = await readFile(layout.password, 'utf8');
  return `postgres://${EMBEDDED_NAME}:${password}@127.0.0.1:${port}/${EMBEDDED_NAME}`;
}

/** Returns true if the server accepts a connection. Rejects if the server will never accept one. */
async function accepts(layout: HomeLayout, port: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: await urlOf(layout, port),
    ssl: false,
    connectionTimeoutMillis: ANSWER_DEADLINE_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code?.startsWith('28')) {
      throw new EmbeddedServerError(
        `The embedded server of ${layout.home} does not accept the password in ${layout.password} ` +
          `(${messageOf(error)}): put back the password that role ${EMBEDDED_NAME} has.`,
      );
    }
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
