import type { AccessGrant } from '@takt/access';
import { ServiceError } from '@takt/error-catalogue';
import { createLogger } from '@takt/runtime';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { limitRequests } from '../../src/access/limit-requests.js';
import { watchTokenUse } from '../../src/access/watch-token-use.js';
import { grantFor } from '../harness/grant-for.js';

const grants = new Map<string, AccessGrant>(
  ['one', 'other'].map((token, index) => [token, { ...grantFor([]), tokenId: index + 1 }]),
);
const find = async (token: string) => grants.get(token);

describe('The requests of a token', () => {
  const errorOf = (found: Promise<unknown>) =>
    found.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('are refused when those of a minute are spent, its own alone, with how many they may be', async () => {
    const limited = limitRequests(find, 3);
    for (let index = 0; index < 3; index += 1) expect(await limited('one')).to.equal(grants.get('one'));
    for (let index = 0; index < 3; index += 1) {
      const error = await errorOf(limited('one'));
      expect(error).to.be.instanceOf(ServiceError).and.to.include({ code: 'tokenBudgetSpent' });
      expect(error).to.have.deep.property('parameters', ['3']);
    }
    expect(await limited('other')).to.equal(grants.get('other'));
    for (let index = 0; index < 9; index += 1) expect(await limited('unknown')).to.equal(undefined);
  });

  it('are as many as it likes where there is no limit', () => {
    expect(limitRequests(find, 0)).to.equal(find);
  });
});

describe('The use of tokens', () => {
  const logger = createLogger({ app: 'api test', level: 'silent', isTerminal: false });

  it('is noted for all together, once for each, and what is left at the end', async () => {
    const noted: (readonly number[])[] = [];
    const use = watchTokenUse({ note: async (ids) => void noted.push(ids), logger, intervalMs: 20 });
    const watched = use.watch(find);
    for (const token of ['one', 'one', 'other', 'unknown', 'one']) await watched(token);
    await waitUntil('it is noted', () => noted.length === 1);
    await watched('other');
    await use.close();
    expect(noted).to.deep.equal([[1, 2], [2]]);
  });

  it('fails nobody where it cannot be noted', async () => {
    const use = watchTokenUse({ note: () => Promise.reject(new Error('away')), logger });
    expect(await use.watch(find)('one')).to.equal(grants.get('one'));
    await use.close();
  });
});
