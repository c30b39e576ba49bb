import { createTestDatabase } from '@takt/database/testing';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { FLOW_RANGES, type FlowRange, readFlowHistory, readRecentFlow } from '../../src/monitoring/index.js';

const WORKERS = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002'] as const;
const QUEUE = 'work-order-operations';
/** A number of seconds that exceeds a slot of any range of the history. */
const OVER_SECONDS = 7_200;

describe('the flow history', function () {
  this.timeout(60_000);
  const test = opened(createTestDatabase);
  const dashboard = opened(async () => {
    const { openDatabase } = await import('@takt/database');
    return openDatabase({ url: test.appUrl('dashboard'), applicationName: 'test' });
  });
  const pool = () => test.database.pool;

  beforeEach(() => pool().query('TRUNCATE takt.worker_reports, takt.flow_history'));

  const tell = async (
    worker: string,
    report: Readonly<Record<string, number | undefined>>,
    queue: string = QUEUE,
  ) => {
    const told = { queue, applied: 0, duplicate: 0, stale: 0, rejected: 0, ...report };
    const body = { worker_id: worker, host: 'h', pid: 1, version: 'v', queues: [told] };
    await pool().query('SELECT takt.note_worker_report($1, $2)', [JSON.stringify(body), '[]']);
  };
  /** Simulates the passage of time: moves the slots back to positions that no later slot uses. */
  const pass = (seconds: number) =>
    pool().query(
      'UPDATE takt.flow_history SET begins_at = begins_at - make_interval(secs => $1), slot = slot + 1000',
      [seconds],
    );
  const total = async (range: FlowRange) => {
    const slots = await readFlowHistory(dashboard.pool, range);
    const sum = (read: (slot: (typeof slots)[number]) => number) =>
      slots.reduce((all, slot) => all + read(slot), 0);
    return {
      applied: sum(({ events }) => events.applied),
      duplicate: sum(({ events }) => events.duplicate),
      stale: sum(({ events }) => events.stale),
      rejected: sum(({ events }) => events.rejected),
    };
  };

  it('sums up the events that all workers have processed, in every range', async () => {
    const [first, second] = WORKERS;
    const before = { applied: 100, duplicate: 20, stale: 30, rejected: 1 };
    const now = { applied: 150, duplicate: 22, stale: 33, rejected: 4 };
    await tell(first, { ...before, publishing_lag_seconds: 3, waiting_jobs: 7 });
    await tell(second, { applied: 10, publishing_lag_seconds: 9, waiting_jobs: 8 });
    await tell(first, { ...now, publishing_lag_seconds: undefined, waiting_jobs: 2 });
    await tell(first, now);
    await tell(second, { applied: 0, waiting_jobs: 5 }, 'reference-data');
    const all = { applied: 160, duplicate: 22, stale: 33, rejected: 4 };
    expect(await readFlowHistory(dashboard.pool, 'hour'), 'a slot that is not over').to.have.length.below(2);
    await pass(OVER_SECONDS);
    for (const range of ['day', 'month'] as const) {
      expect(await total(range), range).to.deep.equal(all);
    }
    await pass(20 - OVER_SECONDS);
    expect(await total('hour')).to.deep.equal(all);
    const slots = await readFlowHistory(dashboard.pool, 'hour');
    expect(Math.max(...slots.map(({ publishingLagSeconds }) => publishingLagSeconds ?? 0))).to.equal(9);
    // The jobs of a queue are counted once, although each worker reports them. The jobs of all queues are added.
    expect(Math.max(...slots.map(({ waitingJobs }) => waitingJobs ?? 0))).to.equal(8 + 5);
  });

  it('counts from 0 after a worker was restarted, and never subtracts events', async () => {
    const [first, second] = WORKERS;
    await tell(first, { applied: 1_000 });
    await tell(second, { applied: 3 });
    await pass(OVER_SECONDS);
    expect((await total('day')).applied).to.equal(1_003);
  });

  it('clears a slot before it uses its position again, so that the number of rows is bounded', async () => {
    await tell(WORKERS[0], { applied: 5, publishing_lag_seconds: 50, waiting_jobs: 50 });
    const slotsOf = async () => (await pool().query('SELECT FROM takt.flow_history')).rowCount;
    const before = await slotsOf();
    for (const { slotSeconds, seconds } of Object.values(FLOW_RANGES)) {
      await pool().query(
        `UPDATE takt.flow_history SET begins_at = begins_at - make_interval(secs => $2) WHERE slot_seconds = $1`,
        [slotSeconds, seconds],
      );
    }
    await tell(WORKERS[0], { applied: 6, publishing_lag_seconds: 1, waiting_jobs: 1 });
    // A slot of each range may have ended meanwhile. Then the range has one more row.
    expect(await slotsOf()).to.be.within(before ?? 0, (before ?? 0) + 3);
    await pass(20);
    const slots = await readFlowHistory(dashboard.pool, 'hour');
    expect(
      slots.map(({ events, publishingLagSeconds, waitingJobs }) => [
        events.applied,
        publishingLagSeconds,
        waitingJobs,
      ]),
    ).to.deep.equal([[1, 1, 1]]);
  });

  it('contains no slot without reports', async () => {
    await tell(WORKERS[0], { applied: 1 });
    await pass(3 * 20);
    await tell(WORKERS[0], { applied: 2 });
    await pass(20);
    const slots = await readFlowHistory(dashboard.pool, 'hour');
    const [first, last] = [slots.at(0), slots.at(-1)];
    expect((last?.beginsAt.getTime() ?? 0) - (first?.beginsAt.getTime() ?? 0)).to.equal(60_000);
    expect(slots).to.have.length(2);
  });

  it('sums up the last minutes of each queue: its events, and the growth of its lag and its waiting jobs', async () => {
    await tell(WORKERS[0], { applied: 10, rejected: 990, publishing_lag_seconds: 5, waiting_jobs: 3 });
    await tell(WORKERS[0], { applied: 1 }, 'reference-data');
    await pass(150);
    await tell(WORKERS[0], { applied: 20, rejected: 1_000, publishing_lag_seconds: 20, waiting_jobs: 4 });
    const [reference, operations] = await readRecentFlow(dashboard.pool);
    expect(operations).to.deep.equal({
      ...{ queue: QUEUE, events: { applied: 20, duplicate: 0, stale: 0, rejected: 1_000 } },
      ...{ eventsJustNow: 20 },
      ...{ lagSeconds: 20, lagSecondsBefore: 5, waitingJobs: 4, waitingJobsBefore: 3 },
    });
    expect(reference).to.deep.include({ queue: 'reference-data', lagSeconds: null, waitingJobs: null });
    await pass(300);
    expect(await readRecentFlow(dashboard.pool)).to.deep.equal([]);
  });
});
