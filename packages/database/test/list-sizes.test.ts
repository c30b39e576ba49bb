import { type Database, openDatabase } from '@takt/database';
import { createTestDatabase, type TestDatabase, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';

const CONNECTIONS = 4;
const STATEMENTS = 120;
const COMPANIES = 3;
const ROWS = 40;
const seed = testSeed();

type Pool = Database['pool'];

describe(`takt.list_sizes equals the number of listed structure versions (seed ${seed})`, function () {
  this.timeout(180_000);
  let test: TestDatabase;
  let connections: readonly Database[];

  before(async () => {
    test = await createTestDatabase();
    connections = Array.from({ length: CONNECTIONS }, () =>
      openDatabase({
        url: test.url,
        applicationName: 'list sizes',
        maxConnections: 1,
        // Transactions that take rows in any order meet deadlocks: let them not wait for long.
        settings: { deadlock_timeout: '20ms' },
      }),
    );
    await test.database.pool.query(
      `INSERT INTO takt.companies (code, name) SELECT 'C' || n, 'Company' FROM generate_series(1, $1) AS n`,
      [COMPANIES],
    );
    await test.database.pool.query(
      `INSERT INTO takt.products (company_id, product_id, status, name, type, description, changed_at)
       SELECT company_id, 1, 4, 'Frame', 'K', '', now() FROM takt.companies`,
    );
  });
  afterEach(async () => {
    await test.database.pool.query('TRUNCATE takt.product_structure_versions');
    await test.database.pool.query('DELETE FROM takt.list_sizes');
  });
  after(async () => {
    await Promise.all(connections.map((connection) => connection.close()));
    await test.close();
  });

  it('after random inserts, listings, unlistings and deletes of several connections at once', async () => {
    const shares = fc.sample(
      fc.array(fc.array(changeArbitrary, { minLength: 1, maxLength: 3 }), {
        minLength: STATEMENTS,
        maxLength: STATEMENTS,
      }),
      { seed, numRuns: CONNECTIONS },
    );
    await Promise.all(shares.map((share, index) => run(connections[index] ?? test.database, share)));
    await expectExact(test.database.pool);
  });

  it('also where transactions are rolled back', async () => {
    const { pool } = test.database;
    await insert(pool, { company: 1, from: 1, to: 10, isListed: true });
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('DELETE FROM takt.product_structure_versions');
      await client.query('ROLLBACK');
    } finally {
      client.release();
    }
    await expectExact(pool);
    expect(await sizes(pool)).to.deep.include({ company: 1, size: 10 });
  });

  it('in the snapshot of the transaction that changes it, before others see it', async () => {
    const { pool } = test.database;
    await insert(pool, { company: 1, from: 1, to: 5, isListed: true });
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      await client.query(
        'DELETE FROM takt.product_structure_versions WHERE product_structure_version_id <= 2',
      );
      expect(await sizes(client)).to.deep.include({ company: 1, size: 3 });
      expect(await sizes(pool)).to.deep.include({ company: 1, size: 5 });
      await client.query('COMMIT');
    } finally {
      client.release();
    }
    await expectExact(pool);
  });

  it('where one statement changes many rows of many companies', async () => {
    const { pool } = test.database;
    for (const company of [1, 2, 3]) await insert(pool, { company, from: 1, to: 7, isListed: company !== 2 });
    await expectExact(pool);
    await pool.query(
      `UPDATE takt.product_structure_versions SET changed_at = now(), product_id = 1 WHERE company_id > 1`,
    );
    await expectExact(pool);
    await pool.query(
      `INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, changed_at, product_id)
       SELECT company, id, now(), 1 FROM generate_series(1, 3) AS company, generate_series(5, 9) AS id
       ON CONFLICT (company_id, product_structure_version_id) DO UPDATE SET changed_at = NULL, product_id = NULL`,
    );
    await expectExact(pool);
    await pool.query(
      'DELETE FROM takt.product_structure_versions WHERE product_structure_version_id % 2 = 0',
    );
    await expectExact(pool);
  });

  it('where figures change and nothing is listed or unlisted', async () => {
    const { pool } = test.database;
    await insert(pool, { company: 1, from: 1, to: 3, isListed: true });
    await pool.query('UPDATE takt.product_structure_versions SET run_time_sum = 1, changed_at = now()');
    expect(await sizes(pool)).to.deep.include({ company: 1, size: 3 });
  });

  it('after TRUNCATE, and from there on', async () => {
    const { pool } = test.database;
    for (const company of [1, 2]) await insert(pool, { company, from: 1, to: 4, isListed: true });
    await pool.query('TRUNCATE takt.product_structure_versions');
    await expectExact(pool);
    expect((await sizes(pool)).map(({ size }) => size)).to.deep.equal([0, 0]);
    await insert(pool, { company: 2, from: 1, to: 3, isListed: true });
    await expectExact(pool);
  });
});

interface Change {
  readonly kind: 'insert' | 'list' | 'unlist' | 'delete';
  readonly company: number;
  readonly from: number;
  readonly to: number;
  readonly isListed: boolean;
}

const changeArbitrary: fc.Arbitrary<Change> = fc
  .record({
    kind: fc.constantFrom(
      'insert' as const,
      'insert' as const,
      'list' as const,
      'unlist' as const,
      'delete' as const,
    ),
    company: fc.integer({ min: 1, max: COMPANIES }),
    from: fc.integer({ min: 1, max: ROWS }),
    rows: fc.nat(6),
    isListed: fc.boolean(),
  })
  .map(({ rows, ...change }) => ({ ...change, to: change.from + rows }));

/** Each element is a transaction; one that meets a deadlock is repeated, as the worker does. */
async function run({ pool }: Database, transactions: readonly (readonly Change[])[]): Promise<void> {
  for (const changes of transactions) {
    while (!(await tryTransaction(pool, changes))) await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const DEADLOCK = '40P01';

async function tryTransaction(pool: Pool, changes: readonly Change[]): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    for (const change of changes) await apply(client, change);
    await client.query('COMMIT');
    return true;
  } catch (error) {
    await client.query('ROLLBACK');
    if (error instanceof Error && 'code' in error && error.code === DEADLOCK) return false;
    throw error;
  } finally {
    client.release();
  }
}

type Queryable = Pick<Pool, 'query'>;

async function apply(client: Queryable, change: Change): Promise<void> {
  const { kind, company, from, to } = change;
  const rows = 'company_id = $1 AND product_structure_version_id BETWEEN $2 AND $3';
  switch (kind) {
    case 'insert':
      return insert(client, change);
    case 'list':
    case 'unlist': {
      const set =
        kind === 'list' ? 'changed_at = now(), product_id = 1' : 'changed_at = NULL, product_id = NULL';
      await client.query(`UPDATE takt.product_structure_versions SET ${set} WHERE ${rows}`, [
        company,
        from,
        to,
      ]);
      return;
    }
    case 'delete':
      await client.query(`DELETE FROM takt.product_structure_versions WHERE ${rows}`, [company, from, to]);
  }
}

async function insert(
  client: Queryable,
  { company, from, to, isListed }: Omit<Change, 'kind'>,
): Promise<void> {
  await client.query(
    `INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, changed_at, product_id)
     SELECT $1, id, CASE WHEN $4 THEN now() END, CASE WHEN $4 THEN 1 END FROM generate_series($2::bigint, $3) AS id
     ON CONFLICT DO NOTHING`,
    [company, from, to, isListed],
  );
}

interface Size {
  readonly company: number;
  readonly size: number;
}

async function sizes(client: Queryable): Promise<readonly Size[]> {
  const { rows } = await client.query<Size>(
    `SELECT company_id AS company, product_structure_versions::integer AS size FROM takt.list_sizes ORDER BY 1`,
  );
  return rows;
}

/** What is kept is what is counted, of every company. */
async function expectExact(pool: Pool): Promise<void> {
  const { rows } = await pool.query<Size & { readonly counted: number }>(
    `SELECT company_id AS company, coalesce(kept.product_structure_versions, 0)::integer AS size,
       (SELECT count(*)::integer FROM takt.product_structure_versions AS listed
        WHERE listed.company_id = companies.company_id AND listed.changed_at IS NOT NULL) AS counted
     FROM takt.companies LEFT JOIN takt.list_sizes AS kept USING (company_id) ORDER BY 1`,
  );
  expect(rows).to.have.lengthOf(COMPANIES);
  expect(rows.map(({ company, size }) => ({ company, size }))).to.deep.equal(
    rows.map(({ company, counted }) => ({ company, size: counted })),
  );
}
