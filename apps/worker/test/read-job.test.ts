import { describeProblems } from '@takt/events';
import { type EventJob, SINGLE_EVENT_JOB_NAME } from '@takt/events/internal';
import { reopening } from '@takt/test-support';
import { expect } from 'chai';
import { isAccepted, readJob } from '../src/read-job.js';

const queue = 'work-order-operations';
const reopened = (revision: unknown, type = 'work-order-operation.reopened.v1') => ({
  ...reopening(1, { revision }),
  type,
});
const read = (data: unknown, name = 'batch') => {
  const items = readJob({ name, data } as EventJob, queue);
  const reasons = items.flatMap((item, position) =>
    isAccepted(item) ? [] : [`${position}: ${describeProblems(item.problems)}`],
  );
  return { revisions: items.flatMap((item) => (isAccepted(item) ? [item.event.revision] : [])), reasons };
};

describe('readJob', () => {
  it('returns one event, or the events of a batch, in order', () => {
    expect(read(reopened(7), 'anything')).to.deep.equal({ revisions: [7], reasons: [] });
    expect(read([reopened(0), reopened(1), null, reopened(2)])).to.deep.equal({
      revisions: [1, 2],
      reasons: [
        '0: data.revision must be an integer from 1 to 9007199254740991 (got 0)',
        '2: event must be a JSON object (got null)',
      ],
    });
    expect(read([])).to.deep.equal({ revisions: [], reasons: [] });
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
      '0: type must be of a type that the queue work-order-operations takes (got "product-structure-version.changed.v1")',
    ]);
  });

  it('turns a batch of too many events into one rejected event', () => {
    const data = Array.from({ length: 1_001 }, () => reopened(1));
    expect(read(data)).to.deep.equal({
      revisions: [],
      reasons: ['0: event must be one of at most 1000 in a batch (got an array of 1001)'],
    });
    expect(read(data.slice(1)).revisions).to.have.lengthOf(1_000);
  });

  it('reads the array of a retried event as one event, not as a batch', () => {
    expect(read([reopened(1)], SINGLE_EVENT_JOB_NAME).reasons).to.deep.equal([
      '0: event must be a JSON object (got an array of 1)',
    ]);
  });
});
