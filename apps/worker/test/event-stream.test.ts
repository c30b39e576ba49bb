import { type EventsByQueue, parseEvent, type TaktEvent } from '@takt/events';
import { createTestDatabase, type TestDatabase } from '@takt/test-support';
import { expect } from 'chai';
import { isRejection, referenceData, workOrderOperations } from '../src/event-stream.js';

type OperationEvent = EventsByQueue['work-order-operations'];
type ReferenceEvent = EventsByQueue['reference-data'];

const envelope = { specversion: '1.0', id: 'x', source: '/mes', time: '2024-05-31T16:20:05Z' };

function parse(value: unknown): TaktEvent {
  const result = parseEvent(value);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.event;
}

function reopened(data: object): OperationEvent {
  const event = parse({
    ...envelope,
    type: 'work-order-operation.reopened.v1',
    data: {
      database: 'A',
      workOrderOperationId: 1,
      revision: 1,
      reopenedAt: '2024-05-31T16:20:05Z',
      ...data,
    },
  });
  if (!('reopenedAt' in event)) throw new Error('no reopening');
  return event;
}

function versionChanged(data: object): ReferenceEvent {
  const event = parse({
    ...envelope,
    type: 'product-structure-version.changed.v1',
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
      ...data,
    },
  });
  if (!('changedAt' in event)) throw new Error('no change');
  return event;
}

describe('what becomes of an event', () => {
  let test: TestDatabase;

  before(async function () {
    this.timeout(60_000);
    test = await createTestDatabase();
    await test.database.pool.query(
      `INSERT INTO takt.companies (code, name) VALUES ('A', 'Company A') ON CONFLICT DO NOTHING`,
    );
  });
  after(() => test?.close());

  const applyOperations = (events: readonly OperationEvent[]) =>
    workOrderOperations.apply(test.database.pool, events);
  const applyReference = (events: readonly ReferenceEvent[]) =>
    referenceData.apply(test.database.pool, events);

  it('is told of each operation in its place: applied, duplicate, stale, conflict, unknown company', async () => {
    expect(await applyOperations([reopened({ revision: 5 })])).to.deep.equal(['applied']);
    const outcomes = await applyOperations([
      reopened({ workOrderOperationId: 2 }),
      reopened({ revision: 5 }),
      reopened({ revision: 4 }),
      reopened({ workOrderOperationId: 3, database: 'NONE' }),
    ]);
    expect(outcomes).to.deep.equal([
      'applied',
      'duplicate',
      'stale',
      { rejected: 'data.database must be the code of a registered company (got "NONE")' },
    ]);
    const [conflict] = await applyOperations([reopened({ revision: 5, reopenedAt: '2024-06-01T00:00:00Z' })]);
    expect(conflict).to.deep.equal({
      rejected:
        'data.revision must grow with every change (got 5, which operation 1 of A has with other content)',
    });
  });

  it('is told of reference data in its place: applied, stale, unknown company', async () => {
    expect(await applyReference([versionChanged({})])).to.deep.equal(['applied']);
    const outcomes = await applyReference([
      versionChanged({ productStructureVersionId: 2, database: 'NONE' }),
      versionChanged({}),
      versionChanged({ changedAt: '2024-04-30T08:00:00Z', name: 'older' }),
      versionChanged({ changedAt: '2024-05-02T08:00:00Z', name: 'newer' }),
    ]);
    expect(outcomes.map((outcome) => (isRejection(outcome) ? 'rejected' : outcome))).to.deep.equal([
      'rejected',
      'stale',
      'stale',
      'applied',
    ]);
  });
});
