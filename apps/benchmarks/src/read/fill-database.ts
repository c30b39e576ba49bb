import { cpus } from 'node:os';
import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { migrate, openDatabase, type PoolClient } from '@takt/database';
import type pg from 'pg';

/** Code of the company in the filled database. Its listed structure versions have figures of ten operations each. */
export const COMPANY = 'BENCH';

/**
 * SQL that inserts figures directly. The figures are not computed from events, because applying ten million events
 * would take longer than all measurements.
 */
const FILL = `
  INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, changed_at, status, name,
    version, revision, product_id, product_name, run_time, setup_time, cleanup_time, number_of_completed_operations,
    run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time,
    setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time, longest_setup_time,
    cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time, longest_cleanup_time)
  SELECT company_id, id, now(), 4, 'Operation ' || id, 1 + (id % 4)::integer, chr(65 + (id % 5)::integer),
    product.product_id, product.name,
    CASE WHEN id % 50 = 0 THEN NULL ELSE round(run * 0.9, 2) END * 1000000, round(setup, 2) * 1000000,
    round(setup / 3, 2) * 1000000,
    times, times * run, times * run * run * 1.05, run * 600000, run * 1900000,
    setups, setups * setup, setups * setup * setup * 1.1, CASE WHEN setups > 0 THEN setup * 400000 END,
    CASE WHEN setups > 0 THEN setup * 2500000 END,
    cleanups, cleanups * setup / 3, cleanups * setup * setup / 9 * 1.2,
    CASE WHEN cleanups > 0 THEN setup / 9 * 1000000 END, CASE WHEN cleanups > 0 THEN setup * 1000000 END
  FROM (
    SELECT company.company_id, id, 1 + (random() * 200)::bigint AS times,
      CASE WHEN id % 7 = 0 THEN 0 ELSE 1 + (random() * 100)::bigint END AS setups,
      CASE WHEN id % 3 = 0 THEN 0 ELSE 1 + (random() * 100)::bigint END AS cleanups,
      (0.05 - 4 * ln(1 - random()))::numeric(13,6) AS run, (random() * 3)::numeric(13,6) AS setup
    FROM takt.companies company, generate_series($1::bigint, $2::bigint) AS id
    WHERE company.code = $3
  ) AS made JOIN takt.products product USING (company_id)
  WHERE product.product_id = 1 + id / 4`;

const PRODUCTS = `
  INSERT INTO takt.products (company_id, product_id, status, name, type, description, changed_at)
  SELECT company_id, id, 4, (ARRAY['Gear', 'Shaft', 'Housing', 'Flange', 'Pump', 'Valve'])[1 + id % 6] || ' ' ||
    md5(id::text), 'K', 'made to order', now()
  FROM takt.companies, generate_series($1::bigint, $2::bigint) AS id WHERE code = $3`;

const TEXTS = `
  INSERT INTO takt.structure_version_texts (company_id, product_structure_version_id, folded)
  SELECT company_id, product_structure_version_id,
    takt.searched_text(product_name, name, product_id, product_structure_version_id, NULL, NULL)
  FROM takt.product_structure_versions
  WHERE product_structure_version_id BETWEEN $1 AND $2
    AND company_id = (SELECT company_id FROM takt.companies WHERE code = $3)`;

const OPERATIONS = `
  INSERT INTO takt.work_order_operations (company_id, work_order_operation_id, revision, product_structure_version_id,
    run_time, setup_time, changed_at)
  SELECT company_id, id, 1, 1 + id % $4::bigint, random() * 5, random(), now()
  FROM takt.companies, generate_series($1::bigint, $2::bigint) AS id WHERE code = $3`;

/**
 * Number of rows that one statement inserts. The values of the rows are derived from the number of the chunk, so they
 * are the same in every run.
 */
const CHUNK = 100_000;
const FILL_DEADLINE_MS = 3_600_000;

/**
 * Migrates an empty database and fills it. It then has `structureVersions` rows of figures and `operations` rows in the
 * ledger.
 */
export async function fillDatabase(
  url: string,
  { structureVersions, operations = 0 }: { readonly structureVersions: number; readonly operations?: number },
): Promise<void> {
  await migrate(url, { synchronise: synchroniseServedTexts });
  const { pool, close } = openDatabase({
    url,
    applicationName: 'takt bench filling',
    maxConnections: cpus().length,
    statementTimeoutMs: FILL_DEADLINE_MS,
    settings: { maintenance_work_mem: '512MB', max_parallel_maintenance_workers: '0' },
  });
  try {
    await pool.query('INSERT INTO takt.companies (code, name) VALUES ($1, $2)', [COMPANY, 'Benchmark']);
    await withoutIndexes(pool, async () => {
      await insert(pool, PRODUCTS, 1 + Math.floor(structureVersions / 4));
      await insert(pool, FILL, structureVersions);
      await insert(pool, TEXTS, structureVersions);
      await insert(pool, OPERATIONS, operations, [structureVersions]);
    });
    await pool.query('SELECT takt.note_changes_by_hand()');
    await pool.query('VACUUM ANALYZE');
    await pool.query('CHECKPOINT');
  } finally {
    await close();
  }
}

/** Inserts the rows 1 to `rows` in chunks. Each connection inserts one chunk at a time. */
function insert(pool: pg.Pool, text: string, rows: number, more: readonly unknown[] = []): Promise<void> {
  const chunks = Array.from({ length: Math.ceil(rows / CHUNK) }, (_, index) => index);
  return atOnce(pool, chunks, async (client, chunk) => {
    await client.query('SELECT setseed($1)', [chunk / chunks.length]);
    const last = Math.min(rows, (chunk + 1) * CHUNK);
    await client.query(text, [chunk * CHUNK + 1, last, COMPANY, ...more]);
  });
}

const FILLED_TABLES = [
  'products',
  'product_structure_versions',
  'structure_version_texts',
  'work_order_operations',
];

/**
 * Drops the indexes and foreign keys, except primary keys, runs the work, and creates them again. With indexes and
 * foreign keys, inserting would take ten times as long.
 */
async function withoutIndexes(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
     WHERE relname = ANY ($1) AND relnamespace = 'takt'::regnamespace AND NOT indisunique
     ORDER BY relname, definition`,
    [FILLED_TABLES],
  );
  const { rows: keys } = await pool.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, conname AS name, pg_get_constraintdef(pg_constraint.oid) AS definition
     FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
     WHERE relname = ANY ($1) AND relnamespace = 'takt'::regnamespace AND contype = 'f'`,
    [FILLED_TABLES],
  );
  for (const { table, name } of keys) await pool.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  for (const { name } of indexes) await pool.query(`DROP INDEX ${name}`);
  await work();
  await atOnce(pool, indexes, async (client, { definition }) => {
    await client.query(definition);
  });
  for (const { table, name, definition } of keys) {
    await pool.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`);
  }
}

/** Runs the work for each item. Each connection handles one item at a time. */
async function atOnce<Item>(
  pool: pg.Pool,
  items: readonly Item[],
  work: (client: PoolClient, item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const workOnOne = async () => {
    const client = await pool.connect();
    try {
      for (const item of waiting) await work(client, item);
    } finally {
      client.release();
    }
  };
  await Promise.all(Array.from({ length: pool.options.max }, workOnOne));
}
