import { disableUser } from '@takt/access';
import { openRejectedEvents } from '@takt/database/rejected-events';
import { completion, opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { openTestDashboard, READS_ALL } from './support/open-test-dashboard.js';

describe('a change that waits for its turn', () => {
  const test = opened(openTestDashboard);
  const ID = 'work-order-operations/rejected';

  before(async () => {
    const data = completion(1, { runTime: -1 });
    await test.reject([
      { jobId: 'rejected', data },
      { jobId: 'discarded', data: completion(2, { runTime: -1 }) },
    ]);
    const { discard } = openRejectedEvents(test.database.pool, [test.queue, test.reference]);
    await discard('work-order-operations/discarded', { by: 'Nora' });
    await test.queue.add('event', completion(3), { jobId: 'waiting' });
    await test.queue.add('event', completion(4), { jobId: 'delayed', delay: 3_600_000 });
  });

  /** The jobs of the queue by state, and how many events were resolved. */
  const read = async () => {
    const { rows } = await test.database.pool.query('SELECT job_id FROM takt.resolved_rejections');
    return { jobs: await test.queue.getJobCounts(), resolved: rows };
  };

  /** Sends a form while another change has the turn, and disables the person before it ends. */
  const sendInVain = async (path: string, form: Readonly<Record<string, string>>) => {
    const { pid, token } = await test.addPerson(['TEM-NO', 'TEM-SE'], {
      roles: ['operator'],
      duties: READS_ALL,
    });
    const rejected = openRejectedEvents(test.database.pool, [test.queue, test.reference]);
    const answer = await rejected.changing(async () => {
      const sent = test.ask('POST', path, { token, form });
      await waitUntil('the change waits', async () => {
        const { rows } = await test.database.pool.query(
          "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted",
        );
        return rows.length > 0;
      });
      await disableUser(test.database, pid);
      return { sent };
    });
    return answer.sent;
  };

  for (const [path, form] of [
    ['/rejected/retry', { id: ID }],
    ['/rejected/discard', { id: ID }],
    ['/rejected/correct', { id: ID, event: JSON.stringify(completion(1)) }],
    ['/rejected/undo', { resolved: '1' }],
    ['/queues/remove', { queue: 'work-order-operations', id: 'waiting' }],
    ['/queues/take', { queue: 'work-order-operations', id: 'delayed' }],
  ] as const) {
    it(`is refused if the person is disabled in the meantime: ${path}`, async () => {
      const before = await read();
      expect((await sendInVain(path, form)).status).to.equal(403);
      expect(await read()).to.deep.equal(before);
    });
  }

  it('ends a run of many changes if the person is disabled in the meantime', async () => {
    const before = await read();
    const form = { action: 'discard', until: '9999999999999' };
    expect((await sendInVain('/rejected/bulk', form)).status).to.equal(303);
    await waitUntil('the run has ended', () => test.log().includes('rightsGone'));
    expect(await read()).to.deep.equal(before);
  });
});
