import { readFile } from 'node:fs/promises';
import { dumpSchema } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { openPool } from './open-pool.js';

const SCHEMA_FILE = new URL('../../../../migrations/schema.sql', import.meta.url);

/** For each kind of object: statements that create or change it, and the text that the dump must contain afterwards. */
const SHOWN = [
  ['ALTER TABLE takt.companies ADD COLUMN region text', '\n  region text,\n'],
  ['ALTER TABLE takt.companies ADD COLUMN town text COLLATE "C"', '\n  town text COLLATE "C",\n'],
  [
    "ALTER TABLE takt.companies ALTER COLUMN name SET DEFAULT 'a'",
    "\n  name text NOT NULL DEFAULT 'a'::text,\n",
  ],
  [
    'ALTER TABLE takt.companies ADD COLUMN size integer GENERATED ALWAYS AS (length(name)) VIRTUAL',
    '\n  size integer GENERATED ALWAYS AS (length(name)) VIRTUAL\n',
  ],
  [
    'ALTER TABLE takt.companies ADD CONSTRAINT short CHECK (length(name) < 9)',
    '\nALTER TABLE takt.companies ADD CONSTRAINT short\n  CHECK ((length(name) < 9));\n',
  ],
  [
    'CREATE UNIQUE INDEX companies_by_name ON takt.companies (name)',
    '\nCREATE UNIQUE INDEX companies_by_name ON takt.companies USING btree (name);\n',
  ],
  ['ALTER TABLE takt.products SET (fillfactor = 70)', '\n) WITH (fillfactor=70);\n'],
  [
    'CREATE UNLOGGED TABLE takt.scratch (a integer)',
    '\nCREATE UNLOGGED TABLE takt.scratch (\n  a integer\n);\n',
  ],
  [
    'ALTER TABLE takt.companies ENABLE ROW LEVEL SECURITY',
    '\nALTER TABLE takt.companies ENABLE ROW LEVEL SECURITY;\n',
  ],
  [
    'ALTER TABLE takt.products FORCE ROW LEVEL SECURITY',
    '\nALTER TABLE takt.products FORCE ROW LEVEL SECURITY;\n',
  ],
  [
    'CREATE POLICY own ON takt.companies FOR SELECT TO takt_api USING (company_id = 1)',
    '\nCREATE POLICY own ON takt.companies AS PERMISSIVE FOR SELECT TO takt_api\n  USING ((company_id = 1));\n',
  ],
  [
    'CREATE TRIGGER same BEFORE UPDATE ON takt.companies FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    '\nCREATE TRIGGER same BEFORE UPDATE ON takt.companies FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger();\n',
  ],
  [
    'CREATE TYPE takt.pair AS (a integer, b text)',
    '\nCREATE TYPE takt.pair AS (\n  a integer,\n  b text\n);\n',
  ],
  [
    'CREATE FUNCTION takt.one() RETURNS integer LANGUAGE sql RETURN 1',
    '\nCREATE OR REPLACE FUNCTION takt.one()\n RETURNS integer\n LANGUAGE sql\nRETURN 1;\n',
  ],
  [
    'CREATE FUNCTION takt.two() RETURNS integer LANGUAGE sql RETURN 2',
    '\nGRANT EXECUTE ON FUNCTION takt.two() TO PUBLIC;\n',
  ],
  ["COMMENT ON TABLE takt.companies IS 'who'", "\nCOMMENT ON TABLE takt.companies IS\n  'who';\n"],
  [
    "COMMENT ON COLUMN takt.companies.name IS 'its'",
    "\nCOMMENT ON COLUMN takt.companies.name IS\n  'its';\n",
  ],
  [
    "COMMENT ON FUNCTION takt.average_microhours IS 'mean'",
    "\nCOMMENT ON FUNCTION takt.average_microhours(bigint,numeric) IS\n  'mean';\n",
  ],
  [
    "COMMENT ON CONSTRAINT companies_pkey ON takt.companies IS 'key'",
    "\nCOMMENT ON CONSTRAINT companies_pkey on takt.companies IS\n  'key';\n",
  ],
  [
    "COMMENT ON TRIGGER same ON takt.companies IS 'fast'",
    "\nCOMMENT ON TRIGGER same on takt.companies IS\n  'fast';\n",
  ],
  ["COMMENT ON SCHEMA takt IS 'what'", "\nCOMMENT ON SCHEMA takt IS\n  'what';\n"],
  [
    'GRANT DELETE ON takt.companies TO takt_dashboard',
    '\nGRANT DELETE ON TABLE takt.companies TO takt_dashboard;\n',
  ],
  [
    'GRANT SELECT (name) ON takt.companies TO takt_dashboard',
    '\nGRANT SELECT (name) ON TABLE takt.companies TO takt_dashboard;\n',
  ],
  ['GRANT CREATE ON SCHEMA takt TO takt_worker', '\nGRANT CREATE, USAGE ON SCHEMA takt TO takt_worker;\n'],
  [
    'GRANT SELECT ON takt.products TO takt_dashboard WITH GRANT OPTION',
    '\nGRANT SELECT ON TABLE takt.products TO takt_dashboard WITH GRANT OPTION;\n',
  ],
] as const;

describe('the schema dump', () => {
  const test = opened(createTestDatabase);
  let migrated: string;
  let changed: string;

  before(async () => {
    migrated = await dumpSchema(test.database.pool);
    await test.database.pool.query(SHOWN.map(([statement]) => statement).join(';\n'));
    changed = await dumpSchema(test.database.pool);
  });

  it('equals the file migrations/schema.sql, which `npm run schema:dump` writes', async () => {
    expect(migrated).to.equal(await readFile(SCHEMA_FILE, 'utf8'));
  });

  for (const [statement, text] of SHOWN) {
    it(`contains ${statement}`, () => {
      expect(migrated).not.to.include(text);
      expect(changed).to.include(text);
    });
  }

  it('does not depend on the search path, the time zone or the owner', async () => {
    await test.database.pool.query(`
      ALTER TABLE takt.domain_values OWNER TO takt_dashboard;
      ALTER FUNCTION takt.average_microhours OWNER TO takt_dashboard`);
    const pool = openPool(test.url, '-c search_path=takt -c TimeZone=Asia/Tokyo -c DateStyle=German');
    expect(await dumpSchema(pool)).to.equal(changed);
    await pool.end();
  });

  it('fails if the schema contains an object that the dump cannot express', async () => {
    await test.database.pool.query(`
      CREATE AGGREGATE takt.total (integer) (sfunc = int4pl, stype = integer);
      CREATE SEQUENCE takt.numbers;
      CREATE TYPE takt.colour AS ENUM ('red');
      CREATE MATERIALIZED VIEW takt.names AS SELECT name FROM takt.companies`);
    const outcome = await dumpSchema(test.database.pool).catch(String);
    expect(outcome).to.equal(
      'Error: the schema dump cannot show: ' +
        'function takt.total(integer), materialized view takt.names, sequence takt.numbers, type takt.colour',
    );
  });
});
