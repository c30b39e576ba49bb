import { createTestDatabase } from '@takt/database/testing';
import { describeProblems, parseEvent, type QueueName } from '@takt/events';
import { type EventsByQueue, isCarriedBy, ruleOf } from '@takt/events/internal';
import { pruneOperations } from '@takt/figures';
import { addCompany } from '@takt/figures/master-data';
import { applicationVersion, completion, opened, structureVersion } from '@takt/test-support';
import { expect } from 'chai';
import type pg from 'pg';
import { type EventStream, isRejection, referenceData, workOrderOperations } from '../src/event-stream.js';

/** Applies events without recording rejections, and describes the outcomes. */
async function applyTo<Queue extends QueueName>(
  stream: EventStream<Queue>,
  pool: pg.Pool,
  events: readonly EventsByQueue[Queue][],
) {
  const nothing = async () => undefined;
  const outcomes = await stream.apply(pool, events, {
    isExpected: true,
    writeInvalid: nothing,
    write: nothing,
  });
  return outcomes.map((outcome) =>
    isRejection(outcome) ? { rejected: describeProblems(outcome.rejected) } : outcome,
  );
}

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
    await applyTo(workOrderOperations, pool, [second]);
    await pruneOperations(pool, { database: 'TEM-NO', before: '2023-06-01' });
    expect(await applyTo(workOrderOperations, pool, [first, second, third])).to.deep.equal([
      'stale',
      'duplicate',
      {
        rejected:
          'data.workOrderOperationId must be of an operation that can still change ' +
          '(got 41 of TEM-NO, which has pruned its operations from before 2023-06-01)',
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
    return applyTo(referenceData, test.database.pool, [result.event]);
  };
  before(() => addCompany(test.database, 'TEM-NO', 'Tempus Norge'));

  const cases = {
    'structure version 101 of TEM-NO, or its product 1101, has': structureVersion,
    'application version 101 of TEM-NO has': applicationVersion,
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
            `which ${subject} with other content)`,
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
      applyTo(workOrderOperations, test.database.pool, [parsed(completion(1, { ...data }))]);
    expect(await apply({})).to.deep.equal(['applied']);
    const key = 'FA…) Hansen "7"';
    const [outcome] = await apply({ workOrderOperationId: null, workOrderOperationKey: key });
    const { rejected } = outcome as { readonly rejected: string };
    expect(rejected).to.equal(
      'data.workOrderOperationKey must be replaced by data.workOrderOperationId, because the company names ' +
        'these objects by numbers (got "FA\\u2026) Hansen \\"7\\"" of TEM-NO)',
    );
    expect(ruleOf(rejected)).to.not.include('Hansen').and.not.include('TEM-NO');
    const [other] = await apply({ productStructureVersionId: null, productStructureVersionKey: 'WL' });
    expect(other).to.have.property('rejected').that.include('names these objects by numbers');
  });
});
