import { type Database, openDatabase } from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import {
  readEventSources,
  readWorkerReports,
  startWorkerReports,
  type TakenEvent,
  type WorkerReports,
} from '../../src/monitoring/index.js';

const QUEUES = ['work-order-operations', 'reference-data'];
const PUBLISHED_AT_MS = Date.parse('2026-05-31T16:20:05.250Z');

const taken = (changes: Partial<TakenEvent> = {}): TakenEvent => ({
  outcome: 'applied',
  database: 'TEM-NO',
  source: '/mes/line-3',
  id: 'e-1',
  publishedAtMs: PUBLISHED_AT_MS,
  completionLagSeconds: 40,
  publishingLagSeconds: 2,
  ...changes,
});

const WORKER_ID = '00000000-0000-4000-8000-000000000001';

describe('the reports of a worker', () => {
  let test: TestDatabase;
  let asWorker: Database;
  let asDashboard: Database;
  let running: WorkerReports[];
  let failures: unknown[];

  before(async () => {
    test = await createTestDatabase();
    await test.database.pool.query(
      "INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Tem'), ('TEM-SE', 'Tem')",
    );
    asDashboard = openDatabase({ url: test.appUrl('dashboard'), applicationName: 'dashboard' });
  });
  after(async () => {
    await asDashboard?.close();
    await test?.close();
  });
  beforeEach(async () => {
    running = [];
    failures = [];
    asWorker = openDatabase({ url: test.appUrl('worker'), applicationName: 'worker' });
    await test.database.pool.query('TRUNCATE takt.worker_reports, takt.event_sources');
  });
  afterEach(async () => {
    for (const reports of running) reports.close();
    // Waits for the report in progress, so that the next test does not count it.
    await asWorker.close();
  });

  const start = (everyMs = 20) => {
    const onError = (error: unknown) => failures.push(error);
    const reports = startWorkerReports({
      pool: asWorker.pool,
      queues: QUEUES,
      onError,
      everyMs,
      countWaiting: async () => 7,
    });
    running.push(reports);
    return reports;
  };
  const read = () => readWorkerReports(asDashboard.pool);
  const untilTold = (isTold: (found: Awaited<ReturnType<typeof read>>) => boolean) =>
    waitUntil('the report is there', async () => isTold(await read()));

  it('show the worker and its queues on the dashboard before its first event', async () => {
    start();
    await untilTold((rows) => rows.length === 2);
    const [first] = await read();
    expect(first).to.deep.include({
      pid: process.pid,
      applied: 0,
      lastCommitAt: null,
      completionLagSeconds: null,
    });
    expect((await read()).map(({ queue }) => queue)).to.have.members(QUEUES);
  });

  it('count the outcomes of events, and give the median lags since the previous report', async () => {
    // The test must read each report before the next one, even on a busy machine.
    const reports = start(3_000);
    const progress = reports.of('work-order-operations');
    for (const seconds of [9, 10, 31_536_000]) progress.note(taken({ completionLagSeconds: seconds }));
    progress.note(taken({ outcome: 'duplicate', completionLagSeconds: 900, publishingLagSeconds: 900 }));
    progress.note(taken({ outcome: 'stale' }));
    progress.noteRejection();
    const ofOperations = async () => (await read()).find(({ queue }) => queue === 'work-order-operations');
    let told: Awaited<ReturnType<typeof ofOperations>>;
    await waitUntil('the report is there', async () => {
      told = await ofOperations();
      return told?.applied === 3;
    });
    expect(told).to.include({
      duplicate: 1,
      stale: 1,
      rejected: 1,
      completionLagSeconds: 10,
      publishingLagSeconds: 2,
    });
    expect(told?.lastCommitAt?.getTime()).to.be.closeTo(Date.now(), 60_000);
    // The totals remain. The last interval has no events, so it has no lags.
    await untilTold((rows) => rows.every(({ completionLagSeconds }) => completionLagSeconds === null));
    expect(await ofOperations()).to.include({ applied: 3, publishingLagSeconds: null });
  });

  it('give the rate of applied events until the worker stops reporting', async () => {
    const { pool } = asWorker;
    const tell = (applied: number) => {
      const queues = [{ queue: 'q', applied, duplicate: 0, stale: 0, rejected: 0 }];
      const worker = { worker_id: WORKER_ID, host: 'h', pid: 1, version: 'v', queues };
      return pool.query('SELECT takt.note_worker_report($1, $2)', [JSON.stringify(worker), '[]']);
    };
    const rate = async () => (await read())[0]?.perSecond.applied;
    const passSeconds = (seconds: number) =>
      test.database.pool.query(
        `UPDATE takt.worker_reports
         SET seen_at = seen_at - make_interval(secs => $1), seen_before = seen_before - make_interval(secs => $1)`,
        [seconds],
      );
    await tell(100);
    expect(await rate()).to.equal(0);
    await passSeconds(5);
    await tell(600);
    expect(await rate())
      .to.be.above(0)
      .and.at.most(100);
    await passSeconds(15);
    expect(await rate()).to.equal(0);
  });

  it('keep the newest event of each source and company, even if several workers applied the events', async () => {
    const [first, second] = [start(), start()];
    first.of('work-order-operations').note(taken({ id: 'newest', publishedAtMs: PUBLISHED_AT_MS + 1 }));
    second.of('reference-data').note(taken({ database: 'TEM-SE', id: 'another company' }));
    const sources = () => readEventSources(asDashboard.pool);
    await waitUntil('the sources to come', async () => (await sources()).length === 2);
    second.of('work-order-operations').note(taken({ id: 'older', source: '/mes/line-3' }));
    second.of('work-order-operations').note(taken({ source: '/erp', publishedAtMs: PUBLISHED_AT_MS - 1 }));
    await waitUntil('the next source to come', async () => (await sources()).length === 3);
    expect(
      (await sources()).map(({ database, source, lastEventId }) => [database, source, lastEventId]),
    ).to.deep.equal([
      ['TEM-NO', '/mes/line-3', 'newest'],
      ['TEM-SE', '/mes/line-3', 'another company'],
      ['TEM-NO', '/erp', 'e-1'],
    ]);
  });

  it('record a source whose clock is ahead as heard now, so that its later events are recorded too', async () => {
    const progress = start().of('work-order-operations');
    const find = async (source: string) =>
      (await readEventSources(asDashboard.pool)).find((one) => one.source === source);
    progress.note(taken({ source: '/ahead', id: 'of tomorrow', publishedAtMs: Date.now() + 86_400_000 }));
    await waitUntil('the source to come', async () => (await find('/ahead')) !== undefined);
    expect((await find('/ahead'))?.lastEventAt.getTime()).to.be.at.most(Date.now() + 1_000);
    progress.note(taken({ source: '/ahead', id: 'of now', publishedAtMs: Date.now() + 2_000 }));
    await waitUntil('the next event to come', async () => (await find('/ahead'))?.lastEventId === 'of now');
  });

  it('keep at most 1,000 sources per company, however many names of sources producers use', async () => {
    await test.database.pool.query(
      `INSERT INTO takt.event_sources SELECT company_id, '/old/' || number, '2020-01-01', 'e'
       FROM takt.companies, generate_series(1, 1000) AS number WHERE code = 'TEM-NO'`,
    );
    const reports = start();
    for (let number = 0; number < 5_000; number++) {
      reports.of('work-order-operations').note(taken({ source: `/invented/${number}/${'x'.repeat(2_000)}` }));
    }
    const sources = () => readEventSources(asDashboard.pool, 10_000);
    await waitUntil(
      'the invented sources to come',
      async () => (await sources())[0]?.source.startsWith('/invented/') === true,
    );
    const invented = (await sources()).filter(({ source }) => source.startsWith('/invented/'));
    expect(invented).to.have.length(200);
    expect(await sources()).to.have.length(1_000);
  });

  it('continue after a failed report, and log the failure once', async () => {
    await test.database.pool.query('ALTER TABLE takt.event_sources RENAME TO hidden');
    try {
      start().of('work-order-operations').note(taken());
      await waitUntil('a failure to come', () => failures.length > 0);
      // During this time further reports fail.
      await new Promise((resolve) => setTimeout(resolve, 300));
    } finally {
      await test.database.pool.query('ALTER TABLE takt.hidden RENAME TO event_sources');
    }
    await waitUntil(
      'the source to come',
      async () => (await readEventSources(asDashboard.pool)).length === 1,
    );
    expect(failures).to.have.length(1);
  });

  it('hide a worker from the dashboard after 30 s without a report, and are deleted after a day', async () => {
    const add = (age: string) =>
      test.database.pool.query(
        `INSERT INTO takt.worker_reports (worker_id, queue, host, pid, version, seen_at)
         VALUES (gen_random_uuid(), $1, 'h', 1, '0', now() - $1::text::interval)`,
        [age],
      );
    for (const age of ['15 seconds', '40 seconds', '25 hours']) await add(age);
    expect((await read()).map(({ queue }) => queue)).to.deep.equal(['15 seconds']);
    start();
    await untilTold((rows) => rows.length === 3);
    const { rows } = await test.database.pool.query(
      "SELECT FROM takt.worker_reports WHERE queue = '25 hours'",
    );
    expect(rows).to.have.length(0);
  });
});
