import { completion, opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { openTestDashboard, type Signed } from './support/open-test-dashboard.js';

const RULE = 'data.database must be the code of a registered company';

describe('alarms on the dashboard', function () {
  this.timeout(120_000);
  const test = opened(openTestDashboard);
  let first: Signed;
  let next: Signed;

  before(async () => {
    first = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['operator'] });
    next = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['operator'] });
    const data = completion(1, { database: 'TEM_NO' });
    await test.reject([
      {
        jobId: 'rare-1',
        data: completion(2, { runTime: -1 }),
        reason: 'data.runTime must be hours (got -1)',
      },
      { jobId: 'bad-1', data, reason: `${RULE} (got "TEM_NO")` },
      { jobId: 'bad-2', data, reason: `${RULE} (got "TEM_XX")` },
      {
        jobId: 'rare-2',
        data: completion(3, { revision: 0 }),
        reason: 'data.revision must be an integer (got 0)',
      },
    ]);
    await report({ applied: 1_052, rejected: 18_948 });
  });

  /** Reports these counts, as a worker does every 5 s. */
  const report = (counts: Readonly<Record<'applied' | 'rejected', number>>) => {
    const queues = [{ queue: 'work-order-operations', duplicate: 0, stale: 0, ...counts }];
    const worker = {
      worker_id: '0d0f6a4e-0000-4000-8000-000000000000',
      host: 'h',
      pid: 1,
      version: 'v',
      queues,
    };
    return test.database.pool.query('SELECT takt.note_worker_report($1, $2)', [JSON.stringify(worker), '[]']);
  };
  const front = async ({ token }: Signed) => (await test.ask('GET', '/', { token })).text;

  it('show the share of rejected events, the reason, the begin and an instruction on the first page', async () => {
    await waitUntil('the alarm is kept', async () => (await front(first)).includes('class="since"'), 15_000);
    const page = await front(first);
    expect(page).to.include('18,948 of 20,000 events of the last 5 minutes were rejected (94.7 %).');
    expect(page).to.include(`Most often: ${RULE}.`).and.to.include('Have their source corrected first');
    expect(page).not.to.include('No alarm.');
    for (const path of ['/', '/alarms']) {
      expect((await test.ask('GET', path, { token: first.token })).text, path).to.include('goes on');
    }
    const metrics = await test.ask('GET', '/metrics');
    expect(metrics.text).to.include(
      'takt_alarm{alarm="TaktRejectedShare",subject="work-order-operations"} 1',
    );
  });

  it('show the reason only to persons who may read the rejected events of all companies', async () => {
    const ofOne = await test.addPerson(['TEM-NO'], { roles: ['operator'] });
    const withoutDuty = await test.addPerson(['TEM-NO', 'TEM-SE'], { duties: ['read-error-messages'] });
    for (const { token } of [ofOne, withoutDuty]) {
      for (const path of ['/', '/alarms']) {
        const { status, text } = await test.ask('GET', path, { token });
        expect([status, text.includes('18,948 of 20,000')], path).to.deep.equal([200, true]);
        expect(text, path).not.to.include(RULE);
      }
    }
    expect((await test.ask('GET', '/alarms', { token: first.token })).text).to.include(RULE);
  });

  it('can be acknowledged with a note, but only by persons who may operate the queues', async () => {
    const planner = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['planner'] });
    const [, alarm = ''] = /name="alarm" value="(\d+)"/.exec(await front(first)) ?? [];
    expect(await front(planner)).not.to.include('name="alarm"');
    const form = { alarm, words: '<b>The ERP is told</b>' };
    expect((await test.ask('POST', '/alarms/acknowledge', { token: planner.token, form })).status).to.equal(
      403,
    );
    expect(await front(next)).not.to.include('is told');
    const answer = await test.ask('POST', '/alarms/acknowledge', { token: first.token, form });
    expect([answer.status, answer.location]).to.deep.equal([303, '/']);
    const page = await front(next);
    expect(page).to.include('&lt;b&gt;The ERP is told&lt;/b&gt;');
    expect(page, 'it is an alarm still').to.include('18,948 of 20,000');
    expect((await test.ask('GET', '/alarms', { token: planner.token })).text).to.include('The ERP is told');
    expect(test.log()).to.include('an alarm was acknowledged');
  });

  it('say how it was when they began, if it is otherwise now', async () => {
    expect(await front(first)).not.to.include('When it began');
    await test.database.pool.query(
      `UPDATE takt.alarms SET begun_facts = '{"rejected": 300, "all": 20000, "reason": ${JSON.stringify(RULE)}}'`,
    );
    await waitUntil(
      'it says so',
      async () => (await front(first)).includes('When it began: 300 of 20,000'),
      15_000,
    );
    expect(await front(first)).to.include('18,948 of 20,000');
  });

  it('cannot be acknowledged without a note', async () => {
    for (const form of [
      { alarm: '1', words: ' ' },
      { alarm: '999999', words: 'a' },
      { alarm: 'x', words: 'a' },
      {},
    ]) {
      const answer = await test.ask('POST', '/alarms/acknowledge', { token: first.token, form });
      expect(answer.status).to.equal(303);
    }
  });

  it('end by themselves once few events are rejected, and are later listed with their duration', async () => {
    await test.database.pool.query(
      "UPDATE takt.flow_history SET begins_at = begins_at - interval '10 minutes', slot = slot + 1000",
    );
    await report({ applied: 2_052, rejected: 18_948 });
    await waitUntil(
      'it is not found',
      async () => !(await front(first)).includes('class="findings alarms'),
      20_000,
    );
    const isOpen = async () =>
      (
        await test.database.pool.query(
          "SELECT FROM takt.alarms WHERE name = 'TaktRejectedShare' AND ended_at IS NULL",
        )
      ).rowCount === 1;
    expect(await isOpen(), 'its end is stored a minute later').to.equal(true);
    for (const path of ['/', '/alarms']) {
      const { text } = await test.ask('GET', path, { token: first.token });
      expect(text, path).to.include('18,948 of 20,000').and.not.to.include('goes on');
    }
    await test.database.pool.query("UPDATE takt.alarms SET found_at = found_at - interval '2 minutes'");
    await waitUntil('its end is stored', async () => !(await isOpen()), 20_000);
    expect(await front(first))
      .to.include('18,948 of 20,000')
      .and.to.include('No alarm.');
    expect((await test.ask('GET', '/metrics')).text).not.to.include('takt_alarm{');
  });

  for (const [range, name] of [
    ['hour', 'Last hour'],
    ['day', 'Last 24 hours'],
    ['month', 'Last 30 days'],
    ['decade', 'Last hour'],
  ] as const) {
    it(`are shown in a chart of the range ${range}`, async () => {
      const page = (await test.ask('GET', `/?range=${range}`, { token: first.token })).text;
      expect(page).to.match(new RegExp(`aria-current="true">${name}<`));
      expect(page).to.include(`aria-label="Events a second. ${name}: `);
    });
  }
});
