import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { GivenUpError, keepTrying } from '../src/apply-reliably.js';

const { signal } = new AbortController();

describe('repeated attempts', () => {
  it('return the result of the first success, and report each failure with a number', async () => {
    const seen: [string, number][] = [];
    let attempts = 0;
    const result = await keepTrying(
      async () => {
        attempts += 1;
        if (attempts < 4) throw new Error(`attempt ${attempts}`);
        return 'done';
      },
      { signal, onError: (error, failures) => seen.push([String(error), failures]) },
    );
    expect(result).to.equal('done');
    expect(seen).to.deep.equal([
      ['Error: attempt 1', 1],
      ['Error: attempt 2', 2],
      ['Error: attempt 3', 3],
    ]);
  });

  it('wait longer after each failure: at least 50 ms, at least 100 ms, and so on', async () => {
    const startedAt: number[] = [];
    await keepTrying(
      async () => {
        startedAt.push(performance.now());
        if (startedAt.length < 4) throw new Error('no');
      },
      { signal },
    );
    const waits = startedAt.slice(1).map((at, index) => at - (startedAt[index] ?? 0));
    // Half of the waits of 100, 200 and 400 ms is random. Timers may fire a little early.
    for (const [index, least] of [50, 100, 200].entries()) expect(waits[index]).to.be.at.least(least - 2);
  });

  it('end with the error of the listener for failures if that listener throws', async () => {
    const final = new Error('not worth it');
    const onError = () => {
      throw final;
    };
    const outcome = await keepTrying(() => Promise.reject(new Error('no')), { signal, onError }).catch(
      (error: unknown) => error,
    );
    expect(outcome).to.equal(final);
  });

  it('can be given up at any time: before an attempt, during an attempt and between two attempts', async () => {
    let attempts = 0;
    const attempt = (task: () => Promise<unknown>, abortAfterMs?: number) => {
      const closing = new AbortController();
      if (abortAfterMs === undefined) {
        closing.abort();
      } else {
        setTimeout(() => closing.abort(), abortAfterMs);
      }
      const counted = () => {
        attempts += 1;
        return task();
      };
      return keepTrying(counted, { signal: closing.signal }).catch((error: unknown) => error);
    };
    expect(await attempt(() => Promise.resolve(1))).to.be.instanceOf(GivenUpError);
    expect(attempts).to.equal(0);
    expect(await attempt(() => new Promise(() => undefined), 5)).to.be.instanceOf(GivenUpError);
    expect(await attempt(() => Promise.reject(new Error('no')), 5)).to.be.instanceOf(GivenUpError);
    expect(attempts).to.equal(2);
  });

  it('can wait for many tasks with one signal without a warning of a leak', async () => {
    const { signal } = new AbortController();
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    try {
      const tasks = Array.from({ length: 30 }, (_, index) => keepTrying(() => delay(10, index), { signal }));
      expect(await Promise.all(tasks)).to.deep.equal(Array.from({ length: 30 }, (_, index) => index));
      // Node.js emits a warning in a later turn.
      await delay(1);
      expect(warnings).to.deep.equal([]);
    } finally {
      process.off('warning', note);
    }
  });
});
