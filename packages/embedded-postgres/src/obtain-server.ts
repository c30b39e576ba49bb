import type { ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { holdServer, type ServerSession } from './hold-server.js';
import { type HomeLayout, readIfPresent, writePrivateFile } from './home.js';
import { prepareServer, type ServerSetup } from './prepare-server.js';
import { disarmLock, findServer, startServer } from './server.js';
import { boundLog, errorWithLog, logLengthBytes, logTextSince } from './server-log.js';

const POLL_MS = 20;
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

/** A running server, and a session that keeps it running. */
export interface HeldServer {
  readonly port: number;
  readonly session: ServerSession;
}

export interface ObtainOptions {
  readonly settings: Readonly<Record<string, string>>;
  readonly deadlineMs: number;
  readonly closing: AbortSignal;
  /**
   * Port that the server must have, because clients already use its address. If the port is taken, the start waits
   * until it is free instead of choosing another port.
   */
  readonly fixedPort: number | undefined;
}

/**
 * Returns the server of the home with a session that keeps it from being stopped. The server is started if needed. While
 * somebody stops it, waits until it has ended and starts it again.
 */
export async function obtainServer(layout: HomeLayout, options: ObtainOptions): Promise<HeldServer> {
  const giveUp = AbortSignal.any([AbortSignal.timeout(options.deadlineMs), options.closing]);
  let start: Start | undefined;
  try {
    while (!giveUp.aborted) {
      const server = await findServer(layout.data);
      const session = server?.isReady ? await holdServer(layout, server.port) : undefined;
      if (server !== undefined && session !== undefined) {
        if (server.pid === start?.child?.pid) await writePrivateFile(layout.port, `${server.port}\n`);
        return { port: server.port, session };
      }
      if (server === undefined && !isRunning(start?.child)) {
        start ??= await prepareStart(layout, options, giveUp);
        await startOnce(start);
      }
      await sleep(POLL_MS);
    }
  } catch (error) {
    await endStart(start);
    if (!giveUp.aborted) throw error;
  }
  await endStart(start);
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

/** Ends a server that was started and is not used. If somebody else uses it already, they start it again. */
async function endStart(start: Start | undefined): Promise<void> {
  const child = start?.child;
  if (child === undefined || !isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  await ended;
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
