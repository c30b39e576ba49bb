import type { Database } from '@takt/database';
import { openDatabase } from '@takt/database';
import { expect } from 'chai';
import { runPlan } from '../../src/respond/find-page.js';
import type { StatementOf } from '../../src/sql/statement-cache.js';
import { askerFor, planOf } from '../support/ask.js';
import { faultOf } from '../support/fault-of.js';
import { COMPANY, openTestApi, type TestApi } from '../support/open-test-api.js';
import { productionTimes } from '../support/resources.js';

/** The time from the start of a search to its deadline. It suffices for the first statement, even on a busy machine. */
const SEARCH_MS = 3_000;

describe('A search that needs several statements', () => {
  let api: TestApi;
  /** A pool with a long statement timeout, so that only the deadline of the search can end a statement. */
  let patient: Database;
  before(async () => {
    api = await openTestApi();
    patient = openDatabase({ url: api.url, applicationName: 'patient', statementTimeoutMs: 60_000 });
  });
  after(async () => {
    await patient?.close();
    await api?.close();
  });

  const search = (texts: readonly string[], begun: string[], endMs: number) => {
    const statementOf: StatementOf = () => {
      const text = texts[Math.min(begun.length, texts.length - 1)] ?? '';
      begun.push(text);
      return { text, name: undefined, canBeNarrowed: true, bind: () => [] };
    };
    const plan = planOf(productionTimes, {
      $filter: 'RunTime add SetupTime gt 1',
      $orderby: 'RunTime,SetupTime',
    });
    const company = { key: api.keys.get(COMPANY) ?? '' };
    return faultOf(runPlan(plan, askerFor(company), { ...api, pool: patient.pool, statementOf }, endMs));
  };
  const walked = `SELECT '[]'::json AS rows, '[]'::json AS ended, current_setting('takt.company_key') AS "companyKey"`;
  const slow = 'SELECT pg_sleep(20)';

  it('fails with the error for slow queries if the deadline passes after the first answer of the database', async () => {
    const begun: string[] = [];
    const fault = await search([walked, slow], begun, performance.now() + SEARCH_MS);
    expect(fault).to.deep.equal({ code: 'queryTooSlow', parameters: [] });
    expect(begun).to.deep.equal([walked, slow]);
  });

  it('fails with the error for an unavailable database if no statement was answered', async () => {
    const fault = await search([slow], [], performance.now() + 100);
    expect(fault).to.deep.equal({ code: 'databaseUnavailable', parameters: [] });
  });

  it('sends no statement after its deadline', async () => {
    const { totalCount } = patient.pool;
    const idle = patient.pool.idleCount;
    const fault = await search([walked], [], performance.now());
    expect(fault).to.deep.equal({ code: 'databaseUnavailable', parameters: [] });
    expect([patient.pool.totalCount, patient.pool.idleCount]).to.deep.equal([totalCount, idle]);
  });
});
