import { ServiceError } from '@takt/catalogue/errors';
import { expect } from 'chai';
import { type AccessGrant, limitRequests } from '../src/index.js';

const grants = new Map<string, AccessGrant>(
  ['one', 'other'].map((token, index) => [token, grantWith(index + 1)]),
);
const find = async (token: string) => grants.get(token);

function grantWith(tokenId: number): AccessGrant {
  return {
    ...{ tokenId, expiresAt: new Date(), companies: [], clientId: null, pid: null, personName: '' },
    ...{ permissions: 'all', duties: 'all' },
  };
}

describe('The requests with a token', () => {
  const errorOf = (found: Promise<unknown>) =>
    found.then(
      () => undefined,
      (error: unknown) => error,
    );

  it('are refused above the limit per minute, without affecting the requests with other tokens', async () => {
    const limited = limitRequests(find, 3);
    for (let index = 0; index < 3; index += 1) expect(await limited('one')).to.equal(grants.get('one'));
    for (let index = 0; index < 3; index += 1) {
      const error = await errorOf(limited('one'));
      expect(error).to.be.instanceOf(ServiceError).and.to.include({ code: 'tokenBudgetSpent' });
      expect(error).to.have.property('parameters').that.deep.equals(['3']);
    }
    expect(await limited('other')).to.equal(grants.get('other'));
    for (let index = 0; index < 9; index += 1) expect(await limited('unknown')).to.equal(undefined);
  });

  it('are unlimited if no limit is set', () => {
    expect(limitRequests(find, 0)).to.equal(find);
  });
});
