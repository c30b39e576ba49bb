import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { migrate } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { opened } from '@takt/test-support';
import { expect } from 'chai';

const TABLES = ['error_messages', 'domain_values'] as const;

describe('the error messages and domain values in the database', () => {
  const test = opened(createTestDatabase);

  const synchronise = () => migrate(test.url, { synchronise: synchroniseServedTexts });

  /** Returns all rows of a table, each with the id of the transaction that wrote it. */
  async function read(table: (typeof TABLES)[number]) {
    const { rows } = await test.database.pool.query<{ readonly row: string; readonly writer: string }>(
      `SELECT listed::text AS row, xmin::text AS writer FROM takt.${table} AS listed ORDER BY 1`,
    );
    return { rows: rows.map(({ row }) => row), writers: rows.map(({ writer }) => writer) };
  }

  it('are added, changed and removed so that they match the code', async () => {
    const { pool } = test.database;
    const before = await Promise.all(TABLES.map(read));
    await pool.query(`
      DELETE FROM takt.error_messages WHERE error_message_id = 100204;
      UPDATE takt.error_messages SET message = 'old', translations = '{}' WHERE error_message_id = 100205;
      INSERT INTO takt.error_messages
        SELECT (listed).* FROM (SELECT json_populate_record(one, '{"error_message_id": 999999}') AS listed
          FROM takt.error_messages AS one LIMIT 1) AS made;
      DELETE FROM takt.domain_values WHERE object = 'Product' AND key = '2';
      UPDATE takt.domain_values SET description = 'old', priority = 9 WHERE object = 'Product' AND key = '3';
      INSERT INTO takt.domain_values VALUES ('Product', 'Colour', 'R', 'red', '{}', 1)`);
    await synchronise();
    const after = await Promise.all(TABLES.map(read));
    expect(after.map(({ rows }) => rows)).to.deep.equal(before.map(({ rows }) => rows));
  });

  it('are not written again if they already match the code', async () => {
    const before = await Promise.all(TABLES.map(read));
    await synchronise();
    expect(await Promise.all(TABLES.map(read))).to.deep.equal(before);
  });
});
