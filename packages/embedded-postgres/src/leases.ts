import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import pg from 'pg';
import { EMBEDDED_NAME } from './create-cluster.js';
import { EmbeddedServerError, messageOf, withAdvice } from './embedded-server-error.js';
import type { HomeLayout } from './open-home.js';
import { endPostmaster, pause, sendSignal } from './postmaster.js';
import { isGuardian, type RunningServer, serverRuns } from './running-server.js';

/*
 * A lease is an idle connection, shown as `takt lease` in pg_stat_activity: it ends with its holder, however that
 * ends. It holds an advisory lock with others. Who ends the server first takes that lock alone, and keeps it until
 * the server ends: so nobody gets a lease on a server that is about to stop.
 */

const LEASE_NAME = 'takt lease';
/** "takt" in ASCII, and one of possible others. */
const LOCK = '1952541556, 1';

const TAKE_SHARED = `SELECT pg_try_advisory_lock_shared(${LOCK})`;
const TAKE_ALONE = `SELECT pg_try_advisory_lock(${LOCK})`;
const LEASES_EXIST = `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE application_name = '${LEASE_NAME}')`;

const ANSWER_DEADLINE_MS = 5_000;
/** The server's own end takes at most 20 s. */
const RELEASE_DEADLINE_MS = 25_000;
const RELEASE_POLL_MS = 25;
const WATCH_POLL_MS = 250;
const GUARDIAN_CHECK_MS = 2_000;
/** Since the last lease, unless its holder waits for the end: it may have been cut, and is renewed then. */
const LEASELESS_MS = 3_000;
/** Since a crash: holders may be too busy to renew their leases at once. */
const RENEWAL_MS = 30_000;

/** A lease on a server that accepts connections. */
export interface Lease {
  readonly server: RunningServer;
  /** `postgres://takt:PASSWORD@127.0.0.1:PORT/takt`, of a superuser. */
  readonly url: string;
  /** Resolves when the lease has ended, whoever ended it. */
  readonly ended: Promise<void>;
  /** Gives the lease back; for the last one resolves after the server has stopped. */
  release(): Promise<void>;
}

/** A lease on the server, which is ready; undefined when it ends, or has no connection left. */
export async function takeLease(layout: HomeLayout, server: RunningServer): Promise<Lease | undefined> {
  const socket = new Socket();
  const url = await urlOf(layout, server.port);
  const client = await connect(url, LEASE_NAME, layout, socket);
  if (client === undefined) return undefined;
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  if (!(await ask(client, TAKE_SHARED).catch(() => false))) {
    await disconnect(client);
    return undefined;
  }
  // A holder that has nothing else to do may end; the lease ends with it.
  socket.unref();
  endWithGuardian(socket, layout, server);
  return {
    server,
    url,
    ended,
    async release() {
      socket.ref();
      if (await isLast(client)) await endServer(layout, server);
      await disconnect(client);
    },
  };
}

export interface LeaseWatch {
  readonly over: AbortSignal;
  /** Whether leases were lost with a server before, so that their holders are about to renew them. */
  readonly hasHolders: boolean;
  /** Aborted when the starter has a lease or will take none. */
  readonly starterLeft: AbortSignal;
}

/** Resolves when nobody has held a lease for a while, and then nobody gets one any more, or when `over` is aborted. */
export async function untilNoLease(
  layout: HomeLayout,
  port: number,
  { over, hasHolders, starterLeft }: LeaseWatch,
): Promise<void> {
  let patienceMs = hasHolders ? RENEWAL_MS : LEASELESS_MS;
  const isLeased = async (client: pg.Client) => !starterLeft.aborted || ask(client, LEASES_EXIST);
  const lastLeaseEnded = async (client: pg.Client): Promise<boolean> => {
    let keepUntil = performance.now() + patienceMs;
    while (!over.aborted) {
      if (await isLeased(client)) {
        keepUntil = Math.max(keepUntil, performance.now() + LEASELESS_MS);
      } else if (performance.now() > keepUntil && (await ask(client, TAKE_ALONE))) {
        return true;
      }
      await pause(WATCH_POLL_MS, over);
    }
    return false;
  };
  while (!over.aborted) {
    const client = await connect(await urlOf(layout, port), 'takt guardian', layout);
    if (client !== undefined) {
      if (await lastLeaseEnded(client).catch(() => false)) return;
      await disconnect(client);
      patienceMs = RENEWAL_MS;
    }
    await pause(WATCH_POLL_MS, over);
  }
}

/** Ends the lease on a server whose guardian was killed with its watchdog, so that it is renewed with another one. */
function endWithGuardian(socket: Socket, layout: HomeLayout, { guardianPid }: RunningServer): void {
  const check = setInterval(async () => {
    if (!(await isGuardian(guardianPid, layout.home))) socket.destroy();
  }, GUARDIAN_CHECK_MS).unref();
  socket.once('close', () => clearInterval(check));
}

/** Gives the share of the lock back, and takes the lock alone if this was the last. */
async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await ask(client, `SELECT pg_advisory_unlock_shared(${LOCK})`);
    return await ask(client, TAKE_ALONE);
  } catch {
    // The lease was lost before, and whoever renews one decides.
    return false;
  }
}

/** Has the guardian end the server and itself; ends the server here if its guardian was killed. */
async function endServer(layout: HomeLayout, server: RunningServer): Promise<void> {
  const isGuarded = () => isGuardian(server.guardianPid, layout.home);
  if (!(await isGuarded())) return endPostmaster(server.pid, async () => !(await serverRuns(server)));
  sendSignal(server.guardianPid, 'SIGTERM');
  const deadline = AbortSignal.timeout(RELEASE_DEADLINE_MS);
  while (!deadline.aborted && ((await isGuarded()) || (await serverRuns(server)))) {
    await pause(RELEASE_POLL_MS, deadline);
  }
}

/** Rejects when the password cannot be read. */
async function urlOf(layout: HomeLayout, port: number): Promise<string> {
  const password = await readFile(layout.password, 'utf8').catch((error: unknown) => {
    throw withAdvice(error, layout.home);
  });
  return `postgres://${EMBEDDED_NAME}:${password}@127.0.0.1:${port}/${EMBEDDED_NAME}`;
}

/** Undefined when the server does not take a connection now; rejects when it never will. */
async function connect(
  url: string,
  name: string,
  layout: HomeLayout,
  socket = new Socket(),
): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: url,
    ssl: false,
    stream: () => socket,
    application_name: name,
    connectionTimeoutMillis: ANSWER_DEADLINE_MS,
    query_timeout: ANSWER_DEADLINE_MS,
  });
  // A server that ends is seen by the end of the connection.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return client;
  } catch (error) {
    await disconnect(client);
    if (error instanceof pg.DatabaseError && error.code?.startsWith('28')) {
      throw new EmbeddedServerError(
        `The embedded server of ${layout.home} does not accept the password in ${layout.password} ` +
          `(${messageOf(error)}): put back the password that role ${EMBEDDED_NAME} has.`,
      );
    }
    return undefined;
  }
}

/** Sends a query with one truth value for its answer. */
async function ask(client: pg.Client, text: string): Promise<boolean> {
  const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' });
  return rows[0]?.[0] === true;
}

async function disconnect(client: pg.Client): Promise<void> {
  await client.end().catch(() => undefined);
}
