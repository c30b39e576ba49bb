import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { EMBEDDED_NAME } from './data-directory.js';
import { readIfPresent, writePrivateFile } from './files.js';
import { EmbeddedServerError, type Home, messageOf, openHome, passwordOf, withAdvice } from './home.js';
import {
  disarmLock,
  findServer,
  isServer,
  lastLinesOf,
  logLength,
  prepareServer,
  type RunningServer,
} from './server.js';

export interface EmbeddedServerOptions {
  /** The folder TAKT_HOME. It is created if it is missing. */
  readonly home: string;
  /** Settings of PostgreSQL that override the defaults. They apply only if this process starts the server. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Maximum time for starting the server. Default 60 s. */
  readonly startDeadlineMs?: number;
  /** Called if the server ends although it is in use. */
  readonly onEnd?: (error: EmbeddedServerError) => void;
}

/** The running server of a home, for one of its users. */
export interface EmbeddedServer {
  /** Address for a superuser: `postgres://takt:PASSWORD@127.0.0.1:PORT/takt`. */
  readonly url: string;
  /** Real path of the home, without symbolic links. */
  readonly home: string;
  /** Ends the use. If nobody else uses the server, resolves after it has stopped. Safe to repeat. */
  close(): Promise<void>;
}

const POLL_MS = 20;
const RETRY_MS = 500;
const CONNECT_DEADLINE_MS = 5_000;
/** Time after which each signal is sent to a server that does not end: without a checkpoint, and by force. */
const SIGNALS = [
  { signal: 'SIGINT', afterMs: 0 },
  { signal: 'SIGQUIT', afterMs: 10_000 },
  { signal: 'SIGKILL', afterMs: 15_000 },
] as const;
/** The ports are below the usual range of outgoing ports, so that no outgoing connection takes the port. */
const PORTS = { lowest: 15_000, highest: 32_000 };

/**
 * Opens the embedded PostgreSQL server of a home: the running one, or one that is created and started. It stops when its
 * last user closes it. If users were killed, it runs on, and the next user takes it over. Rejects with an
 * `EmbeddedServerError` that says what to do.
 */
export async function openEmbeddedServer(options: EmbeddedServerOptions): Promise<EmbeddedServer> {
  const home = await openHome(options.home);
  try {
    const { session, url } = await startOrShare(home, options);
    let closed: Promise<void> | undefined;
    session.once('end', async () => {
      if (closed !== undefined) return;
      const message = 'The embedded PostgreSQL server has ended, or ended the session of this process';
      options.onEnd?.(
        new EmbeddedServerError(`${message}. Last lines of ${home.log}:\n${await lastLinesOf(home)}`),
      );
    });
    const close = () => {
      closed ??= release(home, session);
      return closed;
    };
    return { url, home: home.home, close };
  } catch (error) {
    throw withAdvice(error, home.home);
  }
}

/** A session that keeps the server from being stopped, and the address of the server. */
interface Held {
  readonly session: pg.Client;
  readonly url: string;
}

/**
 * Begins to use the server of a home. Starts it if it does not run; while somebody stops it, waits until it has ended. If
 * several processes start it at once, PostgreSQL lets only one of them use the data.
 */
async function startOrShare(home: Home, options: EmbeddedServerOptions): Promise<Held> {
  const { settings = {}, startDeadlineMs = 60_000 } = options;
  const deadline = AbortSignal.timeout(startDeadlineMs);
  const own = createStarter(home, settings, deadline);
  try {
    while (!deadline.aborted) {
      const server = await findServer(home);
      const held = server && (await hold(home, server));
      if (held) {
        if (server.pid === own.pid()) await writePrivateFile(home.port, `${server.port}\n`);
        return held;
      }
      if (server === undefined) await own.start();
      await sleep(POLL_MS);
    }
  } catch (error) {
    await own.stop();
    if (!deadline.aborted) throw error;
  }
  await own.stop();
  throw new EmbeddedServerError(
    `The embedded PostgreSQL server of ${home.home} did not accept connections within ${startDeadlineMs / 1000} s: ` +
      `recovery after a crash can take minutes, so try again, or see ${home.log}:\n${await lastLinesOf(home)}`,
  );
}

interface StartedServer {
  readonly child: ChildProcess;
  readonly port: number;
  /** Length of the log in bytes before the start. */
  readonly logOffset: number;
}

function createStarter(home: Home, settings: Readonly<Record<string, string>>, signal: AbortSignal) {
  let launch: ((port: number) => Promise<ChildProcess>) | undefined;
  let last: StartedServer | undefined;
  const isRunning = ({ child }: StartedServer) =>
    child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    pid: () => last?.child.pid,
    /** Starts a server, unless the last one of this process still runs. If that one failed, applies a remedy first. */
    async start(): Promise<void> {
      if (last && isRunning(last)) return;
      const port = last === undefined ? await storedPort(home) : await recover(home, last);
      launch ??= await prepareServer(home, settings, signal);
      const logOffset = await logLength(home);
      last = { child: await launch(port), port, logOffset };
    },
    /** Stops the last server of this process. If somebody else uses it already, they start it again. */
    async stop(): Promise<void> {
      if (last && isRunning(last) && last.child.kill('SIGINT')) await once(last.child, 'exit');
    },
  };
}

async function storedPort(home: Home): Promise<number> {
  return Number(await readIfPresent(home.port)) || randomPort();
}

/** Applies the remedy for a failed start, and waits. Returns the port for the next start. Rejects without a remedy. */
async function recover(home: Home, { child, port, logOffset }: StartedServer): Promise<number> {
  const said = await lastLinesOf(home, logOffset);
  if (/Address already in use|could not bind/.test(said)) return randomPort();
  const isLocked = /lock file .* (already exists|is empty)/.test(said);
  if (isLocked && (await findServer(home)) === undefined) await disarmLock(home);
  // Children of a killed server may still hold its memory. A server that was ready was stopped before that was noticed.
  const passes = /shared memory .*in use|ready to accept connections/.test(said);
  if (!isLocked && !passes && child.signalCode === null) {
    throw new EmbeddedServerError(
      `The embedded PostgreSQL server cannot be started. Last lines of ${home.log}:\n${said}`,
    );
  }
  await sleep(RETRY_MS);
  return port;
}

function randomPort(): number {
  return randomInt(PORTS.lowest, PORTS.highest);
}

/**
 * Key of the advisory lock by which the users of a server know of each other: "takt" in ASCII, and a number for this
 * purpose. Each user holds it shared, and whoever stops the server holds it alone. PostgreSQL releases it when a session
 * ends, even if its process was killed.
 */
const LOCK = '1952541556, 9';

/** Takes a share in the lock. Returns undefined if the server accepts no connections, or if somebody is stopping it. */
async function hold(home: Home, { port }: RunningServer): Promise<Held | undefined> {
  const url = `postgres://${EMBEDDED_NAME}:${await passwordOf(home)}@127.0.0.1:${port}/${EMBEDDED_NAME}`;
  const session = new pg.Client({
    connectionString: url,
    ssl: false,
    application_name: 'takt: uses the server',
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
  });
  session.on('error', () => undefined);
  try {
    await session.connect();
    const { rows } = await session.query(`SELECT pg_try_advisory_lock_shared(${LOCK}) AS is_held`);
    if (rows[0]?.is_held === true) {
      // A process that has nothing else to do may exit.
      refOf(session).unref();
      return { session, url };
    }
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code?.startsWith('28')) {
      throw new EmbeddedServerError(
        `The embedded server of ${home.home} does not accept the password in ${home.password} ` +
          `(${messageOf(error)}): put back the password that role ${EMBEDDED_NAME} has.`,
      );
    }
  }
  await session.end().catch(() => undefined);
  return undefined;
}

/**
 * Gives the share in the lock up. If nobody else has one, stops the server: until the session ends with it, nobody else
 * can begin to use the server.
 */
async function release(home: Home, session: pg.Client): Promise<void> {
  refOf(session).ref();
  const alone = `SELECT pg_advisory_unlock_shared(${LOCK}), pg_try_advisory_lock(${LOCK}) AS is_alone`;
  // If the session was lost, the server has ended, or the next user stops it.
  const { rows } = await session.query(alone).catch(() => ({ rows: [] }));
  if (rows[0]?.is_alone === true) await stopServer(home);
  await session.end().catch(() => undefined);
}

async function stopServer(home: Home): Promise<void> {
  const begunAt = performance.now();
  const due = [...SIGNALS];
  const server = await findServer(home);
  // PostgreSQL deletes its lock file before its process has ended.
  while (server !== undefined && (await isServer(home, server.pid))) {
    if (performance.now() - begunAt >= (due[0]?.afterMs ?? Number.POSITIVE_INFINITY)) {
      try {
        process.kill(server.pid, due.shift()?.signal);
      } catch {
        // It has ended in the meantime.
      }
    }
    await sleep(POLL_MS);
  }
}

/** Returns the methods of a client that decide whether it keeps the process alive. Its types lack them. */
function refOf(client: pg.Client): { ref(): void; unref(): void } {
  return client as pg.Client & { ref(): void; unref(): void };
}
