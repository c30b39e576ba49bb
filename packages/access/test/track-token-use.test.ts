import { openedForEach, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { noteTokenUse } from '../src/grants.js';
import { createAccessToken, findAccessToken, listAccessTokens } from '../src/index.js';
import { trackTokenUse } from '../src/token-decorators.js';
import { openAccessPlace } from './support/access-place.js';

describe('trackTokenUse', () => {
  const place = openedForEach(openAccessPlace);

  const create = async () => {
    const request = { companyCodes: ['TEM-NO'], expiresInMs: 3_600_000 };
    return (await createAccessToken(place.database, request)).token;
  };
  const countUsed = async () => {
    const tokens = await listAccessTokens(place.database);
    return tokens.filter(({ lastUsedAt }) => lastUsedAt !== null).length;
  };
  const track = (options: { readonly everyMs: number; readonly isAway?: () => boolean }) => {
    const noted: (readonly Buffer[])[] = [];
    const failures: unknown[] = [];
    const { pool } = place.api;
    const uses = trackTokenUse((token) => findAccessToken(pool, token), {
      everyMs: options.everyMs,
      onError: (error) => failures.push(error),
      note: async (sha256s) => {
        if (options.isAway?.() === true) throw new Error('the database is away');
        noted.push(sha256s);
        await noteTokenUse(pool, sha256s);
      },
    });
    return { ...uses, noted, failures };
  };

  it('writes many uses of a token as one record, and writes the remaining records when it closes', async () => {
    const [first, second, unused] = [await create(), await create(), await create()];
    const { findToken, close, noted } = track({ everyMs: 20 });
    for (let use = 0; use < 50; use += 1) await Promise.all([first, second].map(findToken));
    expect(await findToken(`takt_${'A'.repeat(43)}`)).to.equal(undefined);
    await waitUntil('the uses are noted', async () => (await countUsed()) === 2);
    expect(noted.length).to.be.below(50);
    await close();
    const late = track({ everyMs: 3_600_000 });
    await late.findToken(unused);
    expect(await countUsed()).to.equal(2);
    await late.close();
    expect(await countUsed()).to.equal(3);
    await late.close();
    expect(late.noted.length).to.equal(1);
  });

  it('repeats a failed write with the next write, and delays no request', async () => {
    let isAway = true;
    const token = await create();
    const { findToken, close, failures, noted } = track({ everyMs: 20, isAway: () => isAway });
    await findToken(token);
    await waitUntil('it failed twice', () => failures.length >= 2);
    expect(await findToken(token)).not.to.equal(undefined);
    expect(noted).to.deep.equal([]);
    isAway = false;
    await waitUntil('the use is noted', async () => (await countUsed()) === 1);
    await close();
  });
});
