import { expect } from 'chai';
import {
  ConcurrencyLimiter,
  type ConcurrencyLimits,
  type Entry,
  type Leave,
} from '../src/concurrency-limiter.js';

const soon = () => new Promise((resolve) => setTimeout(resolve, 5));

/** Opens a limiter for entries with names. Records the names in the order in which the entries start. */
function openLimiter(limits: ConcurrencyLimits) {
  const limiter = new ConcurrencyLimiter(limits);
  const begun: string[] = [];
  const turnedAway: string[] = [];
  const leaves = new Map<string, Leave>();
  const ask = async (name: string, entry: Entry = {}) => {
    const outcome = await limiter.enter(entry);
    if (typeof outcome === 'string') {
      turnedAway.push(`${name} ${outcome}`);
    } else {
      begun.push(name);
      leaves.set(name, outcome);
    }
    return outcome;
  };
  const end = async (...names: string[]) => {
    for (const name of names) leaves.get(name)?.();
    await soon();
  };
  return { limiter, ask, end, begun, turnedAway };
}

const of = (company: string, token?: string): Entry => ({
  owners: { company, ...(token === undefined ? {} : { token }) },
});

describe('The limiter of concurrent work', () => {
  it('starts entries in order, as soon as there is room', async () => {
    const { ask, end, begun } = openLimiter({ capacity: 10 });
    for (const [name, size] of Object.entries({ a: 6, b: 4, c: 8, d: 1 })) void ask(name, { size });
    await soon();
    expect(begun).to.deep.equal(['a', 'b']);
    await end('b');
    expect(begun, 'd does not pass c, which needs more room').to.deep.equal(['a', 'b']);
    await end('a');
    expect(begun).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('runs an entry that is larger than the capacity, but only alone', async () => {
    const { ask, end, begun } = openLimiter({ capacity: 10 });
    void ask('huge', { size: 1_000 });
    void ask('small');
    await soon();
    expect(begun).to.deep.equal(['huge']);
    await end('huge');
    expect(begun).to.deep.equal(['huge', 'small']);
  });

  it('frees a place only once, even if its release is called twice', async () => {
    const { ask, end, begun } = openLimiter({ capacity: 1 });
    for (const name of ['a', 'b', 'c']) void ask(name);
    await soon();
    await end('a', 'a', 'a');
    expect(begun).to.deep.equal(['a', 'b']);
  });

  it('limits an owner to its share, so that other owners can use the rest', async () => {
    const { ask, end, begun } = openLimiter({ capacity: 4, shares: { company: 3, token: 2 } });
    for (const name of ['a1', 'a2', 'a3']) void ask(name, of('A', 'first'));
    void ask('a4', of('A', 'second'));
    void ask('a5', of('A', 'second'));
    void ask('b1', of('B', 'third'));
    await soon();
    expect(begun).to.deep.equal(['a1', 'a2', 'a4', 'b1']);
    await end('b1');
    expect(begun, 'company A has its three').to.have.length(4);
    await end('a4');
    expect(begun[4]).to.equal('a5');
  });

  it('alternates between owners, even if one of them requests much more', async () => {
    const { ask, end, begun } = openLimiter({ capacity: 2, shares: { company: 2 } });
    for (let count = 1; count <= 50; count += 1) void ask(`a${count}`, of('A'));
    void ask('b1', of('B'));
    void ask('b2', of('B'));
    await soon();
    await end('a1');
    expect(begun).to.deep.equal(['a1', 'a2', 'b1']);
    await end('a2');
    expect(begun[3], 'both have one under way, and A came first').to.equal('a3');
    await end('b1', 'a3');
    expect(begun.slice(4).toSorted()).to.deep.equal(['a4', 'b2']);
  });

  it('starts entries with a lower rank before entries with a higher rank', async () => {
    const { ask, end, begun, turnedAway } = openLimiter({ capacity: 1, maxWaiting: 2 });
    void ask('running');
    void ask('guess1', { rank: 5 });
    void ask('guess2', { rank: 5 });
    void ask('guess3', { rank: 5 });
    void ask('honest');
    await soon();
    expect(turnedAway).to.deep.equal(['guess3 full', 'guess2 full']);
    await end('running');
    expect(begun).to.deep.equal(['running', 'honest']);
  });

  it('takes a waiting place from the owner with the most waiting entries', async () => {
    const { ask, end, begun, turnedAway } = openLimiter({ capacity: 1, maxWaiting: 4 });
    void ask('running');
    for (const name of ['a1', 'a2', 'a3']) void ask(name, of('A'));
    void ask('b1', of('B'));
    void ask('c1', of('C'));
    await soon();
    expect(turnedAway).to.deep.equal(['a3 full']);
    void ask('a4', of('A'));
    void ask('b2', of('B'));
    await soon();
    expect(turnedAway.slice(1), 'none would then have fewer than before').to.deep.equal([
      'a4 full',
      'b2 full',
    ]);
    for (const name of ['running', 'a1', 'a2', 'b1']) await end(name);
    expect(begun).to.deep.equal(['running', 'a1', 'a2', 'b1', 'c1']);
  });

  it('rejects only entries of an owner whose share of the waiting places is full', async () => {
    const { ask, turnedAway } = openLimiter({ capacity: 1, waitingShares: { company: 1 } });
    void ask('running', of('A'));
    void ask('a1', of('A'));
    void ask('a2', of('A'));
    void ask('b1', of('B'));
    void ask('c1', of('C'));
    await soon();
    expect(turnedAway).to.deep.equal(['a2 full']);
  });

  it('rejects entries that are aborted or reach their deadline, and continues with the next entry', async () => {
    const { ask, end, begun, turnedAway, limiter } = openLimiter({ capacity: 2 });
    void ask('running');
    const nobody = new AbortController();
    const late = ask('late', { size: 2, untilMs: performance.now() + 20 });
    void ask('gone', { size: 2, signal: nobody.signal });
    void ask('small');
    await soon();
    nobody.abort();
    await late;
    await soon();
    expect(turnedAway.toSorted()).to.deep.equal(['gone late', 'late late']);
    expect(begun).to.deep.equal(['running', 'small']);
    await end('running', 'small');
    expect(limiter.state()).to.deep.equal({ underWay: 0, waiting: 0 });
  });

  it('does not start an entry whose deadline has passed', async () => {
    const { ask, turnedAway } = openLimiter({ capacity: 1 });
    await ask('late', { untilMs: performance.now() - 1 });
    expect(turnedAway).to.deep.equal(['late late']);
  });

  it('rejects entries that would wait too long at the current rate of completion', async () => {
    const { ask, end, limiter } = openLimiter({ capacity: 1, maxWaitMs: 300 });
    void ask('0');
    void ask('1');
    for (let count = 0; count < 60; count += 1) {
      await end(String(count));
      void ask(String(count + 2));
    }
    let taken = 0;
    // At least 5 ms pass between two completed entries, so at most 60 entries fit into 300 ms. The measured average may
    // not have settled yet.
    for (; taken < 1_000; taken += 1) {
      void ask(`more ${taken}`);
      if (limiter.state().waiting <= taken) break;
    }
    expect(taken).to.be.within(1, 75);
  });

  it('rejects only the owner whose entries would wait too long', async () => {
    const { ask, begun, turnedAway } = openLimiter({ capacity: 2, shares: { company: 1 }, maxWaitMs: 20 });
    void ask('a1', of('A'));
    void ask('a2', of('A'));
    await new Promise((resolve) => setTimeout(resolve, 40));
    void ask('a3', of('A'));
    void ask('b1', of('B'));
    await soon();
    expect([begun, turnedAway]).to.deep.equal([['a1', 'b1'], ['a3 full']]);
  });

  it('never rejects an entry that can start at once', async () => {
    const shares = { company: 2, token: 1 };
    const { ask, begun, turnedAway } = openLimiter({ capacity: 3, shares, maxWaitMs: 20 });
    void ask('one', of('A', '1'));
    void ask('waits', of('A', '1'));
    await new Promise((resolve) => setTimeout(resolve, 40));
    void ask('two', of('A', '2'));
    await soon();
    expect([begun, turnedAway]).to.deep.equal([['one', 'two'], []]);
  });

  it('rejects new entries while all places are taken and no work ends', async () => {
    const { ask, end, begun, turnedAway } = openLimiter({ capacity: 1, maxWaitMs: 20 });
    void ask('a1', of('A'));
    void ask('a2', of('A'));
    await new Promise((resolve) => setTimeout(resolve, 40));
    void ask('b1', of('B'));
    await soon();
    expect(turnedAway).to.deep.equal(['b1 full']);
    await end('a1');
    void ask('b2', of('B'));
    await end('a2');
    expect(begun).to.deep.equal(['a1', 'a2', 'b2']);
  });
});
