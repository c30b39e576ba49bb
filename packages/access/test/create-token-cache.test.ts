import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { type AccessGrant, createAccessToken, findAccessToken, revokeAccessToken } from '../src/index.js';
import { createTokenCache, type TokenCacheOptions } from '../src/token-decorators.js';
import { expireTokens, openAccessPlace } from './support/access-place.js';

describe('createTokenCache', () => {
  const place = opened(openAccessPlace);
  /** The time that the clock of the cache shows, in milliseconds since 1970. */
  let clockMs: number;

  beforeEach(() => {
    clockMs = Date.now();
  });

  const create = async (expiresInMs = 3_600_000) => {
    const { token } = await createAccessToken(place.database, { companyCodes: ['TEM-NO'], expiresInMs });
    return token;
  };

  /** Opens a cache that reads from the database. Records each token for which the database is queried. */
  const openCache = (options: TokenCacheOptions = {}) => {
    const asked: string[] = [];
    const find = createTokenCache(
      (token) => {
        asked.push(token);
        return findAccessToken(place.api.pool, token);
      },
      { now: () => clockMs, ...options },
    );
    return { find, asked };
  };

  /** Opens a cache whose queries wait until the test answers them, in any order. */
  const openManualCache = () => {
    const answers: ((grant: AccessGrant | undefined) => void)[] = [];
    const find = createTokenCache(() => new Promise((resolve) => answers.push(resolve)), {
      now: () => clockMs,
    });
    return { find, answers };
  };
  const grant: AccessGrant = {
    tokenId: 1,
    expiresAt: new Date('2999-01-01T00:00:00Z'),
    companies: [],
    clientId: null,
    pid: null,
    personName: '',
    permissions: 'all',
    duties: 'all',
  };
  const anyToken = `takt_${'A'.repeat(43)}`;

  it('caches a grant for 3 s, and then queries again', async () => {
    const { find, asked } = openCache();
    const token = await create();
    const first = await find(token);
    expect(first?.companies.map(({ code }) => code)).to.deep.equal(['TEM-NO']);
    clockMs += 2_999;
    expect(await find(token)).to.equal(first);
    expect(asked.length).to.equal(1);
    clockMs += 1;
    expect(await find(token)).to.deep.equal(first);
    expect(asked.length).to.equal(2);
  });

  it('notices a revocation at most 3 s after the last look-up', async () => {
    const { find } = openCache();
    const token = await create();
    await find(token);
    await revokeAccessToken(place.database, token);
    clockMs += 3_000;
    expect(await find(token)).to.equal(undefined);
    clockMs -= 1_000;
    expect(await find(token)).to.equal(undefined);
  });

  it('drops a grant when it expires', async () => {
    const { find, asked } = openCache();
    const token = await create(2_000);
    const expiresAt = (await find(token))?.expiresAt.getTime() ?? Number.NaN;
    clockMs = expiresAt - 1;
    expect(await find(token)).not.to.equal(undefined);
    expect(asked.length).to.equal(1);
    await expireTokens(place, 0);
    clockMs = expiresAt;
    expect(await find(token)).to.equal(undefined);
    expect(asked.length).to.equal(2);
  });

  it('queries again if the clock was set back', async () => {
    const { find, asked } = openCache();
    const token = await create();
    await find(token);
    clockMs -= 60_000;
    await find(token);
    expect(asked.length).to.equal(2);
  });

  it('does not cache that a token was not found', async () => {
    const { find, asked } = openCache();
    expect(await find(anyToken)).to.equal(undefined);
    expect(await find(anyToken)).to.equal(undefined);
    expect(asked.length).to.equal(2);
  });

  it('sends no query for a malformed token', async () => {
    const { find, asked } = openCache();
    for (const text of ['', 'takt_', `${anyToken}A`, 'A'.repeat(201)]) {
      expect(await find(text)).to.equal(undefined);
    }
    expect(asked).to.deep.equal([]);
  });

  it('sends one query for all concurrent look-ups of one token', async () => {
    const { find, asked } = openCache();
    const [token, other] = [await create(), await create()];
    const grants = await Promise.all([...Array.from({ length: 50 }, () => find(token)), find(other)]);
    expect(asked).to.deep.equal([token, other]);
    expect(new Set(grants).size).to.equal(2);
    expect(grants).not.to.include(undefined);
  });

  it('gives concurrent look-ups of a token the same result, even a failure', async () => {
    const outcomes: (() => Promise<AccessGrant | undefined>)[] = [
      () => Promise.reject(new Error('the database does not answer')),
      () => Promise.resolve(undefined),
      () => Promise.resolve(grant),
    ];
    const find = createTokenCache(
      () => outcomes.shift()?.() ?? Promise.reject(new Error('asked too often')),
      {
        now: () => clockMs,
      },
    );
    const failures = await Promise.all(
      [find(anyToken), find(anyToken)].map((answer) => answer.catch((error: Error) => error.message)),
    );
    expect(failures).to.deep.equal(['the database does not answer', 'the database does not answer']);
    expect(await Promise.all([find(anyToken), find(anyToken)])).to.deep.equal([undefined, undefined]);
    expect(await find(anyToken)).to.equal(grant);
    expect(await find(anyToken)).to.equal(grant);
  });

  it('counts the 3 s from the query, not from its answer', async () => {
    const { find, answers } = openManualCache();
    const slow = find(anyToken);
    clockMs += 2_900;
    answers[0]?.(grant);
    expect(await slow).to.equal(grant);
    clockMs += 99;
    expect(await find(anyToken)).to.equal(grant);
    expect(answers.length).to.equal(1);
    clockMs += 1;
    void find(anyToken);
    expect(answers.length).to.equal(2);
  });

  it('sends a new query if the running one is older than 3 s, and does not cache the late answer', async () => {
    const { find, answers } = openManualCache();
    const stuck = find(anyToken);
    clockMs += 3_000;
    const newer = find(anyToken);
    expect(answers.length).to.equal(2);
    answers[1]?.(undefined);
    expect(await newer).to.equal(undefined);
    answers[0]?.(grant);
    expect(await stuck).to.equal(grant);
    void find(anyToken);
    expect(answers.length).to.equal(3);
  });

  it('does not cache a late answer, so later look-ups wait for the newer query', async () => {
    const { find, answers } = openManualCache();
    const stuck = find(anyToken);
    clockMs += 3_000;
    const newer = find(anyToken);
    answers[0]?.(undefined);
    expect(await stuck).to.equal(undefined);
    const third = find(anyToken);
    expect(answers.length).to.equal(2);
    answers[1]?.(grant);
    expect(await Promise.all([newer, third])).to.deep.equal([grant, grant]);
  });

  it('caches a limited number of tokens, and drops the least recently used one', async () => {
    const { find, asked } = openCache({ maxEntries: 2 });
    const [first, second, third] = [await create(), await create(), await create()];
    for (const token of [first, second, third]) await find(token);
    await find(third);
    await find(second);
    expect(asked).to.deep.equal([first, second, third]);
    await find(first);
    expect(asked).to.deep.equal([first, second, third, first]);
    await find(third);
    expect(asked).to.deep.equal([first, second, third, first, third]);
  });

  it('treats a token as recently used after a new query for it', async () => {
    const { find, asked } = openCache({ maxEntries: 2 });
    const [first, second, third] = [await create(), await create(), await create()];
    await find(first);
    await find(second);
    clockMs += 3_000;
    for (const token of [second, first, third]) await find(token);
    asked.length = 0;
    await find(first);
    expect(asked).to.deep.equal([]);
    await find(second);
    expect(asked).to.deep.equal([second]);
  });
});
