import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openDatabase } from '@takt/database';
import { runTakt, startApp } from '@takt/database/testing';
import { openEmbeddedServer } from '@takt/embedded-postgres';
import { migrateQueueSchema } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import { waitUntil, withDatabase } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';
import { startOwnPostgres } from '../../support/own-postgres.js';
import { readServedFigures } from '../../support/served-figures.js';

/** Follows the steps of docs/operating/backup.md, "A point in time". */
describe('recovery to a point in time from a copy and the archived log', function () {
  this.timeout(180_000);
  let folder: string;
  const takt = async (args: readonly string[], databaseUrl: string, input?: string) => {
    const outcome = await runTakt(args, { DATABASE_URL: databaseUrl }, input);
    if (outcome.code !== 0) throw new Error(`takt ${args.join(' ')}: ${outcome.stdout}${outcome.stderr}`);
    return outcome.stdout;
  };

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'takt-point-in-time-'));
    // A server that root starts runs as another user, who must be able to enter the folder.
    await chmod(folder, 0o755);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('restores exactly the figures of that time; publishing later events again counts them once', async () => {
    const [archive, home, newHome] = ['archive', 'home', 'new-home'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(archive);
    await chmod(archive, 0o777);
    await mkdir(home);
    const server = await startOwnPostgres({
      home,
      settings: {
        wal_level: 'replica',
        archive_mode: 'on',
        archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/%f`,
      },
    });
    const url = await server.createDatabase('factory');
    const source = openDatabase({ url, applicationName: 'takt test' });
    await addCompany(source, 'TEM-NO', 'Tempus Norge');
    await migrateQueueSchema(url);
    const worker = await startApp('worker', { databaseUrl: url, queueUrl: url });
    const log = await takt(
      ['generate', '--events', '3000', '--structures', '50', '--companies', 'TEM-NO', '--corrections', '0.1'],
      url,
    );
    const lines = log.trimEnd().split('\n');
    const publish = async (part: readonly string[], to = url) => {
      await takt(['publish', '-'], to, part.join('\n'));
      await takt(['drain'], to);
    };

    await publish(lines.slice(0, 1_000));
    await copyWhileRunning(url, { from: join(home, 'postgres'), to: join(newHome, 'postgres') });
    await publish(lines.slice(1_000, 2_000));
    const wanted = await readServedFigures(source.pool, 'TEM-NO');
    const { rows } = await source.pool.query<{ time: string }>('SELECT clock_timestamp()::text AS time');
    const time = rows[0]?.time ?? '';
    await publish(lines.slice(2_000));
    const atTheEnd = await readServedFigures(source.pool, 'TEM-NO');
    await worker.stop();
    // Deletes operations: this is the accident after which the data is recovered.
    await source.pool.query('DELETE FROM takt.work_order_operations WHERE work_order_operation_id % 3 = 0');
    await archiveAll(source.pool, archive);
    await source.close();
    await server.close();

    // The guide writes these settings into postgresql.conf, and starts its server with no other settings.
    await writeFile(join(newHome, 'postgres', 'data', 'recovery.signal'), '');
    const restored = await openEmbeddedServer({
      home: newHome,
      settings: {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_time: time,
        recovery_target_action: 'promote',
      },
    });
    const restoredUrl = withDatabase(restored.url, 'factory');
    const target = openDatabase({ url: restoredUrl, applicationName: 'takt test' });
    await waitUntil('recovery has ended', () => isPrimary(target.pool), 60_000);
    expect(await takt(['audit'], restoredUrl)).to.include(', 0 differences');
    expect(await readServedFigures(target.pool, 'TEM-NO')).to.deep.equal(wanted);

    const another = await startApp('worker', { databaseUrl: restoredUrl, queueUrl: restoredUrl });
    // Publishes again, from an earlier event than necessary.
    await publish(lines.slice(500), restoredUrl);
    await another.stop();
    expect(await readServedFigures(target.pool, 'TEM-NO')).to.deep.equal(atTheEnd);
    expect(await takt(['audit'], restoredUrl)).to.include(', 0 differences');
    await target.close();
    await restored.close();
  });
});

/**
 * Copies the data of a running server as pg_basebackup does, because the embedded server does not include
 * pg_basebackup.
 */
async function copyWhileRunning(url: string, { from, to }: { from: string; to: string }): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SELECT pg_backup_start('copy', fast => true)");
  const data = join(from, 'data');
  await mkdir(to, { recursive: true });
  await copyFile(join(from, 'password'), join(to, 'password'));
  const isLeftOut = (path: string) =>
    /^(postmaster\.(pid|opts)|pg_wal|.*pgsql_tmp.*|.*pg_internal\.init.*)$/.test(path.slice(data.length + 1));
  await cp(data, join(to, 'data'), {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !isLeftOut(path),
  });
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
  await client.end();
  await writeFile(join(to, 'data', 'backup_label'), rows[0]?.labelfile ?? '');
  await mkdir(join(to, 'data', 'pg_wal', 'archive_status'), { recursive: true });
  const { uid, gid } = await stat(data);
  await promisify(execFile)('chown', ['-R', `${uid}:${gid}`, join(to, 'data')]);
}

async function archiveAll(pool: pg.Pool, archive: string): Promise<void> {
  const { rows } = await pool.query<{ file: string }>(
    'SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS file',
  );
  await pool.query('SELECT pg_switch_wal()');
  const file = rows[0]?.file ?? '';
  await waitUntil(`${file} is archived`, async () => (await readdir(archive)).includes(file), 60_000);
}

async function isPrimary(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ is_standby: boolean }>('SELECT pg_is_in_recovery() AS is_standby');
  return rows[0]?.is_standby === false;
}
