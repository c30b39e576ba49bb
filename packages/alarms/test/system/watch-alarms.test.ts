import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Database, openDatabase } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { pino } from 'pino';
import { settleNotice, takeNotices } from '../../src/alarm-records.js';
import {
  type Alarm,
  type AlarmState,
  type AlarmWatch,
  acknowledgeAlarm,
  listAlarms,
  noteAlarms,
  watchAlarms,
} from '../../src/index.js';
import { postNotice } from '../../src/webhook.js';

const SECRET = 'between us';

interface Call {
  readonly body: string;
  readonly signature: string | undefined;
}

/** Opens a receiver of webhooks that records the requests it receives. */
async function openReceiver() {
  const calls: Call[] = [];
  let status = 200;
  const server = createServer(async (request, response) => {
    // A sender that follows the redirect would send its request here.
    if (request.url === '/elsewhere') {
      response.end('thanks');
      return;
    }
    const signature = request.headers['x-takt-signature'];
    calls.push({
      body: await text(request),
      signature: typeof signature === 'string' ? signature : undefined,
    });
    response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end('thanks');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    calls,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/takt`,
    answerWith: (next: number) => {
      status = next;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Returns a state without problems, or a state without a worker. */
const stateWith = (isRunning: boolean): AlarmState => ({
  ...{ queues: [], flow: [], nodes: [], audit: undefined, commonReason: undefined },
  reports: isRunning ? [{ workerId: 'w' } as AlarmState['reports'][number]] : [],
});

const alarm = (measure: number, subject = 'q'): Alarm => ({
  ...{ name: 'TaktRejectedShare', subject, measure },
  facts: { rejected: measure, all: 100, reason: 'a rule' },
});

describe('alarms in the database', function () {
  this.timeout(60_000);
  const test = opened(createTestDatabase);
  const dashboard = opened(async () =>
    openDatabase({ url: test.appUrl('dashboard'), applicationName: 'test' }),
  );
  const receiver = opened(openReceiver);
  const watches: AlarmWatch[] = [];
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });

  beforeEach(async () => {
    await test.database.pool.query('TRUNCATE takt.alarms, takt.alarm_notices');
    receiver.calls.length = 0;
    receiver.answerWith(200);
    lines.length = 0;
  });
  afterEach(() => {
    for (const watch of watches.splice(0)) watch.close();
  });

  const pool = (): Database['pool'] => dashboard.pool;
  const note = (found: readonly Alarm[], notifies = true) => noteAlarms(pool(), found, { notifies });
  const pass = (seconds: number) =>
    test.database.pool.query(
      `UPDATE takt.alarms SET found_at = found_at - make_interval(secs => $1), begun_at = begun_at - make_interval(secs => $1),
         ended_at = ended_at - make_interval(secs => $1)`,
      [seconds],
    );
  const makeDue = () => test.database.pool.query('UPDATE takt.alarm_notices SET next_attempt_at = now()');
  const watch = (isRunning: () => boolean) => {
    const webhook = { url: receiver.url, secret: SECRET, dashboardUrl: 'https://takt.example/ops' };
    const readState = async () => stateWith(isRunning());
    const started = watchAlarms({
      pool: pool(),
      readState,
      webhook,
      logger,
      firstAfterMs: 0,
      rejectedPercent: 1,
    });
    watches.push(started);
    return started;
  };

  it('begin once, keep their worst values, and end after a minute without the problem', async () => {
    await note([alarm(5)]);
    await note([alarm(50)]);
    await note([alarm(7)]);
    const [kept, ...others] = await listAlarms(pool());
    expect(others).to.deep.equal([]);
    expect(kept).to.deep.include({
      name: 'TaktRejectedShare',
      subject: 'q',
      endedAt: null,
      acknowledgement: null,
    });
    expect(kept?.facts).to.include({ rejected: 50 });
    await pass(30);
    await note([]);
    expect((await listAlarms(pool()))[0]?.endedAt, 'it may come back within a minute').to.equal(null);
    await note([alarm(1)]);
    await pass(61);
    await note([alarm(1)]);
    expect((await listAlarms(pool()))[0]?.endedAt, 'it was found').to.equal(null);
    await pass(61);
    await note([alarm(1, 'other')]);
    const [going, ended] = await listAlarms(pool());
    expect(going).to.include({ subject: 'other', endedAt: null });
    expect(ended?.endedAt, 'it ended when it was found last').to.deep.equal(ended?.foundAt);
    expect(ended?.endedAt?.getTime()).to.be.closeTo(Date.now() - 61_000, 10_000);
    await note([alarm(3)]);
    expect(await listAlarms(pool()), 'one that comes back is another one').to.have.length(3);
  });

  it('can be acknowledged with a comment, but the comment does not apply to later alarms', async () => {
    await note([alarm(5)]);
    const [kept] = await listAlarms(pool());
    const word = { alarmId: kept?.alarmId ?? 0, person: 'Kari Nordmann', words: 'ERP is told' };
    expect(await acknowledgeAlarm(pool(), word)).to.equal(true);
    await note([alarm(6)]);
    expect((await listAlarms(pool()))[0]?.acknowledgement).to.include({
      person: 'Kari Nordmann',
      words: 'ERP is told',
    });
    await pass(61);
    await note([]);
    expect(await acknowledgeAlarm(pool(), word)).to.equal(false);
    await note([alarm(5)]);
    const [again, before] = await listAlarms(pool());
    expect([again?.acknowledgement, before?.acknowledgement?.words]).to.deep.equal([null, 'ERP is told']);
  });

  it('are refused by the database if their name is unknown, or if they are too many or too large', async () => {
    const alarm = { name: 'TaktNoWorker', subject: '', measure: 1, facts: { waiting: 1 } } as const;
    const refused: readonly (readonly object[])[] = [
      [{ ...alarm, name: 'TaktSendMoney' }],
      [{ ...alarm, name: null }],
      [{ ...alarm, subject: 'x'.repeat(301) }],
      [{ ...alarm, facts: { reason: 'x'.repeat(5_001) } }],
      Array.from({ length: 201 }, (_, index) => ({ ...alarm, subject: String(index) })),
    ];
    for (const found of refused) {
      const error = await note(found as readonly Alarm[]).catch(String);
      expect(error, JSON.stringify(found).slice(0, 100)).to.include(
        'an alarm has an unknown name or is too large',
      );
    }
    await note([alarm]);
  });

  it('are stored for 30 days, and at most 500 of them', async () => {
    for (let number = 0; number < 3; number++) {
      await note([alarm(1, `old ${number}`)]);
      await pass(61);
      await note([]);
    }
    await pass(30 * 86_400);
    await note([]);
    expect(await listAlarms(pool())).to.deep.equal([]);
    const begin = (hundred: number) =>
      Array.from({ length: 100 }, (_, index) => alarm(1, `${hundred} ${index}`));
    for (let hundred = 0; hundred < 6; hundred += 1) await note(begin(hundred));
    await note([]);
    expect(await listAlarms(pool())).to.have.length(500);
  });

  it('create notices at their beginning and end only if a webhook is set', async () => {
    await note([alarm(5), alarm(5, 'second')]);
    await note([alarm(6), alarm(5, 'second')]);
    const taken = await takeNotices(pool());
    expect(taken.map(({ subject, isEnd, attempts }) => ({ subject, isEnd, attempts }))).to.deep.equal([
      { subject: 'q', isEnd: false, attempts: 1 },
      { subject: 'second', isEnd: false, attempts: 1 },
    ]);
    expect(await takeNotices(pool()), 'nobody else takes them meanwhile').to.deep.equal([]);
    await pass(61);
    await note([]);
    expect(await takeNotices(pool()), 'an end waits for its beginning').to.deep.equal([]);
    for (const notice of taken) await settleNotice(pool(), notice);
    const ends = await takeNotices(pool());
    expect(ends.map(({ subject, isEnd }) => ({ subject, isEnd }))).to.deep.equal([
      { subject: 'q', isEnd: true },
      { subject: 'second', isEnd: true },
    ]);
    for (const notice of ends) await settleNotice(pool(), notice);
    await note([alarm(5)], false);
    expect(await takeNotices(pool())).to.deep.equal([]);
  });

  it('call the webhook at their beginning and end, with a signature and in the format of Alertmanager', async () => {
    let isRunning = false;
    const watcher = watch(() => isRunning);
    // A second dashboard uses the same database. It must not send the notices again.
    watch(() => isRunning);
    await waitUntil('the receiver is called', () => receiver.calls.length > 0);
    expect(watcher.found().map(({ name }) => name)).to.deep.equal(['TaktNoWorker']);
    const [call] = receiver.calls;
    const hmac = createHmac('sha256', SECRET)
      .update(call?.body ?? '')
      .digest('hex');
    expect(call?.signature).to.equal(`sha256=${hmac}`);
    const message = JSON.parse(call?.body ?? '');
    expect(message).to.deep.include({
      ...{ version: '4', status: 'firing', receiver: 'takt', truncatedAlerts: 0 },
      externalURL: 'https://takt.example/ops',
    });
    expect(message.alerts).to.have.length(1);
    expect(message.alerts[0]).to.deep.include({
      status: 'firing',
      labels: { alertname: 'TaktNoWorker', severity: 'critical' },
      endsAt: '0001-01-01T00:00:00Z',
    });
    expect(message.alerts[0].annotations.summary).to.equal('No worker is running.');
    isRunning = true;
    await waitUntil('both have seen it', () => watcher.found().length === 0, 15_000);
    await pass(61);
    await waitUntil('the end is told', () => receiver.calls.length > 1, 20_000);
    const end = JSON.parse(receiver.calls[1]?.body ?? '');
    expect(end.status).to.equal('resolved');
    expect(end.alerts[0].fingerprint).to.equal(message.alerts[0].fingerprint);
    expect(Date.parse(end.alerts[0].endsAt)).to.be.at.least(Date.parse(end.alerts[0].startsAt));
    // The notice is deleted after the receiver has answered.
    const countNotices = async () =>
      (await test.database.pool.query('SELECT FROM takt.alarm_notices')).rows.length;
    await waitUntil('no notice is left', async () => (await countNotices()) === 0);
    expect(receiver.calls.length).to.equal(2);
  });

  it('wait at most 10 s for the answer of the webhook, because other notices wait meanwhile', async () => {
    await note([alarm(5)]);
    const [notice] = await takeNotices(pool());
    if (notice === undefined) throw new Error('there is no notice');
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/takt`;
      const startedAtMs = performance.now();
      const webhook = { url, secret: undefined, dashboardUrl: 'https://takt.example/ops' };
      const failure = await postNotice(notice, webhook).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(Error).and.to.have.property('name', 'TimeoutError');
      expect(performance.now() - startedAtMs).to.be.above(9_900);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });

  it('retry a failed webhook call up to ten times, with growing delays', async () => {
    receiver.answerWith(302);
    watch(() => false);
    await waitUntil('the receiver is called', () => receiver.calls.length > 0);
    const attempts = async () =>
      (
        await test.database.pool.query<{ attempts: number; seconds: number }>(
          'SELECT attempts, extract(epoch FROM next_attempt_at - now())::float8 AS seconds FROM takt.alarm_notices',
        )
      ).rows[0];
    expect((await attempts())?.seconds).to.be.below(2);
    await test.database.pool.query('UPDATE takt.alarm_notices SET attempts = 7');
    receiver.answerWith(500);
    await makeDue();
    await waitUntil('it is tried again', async () => (await attempts())?.attempts === 8, 10_000);
    expect((await attempts())?.seconds).to.be.within(240, 256);
    await test.database.pool.query('UPDATE takt.alarm_notices SET attempts = 9');
    await makeDue();
    await waitUntil('it is given up', async () => (await attempts()) === undefined, 10_000);
    expect(lines.join('')).to.include('giving up').and.to.not.include(SECRET);
  });
});
