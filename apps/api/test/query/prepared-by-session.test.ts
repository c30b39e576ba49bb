import { openDatabase } from '@takt/database';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { runStatement } from '../../src/sql/run-statement.js';
import { createStatementCache } from '../../src/sql/statement-cache.js';
import { openTestApi } from '../support/open-test-api.js';

const SHAPES = 600;
const MOST_PREPARED = 250;

describe('the prepared statements of a session', () => {
  const api = opened(openTestApi);

  it('stay below a limit, although each shape of a request is prepared', async () => {
    const { pool, close } = openDatabase({ url: api.url, applicationName: 'shapes', maxConnections: 1 });
    const statementOf = createStatementCache();
    const ask = async (shape: number) => {
      const build = () => sql`SELECT ${sql.raw(String(shape))} AS shape,
        (SELECT count(*)::int FROM pg_prepared_statements WHERE from_sql = false) AS prepared, pg_backend_pid() AS pid, current_setting('takt.company_key', true) AS "companyKey"`;
      const statement = statementOf({ key: String(shape), isPlannedOnce: true, build });
      const [row] = await runStatement<{ shape: number; prepared: number; pid: number }>(
        pool,
        { key: '' },
        statement,
        {},
      );
      return row;
    };
    try {
      const sessions = new Set<number>();
      let most = 0;
      for (let shape = 0; shape < SHAPES; shape++) {
        const row = await ask(shape);
        expect(row?.shape).to.equal(shape);
        sessions.add(row?.pid ?? 0);
        most = Math.max(most, row?.prepared ?? 0);
      }
      // A session ends as soon as it has prepared one shape more than MOST_PREPARED. The statement that sets the
      // company is prepared in addition.
      expect(most).to.equal(MOST_PREPARED + 2);
      expect(sessions.size).to.equal(Math.ceil(SHAPES / (MOST_PREPARED + 1)));
      const [first, again] = [await ask(SHAPES - 1), await ask(SHAPES - 1)];
      expect(again?.prepared).to.equal(first?.prepared);
    } finally {
      await close();
    }
  });
});
