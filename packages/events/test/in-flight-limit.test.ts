import { expect } from 'chai';
import { createInFlightLimit } from '../src/publisher/queue-writer.js';
import { DeadlineExceededError, withDeadline } from '../src/queue/with-deadline.js';
import { rejectionOf } from './support/rejection-of.js';

function pending(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

const soon = () => new Promise((resolve) => setTimeout(resolve, 20));

describe('the limit of unfinished work', () => {
  it('starts work in the order of arrival, as soon as there is room for its size', async () => {
    const limit = createInFlightLimit(10);
    const started: string[] = [];
    const work = new Map(['a', 'b', 'c', 'd'].map((name) => [name, pending()]));
    const run = (name: string, size: number) =>
      limit.run(size, 5_000, async () => {
        started.push(name);
        await work.get(name)?.promise;
      });
    const all = [run('a', 6), run('b', 4), run('c', 8), run('d', 1)];
    await soon();
    expect(started).to.deep.equal(['a', 'b']);
    work.get('b')?.resolve();
    await soon();
    expect(started).to.deep.equal(['a', 'b']);
    work.get('a')?.resolve();
    await soon();
    expect(started).to.deep.equal(['a', 'b', 'c', 'd']);
    work.get('c')?.resolve();
    work.get('d')?.resolve();
    await Promise.all(all);
  });

  it('runs work that is larger than the limit, but only alone', async () => {
    const limit = createInFlightLimit(10);
    expect(await limit.run(1_000, 5_000, async () => 'done')).to.equal('done');
  });

  it('frees the room of failed work', async () => {
    const limit = createInFlightLimit(1);
    expect(
      String(await rejectionOf(limit.run(1, 5_000, () => Promise.reject(new Error('broken'))))),
    ).to.contain('broken');
    expect(await limit.run(1, 5_000, async () => 'next')).to.equal('next');
  });

  it('rejects work at its deadline without starting it, and continues with later work', async () => {
    const limit = createInFlightLimit(2);
    const first = pending();
    const running = limit.run(1, 5_000, () => first.promise);
    let hasRun = false;
    const late = limit.run(2, 50, async () => {
      hasRun = true;
    });
    const small = limit.run(1, 30_000, async () => 'small');
    expect(await rejectionOf(late)).to.be.instanceOf(DeadlineExceededError);
    expect(await small).to.equal('small');
    first.resolve();
    await running;
    expect(hasRun).to.equal(false);
  });
});

describe('withDeadline', () => {
  it('has the same outcome as the work', async () => {
    expect(await withDeadline('work', 1_000, Promise.resolve(7))).to.equal(7);
    expect(
      String(await rejectionOf(withDeadline('work', 1_000, Promise.reject(new Error('no'))))),
    ).to.contain('no');
  });

  it('rejects at the deadline, and ignores a later rejection of the work', async () => {
    let fail: (error: Error) => void = () => undefined;
    const late = new Promise((_resolve, reject) => {
      fail = reject;
    });
    const error = await rejectionOf(withDeadline('counting sheep', 20, late));
    expect(String(error)).to.equal('DeadlineExceededError: counting sheep took longer than 20 ms');
    fail(new Error('late'));
    // Node.js would end the process after this turn if the rejection were unhandled.
    await soon();
  });
});
