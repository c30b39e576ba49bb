import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';

const LOOK_EVERY_MS = 50;
/**
 * Number of connections that are opened at the same time. It is high because clients that have lost their connections
 * also reconnect all at once.
 */
const AT_ONCE = 20;
/**
 * Maximum number of connections to open. It exceeds max_connections of the server, so that the loop ends when the
 * server refuses a connection.
 */
const MOST = 200;
const CONNECT_DEADLINE_MS = 2_000;

/**
 * Takes every free connection of a PostgreSQL server. Then calls `evict` repeatedly, and takes the connections that
 * become free. `evict` ends connections of other clients. Returns a function that releases all connections.
 */
export async function takeAllConnections(
  url: string,
  evict: () => Promise<unknown>,
): Promise<() => Promise<void>> {
  const taken: pg.Client[] = [];
  let isReleased = false;
  const takeRest = async () => {
    for (let isLeft = true; isLeft && taken.length < MOST; ) {
      const clients = await Promise.all(Array.from({ length: AT_ONCE }, () => take(url)));
      taken.push(...clients.filter((client) => client !== undefined));
      isLeft = !clients.includes(undefined);
    }
  };
  await takeRest();
  const goOn = async () => {
    while (!isReleased) {
      await evict();
      await takeRest();
      await delay(LOOK_EVERY_MS);
    }
  };
  const taking = goOn();
  taking.catch(() => undefined);
  return async () => {
    isReleased = true;
    try {
      await taking;
    } finally {
      await Promise.all(taken.map((client) => client.end().catch(() => undefined)));
    }
  };
}

/** Opens a connection. Returns undefined if the server has no connection left. */
async function take(url: string): Promise<pg.Client | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'takt test that takes all',
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
  });
  client.on('error', () => undefined);
  return client.connect().then(
    () => client,
    () => undefined,
  );
}
