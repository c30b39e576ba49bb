import { disableCompany } from '@takt/figures/master-data';
import { opened, randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import {
  type ClientCredentials,
  disableApiClient,
  disableUser,
  enableApiClient,
  enableUser,
  findAccessToken,
  type GrantResult,
  grantPassword,
  grantRefreshToken,
  type PersonCredentials,
  revokeToken,
} from '../src/index.js';
import { addClient, addPerson, allAtOnce, issuedBy, openAccessPlace } from './support/access-place.js';

const INVALID = { refused: 'invalid_grant' };

describe('a refresh token', () => {
  const place = opened(openAccessPlace);
  /** A public client. It has no secret to check, so a sign-in with it costs only half the work. */
  let client: ClientCredentials;
  let person: PersonCredentials;

  before(async () => {
    client = await addClient(place, { isPublic: true });
    person = await addPerson(place);
  });

  const begin = async () => issuedBy(await grantPassword(place.api.pool, client, person));
  const refresh = (token: string, as = client) => grantRefreshToken(place.api.pool, as, token);
  const isValid = async (token: string) => (await findAccessToken(place.api.pool, token)) !== undefined;

  it('works once and returns the next refresh token, without affecting earlier access tokens', async () => {
    const first = await begin();
    const second = issuedBy(await refresh(first.refreshToken));
    expect(second.refreshToken).not.to.equal(first.refreshToken);
    expect(await Promise.all([first, second].map(({ accessToken }) => isValid(accessToken)))).to.deep.equal([
      true,
      true,
    ]);
    const third = issuedBy(await refresh(second.refreshToken));
    expect(await isValid(third.accessToken)).to.equal(true);
  });

  it('revokes all tokens of its sign-in, and no other tokens, if it is used a second time', async () => {
    const [first, other] = [await begin(), await begin()];
    const second = issuedBy(await refresh(first.refreshToken));
    expect(await refresh(first.refreshToken)).to.deep.equal(INVALID);
    expect(await refresh(second.refreshToken)).to.deep.equal(INVALID);
    expect(await isValid(first.accessToken)).to.equal(false);
    expect(await isValid(second.accessToken)).to.equal(false);
    expect(await isValid(other.accessToken)).to.equal(true);
    expect(issuedBy(await refresh(other.refreshToken)).expiresInS).to.equal(3_600);
  });

  it('works only once, even if many requests use it at the same time', async () => {
    const { accessToken, refreshToken } = await begin();
    const results = await allAtOnce(place, 'SELECT FROM token_families FOR UPDATE', () =>
      refresh(refreshToken),
    );
    const winners = results.filter((result) => 'issued' in result);
    expect(winners.length).to.equal(1);
    expect(results.filter((result) => 'refused' in result)).to.deep.equal([INVALID, INVALID, INVALID]);
    const winner = issuedBy(winners[0] ?? INVALID_RESULT);
    expect(await isValid(winner.accessToken)).to.equal(false);
    expect(await isValid(accessToken)).to.equal(false);
    expect(await refresh(winner.refreshToken)).to.deep.equal(INVALID);
  });

  it('is refused for another client, and remains valid for its own client', async () => {
    const { refreshToken } = await begin();
    const other = await addClient(place);
    expect(await refresh(refreshToken, other)).to.deep.equal(INVALID);
    expect(await refresh(refreshToken, { ...other, secret: 'wrong' })).to.deep.equal({
      refused: 'invalid_client',
    });
    expect(issuedBy(await refresh(refreshToken)).expiresInS).to.equal(3_600);
  });

  it('is refused if it is unknown, an access token, or expired 30 days ago', async () => {
    const { accessToken, refreshToken } = await begin();
    for (const token of [accessToken, '', 'nonsense', `takt_refresh_${'A'.repeat(43)}`]) {
      expect(await refresh(token), token).to.deep.equal(INVALID);
    }
    const { rows } = await place.database.pool.query(
      'SELECT max(expires_at - created_at)::text AS life FROM refresh_tokens',
    );
    expect(rows).to.deep.equal([{ life: '30 days' }]);
    await place.database.pool.query('UPDATE refresh_tokens SET expires_at = now()');
    expect(await refresh(refreshToken)).to.deep.equal(INVALID);
  });

  it('becomes invalid when its client or its person is disabled', async () => {
    const leaving = { client: await addClient(place, { isPublic: true }), person: await addPerson(place) };
    const ofClient = issuedBy(await grantPassword(place.api.pool, leaving.client, person));
    const ofPerson = issuedBy(await grantPassword(place.api.pool, client, leaving.person));
    await disableApiClient(place.database, leaving.client.clientId);
    await disableUser(place.database, leaving.person.pid);
    expect(await refresh(ofClient.refreshToken, leaving.client)).to.deep.equal({ refused: 'invalid_client' });
    expect(await refresh(ofPerson.refreshToken)).to.deep.equal(INVALID);
    // The sign-ins from before do not come back.
    await enableApiClient(place.database, leaving.client.clientId);
    await enableUser(place.database, leaving.person.pid);
    expect(await refresh(ofClient.refreshToken, leaving.client)).to.deep.equal(INVALID);
    expect(await refresh(ofPerson.refreshToken)).to.deep.equal(INVALID);
  });

  it('is refused if the client and the person no longer have a company in common', async () => {
    const moving = await addPerson(place, { companyCodes: ['TEM-SE'] });
    const { refreshToken } = issuedBy(await grantPassword(place.api.pool, client, moving));
    await disableCompany(place.database, 'TEM-SE', true);
    expect(await refresh(refreshToken)).to.deep.equal({ refused: 'unauthorized_client' });
    await disableCompany(place.database, 'TEM-SE', false);
    await place.database.pool.query(
      `UPDATE user_companies SET company_id = (SELECT company_id FROM companies WHERE code = 'TEM-DK') WHERE pid = $1`,
      [moving.pid],
    );
    expect(await refresh(refreshToken)).to.deep.equal(INVALID);
  });

  it(`follows a simple model after any sequence of uses and revocations (seed ${testSeed()})`, async () => {
    const random = randomFrom(testSeed());
    for (let round = 0; round < 8; round += 1) {
      const model = { isRevoked: false, made: [await begin()], used: new Set<string>() };
      for (let step = 0; step < 12; step += 1) {
        const token = random.pick(model.made);
        if (random.below(15) === 0) {
          await revokeToken(place.api.pool, random.pick([token.accessToken, token.refreshToken]));
          model.isRevoked = true;
          continue;
        }
        // Usually uses the newest token, as a client would. If a random walk revoked everything at its second step, it
        // would test little.
        const given = random.below(6) === 0 ? token : (model.made.at(-1) ?? token);
        const result = await refresh(given.refreshToken);
        const mayWork = !model.isRevoked && !model.used.has(given.refreshToken);
        expect('issued' in result, `round ${round} step ${step}`).to.equal(mayWork);
        if (model.used.has(given.refreshToken)) model.isRevoked = true;
        if ('issued' in result) {
          model.used.add(given.refreshToken);
          model.made.push(issuedBy(result));
        }
        for (const { accessToken } of model.made) {
          expect(await isValid(accessToken), `round ${round} step ${step}`).to.equal(!model.isRevoked);
        }
      }
    }
  });
});

const INVALID_RESULT: GrantResult = { refused: 'invalid_grant' };
