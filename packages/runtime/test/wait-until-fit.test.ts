import { expect } from 'chai';
import { createLogger, waitUntilFit } from '../src/index.js';

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
