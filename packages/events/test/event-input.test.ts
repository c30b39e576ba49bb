import { type EventInput, parseEvent, prepareEvent } from '@takt/events';
import { expect } from 'chai';
import { sampleEvents } from './support/sample-events.js';

const TIME = '2024-05-31T16:20:05Z';
const envelope = { specversion: '1.0', id: '1', source: '/mes', time: TIME } as const;
const completed = {
  ...{ database: 'TEM-NO', workOrderOperationId: 4711, revision: 1, productStructureVersionId: 7 },
  ...{ completedAt: TIME, runTime: '2.25' },
};

describe('the type of an event to publish', () => {
  it('allows hours as number or text, instants as text or Date, and absent, null or undefined optional times', () => {
    const events: readonly EventInput[] = [
      { ...envelope, type: 'work-order-operation.completed.v1', data: completed },
      {
        ...{ ...envelope, time: new Date(TIME) },
        type: 'work-order-operation.completed.v1',
        data: {
          ...completed,
          completedAt: new Date(TIME),
          runTime: 2.25,
          setupTime: null,
          cleanupTime: undefined,
        },
      },
    ];
    const [text, rich] = events.map((event) => {
      const result = prepareEvent(event);
      return result.ok ? parseEvent(result.prepared.data) : result;
    });
    expect(text).to.include({ ok: true }).and.deep.equal(rich);
  });

  it('has every type of event', () => {
    expect(sampleEvents.map((event: EventInput) => prepareEvent(event).ok)).to.deep.equal(
      sampleEvents.map(() => true),
    );
  });

  it('refuses at compile time what the publisher refuses', () => {
    const wrong: readonly EventInput[] = [
      // @ts-expect-error: the type does not exist
      { ...envelope, type: 'work-order-operation.completed', data: completed },
      // @ts-expect-error: the version of CloudEvents is '1.0'
      { ...envelope, specversion: '1', type: 'work-order-operation.completed.v1', data: completed },
      {
        ...envelope,
        type: 'work-order-operation.completed.v1',
        // @ts-expect-error: a run time is hours
        data: { ...completed, runTime: true },
      },
      {
        ...envelope,
        type: 'work-order-operation.reopened.v1',
        // @ts-expect-error: reopenedAt is missing
        data: { database: 'TEM-NO', workOrderOperationId: 4711, revision: 2 },
      },
    ];
    for (const event of wrong) expect(prepareEvent(event).ok, JSON.stringify(event)).to.equal(false);
  });
});
