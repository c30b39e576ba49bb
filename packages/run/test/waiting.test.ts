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

  it('has the same outcome as the given promise', async () => {
    expect(await withDeadline(Promise.resolve('done'), 1_000, () => 'late')).to.equal('done');
    const failing = withDeadline(Promise.reject(new Error('no')), 1_000, () => 'late');
    expect(await failing.catch(String)).to.equal('Error: no');
  });

  it('uses the outcome of the given function if the promise is late', async () => {
    expect(await withDeadline(never(), 10, () => 'late')).to.equal('late');
    const failing = withDeadline(never(), 10, () => {
      throw new Error('too late');
    });
    expect(await failing.catch(String)).to.equal('Error: too late');
  });

  it('ignores a promise that rejects after the deadline', async () => {
    const late = pause(30).then(() => Promise.reject(new Error('late')));
    expect(await withDeadline<string>(late, 10, () => 'given up')).to.equal('given up');
    await pause(50);
  });
});

describe('pause', () => {
  it('ends early and without an error if it is aborted', async () => {
    const controller = new AbortController();
    const pausing = pause(60_000, controller.signal);
    controller.abort();
    await pausing;
    await pause(60_000, controller.signal);
  });
});

describe('the delay before a retry', () => {
  it('doubles up to its maximum, minus a random part of at most a half', () => {
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

describe('a task that repeats', () => {
  it('continues after reported failures until it is aborted', async () => {
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
    // An error that the abort causes does not count as a failure.
    expect(failures).to.deep.equal(['Error: turn 1', 'Error: turn 2']);
  });
});

describe('the wait for a dependency of an app', () => {
  const logger = createLogger({ app: 'test', level: 'silent', isTerminal: false });

  it('continues while the dependency cannot be reached', async () => {
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

  it('fails at once if the dependency can be reached but not used', async () => {
    let asked = 0;
    const check = async () => {
      asked += 1;
      return { problems: ['it is too old', 'it is too small'], warnings: [] };
    };
    const failure = await waitUntilFit({ check, what: 'the database', logger }).catch(String);
    expect(failure).to.equal('Error: it is too old\nit is too small');
    expect(asked).to.equal(1);
  });

  it('ends early if the app is stopped', async () => {
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

describe('a run that concurrent callers share', () => {
  const failing = (times: number) => {
    let runs = 0;
    return async () => {
      runs += 1;
      await pause(1);
      if (runs <= times) throw new Error(`run ${runs}`);
      return runs;
    };
  };

  it('gives all callers the same result or failure', async () => {
    const run = shareRun(failing(1));
    expect(await Promise.all([run().catch(String), run().catch(String)])).to.deep.equal(
      Array(2).fill('Error: run 1'),
    );
    expect(await Promise.all([run(), run()])).to.deep.equal([2, 2]);
    expect(await run()).to.equal(3);
  });

  it('keeps a successful result for later callers, if requested', async () => {
    const run = shareRun(failing(1), { keeps: true });
    expect(await run().catch(String)).to.equal('Error: run 1');
    expect([await run(), await run()]).to.deep.equal([2, 2]);
  });
});

describe('a value that concurrent callers share', () => {
  const counting = () => {
    let readings = 0;
    return shareReading(async () => {
      readings += 1;
      const own = readings;
      await pause(20);
      return own;
    });
  };

  it('is read once for all callers, and read again if a caller requires a newer value', async () => {
    const { read } = counting();
    expect(await Promise.all([read(0), read(60_000)])).to.deep.equal([1, 1]);
    expect(await read(60_000)).to.equal(1);
    expect(await read(0)).to.equal(2);
  });

  it('is read again after it was marked as changed, even if a read was running', async () => {
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
