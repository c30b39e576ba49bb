import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { type ClockState, type ClockWatch, watchClock } from '../src/queue/clock-watch.js';

const EPOCH_MS = 1_790_000_000_000;
const { signal } = new AbortController();

describe("the comparison of the worker's clock with the store's clock", () => {
  let steadyMs: number;
  let aheadMs: number;
  let storeJumpMs: number;
  let answerMs: number;
  let asked: number;
  let isAway: boolean;
  let refused: number;
  let changes: ClockState[];
  let watch: ClockWatch;

  beforeEach(() => {
    steadyMs = 5_000;
    aheadMs = 0;
    storeJumpMs = 0;
    answerMs = 2;
    asked = 0;
    isAway = false;
    refused = 0;
    changes = [];
  });
  afterEach(() => watch?.close());

  const open = () => {
    watch = watchClock({
      readStoreMs: async () => {
        if (isAway) {
          refused += 1;
          throw new Error('away');
        }
        const storeMs = EPOCH_MS + steadyMs + answerMs / 2 + storeJumpMs;
        steadyMs += answerMs;
        asked += 1;
        return storeMs;
      },
      onChange: (state) => changes.push(state),
      everyMs: 5,
      now: () => EPOCH_MS + steadyMs + aheadMs,
      steady: () => steadyMs,
    });
  };
  const askedAgain = async () => {
    const before = asked;
    await waitUntil('the store has been asked again', () => asked >= before + 2);
  };

  it('has no result until the store has answered', () => {
    open();
    expect(watch.state()).to.equal(undefined);
  });

  it('is repeated while the store cannot be reached, at the start and later', async () => {
    isAway = true;
    open();
    await waitUntil('the store has refused twice', () => refused >= 2);
    expect(watch.state()).to.equal(undefined);
    isAway = false;
    await askedAgain();
    expect(watch.state()?.agrees).to.equal(true);
    isAway = true;
    await waitUntil('the store has refused again', () => refused >= 4);
    isAway = false;
    storeJumpMs = 10_000;
    await waitUntil('the jump is seen', () => watch.state()?.aheadMs === -10_000);
  });

  it('accepts a difference of two seconds in either direction, and no more', async () => {
    open();
    await askedAgain();
    for (const [ms, agrees] of [
      [0, true],
      [2_000, true],
      [2_001, false],
      [-2_000, true],
      [-2_001, false],
    ] as const) {
      aheadMs = ms;
      expect(watch.state()).to.deep.equal({ aheadMs: ms, agrees });
    }
  });

  it('reports no difference if only one direction was slow, and repeats the check', async () => {
    answerMs = 8_000;
    // The whole delay is on the way back, so half of the delay looks like a difference of the clocks.
    storeJumpMs = -answerMs / 2;
    open();
    await askedAgain();
    expect(watch.state()?.agrees).to.equal(true);
    aheadMs = 60_000;
    expect(watch.state()?.agrees).to.equal(false);
    aheadMs = 0;
    answerMs = 2;
    storeJumpMs = 0;
    await askedAgain();
    aheadMs = 2_001;
    expect(watch.state()).to.deep.equal({ aheadMs: 2_001, agrees: false });
  });

  it("notices a jump of the worker's clock without asking the store", async () => {
    open();
    await askedAgain();
    isAway = true;
    aheadMs = 400 * 86_400_000;
    expect(watch.state()?.agrees).to.equal(false);
    steadyMs += 60_000;
    expect(watch.state()).to.deep.equal({ aheadMs, agrees: false });
  });

  it("notices a jump of the store's clock at the next check", async () => {
    open();
    await askedAgain();
    storeJumpMs = 10_000;
    await waitUntil('the jump is seen', () => watch.state()?.aheadMs === -10_000);
    expect(changes.map(({ agrees }) => agrees)).to.deep.equal([false]);
  });

  it('reports each change of its result once', async () => {
    open();
    await askedAgain();
    for (const ms of [0, 9_000, 8_000, 1_000, 0]) {
      aheadMs = ms;
      watch.state();
      watch.state();
    }
    expect(changes).to.deep.equal([
      { aheadMs: 9_000, agrees: false },
      { aheadMs: 1_000, agrees: true },
    ]);
  });

  it('ignores an answer that took too long', async () => {
    open();
    await askedAgain();
    answerMs = 20_000;
    storeJumpMs = 7_000;
    await askedAgain();
    expect(watch.state()?.agrees).to.equal(true);
  });

  it('lets a caller wait until the clocks agree, and lets the caller cancel the wait', async () => {
    aheadMs = 60_000;
    open();
    await askedAgain();
    const closing = new AbortController();
    const waits = [watch.whenAgreed(signal), watch.whenAgreed(closing.signal)];
    let ended = 0;
    for (const wait of waits) void wait.then(() => (ended += 1));
    closing.abort();
    await waits[1];
    expect(ended).to.equal(1);
    aheadMs = 0;
    await waits[0];
  });
});
