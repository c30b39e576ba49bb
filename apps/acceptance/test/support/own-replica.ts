import { appendFile, chmod, chown, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@takt/database';
import { waitUntil, withDatabase } from '@takt/test-support';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.js';

/** A streaming replica of a server. A test may stop or kill the replica like the server. */
export interface OwnReplica extends Omit<OwnPostgres, 'createDatabase'> {
  /** Returns the URL on the replica for a URL on the primary. */
  urlOf(primaryUrl: string): string;
  /** Pauses or resumes replay. A paused replica is like a replica that cannot keep up. */
  pauseReplay(isPaused: boolean): Promise<void>;
}

const SLOT = 'replica';

/**
 * Starts a streaming replica of a running server. Copies the data between pg_backup_start and pg_backup_stop. Creates a
 * slot that keeps the WAL from then on. pg_basebackup would do the same, but the embedded server does not include it.
 */
export async function startReplicaOf(primary: OwnPostgres): Promise<OwnReplica> {
  const home = await mkdtemp(join(tmpdir(), 'takt-own-replica-'));
  const [from, to] = [primary.home, home].map((one) => join(one, 'postgres'));
  await allowReplication(primary, join(from ?? '', 'data'));
  await mkdir(to ?? '', { mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  await cp(join(from ?? '', 'password'), join(to ?? '', 'password'));
  await copyData(primary, join(from ?? '', 'data'), join(to ?? '', 'data'));
  const { host, port, user, password } = partsOf(primary.url);
  const started = await startOwnPostgres({
    home,
    settings: {
      primary_conninfo: `host=${host} port=${port} user=${user} password=${password}`,
      primary_slot_name: SLOT,
      hot_standby: 'on',
    },
  });
  const urlOf = (primaryUrl: string) => {
    const url = new URL(primaryUrl);
    url.port = new URL(started.url).port;
    return url.href;
  };
  await waitUntil('the replica streams', () => holds(primary.url, IS_STREAMING), 30_000, 100);
  return {
    ...started,
    urlOf,
    pauseReplay: async (isPaused) => {
      const call = isPaused ? 'pg_wal_replay_pause()' : 'pg_wal_replay_resume()';
      await holds(withDatabase(started.url, 'postgres'), `SELECT ${call} IS NOT NULL AS answer`);
    },
    close: async () => {
      await started.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

const IS_STREAMING = `SELECT count(*) > 0 AS answer FROM pg_stat_replication WHERE state = 'streaming'`;

async function holds(url: string, statement: string): Promise<boolean> {
  const database = openDatabase({ url, applicationName: 'takt test administration', maxConnections: 1 });
  try {
    const { rows } = await database.pool.query<{ answer: boolean }>(statement);
    return rows[0]?.answer === true;
  } finally {
    await database.close();
  }
}

function partsOf(url: string) {
  const { hostname: host, port, username: user, password } = new URL(url);
  return { host, port, user, password };
}

/** Allows replication connections. In pg_hba.conf, `all` covers every database but not replication. */
async function allowReplication(primary: OwnPostgres, data: string): Promise<void> {
  await appendFile(join(data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n');
  await holds(primary.url, 'SELECT pg_reload_conf() AS answer');
}

/**
 * Files that are not copied: files of the running process, and the WAL. The replica receives the WAL through the slot.
 */
const LEFT_OUT = /(?:^|\/)(?:postmaster\.(?:pid|opts)|pg_wal\/.+|pg_replslot\/.+|pg_stat_tmp\/.+)$/;

async function copyData(primary: OwnPostgres, from: string, to: string): Promise<void> {
  const database = openDatabase({ url: primary.url, applicationName: 'takt test administration' });
  const client = await database.pool.connect();
  try {
    await client.query('SELECT pg_create_physical_replication_slot($1, true)', [SLOT]);
    await client.query(`SELECT pg_backup_start('replica', true)`);
    const { uid, gid } = await stat(from);
    await cp(from, to, {
      recursive: true,
      preserveTimestamps: true,
      filter: (path) => !LEFT_OUT.test(path.slice(from.length)),
    });
    const { rows } = await client.query<{ label: string }>(
      'SELECT labelfile AS label FROM pg_backup_stop(false)',
    );
    await writeFile(join(to, 'backup_label'), rows[0]?.label ?? '');
    await writeFile(join(to, 'standby.signal'), '');
    await giveTo(to, uid, gid);
  } finally {
    client.release(true);
    await database.close();
  }
}

/** Gives the copy to the account of the server, because root has made the copy. */
async function giveTo(data: string, uid: number, gid: number): Promise<void> {
  await chmod(data, 0o700);
  if (process.getuid?.() !== 0) return;
  await chown(data, uid, gid);
  for (const entry of await readdir(data, { recursive: true })) await chown(join(data, entry), uid, gid);
}
