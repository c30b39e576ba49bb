import { migrate, readMigrations } from '@takt/database';
import { createTestDatabase, type Random, randomFrom, type TestDatabase, testSeed } from '@takt/test-support';
import { expect } from 'chai';

/** The last migration in which the percentage was that of the rounded difference. */
const LAST_ROUNDED = 20;
const ROWS = 2_000;
const seed = testSeed();

interface Compared {
  readonly count: string;
  /** Hours. */
  readonly sum: string;
  /** Microhours. */
  readonly plan: string | null;
  readonly percent: string | null;
}

/** Hundredths of a percent of the exact difference in whole numbers, a half away from zero. */
function exactPercent({ count, sum, plan }: Compared): string | null {
  const planned = BigInt(plan ?? 0) * BigInt(count);
  if (planned === 0n) return null;
  const over = BigInt(sum.replace('.', '')) - planned;
  const size = over < 0n ? -over : over;
  const rounded = (20_000n * size + planned) / (2n * planned);
  return String(over < 0n ? -rounded : rounded);
}

describe(`a database whose percentages are of rounded differences, brought up to date (seed ${seed})`, function () {
  this.timeout(120_000);
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase({ migrated: false });
    const migrations = (await readMigrations()).slice(0, LAST_ROUNDED);
    await migrate(test.url, { migrations, functions: [] });
    await insertFigures(test, randomFrom(seed));
  });
  after(() => test?.close());

  const read = async () => {
    const { rows } = await test.database.pool.query<Compared>(
      `SELECT number_of_completed_operations AS count, run_time_sum AS sum, run_time AS plan,
         run_time_over_plan_percent AS percent
       FROM takt.product_structure_versions ORDER BY product_structure_version_id`,
    );
    return rows;
  };

  it('has the percentages of the exact differences, under the index and the comment of before', async () => {
    const isWrong = (row: Compared) => row.percent !== exactPercent(row);
    expect((await read()).filter(isWrong), 'before').to.not.have.length(0);
    const describeColumn = `SELECT col_description(attrelid, attnum) AS comment,
        (SELECT indisvalid FROM pg_index WHERE indexrelid = 'takt.by_run_time_over_plan_percent'::regclass) AS indexed,
        (SELECT count(*)::integer FROM pg_statistic_ext_data JOIN pg_statistic_ext ON oid = stxoid
         WHERE stxname = 'spread_of_run_time_over_plan_percent') AS spread
      FROM pg_attribute WHERE attrelid = 'takt.product_structure_versions'::regclass
        AND attname = 'run_time_over_plan_percent'`;
    await test.database.pool.query('ANALYZE takt.product_structure_versions');
    const { rows: before } = await test.database.pool.query(describeColumn);
    await migrate(test.url);
    const rows = await read();
    expect(rows).to.have.length(ROWS);
    expect(rows.filter(isWrong)).to.deep.equal([]);
    expect((await test.database.pool.query(describeColumn)).rows).to.deep.equal(before);
    expect(before).to.deep.equal([{ comment: before[0]?.comment, indexed: true, spread: 1 }]);
  });
});

async function insertFigures({ database: { pool } }: TestDatabase, random: Random): Promise<void> {
  const { rows } = await pool.query(
    "INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Tem') RETURNING company_id",
  );
  const figures = Array.from({ length: ROWS }, (_, index) => {
    const count = random.below(9);
    const microhours = count * random.below(random.pick([20, 20_000, 2_000_000_000]));
    const sum = (count === 0 ? 0 : microhours + random.below(count)) / 1e6;
    const plan = random.pick([null, 0, 1 + random.below(50), 1 + random.below(2_000_000)]);
    return { id: index + 1, count, sum: sum.toFixed(6), plan };
  });
  await pool.query(
    `INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, run_time,
       number_of_completed_operations, run_time_sum, run_time_sum_of_squares, setup_time_count, setup_time_sum,
       setup_time_sum_of_squares, cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares)
     SELECT $1, id, plan, count, sum, sum * sum, 0, 0, 0, 0, 0, 0
     FROM jsonb_to_recordset($2) AS figure (id bigint, count bigint, sum numeric, plan bigint)`,
    [rows[0].company_id, JSON.stringify(figures)],
  );
}
