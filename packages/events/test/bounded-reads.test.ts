import { expect } from 'chai';
import { boundScript } from '../src/queue/bounded-reads.js';

describe('a script that BullMQ runs in Redis', () => {
  it('is changed to skip jobs that are too large', () => {
    for (const key of ['jobKey', 'prefix .. jobId', 'members[i]']) {
      const bounded = boundScript('getJobs:6.7.0', `return rcall("HGETALL", ${key})`);
      expect(bounded).to.include(`return readJob(${key})`).and.to.not.include(`rcall("HGETALL", ${key})`);
    }
  });

  it('is not changed if it reads no jobs', () => {
    const lua = 'return {rcall("HGETALL", jobSchedulerKey), rcall("HGETALL", jobKey .. ":failed")}';
    expect(boundScript('getJobScheduler:6.7.0', lua)).to.equal(lua);
  });

  it('is rejected if it reads jobs in an unknown way', () => {
    const refused = (name: string, lua: string) =>
      expect(() => boundScript(name, lua), lua).to.throw(/does not read jobs in the expected way/);
    refused('moveToActive:7.0.0', 'return rcall("HMGET", jobKey, "data")');
    refused('claimMany:7.0.0', 'return rcall("HGETALL", ids[1])');
    refused('claimMany:7.0.0', "return rcall('HVALS', ids[1])");
  });
});
