import { expect } from 'chai';
import { type Load, measuredCosts, met, planCapacity } from '../../src/capacity/index.js';

const LOAD: Load = {
  eventsPerSecond: 1_000,
  structureVersions: 100_000,
  eventsPerDay: 86_400_000,
  operationsPerDay: 80_000_000,
  keptDays: 90,
  burst: 3,
  burstSeconds: 60,
  requestsPerSecond: 50,
  inBatches: true,
  outageSeconds: 3_600,
  companies: 10,
};

describe('a capacity plan', () => {
  it('lists each amount once, with a unit and a derivation', () => {
    const { needs } = planCapacity(LOAD, measuredCosts);
    const names = needs.map(({ part, what }) => `${part}: ${what}`);
    expect(new Set(names).size).to.equal(names.length);
    for (const { amount, unit, how } of needs) {
      expect(amount).to.satisfy((value: number) => Number.isFinite(value) && value >= 0);
      expect(unit).not.to.equal('');
      expect(how).not.to.equal('');
    }
  });

  for (const more of ['eventsPerSecond', 'structureVersions', 'requestsPerSecond', 'keptDays'] as const) {
    it(`contains no amount that becomes smaller with more ${more}`, () => {
      let before = planCapacity(LOAD, measuredCosts).needs;
      for (const factor of [2, 10, 100]) {
        const scaled = factor * LOAD[more];
        const days = more === 'eventsPerSecond' ? factor : 1;
        const { needs } = planCapacity(
          {
            ...LOAD,
            [more]: scaled,
            eventsPerDay: days * LOAD.eventsPerDay,
            operationsPerDay: days * LOAD.operationsPerDay,
          },
          measuredCosts,
        );
        for (const [index, { part, what, amount }] of needs.entries()) {
          expect(amount, `${part}: ${what}`).to.be.at.least(
            (before[index]?.amount ?? Number.NaN) * (1 - 1e-9),
          );
        }
        before = needs;
      }
    });
  }

  it('doubles the amounts that depend only on events if there are twice as many events', () => {
    const twice = {
      ...LOAD,
      eventsPerSecond: 2_000,
      eventsPerDay: 172_800_000,
      operationsPerDay: 160_000_000,
    };
    for (const [part, what] of [
      ['worker', 'busy cores'],
      ['Redis', 'busy cores'],
      ['Redis', 'memory for what waits'],
      ['disk', 'ledger a day'],
      ['network', 'through Redis'],
    ] as const) {
      expect(amountOf(twice, part, what) / amountOf(LOAD, part, what)).to.be.closeTo(2, 1e-9);
    }
  });

  it('computes the bytes of a day from the measured bytes per item', () => {
    const { operationBytes, waitingEventBytes } = measuredCosts;
    expect(amountOf(LOAD, 'disk', 'ledger a day')).to.equal(80_000_000 * operationBytes);
    expect(amountOf(LOAD, 'Redis', 'memory for what waits')).to.equal(3_600_000 * waitingEventBytes);
  });

  it('computes the delay after a burst, if the capacity is twice the planned load', () => {
    // For a minute, events arrive at three times the planned load. The capacity is twice the load, so one load of a
    // minute remains, and takes half a minute.
    expect(amountOf(LOAD, 'freshness', 'at the end of a burst')).to.be.closeTo(30, 1e-9);
    expect(amountOf({ ...LOAD, burst: 2 }, 'freshness', 'at the end of a burst')).to.equal(0);
  });

  it('warns if one server, one Redis node or one company is too small for the load', () => {
    const adviceOn = (load: Partial<Load>) =>
      planCapacity({ ...LOAD, ...load }, measuredCosts).advice.join('\n');
    expect(adviceOn({ keptDays: 30 })).to.equal('');
    expect(adviceOn({})).to.match(/^Prune/);
    expect(adviceOn({ eventsPerSecond: 100_000, operationsPerDay: 8e9 })).to.match(/Citus/);
    expect(adviceOn({ inBatches: false, eventsPerSecond: 50_000 })).to.match(/One Redis node is too busy/);
    expect(adviceOn({ structureVersions: 300, companies: 1, eventsPerSecond: 50_000 })).to.match(
      /wait for each other/,
    );
  });

  it('counts a changed item once, even if random changes hit it several times', () => {
    expect(met(1e7, 1_000)).to.be.closeTo(1_000, 0.1);
    expect(met(300, 1_000)).to.be.closeTo(300 * (1 - (1 - 1 / 300) ** 1_000), 1);
    expect(met(1_000, 1e9)).to.be.closeTo(1_000, 1e-6);
    expect(met(0, 10)).to.equal(0);
  });
});

function amountOf(load: Load, part: string, what: string): number {
  const found = planCapacity(load, measuredCosts).needs.find(
    (need) => need.part === part && need.what === what,
  );
  return found?.amount ?? Number.NaN;
}
