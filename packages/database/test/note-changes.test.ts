import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { type Database, migrate, openDatabase, readMigrations } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { openedForEach, randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';
import { applicationVersionChange, applyApplicationVersionChanges } from './application-version-changes.js';
import { batchArguments } from './concurrent-writers.js';
import { openPool } from './open-pool.js';
import { applyStructureVersionChanges, minute, structureVersionChange } from './structure-version-changes.js';

const OF_WHO_ASKS = 'tells who asks, which is looked up for each request';
const OF_THE_LEDGER = 'figures are made of it, and those are served';
const OF_OPERATORS = 'no resource shows it';

/** Tables that need no note of their changes, each with the reason. */
const UNNOTED: Readonly<Record<string, string>> = {
  access_token_companies: OF_WHO_ASKS,
  access_tokens: OF_WHO_ASKS,
  alarm_notices: OF_OPERATORS,
  alarms: OF_OPERATORS,
  api_client_companies: OF_WHO_ASKS,
  api_clients: OF_WHO_ASKS,
  audit_log: OF_OPERATORS,
  audit_runs: OF_OPERATORS,
  authorization_codes: OF_WHO_ASKS,
  companies: OF_WHO_ASKS,
  company_changes: 'holds the stamps',
  event_sources: OF_OPERATORS,
  flow_history: OF_OPERATORS,
  import_changes: OF_OPERATORS,
  imports: OF_OPERATORS,
  key_counters: OF_THE_LEDGER,
  object_keys: OF_THE_LEDGER,
  pruned_figures: OF_THE_LEDGER,
  pruned_operations: OF_THE_LEDGER,
  prunings: OF_THE_LEDGER,
  refresh_tokens: OF_WHO_ASKS,
  rejected_events: OF_OPERATORS,
  refusals: OF_OPERATORS,
  rejections: OF_OPERATORS,
  resolved_rejections: OF_OPERATORS,
  roles: OF_WHO_ASKS,
  salt_secret: OF_WHO_ASKS,
  token_families: OF_WHO_ASKS,
  user_companies: OF_WHO_ASKS,
  users: OF_WHO_ASKS,
  worker_reports: OF_OPERATORS,
};

/**
 * Tables whose rows appear in answers of the API, and the two tables that describe the schema. Each change of them
 * needs a note.
 */
const NOTED = [
  'application_versions',
  'domain_values',
  'error_messages',
  'list_sizes',
  'month_zones',
  'monthly_figures',
  'product_structure_versions',
  'products',
  'saved_views',
  'schema_functions',
  'schema_migrations',
  'structure_version_texts',
  'work_order_operations',
];
const WRITES = new RegExp(
  `(INSERT INTO|UPDATE|DELETE FROM|MERGE INTO|TRUNCATE|COPY)\\s+((ONLY )?takt\\.(${NOTED.join('|')}|\\$\\{)|\\$\\{name)`,
);

/** Source files that change tables with notes, each with the code that writes the note. */
const WRITING_SOURCES: Readonly<Record<string, string>> = {
  'apps/benchmarks/src/read/fill-database.ts': 'calls note_changes_by_hand',
  'packages/database/src/apply-functions.ts': 'notes a change of all, tried below',
  'packages/database/src/migrate.ts': 'notes a change of all, tried below',
  'packages/catalogue/src/resources/synchronise-served-texts.ts': 'notes a change of all, tried below',
  'packages/database/src/upkeep/restore-backup.ts': 'fills an empty database; its last step is to migrate',
  'packages/rejections/src/adopt-old.ts': 'moves rejected events, which no API reads',
};

const NOBODY = [false, false];
const THE_FIRST = [true, false];
const ALL = [true, true];

describe('the note of a change', () => {
  const test = openedForEach(createTestDatabase);
  let owner: pg.Pool;

  beforeEach(async () => {
    owner = test.database.pool;
    await owner.query("INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'A'), ('B', 'B')");
  });

  /** Returns the change stamps that the API reads, one for each of the two companies. */
  async function standings(): Promise<readonly string[]> {
    const { rows } = await owner.query<{ stamp: string }>(
      `SELECT bit_xor(stamp)::text AS stamp FROM unnest(ARRAY[1, 2]) AS asked
       LEFT JOIN takt.company_changes ON company_id IN (0, asked) GROUP BY asked ORDER BY asked`,
    );
    return rows.map(({ stamp }) => stamp);
  }

  /** Returns two values, one for each company: true if the work has changed the stamp of the company. */
  async function changedBy(work: () => Promise<unknown>): Promise<readonly boolean[]> {
    const before = await standings();
    await work();
    return (await standings()).map((stamp, company) => stamp !== before[company]);
  }

  const complete = (given: object = {}) =>
    owner.query(
      'SELECT FROM takt.apply_work_order_operation_events($1, $2)',
      batchArguments([
        {
          database: 'TEM-NO',
          ...{ workOrderOperationId: 1, revision: 1, productStructureVersionId: 1, workOrderId: 1 },
          ...{ changedAt: minute(0), runTime: '2', ...given },
        },
      ]),
    );
  const change = (...given: Parameters<typeof structureVersionChange>) =>
    applyStructureVersionChanges(test.database, [structureVersionChange(...given)]);
  const rebuild = () => owner.query("SELECT takt.rebuild_production_times(1, '{1}')");
  const bring = () => migrate(test.url, { synchronise: synchroniseServedTexts });

  it('is needed for all tables except those that this test lists', async () => {
    const { rows } = await owner.query<{ name: string; isRead: boolean }>(
      `SELECT relname AS name, has_any_column_privilege('takt_api', oid, 'SELECT') AS "isRead"
       FROM pg_class WHERE relnamespace = 'takt'::regnamespace AND relkind IN ('r', 'p', 'm', 'f')`,
    );
    expect(rows.map(({ name }) => name)).to.have.members([...NOTED, ...Object.keys(UNNOTED)]);
    const read = rows.flatMap(({ name, isRead }) => (isRead ? [name] : []));
    expect(NOTED).to.include.members(read.filter((name) => name !== 'company_changes'));
  });

  it('is written by every function that changes a table with notes, or by all callers of the function', async () => {
    const { rows } = await owner.query<{ name: string; body: string }>(
      `SELECT proname AS name, pg_get_functiondef(oid) AS body FROM pg_proc
       WHERE pronamespace = 'takt'::regnamespace AND prokind = 'f'`,
    );
    const isNoted = (name: string): boolean => {
      const own = rows.filter((row) => row.name === name);
      if (own.some(({ body }) => body.includes('takt.note_changes('))) return true;
      const callers = rows.filter((row) => row.name !== name && row.body.includes(`takt.${name}(`));
      return callers.length > 0 && callers.every((caller) => isNoted(caller.name));
    };
    const writers = rows.filter(({ body }) => WRITES.test(body)).map(({ name }) => name);
    expect(writers).to.include.members(['add_to_figures', 'rebuild_production_times', 'note_changes']);
    expect(writers.filter((name) => name !== 'note_changes' && !isNoted(name))).to.deep.equal([]);
  });

  it('is written by every source file that changes a table with notes', async () => {
    const root = join(import.meta.dirname, '../../../..');
    const writing: string[] = [];
    for (const folder of ['apps', 'packages']) {
      for (const workspace of await readdir(join(root, folder))) {
        const sources = await readdir(join(root, folder, workspace, 'src'), { recursive: true }).catch(
          () => [],
        );
        for (const source of sources.filter((file) => /\.tsx?$/.test(file))) {
          const path = [folder, workspace, 'src', source].join('/');
          if (WRITES.test(await readFile(join(root, path), 'utf8'))) writing.push(path);
        }
      }
    }
    expect(writing).to.have.members(Object.keys(WRITING_SOURCES));
  });

  it('is written by no trigger', async () => {
    const { rows } = await owner.query<{ name: string }>(
      'SELECT DISTINCT tgfoid::regproc::text AS name FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1',
    );
    // These triggers write the audit log, or end grants.
    expect(rows.map(({ name }) => name)).to.deep.equal([
      ...['end_grants_of_client', 'end_grants_of_person', 'note_company_of', 'note_row', 'note_token_end'],
    ]);
  });

  it('names the company of the operations that a batch has changed', async () => {
    for (const given of [{}, { revision: 2, runTime: '3' }, { revision: 3, productStructureVersionId: 7 }]) {
      expect(await changedBy(() => complete(given))).to.deep.equal(THE_FIRST);
      expect(await changedBy(() => complete(given))).to.deep.equal(NOBODY);
    }
    const reopened = { revision: 4, productStructureVersionId: null, workOrderId: null, runTime: null };
    expect(await changedBy(() => complete(reopened))).to.deep.equal(THE_FIRST);
    expect(await changedBy(() => complete({ database: 'NONE', revision: 9 }))).to.deep.equal(NOBODY);
    expect(
      await changedBy(() => owner.query("SELECT takt.prune_operations(1, '2027-01-01', 0)")),
    ).to.deep.equal(NOBODY);
  });

  it('names the company whose structure version, product or search text has changed', async () => {
    expect(await changedBy(() => change())).to.deep.equal(THE_FIRST);
    expect(await changedBy(() => change())).to.deep.equal(NOBODY);
    expect(await changedBy(() => change({ changedAt: minute(2), name: 'Board' }))).to.deep.equal(THE_FIRST);
    const ofProduct = { productStructureVersionId: 2, changedAt: minute(3), productName: 'Desk' };
    expect(await changedBy(() => change(ofProduct))).to.deep.equal(THE_FIRST);
    for (const damage of [
      "UPDATE takt.structure_version_texts SET folded = 'lost'",
      "UPDATE takt.product_structure_versions SET product_name = 'lost'",
    ]) {
      await owner.query(damage);
      expect(await changedBy(() => change({ changedAt: minute(1) }))).to.deep.equal(THE_FIRST);
    }
    // After this, the next change is newer than the stored product, but not newer than the stored structure version.
    await owner.query(`UPDATE takt.products SET changed_at = '2026-01-01'`);
    expect(await changedBy(() => change())).to.deep.equal(THE_FIRST);
    expect(await changedBy(() => change({ database: 'NONE', changedAt: minute(9) }))).to.deep.equal(NOBODY);
  });

  it('names the company of a changed application version', async () => {
    const apply = () => applyApplicationVersionChanges(test.database, [applicationVersionChange()]);
    expect(await changedBy(apply)).to.deep.equal(THE_FIRST);
    expect(await changedBy(apply)).to.deep.equal(NOBODY);
  });

  it('names the company if a rebuild has repaired its figures or texts', async () => {
    await change();
    await complete();
    expect(await changedBy(rebuild)).to.deep.equal(NOBODY);
    for (const damage of [
      'UPDATE takt.product_structure_versions SET longest_run_time = 7',
      'UPDATE takt.monthly_figures SET run_time_sum = 7',
      "UPDATE takt.structure_version_texts SET folded = 'lost'",
      'DELETE FROM takt.monthly_figures',
    ]) {
      await owner.query(damage);
      expect(await changedBy(rebuild), damage).to.deep.equal(THE_FIRST);
    }
  });

  it('names all companies after a text, a function or a migration was added', async () => {
    expect(await changedBy(bring)).to.deep.equal(NOBODY);
    for (const damage of [
      "UPDATE takt.error_messages SET message = 'old' WHERE error_message_id = 100205",
      "DELETE FROM takt.domain_values WHERE object = 'Product' AND key = '2'",
      "UPDATE takt.schema_functions SET checksum = 'x' WHERE name = 'searched_text'",
    ]) {
      await owner.query(damage);
      expect(await changedBy(bring), damage).to.deep.equal(ALL);
    }
    const known = await readMigrations();
    const next = { number: known.length + 1, name: 'next', sql: 'SELECT', checksum: 'x', breaksBefore: 0 };
    const migrateOnce = () =>
      migrate(test.url, { migrations: [...known, next], functions: [] }).catch(String);
    expect(await changedBy(migrateOnce)).to.deep.equal(ALL);
  });

  it('names all companies after manual changes, and comes with a recount of the lists', async () => {
    await change();
    await owner.query('UPDATE takt.product_structure_versions SET changed_at = NULL, product_id = NULL');
    expect(await changedBy(() => owner.query('SELECT takt.note_changes_by_hand()'))).to.deep.equal(ALL);
    expect((await sizes(owner))[0]).to.deep.equal({ kept: '0', counted: '0' });
  });

  it('disappears if its transaction or its savepoint is rolled back', async () => {
    const note = "SELECT takt.note_changes('{1}')";
    const client = await owner.connect();
    const run = (...statements: readonly string[]) =>
      changedBy(async () => {
        for (const statement of statements) await client.query(statement);
      });
    const undone = ['SAVEPOINT s', note, 'ROLLBACK TO s'];
    expect(await run('BEGIN', note, 'ROLLBACK')).to.deep.equal(NOBODY);
    expect(await run('BEGIN', ...undone, 'COMMIT')).to.deep.equal(NOBODY);
    expect(await run('BEGIN', ...undone, note, 'COMMIT')).to.deep.equal(THE_FIRST);
    client.release();
  });

  /**
   * Writes a note `times` times, each over a new connection. Each connection first runs the statements of `before`.
   * Returns the stamps.
   */
  async function noteOverConnections(times: number, before: readonly string[]): Promise<readonly string[]> {
    const stamps: string[] = [];
    for (let turn = 0; turn < times; turn++) {
      const client = new pg.Client({ connectionString: test.url });
      await client.connect();
      for (const statement of before) await client.query(statement);
      await client.query("SELECT takt.note_changes('{1}')");
      await client.end();
      stamps.push((await standings())[0] ?? '');
    }
    return stamps;
  }

  it('has a unique stamp, even in sessions with the same random seed', async () => {
    expect(new Set(await noteOverConnections(20, ['SELECT setseed(0.5)'])).size).to.equal(20);
  });

  it('has one stamp per open connection and none of closed connections', async () => {
    await noteOverConnections(
      5,
      [1, 2].map((period) => `INSERT INTO takt.company_changes VALUES (1, pg_backend_pid(), ${period}, 5)`),
    );
    const { rows } = await owner.query('SELECT FROM takt.company_changes WHERE company_id = 1');
    // When a connection starts, the server may not have noticed the end of the previous one.
    expect(rows.length).to.be.within(1, 2);
  });

  it('is written by concurrent workers without waiting', async () => {
    const url = test.appUrl('worker');
    const clients = [new pg.Client(url), new pg.Client(url)];
    for (const client of clients) {
      await client.connect();
      await client.query("SET lock_timeout = '2s'");
      await client.query('BEGIN');
    }
    for (const company of [1, 2]) {
      for (const client of clients) await client.query(`SELECT takt.note_changes('{${company}}')`);
    }
    for (const client of clients) {
      expect(await changedBy(() => client.query('COMMIT'))).to.deep.equal(ALL);
      await client.end();
    }
  });

  it('is visible to the API only if the note names the company of the session or all companies', async () => {
    await owner.query("SELECT takt.note_changes('{0, 1, 2}')");
    const { rows: keys } = await owner.query<{ key: string }>(
      'SELECT access_key::text AS key FROM takt.companies WHERE company_id = 2',
    );
    const api = openPool(test.appUrl('api'), '');
    const client = await api.connect();
    const companies = async () => {
      const { rows } = await client.query('SELECT DISTINCT company_id FROM takt.company_changes ORDER BY 1');
      return rows.map(({ company_id }) => company_id);
    };
    expect(await companies()).to.deep.equal([0]);
    await client.query("SELECT set_config('takt.company_key', $1, false)", [keys[0]?.key]);
    expect(await companies()).to.deep.equal([0, 2]);
    client.release();
    await api.end();
  });

  const seed = testSeed();
  it(`does not disturb the counts of lists while workers add structure versions to lists (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const connections = Array.from({ length: 4 }, () =>
      openDatabase({ url: test.appUrl('worker'), applicationName: 'lists', maxConnections: 1 }),
    );
    const drawn = (count: number) => Array.from({ length: count }, () => 1 + random.below(60));
    const work = async ({ pool }: Database, worker: number) => {
      for (let batch = 0; batch < 30; batch++) {
        const database = random.pick(['TEM-NO', 'B']);
        // Completed operations create structure versions, which are not listed until their master data arrive.
        const completions = drawn(3).map((id, index) => ({
          database,
          ...{ workOrderOperationId: 1_000 * worker + 10 * batch + index, revision: 1, changedAt: minute(0) },
          ...{ productStructureVersionId: id, runTime: '1' },
        }));
        await pool.query(
          'SELECT FROM takt.apply_work_order_operation_events($1, $2)',
          batchArguments(completions),
        );
        const client = await pool.connect();
        await client.query('BEGIN');
        const changes = drawn(4).map((id) =>
          structureVersionChange({
            database,
            productStructureVersionId: id,
            productId: id,
            changedAt: minute(batch),
          }),
        );
        await client.query(
          'SELECT FROM takt.apply_product_structure_version_changes($1, $2)',
          batchArguments(changes),
        );
        await client.query(random.below(4) === 0 ? 'ROLLBACK' : 'COMMIT');
        client.release();
      }
    };
    const countAnew = async () => {
      for (let turn = 0; turn < 40; turn++) await owner.query('SELECT takt.note_changes_by_hand()');
    };
    await Promise.all([...connections.map(work), countAnew()]);
    await Promise.all(connections.map((connection) => connection.close()));
    for (const { kept, counted } of await sizes(owner)) {
      expect(kept).to.equal(counted);
      expect(Number(kept)).to.be.greaterThan(20);
    }
  });
});

async function sizes(
  owner: pg.Pool,
): Promise<readonly { readonly kept: string; readonly counted: string }[]> {
  const { rows } = await owner.query<{ kept: string; counted: string }>(
    `SELECT product_structure_versions AS kept,
       (SELECT count(*) FROM takt.product_structure_versions listed
        WHERE listed.company_id = known.company_id AND changed_at IS NOT NULL) AS counted
     FROM takt.list_sizes AS known ORDER BY company_id`,
  );
  return rows;
}
