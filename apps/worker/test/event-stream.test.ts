import { createTestDatabase } from '@takt/database/testing';
import { parseEvent } from '@takt/events';
import { isCarriedBy, ruleOf } from '@takt/events/internal';
import { pruneOperations } from '@takt/figures';
import { addCompany } from '@takt/figures/master-data';
import { applicationVersion, completion, opened, structureVersion } from '@takt/test-support';
import { expect } from 'chai';
import { referenceData, workOrderOperations } from '../src/event-stream.js';

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

describe('a change of master data with a known changedAt', () => {
  const test = opened(createTestDatabase);
  type Data = Readonly<Record<string, unknown>>;
  const apply = (event: (identifier: number, data: Data) => unknown, data: Data) => {
    const result = parseEvent(event(101, data));
    if (!result.ok || !('changedAt' in result.event)) throw new Error('invalid');
    return referenceData.apply(test.database.pool, [result.event]);
  };
  before(() => addCompany(test.database, 'TEM-NO', 'Tempus Norge'));

  const cases = {
    'structure version 101 of TEM-NO, or its product 1101,': structureVersion,
    'application version 101 of TEM-NO': applicationVersion,
  };
  for (const [subject, event] of Object.entries(cases)) {
    it(`is a duplicate if it says the same, and is rejected otherwise: ${subject}`, async () => {
      const at = '2024-05-01T10:00:00+02:00';
      expect(await apply(event, { changedAt: at })).to.deep.equal(['applied']);
      expect(await apply(event, { changedAt: '2024-05-01T08:00:00Z' })).to.deep.equal(['duplicate']);
      expect(await apply(event, { changedAt: at, name: 'x' })).to.deep.equal([
        {
          rejected:
            'data.changedAt must grow with every change (got 2024-05-01T08:00:00.000000Z, ' +
            `which ${subject} has with other content)`,
        },
      ]);
      expect(await apply(event, { changedAt: '2024-05-01T07:00:00Z', name: 'x' })).to.deep.equal(['stale']);
      expect(await apply(event, { changedAt: '2024-05-01T08:00:01Z', name: 'x' })).to.deep.equal(['applied']);
    });
  }
});

describe('an event that names an object the other way than its company', () => {
  const test = opened(createTestDatabase);
  before(() => addCompany(test.database, 'TEM-NO', 'Tempus Norge'));

  it('is rejected with the field to use, and with a reason without its values', async () => {
    const parsed = (event: unknown) => {
      const result = parseEvent(event);
      if (!result.ok || !isCarriedBy('work-order-operations', result.event)) throw new Error('invalid');
      return result.event;
    };
    const apply = (data: object) =>
      workOrderOperations.apply(test.database.pool, [parsed(completion(1, { ...data }))]);
    expect(await apply({})).to.deep.equal(['applied']);
    const key = 'FA…) Hansen "7"';
    const [outcome] = await apply({ workOrderOperationId: null, workOrderOperationKey: key });
    const { rejected } = outcome as { readonly rejected: string };
    expect(rejected).to.equal(
      'data.workOrderOperationKey must be replaced by data.workOrderOperationId, because the company names ' +
        'work order operations by numbers (got "FA\\u2026) Hansen \\"7\\"" of TEM-NO)',
    );
    expect(ruleOf(rejected)).to.not.include('Hansen').and.not.include('TEM-NO');
    const [other] = await apply({ productStructureVersionId: null, productStructureVersionKey: 'WL' });
    expect(other).to.have.property('rejected').that.include('names product structure versions by numbers');
  });
});
