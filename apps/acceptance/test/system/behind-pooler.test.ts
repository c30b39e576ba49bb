import { appUrlOf, createTestDatabase, runTakt, startApp, type TestDatabase } from '@takt/database/testing';
import { migrateQueueSchema } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import { needsProgram, startTestPgBouncer, type TestPgBouncer, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { GOOD_COMPANY } from './poison/corpus.js';
import { createGoodEvents, expectOnlyGoodEvents } from './poison/good-events.js';

const APPS = ['worker', 'intake', 'dashboard'] as const;
const REQUESTS = 40;
const EVENTS_A_REQUEST = 25;

describe('worker, intake and dashboard behind PgBouncer in transaction mode', function () {
  this.timeout(120_000);
  let test: TestDatabase;
  let bouncer: TestPgBouncer;
  const started: { stop(): Promise<unknown> }[] = [];

  before(async function () {
    needsProgram(this, 'pgbouncer');
    test = await createTestDatabase();
    await migrateQueueSchema(test.url);
    bouncer = await startTestPgBouncer({
      ...{ mode: 'transaction', ignores: [], poolSize: 3 },
      urls: APPS.map((app) => test.appUrl(app)),
    });
  });
  after(async () => {
    await Promise.all(started.map((one) => one.stop()));
    await bouncer?.close();
    await test?.close();
  });

  /**
   * Returns the start options of an app. Its statements go through the pooler, but the queue connects to PostgreSQL
   * directly.
   */
  const optionsOf = async (app: (typeof APPS)[number]) => ({
    ...{ databaseUrl: test.url, queueUrl: test.url },
    environment: {
      DATABASE_URL: bouncer.urlOf(await appUrlOf(test.url, app)),
      DATABASE_POOLER: 'transaction',
    },
  });

  it('apply every event exactly once, even if server connections are cut', async () => {
    await addCompany(test.database, GOOD_COMPANY, 'Company of the good events');
    const worker = await startApp('worker', await optionsOf('worker'));
    const intake = await startApp('intake', await optionsOf('intake'));
    const dashboard = await startApp('dashboard', await optionsOf('dashboard'));
    started.push(worker, intake, dashboard);
    const { stdout } = await runTakt(['token', 'create', '--database', GOOD_COMPANY, '--publish'], {
      DATABASE_URL: test.url,
    });
    const headers = {
      authorization: `Bearer ${stdout.trim()}`,
      'content-type': 'application/cloudevents-batch+json',
    };
    const good = createGoodEvents();
    for (let request = 0; request < REQUESTS; request++) {
      const events = Array.from({ length: EVENTS_A_REQUEST }, () => good.next());
      const body = `[${events.join(',')}]`;
      const publish = async () => {
        const { status } = await fetch(`${intake.origin}/events`, { method: 'POST', headers, body });
        return status === 202;
      };
      // Publishing the same events again is safe. If a connection is cut, the intake asks the client to retry.
      await waitUntil('the events are taken', publish);
      if (request % 8 === 7) await cutSessions();
    }
    const countApplied = async () => {
      const { rows } = await test.database.pool.query('SELECT FROM takt.work_order_operations');
      return rows.length;
    };
    await waitUntil(
      'the events are applied',
      async () => (await countApplied()) === REQUESTS * EVENTS_A_REQUEST,
    );
    await expectOnlyGoodEvents(test.database.pool, good);
    expect((await fetch(`${dashboard.origin}/health/ready`)).status).to.equal(200);
    const audit = await runTakt(['audit'], { DATABASE_URL: test.url });
    expect(audit.code, audit.stdout + audit.stderr).to.equal(0);
  });

  async function cutSessions(): Promise<void> {
    await test.database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name IN ('takt worker', 'takt intake')`,
    );
  }
});
