import pg from 'pg';

/**
 * Opens a pool whose sessions start with these settings, for example `-c search_path=pg_catalog`. Its `end` does not
 * wait until the sessions have ended. The removal of the test's database terminates the remaining sessions, and the
 * pool ignores their errors.
 */
export function openPool(url: string, settings: string): pg.Pool {
  const ignore = () => undefined;
  const pool = new pg.Pool({ connectionString: url, options: settings });
  pool.on('error', ignore);
  pool.on('connect', (client) => {
    client.on('error', ignore);
  });
  return pool;
}
