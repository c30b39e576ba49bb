import { once } from 'node:events';
import { ServiceError } from '@takt/catalogue/errors';
import { expect } from 'chai';
import { createParsingLimits } from '../src/parsing-limits.js';

/** Half of the values that may be parsed at a time. */
const MANY = { events: 0, values: 500_000 };

describe('the limit of parsed events', () => {
  it('leaves room for a second token, and refuses a request if no room becomes free', async () => {
    const turns = createParsingLimits();
    const stored = new AbortController();
    const held = turns.inRoom({ ...MANY, tokenId: 1 }, () => once(stored.signal, 'abort'));
    const more = turns.inRoom({ ...MANY, tokenId: 1 }, async () => 'more').catch((error: unknown) => error);
    expect(await turns.inRoom({ ...MANY, tokenId: 2 }, async () => 'other')).to.equal('other');
    const refusal = await more;
    expect(refusal instanceof ServiceError && refusal.code).to.equal('overloaded');
    stored.abort();
    await held;
    expect(await turns.inRoom({ ...MANY, tokenId: 1 }, async () => 'later')).to.equal('later');
  });

  it('gives room and turn back after work that fails', async () => {
    const turns = createParsingLimits();
    const fail = () => Promise.reject(new Error('malformed'));
    const failure = (work: Promise<unknown>) => work.catch(({ message }: Error) => message);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      expect(await failure(turns.inRoom({ ...MANY, tokenId: 1 }, fail))).to.equal('malformed');
      expect(await failure(turns.alone(fail))).to.equal('malformed');
    }
  });

  it('lets one request run at a time without blocking the event loop', async () => {
    const turns = createParsingLimits();
    const done: string[] = [];
    const work = (name: string) => async () => {
      for (let piece = 0; piece < 3; piece += 1) {
        await turns.rest();
        const endsAtMs = performance.now() + 3;
        while (performance.now() < endsAtMs);
        done.push(name);
      }
    };
    setImmediate(() => done.push('probe'));
    await Promise.all([turns.alone(work('a')), turns.alone(work('b'))]);
    expect(done.filter((name) => name !== 'probe').join('')).to.equal('aaabbb');
    expect(done.indexOf('probe')).to.be.below(2);
  });
});
