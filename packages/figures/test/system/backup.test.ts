import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { migrate, openDatabase, readMigrations, readSchemaVersion } from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { restoreBackup, verifyBackupFile, writeBackupFile } from '@takt/database/upkeep';
import { migrateQueueSchema } from '@takt/events/internal';
import { auditProductionTimes } from '@takt/figures';
import { randomFrom, testSeed, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import type pg from 'pg';
import { addStructureVersions, completeOperations } from './fill-database.js';

const TAKT_VERSION = '0.1.0';
/** The first migrations, which make the tables of the last schema before 1.0.0. */
const MIGRATIONS_OF_THEN = 6;
/** The checksum of the last migration before 1.0.0. */
const LAST_BEFORE_RELEASE = 'e1cc33ff65032df7acebc0c4ebd736069086a7305ae543c4271f50b3465a985b';

const INSERT_USER = `INSERT INTO takt.users (pid, name, password, roles)
  VALUES (7, 'Kari', ROW(decode(repeat('ab', 16), 'hex'), 1, 8, 1, decode(repeat('cd', 32), 'hex')), '{a,"b c"}')`;
const INSERT_REJECTED = `INSERT INTO takt.rejections (company_id, content_sha256, queue, data, reason, rule)
  SELECT 0, sha256(number::text::bytea), 'work-order-operations', '{}', 'none', 'none' FROM generate_series(1, 5) AS number`;

/** As programs before takt.rejections kept them. */
const INSERT_REJECTED_THEN = `INSERT INTO takt.rejected_events
    (content_sha256, queue, job_id, job_name, reason, deliveries, data, rejected_at)
  SELECT sha256(number::text::bytea), 'work-order-operations', 'job-' || number, 'event', 'none', 1, '{}', now()
  FROM generate_series(1, 5) AS number`;

interface Header {
  format: number;
  taktVersion: string;
  migrations: { name: string; checksum: string }[];
}

describe('a backup', function () {
  this.timeout(180_000);
  let source: TestDatabase;
  let folder: string;
  let whole: Buffer;
  const opened: TestDatabase[] = [];
  const pathOf = (name: string) => join(folder, name);
  const openTarget = async (options?: { readonly migrated: boolean }) => {
    const target = await createTestDatabase(options);
    opened.push(target);
    return target;
  };
  const restore = (bytes: Buffer, { url }: TestDatabase) =>
    restoreBackup(Readable.from(inPieces(bytes)), {
      url,
      queueUrl: url,
      synchronise: synchroniseServedTexts,
    });
  /** Returns a backup, by default the whole one, with a changed header. */
  const withHeader = (change: (header: Header) => void, bytes = whole) => {
    const text = gunzipSync(bytes).toString('utf8');
    const header: Header = JSON.parse(text.slice(0, text.indexOf('\n')));
    change(header);
    return gzipSync(JSON.stringify(header) + text.slice(text.indexOf('\n')));
  };
  const expectSameRows = async (one: TestDatabase, other: TestDatabase) => {
    const [wanted, found] = [await readTables(one.database.pool), await readTables(other.database.pool)];
    expect(Object.keys(found)).to.include.members(['takt.work_order_operations', 'takt.users', 'bullmq.job']);
    for (const [table, rows] of Object.entries(wanted)) expect(found[table], table).to.deep.equal(rows);
  };
  const takeBackup = (name: string, { url }: TestDatabase = source) =>
    writeBackupFile(pathOf(name), { url, taktVersion: TAKT_VERSION });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'takt-backup-test-'));
    source = await createTestDatabase();
    const { pool } = source.database;
    await migrateQueueSchema(source.url);
    await addStructureVersions(pool, 500);
    await completeOperations(pool, { structureVersions: 600, from: 1, count: 5_000 });
    await pool.query(INSERT_USER);
    await pool.query(INSERT_REJECTED);
    await takeBackup('whole');
    whole = await readFile(pathOf('whole'));
  });
  after(async () => {
    for (const target of opened) await target.close();
    await source?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('restores every row of every table, and lets sequences continue', async () => {
    const target = await openTarget({ migrated: false });
    const report = await restore(whole, target);
    expect(report.migration.version).to.equal((await readMigrations()).length);
    await expectSameRows(source, target);
    const nextId = `INSERT INTO takt.companies (code, name) VALUES ('NEXT', 'Next') RETURNING company_id`;
    expect((await target.database.pool.query(nextId)).rows).to.deep.equal([{ company_id: 2 }]);
    expect(await auditProductionTimes(target.database.pool, {})).to.deep.include({ differences: [] });
    // The restore invalidates all answers that an API has cached, because they come from another database.
    const stamps = 'SELECT count(*)::integer AS count FROM takt.company_changes WHERE company_id = 0';
    expect((await target.database.pool.query(stamps)).rows).to.deep.equal([{ count: 1 }]);
    // The stored size of the list comes from the backup.
    const { rows } = await target.database.pool.query(
      `SELECT product_structure_versions = (SELECT count(*) FROM takt.product_structure_versions WHERE changed_at IS NOT NULL) AS is_right
       FROM takt.list_sizes WHERE company_id = 1`,
    );
    expect(rows).to.deep.equal([{ is_right: true }]);
  });

  it('contains the data of one instant, even if transactions are committed meanwhile', async () => {
    const { pool } = source.database;
    // The backup waits at the locked table. By then it has copied the figures, but not yet the ledger.
    const blocker = await pool.connect();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE takt.rejections IN ACCESS EXCLUSIVE MODE');
    const taking = takeBackup('moment');
    const waiting = `SELECT FROM pg_stat_activity WHERE application_name = 'takt backup' AND wait_event_type = 'Lock'`;
    const isWaiting = async () => (await pool.query(waiting)).rowCount === 1;
    await waitUntil('the backup waits', isWaiting, 30_000);
    await completeOperations(pool, { structureVersions: 600, from: 100_001, count: 1_000 });
    await blocker.query('ROLLBACK');
    blocker.release();
    await taking;
    const target = await openTarget();
    await restore(await readFile(pathOf('moment')), target);
    expect(await auditProductionTimes(target.database.pool, {})).to.deep.include({
      operations: 5_000,
      differences: [],
    });
  });

  it('can be restored only into a database that was migrated and never used', async () => {
    const target = await openTarget();
    await restore(whole, target);
    const failure = await failureOf(restore(whole, target));
    expect(failure).to.match(
      /^the database is not empty, there are rows in takt\.\w+: restore into an empty/,
    );
    for (const [table, statement] of [
      ['takt.companies', "INSERT INTO takt.companies (code, name) VALUES ('A', 'A')"],
      ['takt.api_clients', "INSERT INTO takt.api_clients (name) VALUES ('MES')"],
      ['takt.users', INSERT_USER],
      ['takt.rejections', INSERT_REJECTED],
    ] as const) {
      const used = await openTarget();
      await used.database.pool.query(statement);
      expect(await failureOf(restore(whole, used))).to.include(`there are rows in ${table}`);
    }
  });

  it('is not restored while an app uses the database', async () => {
    const target = await openTarget();
    const worker = openDatabase({ url: target.appUrl('worker'), applicationName: 'takt worker' });
    await worker.pool.query('SELECT');
    const failure = await failureOf(restore(whole, target));
    expect(failure).to.equal('apps use the database (takt worker): stop them, restore, start them again');
    await worker.close();
  });

  it('includes a table that was added later, but no computed columns', async () => {
    const other = await openTarget();
    await other.database.pool.query(
      `CREATE TABLE takt.later (
         id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, hours numeric, doubled numeric GENERATED ALWAYS AS (2 * hours) STORED
       )`,
    );
    await other.database.pool.query('INSERT INTO takt.later (hours) VALUES (1.5), (NULL)');
    await takeBackup('later', other);
    const text = gunzipSync(await readFile(pathOf('later'))).toString();
    expect(text).to.include(
      '{"schema":"takt","table":"later","columns":["id","hours"]}\n1\t1.5\n2\t\\N\n\\.\n',
    );
    const failure = await failureOf(restore(await readFile(pathOf('later')), await openTarget()));
    expect(failure).to.equal('it holds a table takt.later, which its schema does not have');
  });

  it('of an older version is migrated when it is restored', async () => {
    const old = await openTarget({ migrated: false });
    const migrations = (await readMigrations()).slice(0, 4);
    await migrate(old.url, { migrations });
    await old.database.pool.query(
      `INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Old');
       INSERT INTO takt.work_order_operations VALUES (1, 5, 1, 9, NULL, now(), 1.5, NULL, NULL);`,
    );
    await takeBackup('old', old);
    const target = await openTarget();
    const { pool } = target.database;
    // This migration fails for every backup.
    await pool.query(
      `CREATE FUNCTION public.refuse_alarms() RETURNS event_trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF to_regclass('takt.alarms') IS NOT NULL THEN RAISE 'no alarms'; END IF;
       END $$;
       CREATE EVENT TRIGGER refuse_alarms ON ddl_command_end WHEN TAG IN ('CREATE TABLE')
         EXECUTE FUNCTION public.refuse_alarms();`,
    );
    await failureOf(restore(await readFile(pathOf('old')), target));
    await pool.query('DROP EVENT TRIGGER refuse_alarms');
    const report = await restore(await readFile(pathOf('old')), target);
    expect(report.migration.applied).to.have.lengthOf((await readMigrations()).length - 4);
    const { rows } = await target.database.pool.query(
      'SELECT name, access_key IS NULL AS lacks FROM takt.companies',
    );
    expect(rows).to.deep.equal([{ name: 'Old', lacks: false }]);
    expect(
      (await failureOf(restore(await readFile(pathOf('old')), target))).startsWith('the database is not'),
    ).to.equal(true);
    // The database of the backup had no queues. Nevertheless, the restored database has queues.
    expect((await target.database.pool.query('SELECT FROM bullmq.job')).rowCount).to.equal(0);
  });

  it('of a newer version, of another release line or of another format is refused', async () => {
    const target = await openTarget();
    const known = (await readMigrations()).length;
    const changed = (change: (header: Header) => void) => restore(withHeader(change), target);
    const newer = changed(({ migrations }) => migrations.push({ name: '9999-later', checksum: 'x' }));
    expect(await failureOf(newer)).to.equal(
      `it was made by Takt ${TAKT_VERSION} with schema version ${known + 1}, this program knows ${known}: ` +
        'restore it with a newer Takt',
    );
    const other = changed(({ migrations }) => migrations.splice(2, 1, { name: '0003-other', checksum: 'x' }));
    expect(await failureOf(other)).to.match(/^its migration 0003-other is not that of this program/);
    const format = changed((header) => Object.assign(header, { format: 2 }));
    expect(await failureOf(format)).to.equal('its format is 2, this Takt reads 1: use a newer Takt');
    await expectUntouched(target);
  });

  it('of a version before 1.0.0 is restored if it has the last schema of these versions, and otherwise refused', async () => {
    const then = await openTarget({ migrated: false });
    await migrate(then.url, { migrations: (await readMigrations()).slice(0, MIGRATIONS_OF_THEN) });
    await then.database.pool.query(
      `INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Then');
       INSERT INTO takt.work_order_operations VALUES (1, 5, 1, 9, NULL, now(), 1.5, NULL, NULL);
       ${INSERT_USER};
       ${INSERT_REJECTED_THEN};`,
    );
    await takeBackup('then', then);
    const bytes = await readFile(pathOf('then'));
    const withMigrations = (count: number, checksum: string) =>
      withHeader((header) => {
        header.taktVersion = '0.1.0';
        header.migrations = Array.from({ length: count }, (_, index) => ({
          name: index === 0 ? '0001-companies-and-roles' : `${index + 1}`,
          checksum,
        }));
      }, bytes);
    const target = await openTarget();
    for (const wrong of [
      withMigrations(37, LAST_BEFORE_RELEASE),
      withMigrations(39, LAST_BEFORE_RELEASE),
      withMigrations(38, 'x'),
    ]) {
      expect(await failureOf(restore(wrong, target))).to.match(
        /^it was made by Takt 0\.1\.0 with schema version 3[789], from before 1\.0\.0: restore it with the last Takt before/,
      );
    }
    await expectUntouched(target);
    await restore(withMigrations(38, LAST_BEFORE_RELEASE), target);
    const current = await openTarget();
    await restore(bytes, current);
    await expectSameRows(current, target);
    const names = await target.database.pool.query('SELECT name FROM takt.companies');
    expect(names.rows).to.deep.equal([{ name: 'Then' }]);
    expect(await readSchemaVersion(target.database.pool)).to.equal((await readMigrations()).length);
  });

  it('with records of migrations is refused, and the next restore succeeds', async () => {
    const target = await openTarget();
    const lines = gunzipSync(whole).toString('utf8').split('\n');
    const end = JSON.parse(lines.at(-2) ?? '');
    const bringing = (schema: string, table: string, row: Readonly<Record<string, string>>) =>
      gzipSync(
        [
          ...lines.slice(0, -2),
          JSON.stringify({ schema, table, columns: Object.keys(row) }),
          ...[Object.values(row).join('\t'), '\\.'],
          JSON.stringify({ ...end, rows: { ...end.rows, [`${schema}.${table}`]: 1 } }),
          '',
        ].join('\n'),
      );
    const foreign = [
      bringing('takt', 'schema_migrations', { number: '1', name: '0001-foreign', checksum: 'x' }),
      bringing('takt', 'schema_functions', {
        name: 'foreign',
        checksum: 'x',
        signatures: '{"takt.session_company()"}',
      }),
      bringing('bullmq', 'migration', { version: '99', name: 'foreign' }),
    ];
    for (const bytes of foreign) {
      await writeFile(pathOf('foreign'), bytes);
      const refusal = /^it holds a table (takt|bullmq)\.\w+, which is in no backup of Takt$/;
      expect(await failureOf(verifyBackupFile(pathOf('foreign')))).to.match(refusal);
      expect(await failureOf(restore(bytes, target))).to.match(refusal);
      await expectUntouched(target);
    }
    await restore(whole, target);
    expect(await auditProductionTimes(target.database.pool, {})).to.deep.include({ differences: [] });
  });

  it('contains no key of a company, so a restore creates new keys', async () => {
    const { rows } = await source.database.pool.query('SELECT access_key FROM takt.companies');
    const key: string = rows[0].access_key;
    const text = gunzipSync(whole).toString('utf8');
    expect(text).not.to.include(key);
    // Changes the backup into the form that earlier versions wrote.
    const [, columns = '', company = ''] =
      /"table":"companies","columns":\[(.*)\]\}\n(.*)\n/.exec(text) ?? [];
    const held = text
      .replace(`"companies","columns":[${columns}]`, `"companies","columns":[${columns},"access_key"]`)
      .replace(`\n${company}\n`, `\n${company}\t${key}\n`);
    for (const bytes of [whole, gzipSync(held)]) {
      const target = await openTarget({ migrated: false });
      await restore(bytes, target);
      const found = await target.database.pool.query('SELECT access_key FROM takt.companies');
      expect(found.rows).to.have.lengthOf(1);
      expect(found.rows[0].access_key)
        .to.match(/^[0-9a-f-]{36}$/)
        .and.not.equal(key);
    }
  });

  it('contains no salt of secrets, so a restore keeps the salt of the new database', async () => {
    const secretOf = async ({ database }: TestDatabase): Promise<string> => {
      const { rows } = await database.pool.query(
        "SELECT encode(secret, 'hex') AS secret FROM takt.salt_secret",
      );
      return rows[0].secret;
    };
    const target = await openTarget({ migrated: false });
    await restore(whole, target);
    const secret = await secretOf(source);
    expect(gunzipSync(whole).toString('utf8')).to.not.include(secret);
    expect(await secretOf(target))
      .to.match(/^[0-9a-f]{64}$/)
      .and.not.equal(secret);
  });

  const seed = testSeed();
  it(`is refused without any change if its file is damaged or of another kind (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const target = await openTarget();
    const cut = (bytes: number) => whole.subarray(0, bytes);
    const withFlippedBit = (): Buffer => {
      const copy = Buffer.from(whole);
      // The position must be after the gzip header, because the header does not affect the content.
      const at = 10 + random.below(copy.length - 10);
      copy.writeUInt8(copy.readUInt8(at) ^ (1 << random.below(8)), at);
      // The last bits of the stream may be padding. If the flipped bit is one of them, the content stays the same.
      return isSameContent(copy) ? withFlippedBit() : copy;
    };
    const isSameContent = (bytes: Buffer) => {
      try {
        return gunzipSync(bytes).toString('utf8') === text;
      } catch {
        return false;
      }
    };
    const text = gunzipSync(whole).toString('utf8');
    const withDamagedHeader = (): Buffer => {
      const stored = gzipSync(text, { level: 0 });
      stored.write('x', stored.indexOf('"0002-') + 1);
      return stored;
    };
    const broken = [
      withDamagedHeader(),
      cut(0),
      cut(11),
      cut(random.below(whole.length)),
      cut(whole.length - 1),
      ...Array.from({ length: 10 }, withFlippedBit),
      Buffer.from('hello'),
      gzipSync('hello\n'),
      gzipSync('{"takt":"something"}\n'),
      // These are valid gzip files, but the end of the backup is missing, a row is missing, or there are additional
      // data.
      gzipSync(text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)),
      gzipSync(text.replace(/\n7\t.*\tKari.*/, '')),
      gzipSync(`${text}more`),
    ];
    for (const bytes of broken) {
      await writeFile(pathOf('broken'), bytes);
      expect(await failureOf(verifyBackupFile(pathOf('broken')))).to.match(BROKEN);
    }
    // Input from a pipe cannot be checked before it is restored. If the input proves wrong, the whole restore is rolled
    // back.
    for (const bytes of [cut(whole.length - 1), gzipSync(text.replace(/\n7\t.*\tKari.*/, ''))]) {
      expect(await failureOf(restore(bytes, target))).to.match(BROKEN);
      await expectUntouched(target);
    }
    await restore(whole, target);
  });

  it('leaves no partial file, and replaces an existing file only after the backup is complete', async () => {
    const nowhere = 'postgres://takt@127.0.0.1:1/takt';
    await writeFile(pathOf('kept'), 'as before');
    await chmod(pathOf('kept'), 0o644);
    await failureOf(writeBackupFile(pathOf('kept'), { url: nowhere, taktVersion: TAKT_VERSION }));
    const stopped = AbortSignal.abort();
    await failureOf(
      writeBackupFile(pathOf('kept'), { url: source.url, taktVersion: TAKT_VERSION, signal: stopped }),
    );
    expect(await readFile(pathOf('kept'), 'utf8')).to.equal('as before');
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).to.deep.equal([]);
    await takeBackup('kept');
    expect((await stat(pathOf('kept'))).mode & 0o777).to.equal(0o600);
    await verifyBackupFile(pathOf('kept'));
  });

  it('cannot be made of a database without Takt', async () => {
    const empty = await openTarget({ migrated: false });
    expect(await failureOf(takeBackup('empty', empty))).to.match(/^the database holds no data of Takt/);
  });
});

const BROKEN =
  /^it is (not a backup of Takt|damaged or was cut off)|^its end is missing|^it contains data after the end|^it should hold|^the start of a table|^its format is/;

/** Yields the bytes in pieces of random length, like a pipe. */
function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 4_099) yield bytes.subarray(at, at + 4_099);
}

async function failureOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'it worked',
    (error: Error) => error.message,
  );
}

async function expectUntouched({ database }: TestDatabase): Promise<void> {
  // The server notices the end of the session only a moment later.
  await waitUntil(
    'the tables can be read',
    () =>
      database.pool.query('SET lock_timeout = 100; SELECT FROM takt.companies').then(
        () => true,
        () => false,
      ),
    10_000,
  );
  const { rows } = await database.pool.query('SELECT count(*)::integer AS companies FROM takt.companies');
  expect(rows).to.deep.equal([{ companies: 0 }]);
  expect(await readSchemaVersion(database.pool)).to.be.above(0);
}

/** Reads all rows of all tables. Leaves out tables that migrations rewrite. */
async function readTables(pool: pg.Pool): Promise<Readonly<Record<string, readonly string[]>>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname IN ('takt', 'bullmq') AND tablename NOT IN ('schema_migrations', 'schema_functions', 'migration', 'company_changes', 'salt_secret')`,
  );
  const contents: Record<string, readonly string[]> = {};
  for (const { name } of tables) {
    // Leaves out the keys of companies too, because a restore creates new keys.
    const row = name === 'takt.companies' ? "(to_jsonb(t) - 'access_key')" : 't';
    const { rows } = await pool.query<{ row: string }>(
      `SELECT ${row}::text AS row FROM ${name} t ORDER BY 1`,
    );
    contents[name] = rows.map(({ row }) => row);
  }
  return contents;
}
