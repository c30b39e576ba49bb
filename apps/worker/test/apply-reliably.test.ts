import { describeProblems, type EventProblem } from '@takt/events';
import { isOfTheData } from '@takt/figures';
import { createLogger } from '@takt/run';
import { expect } from 'chai';
import pg from 'pg';
import { applyReliably, GivenUpError } from '../src/apply-reliably.js';

const logger = createLogger({ app: 'test', level: 'silent', isTerminal: false });
const { signal } = new AbortController();

/** A test's events are numbers; one that the database cannot store becomes its problem. */
type Outcome = 'applied' | { readonly rejected: string };
const reject = (_event: number | EventProblem, problem: EventProblem) => problem;
const outcomeOf = (event: number | EventProblem): Outcome =>
  typeof event === 'number' ? 'applied' : { rejected: describeProblems([event]) };
const REJECTION = { rejected: 'event must be an event that the database can store (got "no")' };

function databaseError(code: string): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError('no', 0, 'error'), { code });
}

describe('an error of the database', () => {
  it('is a fault of the data if a value is invalid, violates a constraint or exceeds a limit', () => {
    for (const code of ['22003', '22P02', '22P05', '23505', '23514', '54000']) {
      expect(isOfTheData(databaseError(code)), code).to.equal(true);
    }
  });

  it('is no fault of the data in every other case', () => {
    for (const code of [
      '08006',
      '25006',
      '40P01',
      '42501',
      '42P01',
      // These errors occur if takt migrate has not yet replaced a function, or has changed its arguments during a
      // batch.
      ...['42883', '42846', '42804'],
      '53300',
      '55P03',
      '57014',
      '57P01',
      'XX000',
    ]) {
      expect(isOfTheData(databaseError(code)), code).to.equal(false);
    }
    const others = [Object.assign(new Error('no'), { code: '22003' }), new Error('timeout'), 'no', undefined];
    for (const other of others) expect(isOfTheData(other)).to.equal(false);
  });
});

describe('applyReliably', () => {
  it('rejects only events that the database cannot store; the other events count in their order', async () => {
    const batches: number[] = [];
    const apply = applyReliably<number | EventProblem, Outcome>(
      async (events) => {
        batches.push(events.length);
        if (events.includes(13) || events.includes(6)) throw databaseError('22003');
        return events.map(outcomeOf);
      },
      { logger, signal, reject },
    );
    const outcomes = await apply(Array.from({ length: 16 }, (_, event) => event));
    const rejection = REJECTION;
    expect(outcomes).to.deep.equal(
      Array.from({ length: 16 }, (_, event) => (event === 13 || event === 6 ? rejection : 'applied')),
    );
    expect(batches[0]).to.equal(16);
  });

  it('finds and rejects only the text that is no JSON for PostgreSQL (22P02), in a batch of any length', async () => {
    for (const length of [1, 2, 3, 7, 1_000]) {
      for (const bad of new Set([0, Math.floor(length / 2), length - 1])) {
        let attempts = 0;
        const apply = applyReliably<number | EventProblem, Outcome>(
          async (events) => {
            attempts += 1;
            if (events.includes(bad)) throw databaseError('22P02');
            return events.map(outcomeOf);
          },
          { logger, signal, reject },
        );
        const outcomes = await apply(Array.from({ length }, (_, event) => event));
        const rejected = outcomes.flatMap((outcome, index) => (outcome === 'applied' ? [] : [index]));
        expect(outcomes).to.have.lengthOf(length);
        expect(rejected).to.deep.equal([bad]);
        // The last attempt records the event as rejected.
        expect(attempts).to.be.at.most(2 * Math.ceil(Math.log2(length)) + 2);
      }
    }
  });

  it('retries the whole batch after a deadlock (40P01) or the end of a session (57P01)', async () => {
    for (const code of ['40P01', '57P01']) {
      const sizes: number[] = [];
      const apply = applyReliably<number | EventProblem, Outcome>(
        async (events) => {
          sizes.push(events.length);
          if (sizes.length < 3) throw databaseError(code);
          return events.map(outcomeOf);
        },
        { logger, signal, reject },
      );
      expect(await apply([1, 2, 3])).to.deep.equal(['applied', 'applied', 'applied']);
      expect(sizes, code).to.deep.equal([3, 3, 3]);
    }
  });

  it('also retries half of a batch after a temporary failure', async () => {
    const sizes: number[] = [];
    const apply = applyReliably<number | EventProblem, Outcome>(
      async (events) => {
        sizes.push(events.length);
        if (events.includes(4)) throw databaseError('22P02');
        if (sizes.length === 2) throw databaseError('40P01');
        return events.map(outcomeOf);
      },
      { logger, signal, reject },
    );
    const outcomes = await apply([1, 2, 3, 4]);
    expect(outcomes.slice(0, 3)).to.deep.equal(['applied', 'applied', 'applied']);
    expect(outcomes[3]).to.have.property('rejected');
    expect(sizes).to.deep.equal([4, 2, 2, 2, 1, 1, 1]);
  });

  it('retries after a temporary failure, and counts the failed attempts', async () => {
    let attempts = 0;
    let failed = 0;
    const apply = applyReliably<string | EventProblem, string>(
      async (events) => {
        attempts += 1;
        if (attempts < 3) throw databaseError('57P01');
        return events.map(() => 'stale');
      },
      { logger, signal, onFailedAttempt: () => (failed += 1), reject: (event) => event },
    );
    expect(await apply(['a', 'b'])).to.deep.equal(['stale', 'stale']);
    expect({ attempts, failed }).to.deep.equal({ attempts: 3, failed: 2 });
  });

  it('gives up when the worker closes, even during an attempt that never ends', async () => {
    for (const attempt of [
      () => Promise.reject(new Error('away')),
      () => new Promise<never>(() => undefined),
    ]) {
      const closing = new AbortController();
      const apply = applyReliably<number | EventProblem, Outcome>(attempt, {
        logger,
        signal: closing.signal,
        reject,
      });
      const applying = apply([1]).catch((error: unknown) => error);
      setTimeout(() => closing.abort(), 10);
      expect(await applying).to.be.instanceOf(GivenUpError);
      expect(await apply([1]).catch((error: unknown) => error)).to.be.instanceOf(GivenUpError);
    }
  });
});
