import { startWorkerReports } from '@takt/database/monitoring';
import { QUEUE_NAMES } from '@takt/events';
import { opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';
import { openTestInstallation } from './support/test-installation.js';

describe('takt status', function () {
  this.timeout(180_000);
  const installation = opened(openTestInstallation);

  it('does not count a worker as alive that was killed after its last report', async () => {
    const { backend, database, environment } = installation;
    const reports = [1, 2].map(() =>
      startWorkerReports({
        ...{ pool: database.pool, queues: QUEUE_NAMES, countWaiting: async () => 0 },
        onError: () => undefined,
      }),
    );
    await waitUntil('both workers have reported', async () => {
      const { rows } = await database.pool.query('SELECT FROM takt.worker_reports');
      return rows.length === 4;
    });
    const alive = async () =>
      /^workers +(\d+) alive/m.exec((await runTakt(['status'], environment)).stdout)?.[1];
    expect(await alive()).to.equal('0');
    const worker = backend.openWorker('work-order-operations', async () => undefined);
    await waitUntil(
      'the worker is connected',
      async () => (await backend.view.countWorkers('work-order-operations')) === 1,
    );
    expect(await alive()).to.equal('1');
    await worker.close();
    for (const report of reports) report.close();
  });
});
