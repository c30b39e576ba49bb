import { expect } from 'chai';
import { createWorkerMetrics } from '../src/worker-metrics.js';

const QUEUE = 'reference-data';

describe('the metrics of the worker about commits', () => {
  const valueIn = async ({ registry }: ReturnType<typeof createWorkerMetrics>, name: string) => {
    const line = (await registry.metrics())
      .split('\n')
      .find((text) => text.startsWith(`${name}{queue="${QUEUE}"}`));
    return line === undefined ? undefined : Number(line.split(' ').at(-1));
  };

  it('show the time and the number of events of the last successful commit', async () => {
    const metrics = createWorkerMetrics();
    const before = Date.now() / 1_000;
    expect(await metrics.forQueue(QUEUE).timeCommit(7, async () => 'committed')).to.equal('committed');
    expect(await valueIn(metrics, 'takt_last_commit_timestamp_seconds')).to.be.within(
      before,
      Date.now() / 1_000,
    );
    expect(await valueIn(metrics, 'takt_batch_events_sum')).to.equal(7);
    expect(await valueIn(metrics, 'takt_commit_seconds_count')).to.equal(1);
  });

  it('show the duration of attempts, but no last commit while every attempt fails', async () => {
    const metrics = createWorkerMetrics();
    const away = new Error('away');
    const failure = await metrics
      .forQueue(QUEUE)
      .timeCommit(7, () => Promise.reject(away))
      .catch((error: unknown) => error);
    expect(failure).to.equal(away);
    expect(await valueIn(metrics, 'takt_last_commit_timestamp_seconds')).to.equal(undefined);
    expect(await valueIn(metrics, 'takt_batch_events_sum')).to.equal(undefined);
    expect(await valueIn(metrics, 'takt_commit_seconds_count')).to.equal(1);
  });
});
