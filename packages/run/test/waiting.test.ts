import { expect } from 'chai';
import {
  createLogger,
  nextDelayMs,
  pause,
  repeat,
  shareReading,
  shareRun,
  waitUntilFit,
  withDeadline,
} from '../src/index.js';

describe('withDeadline', () => {
  const never = () => new Promise<string>(() => undefined);

  it('settles as the promise does', async () => {
    expect(await withDeadline(Promise.resolve('done'), 1_000, () => 'late')).to.equal('done');
    const failing = withDeadline(Promise.reject(new Error('no')), 1_000, () => 'late');
    expect(await failing.catch(String)).to.equal('Error: no');
  });

  it('gives or throws what is said for being late', async () => {
    expect(await withDeadline(never(), 10, () => 'late')).to.equal('late');
    const failing = withDeadline(never(), 10, () => {
      throw new Error('too late');
    });
    expect(await failing.catch(String)).to.equal('Error: too late');
  });

  it('swallows what the promise rejects with after the deadline', async () => {
    const late = pause(30).then(() => Promise.reject(new Error('late')));
    expect(await withDeadline<string>(late, 10, () => 'given up')).to.equal('given up');
    await pause(50);
  });
});

describe('pause', () => {
  it('ends early and without an error when it is told to', async () => {
    const controller = new AbortController();
    const pausing = pause(60_000, controller.signal);
    controller.abort();
    await pausing;
    await pause(60_000, controller.signal);
  });
});

describe('the delay before an attempt', () => {
  it('doubles up to the maximum, at least half of it and never more', () => {
    const backoff = { firstDelayMs: 100, maxDelayMs: 5_000 };
    for (const [attempt, fullMs] of [
      [1, 100],
      [2, 200],
      [3, 400],
      [7, 5_000],
      [1_000, 5_000],
    ] as const) {
      expect(nextDelayMs(attempt, backoff)).to.be.within(fullMs / 2, fullMs);
    }
  });
});

describe('a task that is repeated', () => {
  it('goes on however often a task fails, tells of each failure, and ends when it is told to', async () => {
    const ending = new AbortController();
    const failures: unknown[] = [];
    let turn = 0;
    await repeat(
      async () => {
        turn += 1;
        if (turn === 4) ending.abort();
        if (turn !== 3) throw new Error(`turn ${turn}`);
      },
      { everyMs: 1, signal: ending.signal, onError: (error) => failures.push(String(error)) },
    );
    expect(turn).to.equal(4);
    // What fails because all of it ends is no failure.
    expect(failures).to.deep.equal(['Error: turn 1', 'Error: turn 2']);
  });
});

describe('waiting until an app can start', () => {
  const logger = createLogger({ app: 'test', level: 'silent', isTerminal: false });

  it('asks again while something cannot be reached', async () => {
    let asked = 0;
    const check = async () => {
      asked += 1;
      if (asked < 3) throw new Error('ECONNREFUSED');
      return { problems: [], warnings: [] };
    };
    const found = await waitUntilFit({ check, what: 'the database', logger });
    expect(found).to.deep.equal({ problems: [], warnings: [] });
    expect(asked).to.equal(3);
  });

  it('rejects at once, with all that is wrong, where it is there and cannot be used', async () => {
    let asked = 0;
    const check = async () => {
      asked += 1;
      return { problems: ['it is too old', 'it is too small'], warnings: [] };
    };
    const failure = await waitUntilFit({ check, what: 'the database', logger }).catch(String);
    expect(failure).to.equal('Error: it is too old\nit is too small');
    expect(asked).to.equal(1);
  });

  it('ends early when the app is told to stop', async () => {
    const stopping = new AbortController();
    let asked = 0;
    const check = async () => {
      asked += 1;
      stopping.abort();
      throw new Error('ECONNREFUSED');
    };
    const failure = await waitUntilFit({
      check,
      what: 'the database',
      logger,
      stopping: stopping.signal,
    }).catch(String);
    expect(failure).to.equal('Error: told to stop while waiting for the database');
    expect(asked).to.equal(1);
  });
});

describe('a run that is shared', () => {
  const failing = (times: number) => {
    let runs = 0;
    return async () => {
      runs += 1;
      await pause(1);
      if (runs <= times) throw new Error(`run ${runs}`);
      return runs;
    };
  };

  it('is one for all who ask while it is under way, its failure too, and another afterwards', async () => {
    const run = shareRun(failing(1));
    expect(await Promise.all([run().catch(String), run().catch(String)])).to.deep.equal(
      Array(2).fill('Error: run 1'),
    );
    expect(await Promise.all([run(), run()])).to.deep.equal([2, 2]);
    expect(await run()).to.equal(3);
  });

  it('is kept where it succeeded, if that is asked for', async () => {
    const run = shareRun(failing(1), { keeps: true });
    expect(await run().catch(String)).to.equal('Error: run 1');
    expect([await run(), await run()]).to.deep.equal([2, 2]);
  });
});

describe('a shared reading', () => {
  const counting = () => {
    let readings = 0;
    return shareReading(async () => {
      readings += 1;
      const own = readings;
      await pause(20);
      return own;
    });
  };

  it('is one for all who ask while it is under way, and is kept for as long as a caller accepts', async () => {
    const { read } = counting();
    expect(await Promise.all([read(0), read(60_000)])).to.deep.equal([1, 1]);
    expect(await read(60_000)).to.equal(1);
    expect(await read(0)).to.equal(2);
  });

  it('is not given after a change, also where it began before', async () => {
    const { read, expire } = counting();
    const before = read(60_000);
    expire();
    expect(await Promise.all([before, read(60_000)])).to.deep.equal([1, 2]);
    expect(await read(60_000)).to.equal(2);
    const stale = read(0);
    expire();
    expect(await stale).to.equal(3);
    expect(await read(60_000), 'read after the change').to.equal(4);
  });
});
