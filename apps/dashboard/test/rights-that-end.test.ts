import { disableUser } from '@takt/access';
import { listRejectionIds } from '@takt/rejections';
import { completion, opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { openTestDashboard, READS_ALL } from './support/open-test-dashboard.js';

describe('a run of many changes', () => {
  const test = opened(openTestDashboard);

  it('ends if the person is disabled while it runs', async () => {
    await test.reject(
      Array.from({ length: 450 }, (_, index) => ({
        jobId: `bad-${index}`,
        data: completion(index + 1, { runTime: -1 }),
      })),
    );
    const { pid, token } = await test.addPerson(['TEM-NO', 'TEM-SE'], {
      roles: ['operator'],
      duties: READS_ALL,
    });
    // The first batch waits for a lock of the table; the person is disabled meanwhile.
    const blocker = await test.database.pool.connect();
    await blocker.query('BEGIN; LOCK TABLE takt.rejections IN SHARE MODE');
    const form = { action: 'discard', until: '9999-12-31T23:59:59.000000Z' };
    expect((await test.ask('POST', '/rejected/bulk', { token, form })).status).to.equal(303);
    await disableUser(test.database, pid);
    await blocker.query('ROLLBACK');
    blocker.release();
    await waitUntil('the run has ended', () => test.log().includes('rightsGone'));
    expect(await listRejectionIds(test.database.pool)).to.have.lengthOf(250);
  });
});
