import { expect } from 'chai';
import type { Consumer } from '../src/consume-queue.js';
import { createSilenceCheck } from '../src/watch-for-silence.js';

const SILENCE_MS = 60_000;

describe('the silence of a worker that claims no jobs', () => {
  let nowMs: number;
  let lastProgressAtMs: number;
  let heldJobs: number;
  let mayClaim: boolean;
  let isPaused: boolean;
  let waiting: () => Promise<number>;
  let silences: string[];
  let check: () => Promise<string | undefined>;

  beforeEach(() => {
    nowMs = 1_000_000;
    lastProgressAtMs = nowMs;
    heldJobs = 0;
    mayClaim = true;
    isPaused = false;
    waiting = async () => 3;
    silences = [];
    const consumer: Consumer = {
      queue: {
        name: 'reference-data',
        isPaused: async () => isPaused,
        getWaitingCount: () => waiting(),
      },
      heldJobs: () => heldJobs,
      lastProgressAtMs: () => lastProgressAtMs,
      mayClaim: () => mayClaim,
    };
    check = createSilenceCheck(consumer, {
      onSilence: ({ message }) => silences.push(message),
      now: () => nowMs,
    });
  });

  const lookAfter = async (ms: number) => {
    nowMs += ms;
    return check();
  };

  it('is reported after jobs have waited for a minute', async () => {
    await lookAfter(0);
    await lookAfter(SILENCE_MS - 1);
    expect(silences).to.deep.equal([]);
    await lookAfter(1);
    expect(silences).to.deep.equal(['jobs wait in reference-data, none was claimed for 60 s']);
  });

  it('makes the worker not ready after half a minute, and ends the worker later', async () => {
    expect(await lookAfter(0)).to.equal(undefined);
    expect(await lookAfter(SILENCE_MS / 2 - 1)).to.equal(undefined);
    expect(await lookAfter(1)).to.equal('jobs wait in reference-data, none was claimed for 30 s');
    lastProgressAtMs = nowMs;
    expect(await lookAfter(1)).to.equal(undefined);
    expect(silences).to.deep.equal([]);
  });

  it('includes held jobs without progress, unless attempts fail', async () => {
    heldJobs = 4;
    waiting = async () => 0;
    mayClaim = false;
    await lookAfter(0);
    for (let attempt = 0; attempt < 10; attempt++) {
      lastProgressAtMs = nowMs + 10_000;
      await lookAfter(25_000);
    }
    expect(silences).to.deep.equal([]);
    await lookAfter(SILENCE_MS);
    expect(silences).to.have.lengthOf(1);
    expect(silences[0]).to.match(
      /^4 jobs of reference-data are claimed, and nothing has happened to them for 7\d s$/,
    );
  });

  it('starts with the first check that finds waiting jobs, even after an older claim', async () => {
    waiting = async () => 0;
    await lookAfter(10 * SILENCE_MS);
    waiting = async () => 1;
    await lookAfter(1_000);
    await lookAfter(SILENCE_MS - 1);
    expect(silences).to.deep.equal([]);
    await lookAfter(1);
    expect(silences).to.have.lengthOf(1);
  });

  it('starts anew after every claim', async () => {
    await lookAfter(0);
    lastProgressAtMs = nowMs + 30_000;
    await lookAfter(SILENCE_MS);
    await lookAfter(SILENCE_MS / 2 - 1);
    expect(silences).to.deep.equal([]);
    await lookAfter(1);
    expect(silences).to.have.lengthOf(1);
  });

  it('ends with a claim during a check', async () => {
    waiting = async () => {
      lastProgressAtMs = nowMs;
      return 5;
    };
    for (let look = 0; look < 20; look++) await lookAfter(15_000);
    expect(silences).to.deep.equal([]);
  });

  it('is not reported if nothing waits, the queue is paused or away, or the clocks differ', async () => {
    const reasons: (() => void)[] = [
      () => (waiting = async () => 0),
      () => (isPaused = true),
      () => (waiting = () => Promise.reject(new Error('away'))),
      () => (mayClaim = false),
    ];
    for (const reason of reasons) {
      mayClaim = true;
      isPaused = false;
      waiting = async () => 3;
      await lookAfter(0);
      reason();
      await lookAfter(SILENCE_MS);
      await lookAfter(SILENCE_MS);
    }
    expect(silences).to.deep.equal([]);
  });
});
