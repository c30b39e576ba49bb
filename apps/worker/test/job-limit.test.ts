import { expect } from 'chai';
import { createJobLimit, weigh } from '../src/job-limit.js';

function settle(limit: ReturnType<typeof createJobLimit>, eventsInJob: number): number {
  let jobs = limit.initial;
  for (let seen = 0; seen < 500; seen++) jobs = limit.observe(eventsInJob);
  return jobs;
}

describe('the limit of jobs that a consumer holds at once', () => {
  it('falls as the number of events per job rises', () => {
    const limit = createJobLimit(700);
    for (const eventsInJob of [1, 10, 100, 7]) {
      expect(settle(limit, eventsInJob) * eventsInJob).to.be.within(600, 800);
    }
  });

  it('starts low, and allows at least one job', () => {
    const limit = createJobLimit(700);
    expect(limit.initial).to.equal(14);
    expect(settle(limit, 1_000)).to.equal(1);
  });

  it('allows four batch jobs of any number of events, so that some are claimed while others are committed', () => {
    for (const events of [175, 500, 1_000]) {
      const batch = Array.from({ length: events }, () => ({}));
      expect(settle(createJobLimit(), weigh(batch, 400 * events))).to.equal(4);
    }
  });

  it('changes at once after a large job', () => {
    const limit = createJobLimit(700);
    expect(settle(limit, 1)).to.be.above(600);
    expect(limit.observe(1_000)).to.be.below(10);
  });

  it('treats an empty job like a job of one event', () => {
    expect(settle(createJobLimit(700), 0)).to.equal(settle(createJobLimit(700), 1));
  });

  it('treats a job of many bytes like a job of many events as soon as it is claimed', () => {
    const limit = createJobLimit();
    expect(settle(limit, 1)).to.be.above(600);
    expect(limit.observe(weigh('x', 10_000_000))).to.be.below(4);
    expect(settle(limit, weigh('x', 10_000_000))).to.equal(1);
  });
});

describe('the weight of a job', () => {
  it('is the number of its events', () => {
    expect(weigh({ a: 1 }, 400)).to.equal(1);
    expect(weigh([1, 2, 3], 1_200)).to.equal(3);
    expect(weigh(undefined, 0)).to.equal(1);
  });

  it('is its number of bytes divided by 20 kB if that is larger', () => {
    expect(weigh({ a: 1 }, 1_000_000)).to.equal(50);
    expect(weigh([1, 2, 3], 59_999)).to.equal(3);
    expect(weigh([1, 2, 3], 80_000)).to.equal(4);
  });
});
