import { opened, randomFrom, shareOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { askDetail, write } from '../support/ask.js';
import { faultOf } from '../support/fault-of.js';
import { insertOperations, insertStructureVersions, noteChangesByHand } from '../support/insert-rows.js';
import { openTestApi } from '../support/open-test-api.js';
import { timeDistribution } from '../support/resources.js';

const seed = testSeed();
const random = randomFrom(seed);
const MOST_BINS = 30;
const SAMPLES = shareOf(300);

/** Returns few or many times in microhours, in any order. They are equal, are spread out, or have outliers. */
function anyTimes(): readonly number[] {
  const length = random.pick([0, 1, 2, 3, 7, 40, 300]);
  const [middle, spread] = [
    random.pick([0, 3, 999_999, 2_500_000]),
    random.pick([1, 2, 6, 50, 40_000, 7_000_000]),
  ];
  const far = random.pick([0, random.below(20), 30_000_000, 900_000_000_000]);
  return Array.from({ length }, () => middle + random.below(spread) + (random.below(30) === 0 ? far : 0));
}

/**
 * The longest of these times is exactly at the upper border of the last bin and above the limit for outliers. The last
 * bin must therefore have no upper border.
 */
const ENDS_AT_A_BORDER = [0, 1, 2, 3].flatMap((time) => Array.from({ length: 10 }, () => time)).with(-1, 6);

/** Seven times. The list is explicit, because random samples do not contain seven times in every run. */
const SEVEN = [1, 2, 3, 4, 5, 6, 7];

const hoursOf = (microhours: number) => (microhours / 1e6).toFixed(6);

/** Returns a percentile, interpolated between the two nearest values. Rounds it to a microhour, halves up. */
function percentileOf(sorted: readonly number[], percent: number): number {
  const hundredths = percent * (sorted.length - 1);
  const [below, rest] = [Math.floor(hundredths / 100), hundredths % 100];
  const [one = 0, other = 0] = [sorted[below], sorted[Math.min(below + 1, sorted.length - 1)]];
  return Number((BigInt(one) * BigInt(100 - rest) + BigInt(other) * BigInt(rest) + 50n) / 100n);
}

const ROUND = Array.from({ length: 16 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

/** Computes the histogram by its definition, and compares each time with each bin. */
function binsOf(sorted: readonly number[]): readonly { from: number; to: number | null; count: number }[] {
  const [shortest, longest] = [sorted[0], sorted.at(-1)];
  if (shortest === undefined || longest === undefined) return [];
  const [first, third] = [percentileOf(sorted, 25), percentileOf(sorted, 75)];
  const range = third - first;
  const reach = range > 0 ? Math.min(longest, third + 3 * range) : longest;
  const wanted = Math.max((2 * range) / Math.cbrt(sorted.length), (reach - shortest) / (MOST_BINS - 1), 1);
  const width = ROUND.find((round) => round >= wanted) ?? Number.NaN;
  const bins = [];
  for (let from = shortest - (shortest % width); from <= reach; from += width) {
    const isOpen = from + width > reach && longest >= from + width;
    const within = sorted.filter((time) => time >= from && (isOpen || time < from + width));
    bins.push({ from: from / 1e6, to: isOpen ? null : (from + width) / 1e6, count: within.length });
  }
  return bins;
}

describe(`the distribution of the times of a structure version (seed ${seed})`, () => {
  const api = opened(openTestApi);
  const samples = [ENDS_AT_A_BORDER, SEVEN, ...Array.from({ length: SAMPLES }, anyTimes)];

  before(async () => {
    await insertStructureVersions(api.owner, [
      ...samples.map((_, index) => ({ id: index + 1 })),
      { id: 900_001, isListed: false },
    ]);
    await insertOperations(
      api.owner,
      samples.flatMap((times, index) =>
        times.map((time, place) => ({
          id: 1_000 * (index + 1) + place,
          structureVersionId: index + 1,
          setup: hoursOf(time),
        })),
      ),
    );
    await insertOperations(api.owner, [{ id: 1, structureVersionId: 900_001 }]);
    // The months of two of three structure versions count more operations than the ledger, as if operations had been
    // pruned.
    await api.owner.query(
      `INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month, setup_time_count)
       SELECT company_id, product_structure_version_id, '2026-01-01', 7 * (product_structure_version_id % 3)
         + (SELECT count(setup_time) FROM takt.work_order_operations AS known
            WHERE known.product_structure_version_id = listed.product_structure_version_id)
       FROM takt.product_structure_versions AS listed`,
    );
    await noteChangesByHand(api.owner);
  });

  const ask = async (identifier: number, parameters = {}) => {
    const path = { productStructureVersionId: String(identifier) };
    const page = await askDetail(api, timeDistribution, path, parameters);
    const { aggregatedProductionTimesLink, ...distribution } = JSON.parse(
      write(page, 'json', api),
    ).aggregatedProductionTimeDistribution;
    expect(aggregatedProductionTimesLink).to.match(new RegExp(`/${identifier}/aggregated-production-times$`));
    return distribution;
  };

  it(`follows its definition in ${SAMPLES} random samples`, async () => {
    for (const [index, times] of samples.entries()) {
      const sorted = times.toSorted((one, other) => one - other);
      const percentiles = [10, 25, 50, 75, 90].map((percent) => [
        `percentile${percent}`,
        sorted.length === 0 ? null : percentileOf(sorted, percent) / 1e6,
      ]);
      const bins = binsOf(sorted);
      expect(bins.length).to.be.at.most(MOST_BINS);
      expect(bins.reduce((sum, { count }) => sum + count, 0)).to.equal(times.length);
      expect(await ask(index + 1, { kind: 'setup' }), sorted.join()).to.deep.equal({
        ...{ count: times.length, countPruned: 7 * ((index + 1) % 3) },
        ...Object.fromEntries(percentiles),
        bins,
      });
    }
  });

  it('describes the run times by default, and accepts the kind of time in any letter case', async () => {
    const index = samples.findIndex(({ length }) => length === 7);
    const run = await ask(index + 1);
    expect([run.count, run.percentile50, run.bins]).to.deep.equal([
      7,
      1,
      [{ from: 1, to: 1.000001, count: 7 }],
    ]);
    expect(await ask(index + 1, { KIND: 'Run' })).to.deep.equal(run);
    expect((await ask(index + 1, { kind: 'cleanup' })).count).to.equal(0);
  });

  it('is an error for an unknown kind of time and for an unlisted structure version', async () => {
    const { code, parameters } = await faultOf(ask(1, { kind: 'lunch' }));
    expect([code, JSON.stringify(parameters)]).to.satisfy(
      ([found, told]: readonly string[]) => found === 'invalidParameterValue' && told?.includes('cleanup'),
    );
    for (const absent of [900_001, 900_002]) {
      expect((await faultOf(ask(absent))).code).to.equal('structureVersionNotFound');
    }
  });
});
