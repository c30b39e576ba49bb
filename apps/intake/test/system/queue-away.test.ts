import {
  completion,
  completions,
  openConnection,
  request,
  structureVersion,
  waitUntil,
} from '@takt/test-support';
import { expect } from 'chai';
import type pg from 'pg';
import { openTestIntake, STORES, type TestIntake } from '../support/open-test-intake.js';
import { type Answer, expectAccepted, expectError, post } from '../support/post.js';

/** The intake promises an answer within 3 s after the last byte. The rest is for a loaded machine. */
const PROMISED_MS = 3_000 + 1_500;

async function timed(posting: Promise<Answer>): Promise<Answer & { readonly ms: number }> {
  const startedAt = performance.now();
  return { ...(await posting), ms: performance.now() - startedAt };
}

function expectUnavailable(answer: Answer & { readonly ms: number }): void {
  expectError(answer, 500, 100_461);
  expect(answer.headers.get('retry-after')).to.equal('2');
  expect(answer.ms).to.be.below(PROMISED_MS);
}

describe('the intake when its Redis server is down', () => {
  let intake: TestIntake;
  before(async function () {
    intake = await openTestIntake('Redis', this);
  });
  after(() => intake.close());

  it('answers 500 with Retry-After in time, is not ready, and recovers with Redis', async () => {
    expectAccepted(await post(intake, completion(1)), 1);
    // Redis stays down long enough for both rounds, which take about 2 s each, even on a busy machine.
    const back = intake.redis?.crash(15_000);
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all([
        timed(post(intake, completion(2))),
        timed(post(intake, completions(1_000, 10))),
        timed(post(intake, [completion(3), structureVersion(1)])),
      ]);
      answers.forEach(expectUnavailable);
    }
    expect((await fetch(`${intake.origin}/health/ready`)).status).to.equal(503);
    // The intake still reports errors of events.
    expectError(await post(intake, [{}]), 400, 100_400);
    await back;
    await waitUntil('it takes events again', async () => (await post(intake, completion(9))).status === 202);
    expect((await fetch(`${intake.origin}/health/ready`)).status).to.equal(200);
    expect(await intake.queued()).to.deep.include.members([completion(1), completion(9)]);
  });

  it('loses no event with the answer 202 if Redis is killed during many requests', async () => {
    await intake.drain();
    const accepted: number[] = [];
    let next = 100;
    let isOver = false;
    const producers = Array.from({ length: 20 }, async () => {
      while (!isOver) {
        const first = next;
        next += 5;
        const { status } = await post(intake, completions(5, first));
        expect(status).to.be.oneOf([202, 500]);
        if (status === 202) accepted.push(first);
      }
    });
    for (let round = 0; round < 3; round += 1) {
      const before = accepted.length;
      await waitUntil('some are accepted', () => accepted.length > before + 50);
      await intake.redis?.crash(200);
    }
    isOver = true;
    await Promise.all(producers);
    const stored = new Set((await intake.queued()).map((event) => Object(event).data.workOrderOperationId));
    const lost = accepted.filter((first) => [0, 1, 2, 3, 4].some((offset) => !stored.has(first + offset)));
    expect(lost).to.deep.equal([]);
  });
});

describe('the intake when its PostgreSQL server hangs', () => {
  let intake: TestIntake;
  before(async function () {
    intake = await openTestIntake('PostgreSQL', this);
  });
  after(() => intake.close());

  it('answers 500 with Retry-After in time if the queue stores nothing, and recovers afterwards', async () => {
    expectAccepted(await post(intake, completion(1)), 1);
    const client: pg.PoolClient = await intake.database.pool.connect();
    await client.query('BEGIN; LOCK TABLE bullmq.job IN ACCESS EXCLUSIVE MODE');
    expectUnavailable(await timed(post(intake, completion(2))));
    await client.query('ROLLBACK');
    client.release();
    await waitUntil('it takes events again', async () => (await post(intake, completion(3))).status === 202);
  });

  it('survives repeated losses of its connections', async () => {
    await intake.drain();
    const accepted: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      const posted = completions(20, 1_000 + round * 20).map((event) => post(intake, event));
      await intake.database.pool.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename LIKE 'takt_intake%'`,
      );
      for (const [index, { status }] of (await Promise.all(posted)).entries()) {
        expect(status).to.be.oneOf([202, 500]);
        if (status === 202) accepted.push(1_000 + round * 20 + index);
      }
    }
    const stored = (await intake.queued()).map((event) => Object(event).data.workOrderOperationId);
    expect(stored).to.include.members(accepted);
    expectAccepted(await post(intake, completion(9_999)), 1);
  });

  it('answers databaseUnavailable if it cannot look up tokens', async () => {
    const token = await intake.createToken(['TEM-NO']);
    const client = await intake.database.pool.connect();
    await client.query('BEGIN; LOCK TABLE takt.access_tokens IN ACCESS EXCLUSIVE MODE');
    const answer = await timed(post(intake, completion(1), { token }));
    await client.query('ROLLBACK');
    client.release();
    expectError(answer, 500, 100_003);
    expect(answer.ms).to.be.below(PROMISED_MS);
  });
});

for (const store of STORES) {
  describe(`with the queues in ${store}, the intake when it is full or stops`, () => {
    it('answers 500 with Retry-After while the queue has more jobs than its limit', async function () {
      const intake = await openTestIntake(store, this, { maxWaitingJobs: 2 });
      for (let job = 0; job < 2; job += 1)
        expectAccepted(await post(intake, completions(1_000, job * 1_000 + 1)), 1_000);
      expectUnavailable(await timed(post(intake, completion(1))));
      await intake.drain();
      await waitUntil('there is room', async () => (await post(intake, completion(1))).status === 202);
      await intake.close();
    });

    it('finishes a request that has arrived completely, and refuses a request with a later body', async function () {
      const intake = await openTestIntake(store, this);
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${intake.token}` };
      const late = await openConnection(intake.port);
      const body = JSON.stringify(completion(2));
      const asking = { ...headers, 'Content-Length': String(body.length), Expect: '100-continue' };
      late.send(request('/events', asking, 'POST'));
      await waitUntil('it is being read', () => late.rest().includes('100 Continue'));
      const running = Array.from({ length: 10 }, (_, index) =>
        post(intake, completions(100, index * 100 + 10)),
      );
      await waitUntil('some have been answered', () => intake.log.join('').includes('"status":202'));
      const stopped = intake.stop();
      late.send(body);
      await waitUntil('it is refused', () => /"errorMessageId":100007\b/.test(late.rest().toString()));
      expect(late.rest().toString()).to.match(/HTTP\/1\.1 500 .*Retry-After: 1\r\n/s);
      const statuses = await Promise.all(
        running.map((one) => one.then(({ status }) => status).catch(() => 0)),
      );
      await stopped;
      const events = await intake.queued();
      expect(events).to.have.lengthOf(100 * statuses.filter((status) => status === 202).length);
      await intake.close();
    });
  });
}
