import { reopening } from '@takt/test-support';
import { expect } from 'chai';
import { isBatch, REJECTED_EVENT_JOB_NAME, readJob } from '../src/read-job.js';

const queue = 'work-order-operations';
const reopened = (revision: unknown, type = 'work-order-operation.reopened.v1') => ({
  ...reopening(1, { revision }),
  type,
});
const read = (data: unknown, name = 'batch') => {
  const { accepted, positions, rejected } = readJob({ name, data }, queue);
  const reasons = [...rejected].map(([position, { rejected: reason }]) => `${position}: ${reason}`);
  return { revisions: accepted.map(({ revision }) => revision), positions, reasons };
};

describe('readJob', () => {
  it('returns one event, or the valid events of a batch and their positions', () => {
    expect(read(reopened(7), 'anything')).to.deep.equal({ revisions: [7], positions: [0], reasons: [] });
    expect(read([reopened(0), reopened(1), null, reopened(2)])).to.deep.equal({
      revisions: [1, 2],
      positions: [1, 3],
      reasons: [
        '0: data.revision must be an integer from 1 to 9007199254740991 (got 0)',
        '2: event must be a JSON object (got null)',
      ],
    });
    expect(read([])).to.deep.equal({ revisions: [], positions: [], reasons: [] });
  });

  it('rejects an event that belongs to another queue', () => {
    const event = {
      ...reopened(1, 'product-structure-version.changed.v1'),
      data: {
        database: 'A',
        changedAt: '2024-05-01T08:00:00Z',
        productStructureVersionId: 1,
        status: 4,
        name: 'n',
        version: 1,
        revision: 'A',
        product: { productId: 1, status: 4, name: 'n', type: 'K', description: '' },
        plannedProductionTimes: { runTime: null, setupTime: null, cleanupTime: null },
      },
    };
    expect(read(event).reasons).to.deep.equal([
      '0: type product-structure-version.changed.v1 does not belong to queue work-order-operations',
    ]);
  });

  it('turns a batch of too many events into one rejected event', () => {
    const data = Array.from({ length: 1_001 }, () => reopened(1));
    expect(read(data)).to.deep.equal({
      revisions: [],
      positions: [],
      reasons: ['0: a batch must hold at most 1000 events (got 1001)'],
    });
    expect(isBatch({ name: 'batch', data })).to.equal(false);
    expect(isBatch({ name: 'batch', data: data.slice(1) })).to.equal(true);
  });

  it('reads a rejected event with an array as its data as one event, not as a batch', () => {
    const listed = { name: REJECTED_EVENT_JOB_NAME, data: [reopened(1)] };
    expect(isBatch(listed)).to.equal(false);
    expect(read(listed.data, listed.name).reasons).to.deep.equal([
      '0: event must be a JSON object (got an array of 1)',
    ]);
  });
});
