import { type Database, migrate, openDatabase } from '@takt/database';
import { synchroniseServedTexts } from '@takt/resources';

/** A company with so many listed structure versions, each with figures and ten operations behind them. */
export const COMPANY = 'BENCH';

/** Figures are never taken from events here: to apply ten million of them would take longer than all measurements. */
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
    FROM takt.companies company, generate_series(1, $1::bigint) AS id
    WHERE company.code = $2
  ) AS made JOIN takt.products product USING (company_id)
  WHERE product.product_id = 1 + id / 4`;

const PRODUCTS = `
  INSERT INTO takt.products (company_id, product_id, status, name, type, description, changed_at)
  SELECT company_id, id, 4, (ARRAY['Gear', 'Shaft', 'Housing', 'Flange', 'Pump', 'Valve'])[1 + id % 6] || ' ' ||
    md5(id::text), 'K', 'made to order', now()
  FROM takt.companies, generate_series(1, 1 + $1::bigint / 4) AS id WHERE code = $2`;

const TEXTS = `
  INSERT INTO takt.structure_version_texts (company_id, product_structure_version_id, folded)
  SELECT company_id, product_structure_version_id,
    concat_ws(E'\\n', casefold(product_name), casefold(name), product_id, product_structure_version_id)
  FROM takt.product_structure_versions`;

const OPERATIONS = `
  INSERT INTO takt.work_order_operations (company_id, work_order_operation_id, revision, product_structure_version_id,
    run_time, setup_time, changed_at)
  SELECT company_id, id, 1, 1 + id % $1::bigint, random() * 5, random(), now()
  FROM takt.companies, generate_series(1, $3::bigint) AS id WHERE code = $2`;

export interface Filled {
  readonly url: string;
  readonly database: Database;
}

/** Migrates an empty database and fills it with `structureVersions` rows; `operations` more rows in the ledger. */
export async function fillDatabase(
  url: string,
  { structureVersions, operations }: { readonly structureVersions: number; readonly operations: number },
): Promise<Filled> {
  await migrate(url, { synchronise: synchroniseServedTexts });
  const database = openDatabase({ url, applicationName: 'takt bench', statementTimeoutMs: 900_000 });
  const { pool } = database;
  await pool.query('INSERT INTO takt.companies (code, name) VALUES ($1, $2)', [COMPANY, 'Benchmark']);
  // The same rows in every run.
  const client = await pool.connect();
  try {
    await client.query('SELECT setseed(0.5)');
    await client.query(PRODUCTS, [structureVersions, COMPANY]);
    await client.query(FILL, [structureVersions, COMPANY]);
    await client.query(TEXTS);
    if (operations > 0) await client.query(OPERATIONS, [structureVersions, COMPANY, operations]);
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
  } finally {
    client.release();
  }
  return { url, database };
}
