import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { EmbeddedServerError, type HomeLayout, messageOf } from './home.js';
import { EMBEDDED_NAME } from './prepare-server.js';

/**
 * Key of the advisory lock by which the users of a server know of each other: "takt" in ASCII, and a number for this
 * purpose. Each user holds it shared, and whoever stops the server holds it alone. PostgreSQL releases it when a session
 * ends, even if its process was killed.
 */
const LOCK = '1952541556, 9';
const ANSWER_DEADLINE_MS = 5_000;

/** A session that keeps the server from being stopped. */
export interface ServerSession {
  /** Resolves when the session has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /**
   * Gives the share in the lock up. Resolves to true if nobody else uses the server, so that the caller must stop it:
   * until the session ends, nobody else can begin to use it.
   */
  release(): Promise<boolean>;
  end(): Promise<void>;
}

/** Returns the address of the server for its superuser. Rejects if the password cannot be read. */
export async function urlOf(layout: HomeLayout, port: number): Promise<string> {
  const password = await readFile(layout.password, 'utf8');
  return `postgres://${EMBEDDED_NAME}:${password}@127.0.0.1:${port}/${EMBEDDED_NAME}`;
}

/**
 * Begins to use the server. Returns undefined if it does not accept connections, or if somebody is stopping it. Rejects
 * if it will never accept one.
 */
export async function holdServer(layout: HomeLayout, port: number): Promise<ServerSession | undefined> {
  const client = new pg.Client({
    connectionString: await urlOf(layout, port),
    ssl: false,
    application_name: 'takt: uses the server',
    connectionTimeoutMillis: ANSWER_DEADLINE_MS,
  });
  client.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  const end = () => client.end().catch(() => undefined);
  try {
    await client.connect();
    const { rows } = await client.query(`SELECT pg_try_advisory_lock_shared(${LOCK}) AS is_held`);
    if (rows[0]?.is_held === true) {
      // A process that has nothing else to do may exit.
      refOf(client).unref();
      return { ended, release: () => release(client), end };
    }
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code?.startsWith('28')) {
      throw new EmbeddedServerError(
        `The embedded server of ${layout.home} does not accept the password in ${layout.password} ` +
          `(${messageOf(error)}): put back the password that role ${EMBEDDED_NAME} has.`,
      );
    }
  }
  await end();
  return undefined;
}

async function release(client: pg.Client): Promise<boolean> {
  refOf(client).ref();
  const { rows } = await client.query(
    `SELECT pg_advisory_unlock_shared(${LOCK}), pg_try_advisory_lock(${LOCK}) AS is_alone`,
  );
  return rows[0]?.is_alone === true;
}

/** Returns the methods of a client that decide whether it keeps the process alive. Its types lack them. */
function refOf(client: pg.Client): { ref(): void; unref(): void } {
  return client as pg.Client & { ref(): void; unref(): void };
}
