import { type Random, randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { MAX_EVENTS_PER_BATCH, type PreparedEvent } from '../src/index.js';
import {
  bytesInBatch,
  createEventGatherer,
  type EventGatherer,
  fitsOneJob,
} from '../src/publisher/plan-jobs.js';
import { MAX_EVENT_BYTES } from '../src/publisher/prepare-events.js';

/** An addition of events to the queue: the events, and a function that ends the addition. */
interface Addition {
  readonly events: readonly PreparedEvent[];
  readonly end: (error?: Error) => void;
}

/** Returns a gatherer. Each of its additions runs until the test ends it. */
function observe(): { gatherer: EventGatherer; additions: Addition[] } {
  const additions: Addition[] = [];
  const gatherer = createEventGatherer(
    (events) =>
      new Promise((resolve, reject) => {
        additions.push({ events, end: (error) => (error === undefined ? resolve() : reject(error)) });
      }),
  );
  return { gatherer, additions };
}

let made = 0;
/** Returns different events. Of each event, the gatherer uses only the text and its size. */
function prepared(count: number, padding = ''): PreparedEvent[] {
  return Array.from({ length: count }, () => {
    made += 1;
    return { type: 'work-order-operation.completed.v1', data: made, text: `${made}${padding}` };
  });
}

const sizesOf = (additions: readonly Addition[]) => additions.map(({ events }) => events.length);
const nextTurn = () => new Promise(setImmediate);
/** Waits for longer than the time between additions, unless the machine is extremely slow. */
const afterAWhile = () => new Promise((resolve) => setTimeout(resolve, 50));

describe('the gatherer of events', () => {
  it('adds the events of a single call after the current turn of the event loop', async () => {
    const { gatherer, additions } = observe();
    for (const before of [0, 1, 2]) {
      const call = gatherer.add(prepared(1));
      await nextTurn();
      expect(additions).to.have.lengthOf(before + 1);
      additions.at(-1)?.end();
      await call;
    }
  });

  it('puts all calls of one turn of the event loop into one job, and all calls that arrive meanwhile into the next job', async () => {
    const { gatherer, additions } = observe();
    const first = [gatherer.add(prepared(1)), gatherer.add(prepared(2))];
    await nextTurn();
    const second = [gatherer.add(prepared(3)), gatherer.add(prepared(4))];
    await afterAWhile();
    expect(sizesOf(additions)).to.deep.equal([3]);
    additions[0]?.end();
    await Promise.all(first);
    await afterAWhile();
    expect(sizesOf(additions)).to.deep.equal([3, 7]);
    additions[1]?.end();
    await Promise.all(second);
  });

  it('adds the calls during an addition together with the calls right after it', async () => {
    const { gatherer, additions } = observe();
    const calls = [gatherer.add(prepared(1))];
    await nextTurn();
    calls.push(gatherer.add(prepared(1)));
    additions[0]?.end();
    await calls[0];
    calls.push(gatherer.add(prepared(1)));
    await afterAWhile();
    expect(sizesOf(additions)).to.deep.equal([1, 2]);
    additions[1]?.end();
    await Promise.all(calls);
  });

  it('adds a full job at once, and moves a call that does not fit to the next job', async () => {
    const { gatherer, additions } = observe();
    void gatherer.add(prepared(1));
    await nextTurn();
    const half = 'x'.repeat(MAX_EVENT_BYTES / 2);
    for (const events of [prepared(MAX_EVENTS_PER_BATCH), prepared(999), prepared(2), prepared(1, half)]) {
      void gatherer.add(events);
    }
    void gatherer.add(prepared(1, half));
    expect(sizesOf(additions)).to.deep.equal([1, 1_000, 999, 3]);
  });

  it('rejects only the calls of the addition that failed', async () => {
    const { gatherer, additions } = observe();
    const first = gatherer.add(prepared(1));
    await nextTurn();
    const others = [gatherer.add(prepared(1)), gatherer.add(prepared(1))];
    additions[0]?.end(new Error('the store is away'));
    expect(await first.catch(String)).to.equal('Error: the store is away');
    await afterAWhile();
    additions[1]?.end();
    await Promise.all(others);
  });

  it('loses no event, keeps the order and obeys the limits, whenever calls and additions happen', async function () {
    this.timeout(180_000);
    const seed = testSeed();
    for (let run = 0; run < 15; run++) await interleave(randomFrom(seed + run), `seed ${seed}, run ${run}`);
  });
});

/** Makes calls of random sizes at random times. The store is slow, and every fifth addition fails. */
async function interleave(random: Random, which: string): Promise<void> {
  const additions: { readonly events: readonly PreparedEvent[]; outcome?: string }[] = [];
  const gatherer = createEventGatherer(async (events) => {
    const addition: (typeof additions)[number] = { events };
    additions.push(addition);
    await pauseAtRandom(random);
    addition.outcome = random() < 0.2 ? `Error: addition ${additions.indexOf(addition)}` : 'acknowledged';
    if (addition.outcome !== 'acknowledged') throw new Error(addition.outcome.replace('Error: ', ''));
  });
  const outcomes: Promise<{
    readonly events: PreparedEvent[];
    readonly got: string;
    readonly told: string;
  }>[] = [];
  for (let call = 0; call < 60; call++) {
    const size = 1 + random.below(random.pick([1, 3, 30, MAX_EVENTS_PER_BATCH]));
    const events = prepared(size, random() < 0.05 ? 'x'.repeat(MAX_EVENT_BYTES / 2 / size) : '');
    outcomes.push(
      gatherer.add(events).then(
        () => ({ events, got: 'acknowledged', told: outcomeOf(additions, events) }),
        (error) => ({ events, got: String(error), told: outcomeOf(additions, events) }),
      ),
    );
    await pauseAtRandom(random);
  }
  for (const { got, told } of await Promise.all(outcomes)) expect(got, which).to.equal(told);
  for (const { events } of additions) {
    expect(fitsOneJob(events), `${which}: ${events.length} events of ${bytesInBatch(events)} bytes`).to.equal(
      true,
    );
  }
  const added = additions.flatMap(({ events }) => events);
  const given = (await Promise.all(outcomes)).flatMap(({ events }) => events);
  expect(added.length, which).to.equal(given.length);
  expect(
    added.findIndex((event, index) => event !== given[index]),
    `${which}: out of order`,
  ).to.equal(-1);
}

/** Returns the state of the addition that contains all events of a call, in their order and without gaps. */
function outcomeOf(
  additions: readonly { readonly events: readonly PreparedEvent[]; readonly outcome?: string }[],
  events: readonly PreparedEvent[],
): string {
  const [first] = events;
  const holder = additions.find((addition) => first !== undefined && addition.events.includes(first));
  const start = first === undefined ? -1 : (holder?.events.indexOf(first) ?? -1);
  const isWhole = events.every((event, index) => holder?.events[start + index] === event);
  return isWhole ? (holder?.outcome ?? 'not ended') : 'split';
}

async function pauseAtRandom(random: Random): Promise<void> {
  const ms = random.pick([0, 0, 0, 0, 1, 5]);
  if (ms > 0) {
    await new Promise((resolve) => setTimeout(resolve, ms));
  } else if (random() < 0.5) {
    await nextTurn();
  }
}
