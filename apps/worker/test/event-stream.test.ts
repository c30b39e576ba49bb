import { createTestDatabase } from '@takt/database/testing';
import { parseEvent } from '@takt/events';
import { pruneOperations } from '@takt/figures';
import { addCompany } from '@takt/figures/master-data';
import { completion } from '@takt/test-support';
import { expect } from 'chai';
import { workOrderOperations } from '../src/event-stream.js';

describe('an event of a pruned operation', () => {
  it('is rejected if it would change the operation, and otherwise counts as duplicate or stale', async () => {
    const test = await createTestDatabase();
    const { pool } = test.database;
    await addCompany(test.database, 'TEM-NO', 'Tempus Norge');
    const [first, second, third] = [1, 2, 3].map((revision) => {
      const result = parseEvent(completion(41, { revision, completedAt: '2023-05-01T06:00:00Z' }));
      if (!result.ok || result.event.type !== 'work-order-operation.completed.v1') throw new Error('invalid');
      return result.event;
    });
    if (first === undefined || second === undefined || third === undefined) throw new Error('three are made');
    await workOrderOperations.apply(pool, [second]);
    await pruneOperations(pool, { database: 'TEM-NO', before: '2023-06-01' });
    expect(await workOrderOperations.apply(pool, [first, second, third])).to.deep.equal([
      'stale',
      'duplicate',
      {
        rejected:
          'data.workOrderOperationId must be of an operation that can still change (got 41, ' +
          'which TEM-NO has pruned with its operations from before 2023-06-01)',
      },
    ]);
    await test.close();
  });
});
