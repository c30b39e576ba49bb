import pg from 'pg';

/**
 * A pool whose sessions start with these settings, e.g. `-c search_path=pg_catalog`. Its `end` does not wait for the
 * sessions, and removing the database terminates the rest; their errors are ignored.
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
