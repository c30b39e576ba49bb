import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccessToken } from '@takt/access';
import { openDatabase } from '@takt/database';
import { createTestDatabase, runTakt, spawnTakt, startApp } from '@takt/database/testing';
import { migrateQueueSchema } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import { completion, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import type pg from 'pg';
import { type OwnPostgres, startOwnPostgres } from '../../support/own-postgres.js';
import { LIST } from '../../support/production-times.js';
import { readServedFigures } from '../../support/served-figures.js';
import { openApiClient, TOKEN_LIFETIME_MS } from '../../support/test-api.js';
import { openTestSystem, type TestSystem } from '../../support/test-system.js';

const DRAIN_DEADLINE_MS = 120_000;
const BASE_URL = 'https://takt.example';
/** An event that the worker rejects because of its negative time. */
const REJECTED = completion(900_001, { runTime: -1 });

describe('takt backup and takt restore', function () {
  this.timeout(240_000);
  let system: TestSystem;
  let folder: string;
  let elsewhere: OwnPostgres;
  let log: string;
  let token: string;
  /** Paths of two backups: the first is made under load, the second without load. */
  let [busy, quiet] = ['', ''];
  const takt = async (args: readonly string[], databaseUrl = system.databaseUrl, input?: string) => {
    const outcome = await runTakt(args, { DATABASE_URL: databaseUrl }, input);
    if (outcome.code !== 0) throw new Error(`takt ${args.join(' ')}: ${outcome.stdout}${outcome.stderr}`);
    return outcome.stdout;
  };
  const figures = (pool = system.pool) => readServedFigures(pool, 'TEM-NO');
  const drain = (databaseUrl: string) => takt(['drain'], databaseUrl);

  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'takt-backup-'));
    [busy, quiet] = [join(folder, 'busy.takt'), join(folder, 'quiet.takt')];
    elsewhere = await startOwnPostgres({ settings: { fsync: 'off' } });
    system = await openTestSystem(this, 'postgres');
    await addCompany(system.database, 'TEM-NO', 'Tempus Norge');
    const request = { companyCodes: ['TEM-NO'], expiresInMs: TOKEN_LIFETIME_MS };
    ({ token } = await createAccessToken(system.database, request));
    const generate = ['generate', '--events', '6000', '--structures', '150', '--companies', 'TEM-NO'];
    log = await takt(generate);
    // Bypasses the publisher, which would refuse the event.
    await system.queues['work-order-operations'].add('event', REJECTED, { jobId: 'job-rejected' });
  });
  after(async () => {
    await system?.close();
    await elsewhere?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('copy a consistent state while workers run; publishing the events again completes the copy', async () => {
    const workers = await system.startWorkers(2);
    // Publishes small jobs one after the other, so that some jobs are always being processed.
    let isTaken = false;
    let rounds = 0;
    const publish = async () => {
      for (; !isTaken || rounds === 0; rounds++)
        await takt(['publish', '-', '--batch', '20'], undefined, log);
    };
    const publishing = publish();
    await waitUntil('figures move', async () => (await countOperations(system.pool)) > 0, DRAIN_DEADLINE_MS);
    await takt(['backup', busy]);
    // Maintenance of the indexes must disturb neither the backup nor the workers.
    await takt(['maintain']);
    isTaken = true;
    await publishing;
    await drain(system.databaseUrl);

    const restored = await elsewhere.createDatabase('busy');
    expect(await takt(['restore', busy], restored)).to.match(/^restored \d+ rows of \d+ tables, as of 20/);
    expect(await takt(['audit'], restored)).to.match(/^audited \d+ structure versions, 0 differences\n$/);
    const worker = await startApp('worker', { databaseUrl: restored, queueUrl: restored });
    await takt(['publish', '-'], restored, log);
    await drain(restored);
    await worker.stop();
    expect(await takt(['audit'], restored)).to.equal(await takt(['audit']));
    const wanted = await figures();
    await withPool(restored, async (pool) => {
      expect(await figures(pool)).to.deep.equal(wanted);
    });
    await Promise.all(workers.map((one) => one.stop()));
  });

  it('keep waiting jobs and rejected events', async () => {
    const more = Array.from({ length: 30 }, (_, index) => completion(910_000 + index, { runTime: 2 }));
    await takt(
      ['publish', '-', '--batch', '1'],
      undefined,
      more.map((event) => JSON.stringify(event)).join('\n'),
    );
    await takt(['backup', quiet]);
    const { url: restored, database, close } = await createTestDatabase();
    await takt(['restore', quiet], restored);
    const { queues, rejected } = JSON.parse(await takt(['status', '--json'], restored));
    expect(queues[0]).to.include({ queue: 'work-order-operations', waiting: 30, failed: 0 });
    expect(rejected).to.equal(1);
    const before = await countOperations(database.pool);
    const worker = await startApp('worker', { databaseUrl: restored, queueUrl: restored });
    await drain(restored);
    expect(await countOperations(database.pool)).to.equal(before + 30);
    const corrected = join(folder, 'corrected.json');
    await writeFile(corrected, JSON.stringify(completion(900_001, { runTime: 3 })));
    const [{ id }] = JSON.parse(await takt(['rejected', 'list', '--json'], restored));
    await takt(['rejected', 'retry', String(id), '--data', corrected], restored);
    await drain(restored);
    expect(await countOperations(database.pool)).to.equal(before + 31);
    expect(await takt(['audit'], restored)).to.include(', 0 differences');
    await worker.stop();
    await close();
  });

  it('restore a system with the same tokens and byte for byte the same answers', async () => {
    const restored = await elsewhere.createDatabase('quiet');
    await takt(['restore', quiet], restored);
    const answers: string[][] = [];
    for (const databaseUrl of [system.databaseUrl, restored]) {
      const api = await startApp('api', { databaseUrl, baseUrlOf: () => BASE_URL });
      const client = openApiClient(api, token);
      const texts = [];
      for (const target of TARGETS) {
        const { status, text } = await client.get(target);
        expect(status, `${target}: ${text}`).to.equal(200);
        texts.push(text);
      }
      answers.push(texts);
      client.close();
      await api.stop();
    }
    const [wanted, found] = answers;
    expect(wanted?.[0]).to.include('averageRunTime');
    expect(found).to.deep.equal(wanted);
  });

  it('support the embedded server, including its log-ins', async () => {
    const environment = { TAKT_HOME: join(folder, 'home') };
    const restored = await runTakt(['restore', quiet], environment);
    expect(restored, restored.stderr).to.include({ code: 0 });
    const audited = await runTakt(['audit'], environment);
    expect(audited.stdout).to.equal(await takt(['audit']));
    expect(await readFile(join(folder, 'home', 'logins', 'worker'), 'utf8')).to.match(/^takt_worker/);
  });

  it('leave an empty database if the restore is killed, so that another restore can use it', async () => {
    const { url, database, close } = await createTestDatabase({ migrated: false });
    const bytes = await readFile(quiet);
    const killed = spawnTakt(['restore', '-'], { DATABASE_URL: url });
    // Writing to the process fails once the process has been killed.
    killed.stdin.on('error', () => undefined);
    killed.stdin.write(bytes.subarray(0, bytes.length * 0.9));
    const isLoading = `SELECT FROM pg_stat_activity WHERE application_name = 'takt restore' AND datname = current_database()
      AND xact_start IS NOT NULL AND query LIKE 'COPY %'`;
    const sessions = async () => (await database.pool.query(isLoading)).rowCount ?? 0;
    await waitUntil('rows are being restored', async () => (await sessions()) > 0, 60_000);
    killed.kill('SIGKILL');
    await waitUntil('its session has ended', async () => (await sessions()) === 0, 60_000);
    expect(await countOperations(database.pool)).to.equal(0);
    // No app accepts the database as complete: its migrations are missing.
    expect((await runTakt(['audit'], { DATABASE_URL: url })).stderr).to.include('run takt migrate');
    await migrateQueueSchema(url);
    await takt(['restore', quiet], url);
    expect(await takt(['audit'], url)).to.equal(await takt(['audit']));
    await close();
  });
});

const TARGETS = [
  `${LIST}?$top=100`,
  `${LIST}?$top=50&$orderby=AverageRunTime%20desc&$format=xml`,
  '/system/error-messages?$format=xml',
];

async function countOperations(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>('SELECT count(*) FROM takt.work_order_operations');
  return Number(rows[0]?.count);
}

async function withPool(url: string, work: (pool: pg.Pool) => Promise<void>): Promise<void> {
  const database = openDatabase({ url, applicationName: 'takt test' });
  await work(database.pool).finally(() => database.close());
}
