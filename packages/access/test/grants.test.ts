import { opened } from '@takt/test-support';
import { expect } from 'chai';
import {
  findAccessToken,
  findApiClient,
  grantClientCredentials,
  grantPassword,
  grantRefreshToken,
  listAccessTokens,
  revokeToken,
  signIn,
} from '../src/index.js';
import { addClient, addPerson, issuedBy, openAccessPlace, PASSWORD } from './support/access-place.js';

const EVERYTHING_READ = [
  'read-production-times',
  'read-planned-times',
  'read-error-messages',
  'read-application-versions',
  'read-persons',
];

describe('the grants of OAuth', () => {
  const place = opened(openAccessPlace);

  const find = (token: string) => findAccessToken(place.api.pool, token);

  it('give a client its own companies, permissions and duties for an hour', async () => {
    const client = await addClient(place, { roles: ['integrator'], companyCodes: ['TEM-SE', 'TEM-DK'] });
    const issued = issuedBy(await grantClientCredentials(place.api.pool, client));
    expect(issued.refreshToken).to.equal('');
    expect(issued.expiresInS).to.equal(3_600);
    const grant = await find(issued.accessToken);
    expect(grant).to.deep.include({
      clientId: client.clientId,
      pid: null,
      permissions: ['production-times'],
      duties: EVERYTHING_READ.slice(0, 4),
    });
    expect(grant?.companies.map(({ code }) => code)).to.deep.equal(['TEM-SE', 'TEM-DK']);
    expect((grant?.expiresAt.getTime() ?? 0) - Date.now()).to.be.within(3_500_000, 3_600_000);
  });

  it('give a client that acts for a person the duties of the person and their common companies', async () => {
    const client = await addClient(place);
    const person = await addPerson(place, { companyCodes: ['TEM-DK', 'TEM-SE'] });
    const issued = issuedBy(await grantPassword(place.api.pool, client, person));
    const grant = await find(issued.accessToken);
    expect(grant).to.deep.include({
      clientId: client.clientId,
      pid: person.pid,
      permissions: ['production-times'],
      duties: EVERYTHING_READ,
    });
    expect(grant?.companies.map(({ code }) => code)).to.deep.equal(['TEM-SE']);
    const next = issuedBy(await grantRefreshToken(place.api.pool, client, issued.refreshToken));
    expect((await find(next.accessToken))?.pid).to.equal(person.pid);
  });

  it('give a page session only the rights of the person, for 8 hours', async () => {
    const person = await addPerson(place, { roles: [], duties: ['read-error-messages'] });
    const issued = issuedBy(await signIn(place.api.pool, person));
    expect(issued).to.deep.include({ refreshToken: '', expiresInS: 8 * 3_600 });
    expect(await find(issued.accessToken)).to.deep.include({
      clientId: null,
      pid: person.pid,
      permissions: ['production-times', 'error-messages', 'application-versions'],
      duties: ['read-error-messages'],
    });
  });

  it('are refused with the same error if a secret is wrong and if a client or person is unknown', async () => {
    const { pool } = place.api;
    const client = await addClient(place);
    const person = await addPerson(place);
    const wrongSecret = { ...client, secret: `${client.secret}x` };
    const unknownClient = { ...client, clientId: 4_711 };
    const noSecret = { ...client, secret: undefined };
    for (const wrong of [wrongSecret, unknownClient, noSecret]) {
      expect(await grantClientCredentials(pool, wrong)).to.deep.equal({ refused: 'invalid_client' });
      expect(await grantPassword(pool, wrong, person)).to.deep.equal({ refused: 'invalid_client' });
    }
    const wrongPeople = [
      { ...person, password: `${PASSWORD}x` },
      { ...person, pid: 4_711 },
      { ...person, pid: 2 ** 40 },
      { ...person, pid: 1.5 },
    ];
    for (const wrong of wrongPeople) {
      expect(await grantPassword(pool, client, wrong)).to.deep.equal({ refused: 'invalid_grant' });
      expect(await signIn(pool, wrong)).to.deep.equal({ refused: 'invalid_grant' });
    }
  });

  it('let a public client act for people, but never for itself', async () => {
    const { pool } = place.api;
    const client = await addClient(place, { isPublic: true });
    expect(client.secret).to.equal(undefined);
    const person = await addPerson(place);
    expect(await grantClientCredentials(pool, client)).to.deep.equal({ refused: 'unauthorized_client' });
    expect(await grantPassword(pool, { ...client, secret: 'any' }, person)).to.deep.equal({
      refused: 'invalid_client',
    });
    expect(issuedBy(await grantPassword(pool, client, person)).refreshToken).to.match(
      /^takt_refresh_[A-Za-z0-9_-]{43}$/,
    );
    expect(await findApiClient(pool, client.clientId)).to.deep.equal({
      name: 'line display',
      redirectUris: ['https://client.example/signed-in'],
      isPublic: true,
    });
    expect(await findApiClient(pool, 4_711)).to.equal(undefined);
  });

  it('end when the access token or the refresh token is revoked', async () => {
    const { pool } = place.api;
    const client = await addClient(place);
    const person = await addPerson(place);
    for (const kind of ['accessToken', 'refreshToken'] as const) {
      const issued = issuedBy(await grantPassword(pool, client, person));
      await revokeToken(pool, issued[kind]);
      expect(await find(issued.accessToken), kind).to.equal(undefined);
      expect((await listAccessTokens(place.database)).at(-1)?.state, kind).to.equal('revoked');
      expect(await grantRefreshToken(pool, client, issued.refreshToken), kind).to.deep.equal({
        refused: 'invalid_grant',
      });
    }
    await revokeToken(pool, 'nonsense');
    await revokeToken(pool, `takt_${'A'.repeat(43)}`);
  });
});
