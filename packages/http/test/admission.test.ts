import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { type AdmissionLimits, createAdmission } from '../src/admission.js';
import { Slices } from '../src/slices.js';

const LIMITS: AdmissionLimits = {
  maxInFlight: 10,
  maxInFlightPerAddress: 6,
  maxRunning: 2,
  maxWaitMs: 20_000,
};

/** Requests whose work ends when the test says so. */
function openAdmission(limits: Partial<AdmissionLimits> = {}) {
  const admission = createAdmission({ ...LIMITS, ...limits }, new Slices());
  const running: (() => void)[] = [];
  let expired = 0;
  return {
    running,
    expired: () => expired,
    enter: (address = 'a', latestStartMs = Number.POSITIVE_INFINITY) =>
      admission.enter({
        address,
        latestStartMs,
        work: () => new Promise<void>((resolve) => running.push(resolve)),
        expire: () => {
          expired += 1;
        },
      }),
    /** Ends the work that began first, and lets the next begin. */
    endOne: async () => {
      running.shift()?.();
      await turn();
      await turn();
    },
  };
}

describe('The admission of requests', () => {
  it('begins as many as may run, and the next when one has ended', async () => {
    const { enter, running, endOne } = openAdmission();
    for (let count = 0; count < 4; count += 1) expect(enter()).to.equal(true);
    await turn();
    expect(running).to.have.length(2);
    await endOne();
    expect(running).to.have.length(2);
    await endOne();
    await endOne();
    expect(running).to.have.length(1);
  });

  it('refuses the request too many, and takes one more when one has ended', async () => {
    const { enter, endOne } = openAdmission({ maxInFlightPerAddress: 10 });
    for (let count = 0; count < 10; count += 1) expect(enter()).to.equal(true);
    expect(enter()).to.equal(false);
    await turn();
    await endOne();
    expect(enter()).to.equal(true);
    expect(enter()).to.equal(false);
  });

  it('leaves places for other addresses', () => {
    const { enter } = openAdmission();
    for (let count = 0; count < 6; count += 1) expect(enter('greedy')).to.equal(true);
    expect(enter('greedy')).to.equal(false);
    expect(enter('modest')).to.equal(true);
  });

  it('refuses while the first that waits has waited too long, whatever was measured before', async () => {
    const { enter, endOne } = openAdmission({ maxWaitMs: 20 });
    for (let count = 0; count < 3; count += 1) expect(enter()).to.equal(true);
    await turn();
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(enter()).to.equal(false);
    await endOne();
    expect(enter()).to.equal(true);
  });

  it('foretells the wait from how fast requests end, and refuses what would wait too long', async () => {
    const limits = { maxInFlight: 1_000, maxInFlightPerAddress: 1_000, maxRunning: 1, maxWaitMs: 300 };
    const { enter, running, endOne } = openAdmission(limits);
    // One at a time, each of 5 ms at least, and always another that waits.
    enter();
    enter();
    for (let count = 0; count < 100; count += 1) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      await endOne();
      enter();
    }
    while (running.length > 0) await endOne();
    let taken = 0;
    while (taken < 1_000 && enter()) taken += 1;
    // 60 of 5 ms each, fewer on a slow machine.
    expect(taken).to.be.within(1, 75);
  });

  it('learns nothing of how fast requests end from a time in which none waited', async () => {
    const { enter, endOne } = openAdmission({ maxRunning: 1, maxWaitMs: 100 });
    enter();
    await turn();
    await endOne();
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    enter();
    await turn();
    await endOne();
    expect([enter(), enter(), enter()]).to.deep.equal([true, true, true]);
  });

  it('does not begin what is too late, and gives its place to the next', async () => {
    const { enter, expired, running } = openAdmission();
    expect(enter('a', performance.now() - 1)).to.equal(true);
    expect(enter()).to.equal(true);
    await turn();
    expect([expired(), running.length]).to.deep.equal([1, 1]);
  });

  it('counts what came too late no longer against its address', async () => {
    const { enter, expired } = openAdmission({ maxInFlightPerAddress: 2 });
    for (let round = 1; round <= 3; round += 1) {
      for (let count = 0; count < 2; count += 1) expect(enter('a', performance.now() - 1)).to.equal(true);
      await turn();
      await turn();
      expect(expired()).to.equal(2 * round);
    }
  });
});
