import { expect } from 'chai';
import { createAccessToken, revokeAccessToken } from '../src/index.js';
import { type AccessPlace, openAccessPlace } from './support/access-place.js';

describe('revokeAccessToken', () => {
  let place: AccessPlace;

  before(async () => {
    place = await openAccessPlace();
  });
  after(() => place.close());

  const readRevocations = async () => {
    const { rows } = await place.database.pool.query<{ revoked_at: Date | null }>(
      'SELECT revoked_at FROM access_tokens ORDER BY access_token_id',
    );
    return rows.map(({ revoked_at }) => revoked_at);
  };

  it('revokes the one token, and keeps the time of the first revocation', async () => {
    const request = { companyCodes: ['TEM-NO'], expiresInMs: 60_000 };
    const { token } = await createAccessToken(place.database, request);
    await createAccessToken(place.database, request);
    expect(await revokeAccessToken(place.database, token)).to.equal(true);
    const [first, other] = await readRevocations();
    expect(first).to.be.instanceOf(Date);
    expect(other).to.equal(null);
    expect(await revokeAccessToken(place.database, token)).to.equal(true);
    expect(await readRevocations()).to.deep.equal([first, null]);
  });

  it('gives false for what is no token and for a token that nobody made', async () => {
    for (const token of ['', 'takt_x', `takt_${'A'.repeat(43)}`, 'A'.repeat(10_000)]) {
      expect(await revokeAccessToken(place.database, token), token.slice(0, 60)).to.equal(false);
    }
  });
});
