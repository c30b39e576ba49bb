import { needsProgram, opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { openTestDashboard } from '../support/open-test-dashboard.js';

describe('the pages of the queues', function () {
  this.timeout(120_000);
  before(function () {
    needsProgram(this, 'redis-server');
  });
  const test = opened(() => openTestDashboard('Redis'));

  it('show an alarm on the first page if the queues cannot be reached', async () => {
    const { token } = await test.addPerson(['TEM-NO'], { roles: ['system-operator'] });
    const get = (path: string) => test.ask('GET', path, { token });
    await test.stopStore();
    // The cards of the queues show the problem too, but only the alarm has an instruction.
    await waitUntil(
      'the alarm is shown',
      async () => (await get('/')).text.includes('Check <code>QUEUE_URL</code>'),
      30_000,
    );
    const { status, text } = await get('/');
    expect([status, text.includes('The queues do not answer.')]).to.deep.equal([200, true]);
    const metrics = async () => (await test.ask('GET', '/metrics')).text;
    await waitUntil(
      'the metric tells',
      async () => (await metrics()).includes('takt_alarm{alarm="TaktQueueAway"'),
      30_000,
    );
    expect((await get('/queues')).status).to.equal(503);
  });
});
