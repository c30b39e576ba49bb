import { expect } from 'chai';
import { createBatchCollector } from '../src/batch-collector.js';

function collect(
  handle: (items: readonly number[]) => Promise<readonly number[]>,
  { maxItems = 1_000, paceMs = 0 } = {},
) {
  return createBatchCollector<number, number>({ handle, maxItems, lingerMs: 5, paceMs });
}

const double = async (items: readonly number[]) => items.map((item) => 2 * item);

describe('the collector of batches', () => {
  it('gives every caller the results of the items of that caller', async () => {
    const collector = collect(double);
    const results = await Promise.all(
      Array.from({ length: 350 }, (_, item) => collector.submit([item, item + 1])),
    );
    for (const [item, result] of results.entries()) expect(result).to.deep.equal([2 * item, 2 * item + 2]);
  });

  it('puts items that arrive during a batch into the next batch', async () => {
    const batches: number[] = [];
    let underWay = 0;
    const collector = collect(
      async (items) => {
        batches.push(items.length);
        underWay += 1;
        expect(underWay).to.equal(1);
        await new Promise((resolve) => setTimeout(resolve, 20));
        underWay -= 1;
        return double(items);
      },
      { maxItems: 3 },
    );
    await Promise.all([1, 2, 3, 4, 5].map((item) => collector.submit([item])));
    expect(batches).to.deep.equal([3, 2]);
  });

  it('waits between two batches before a batch that is not full, but not before a full batch', async () => {
    const batches: number[] = [];
    const handle = (items: readonly number[]) => {
      batches.push(items.length);
      return double(items);
    };
    const collector = collect(handle, { maxItems: 3, paceMs: 3_600_000 });
    await collector.submit([1]);
    const second = collector.submit([2]);
    // This time is much longer than the collector waits for more items.
    await new Promise((resolve) => setTimeout(resolve, 100));
    await Promise.all([second, collector.submit([3, 4])]);
    expect(batches).to.deep.equal([1, 3]);
  });

  it('reports a failed batch to all callers of the batch, and continues with the next batch', async () => {
    let isBroken = true;
    const collector = collect((items) => (isBroken ? Promise.reject(new Error('away')) : double(items)));
    const outcomes = await Promise.allSettled([collector.submit([1]), collector.submit([2])]);
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
    isBroken = false;
    expect(await collector.submit([3])).to.deep.equal([6]);
  });
});
