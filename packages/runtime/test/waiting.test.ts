import { expect } from 'chai';
import { nextDelayMs, pause, withDeadline } from '../src/index.js';

describe('withDeadline', () => {
  const never = () => new Promise<string>(() => undefined);

  it('settles as the promise does', async () => {
    expect(await withDeadline(Promise.resolve('done'), 1_000, () => 'late')).to.equal('done');
    const failing = withDeadline(Promise.reject(new Error('no')), 1_000, () => 'late');
    expect(await failing.catch(String)).to.equal('Error: no');
  });

  it('gives or throws what is said for being late', async () => {
    expect(await withDeadline(never(), 10, () => 'late')).to.equal('late');
    const failing = withDeadline(never(), 10, () => {
      throw new Error('too late');
    });
    expect(await failing.catch(String)).to.equal('Error: too late');
  });

  it('swallows what the promise rejects with after the deadline', async () => {
    const late = pause(30).then(() => Promise.reject(new Error('late')));
    expect(await withDeadline<string>(late, 10, () => 'given up')).to.equal('given up');
    await pause(50);
  });
});

describe('pause', () => {
  it('ends early and without an error when it is told to', async () => {
    const controller = new AbortController();
    const pausing = pause(60_000, controller.signal);
    controller.abort();
    await pausing;
    await pause(60_000, controller.signal);
  });
});

describe('the delay before an attempt', () => {
  it('doubles up to the maximum, at least half of it and never more', () => {
    const backoff = { firstDelayMs: 100, maxDelayMs: 5_000 };
    for (const [attempt, fullMs] of [
      [1, 100],
      [2, 200],
      [3, 400],
      [7, 5_000],
      [1_000, 5_000],
    ] as const) {
      expect(nextDelayMs(attempt, backoff)).to.be.within(fullMs / 2, fullMs);
    }
  });
});
