import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { createAccessToken, listAccessTokens, revokeAccessToken } from '../src/index.js';
import { openAccessPlace } from './support/access-place.js';

describe('revokeAccessToken', () => {
  const place = opened(openAccessPlace);

  const readRevocations = async () => {
    const { rows } = await place.database.pool.query<{ revoked_at: Date | null }>(
      'SELECT revoked_at FROM access_tokens ORDER BY access_token_id',
    );
    return rows.map(({ revoked_at }) => revoked_at);
  };

  it('revokes only the given token, and keeps the time of the first revocation', async () => {
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

  it('accepts the id that the list of tokens shows', async () => {
    const request = { companyCodes: ['TEM-SE', 'TEM-NO'], expiresInMs: 60_000, description: 'line 3' };
    const { expiresAt } = await createAccessToken(place.database, request);
    const { tokenId } = (await listAccessTokens(place.database)).at(-1) ?? { tokenId: 0 };
    expect(await revokeAccessToken(place.database, tokenId)).to.equal(true);
    expect(await revokeAccessToken(place.database, tokenId + 1)).to.equal(false);
    const listed = await listAccessTokens(place.database);
    expect(listed.map(({ state }) => state)).to.deep.equal(['revoked', 'valid', 'revoked']);
    expect(listed.at(-1)).to.deep.include({
      tokenId,
      companyCodes: ['TEM-SE', 'TEM-NO'],
      expiresAt,
      description: 'line 3',
    });
  });

  it('keeps the order of the companies, with the default company first, even if the rows have another order', async () => {
    const request = { companyCodes: ['TEM-SE', 'TEM-NO'], expiresInMs: 60_000 };
    await createAccessToken(place.database, request);
    const { tokenId } = (await listAccessTokens(place.database)).at(-1) ?? { tokenId: 0 };
    await place.database.pool.query(
      'UPDATE access_token_companies SET ordinal = ordinal WHERE access_token_id = $1 AND ordinal = 1',
      [tokenId],
    );
    const listed = await listAccessTokens(place.database);
    expect(listed.at(-1)?.companyCodes).to.deep.equal(['TEM-SE', 'TEM-NO']);
    expect(await revokeAccessToken(place.database, tokenId)).to.equal(true);
  });

  it('returns false if a token is malformed or unknown', async () => {
    for (const token of ['', 'takt_x', `takt_${'A'.repeat(43)}`, 'A'.repeat(10_000)]) {
      expect(await revokeAccessToken(place.database, token), token.slice(0, 60)).to.equal(false);
    }
  });
});
