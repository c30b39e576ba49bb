import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { createEventSender } from '../src/event-sender.js';

/** Three full calls of the publisher, and one event more. */
const EVENTS = 15_001;

describe('the sender of events', () => {
  let calls: {
    readonly events: number;
    readonly resolve: () => void;
    readonly reject: (error: Error) => void;
  }[];
  const publish = (events: readonly number[]) =>
    new Promise<void>((resolve, reject) => {
      calls.push({ events: events.length, resolve, reject });
    });
  beforeEach(() => {
    calls = [];
  });

  const send = async () => {
    const sender = createEventSender(publish, { batchSize: 500, eventsPerSecond: undefined });
    let isFlushed = false;
    const sending = (async () => {
      for (let event = 0; event < EVENTS; event++) await sender.send(event);
      await sender.flush();
      isFlushed = true;
    })();
    await waitUntil('three calls are under way', () => calls.length === 3);
    return { sender, sending, isFlushed: () => isFlushed };
  };

  it('runs at most three calls of the publisher at once, and finishes after the last call', async () => {
    const { sender, sending, isFlushed } = await send();
    expect(calls.map(({ events }) => events)).to.deep.equal([5_000, 5_000, 5_000]);
    calls[1]?.resolve();
    await waitUntil('the rest is under way', () => calls.length === 4);
    for (const call of [calls[0], calls[3]]) {
      call?.resolve();
      await new Promise(setImmediate);
      expect(isFlushed()).to.equal(false);
    }
    calls[2]?.resolve();
    await sending;
    expect(sender.published()).to.equal(EVENTS);
  });

  it('keeps the rate over all calls, and counts the time of waiting', async () => {
    const sender = createEventSender(async () => undefined, { batchSize: 10, eventsPerSecond: 200 });
    const startedAt = performance.now();
    for (let event = 0; event < 100; event++) await sender.send(event);
    await sender.flush();
    // The first of ten calls starts at once, and each of the others 50 ms after the call before it.
    expect(performance.now() - startedAt).to.be.at.least(445);
  });

  it('fails as soon as one call fails, and counts the published events', async () => {
    const { sender, sending } = await send();
    calls[0]?.resolve();
    await waitUntil('the rest is under way', () => calls.length === 4);
    calls[2]?.reject(new Error('the queue is full'));
    expect(await sending.catch(String)).to.equal('Error: the queue is full');
    expect(sender.published()).to.equal(5_000);
  });
});
