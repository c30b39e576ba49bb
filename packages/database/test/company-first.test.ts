import { createTestDatabase } from '@takt/database/testing';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { SPREAD_TABLES } from '../src/spread-over-nodes.js';

/**
 * Tables that list the companies of a token, a client or a person. They are small, are read by token, client or person,
 * and belong to no company.
 */
const OF_PEOPLE = ['access_token_companies', 'api_client_companies', 'user_companies'];
/**
 * Indexes of company tables that do not contain the company. Each is a trigram index over all companies and enforces no
 * key; a query searches it for one company.
 */
const WITHOUT_COMPANY = ['object_keys_by_part', 'products_by_folded_name', 'structure_version_texts_by_part'];
/** Operators list the rejections of all companies together, and find one by its id or run. */
const OF_OPERATORS = ['rejections_by_id', 'rejections_of_run', 'rejections_open', 'rejections_resolved'];

describe('every table with a company', () => {
  const test = opened(createTestDatabase);
  let tables: readonly string[];

  before(async () => {
    const { rows } = await test.database.pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
       WHERE relnamespace = 'takt'::regnamespace AND relkind IN ('r', 'p') AND attname = 'company_id'
         AND relname <> 'companies' AND relname <> ALL ($1)
       ORDER BY relname`,
      [OF_PEOPLE],
    );
    tables = rows.map(({ name }) => name);
  });

  it('has the company as the first column of every key and index', async () => {
    const { rows } = await test.database.pool.query<{ index: string; first: string; isUnique: boolean }>(
      `SELECT indexrelid::regclass::text AS index, pg_get_indexdef(indexrelid, 1, true) AS first, indisunique AS "isUnique"
       FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
       WHERE relnamespace = 'takt'::regnamespace AND relname = ANY ($1)`,
      [tables],
    );
    const others = rows.filter(({ first }) => first !== 'company_id');
    expect(others.map(({ index }) => index.replace('takt.', ''))).to.have.members([
      ...WITHOUT_COMPANY,
      ...OF_OPERATORS,
    ]);
    expect(others.filter(({ isUnique }) => isUnique)).to.deep.equal([]);
    const keyed = await test.database.pool.query(
      `SELECT DISTINCT conrelid::regclass::text FROM pg_constraint
       WHERE contype = 'p' AND conrelid = ANY (SELECT ('takt.' || name)::regclass FROM unnest($1::text[]) AS name)`,
      [tables],
    );
    expect(keyed.rowCount, 'tables with a primary key').to.equal(tables.length);
  });

  it('has only foreign keys that contain the company or refer to the table companies', async () => {
    const { rows } = await test.database.pool.query<{ from: string; to: string; withCompany: boolean }>(
      `SELECT conrelid::regclass::text AS from, confrelid::regclass::text AS to,
         (SELECT bool_or(own.attname = 'company_id' AND other.attname = 'company_id')
          FROM unnest(conkey, confkey) AS pair (own_number, other_number)
          JOIN pg_attribute own ON own.attrelid = conrelid AND own.attnum = own_number
          JOIN pg_attribute other ON other.attrelid = confrelid AND other.attnum = other_number) AS "withCompany"
       FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
       WHERE contype = 'f' AND relname = ANY ($1)`,
      [tables],
    );
    expect(rows.length).to.be.above(2);
    for (const { from, to, withCompany } of rows) {
      expect(withCompany, `${from} to ${to}`).to.equal(true);
      expect([...tables, 'companies'], from).to.include(to.replace('takt.', ''));
    }
  });

  it('is emptied when a company is removed', async () => {
    const { rows } = await test.database.pool.query<{ body: string }>(
      "SELECT prosrc AS body FROM pg_proc WHERE oid = 'takt.remove_company'::regproc",
    );
    for (const table of [...tables, ...OF_PEOPLE]) expect(rows[0]?.body).to.include(`'${table}'`);
  });

  it('is distributed over the nodes of a cluster, except what the dashboard reads for all companies', () => {
    // These tables stay on the coordinator, so that pages work while a node is away.
    expect([...SPREAD_TABLES, 'event_sources', 'rejections']).to.have.members(tables);
  });
});
