import { opened } from '@takt/test-support';
import { expect } from 'chai';
import {
  BeyondLimitsError,
  changeClientDuties,
  changeClientPermissions,
  changePassword,
  changeUserDuties,
  createAccessToken,
  disableApiClient,
  disableUser,
  findAccessToken,
  grantClientCredentials,
  grantPassword,
  grantRefreshToken,
  listAccessTokens,
  renewClientSecret,
  signIn,
} from '../src/index.js';
import { createTokenCache } from '../src/token-decorators.js';
import { addClient, addPerson, allAtOnce, issuedBy, openAccessPlace } from './support/access-place.js';

const READABLE = ['production-times', 'error-messages', 'application-versions'];
const READS_ALL = [
  'read-production-times',
  'read-planned-times',
  'read-error-messages',
  'read-application-versions',
  'read-persons',
];

describe('the rights of a token', () => {
  const place = opened(openAccessPlace);

  const find = (token: string) => findAccessToken(place.api.pool, token);
  const create = async (changes: Partial<Parameters<typeof createAccessToken>[1]> = {}) => {
    const request = { companyCodes: ['TEM-NO'], expiresInMs: 3_600_000, ...changes };
    return (await createAccessToken(place.database, request)).token;
  };

  it('are read-only unless others are chosen when the token is created', async () => {
    expect(await find(await create())).to.deep.include({
      clientId: null,
      pid: null,
      personName: '',
      permissions: READABLE,
      duties: READS_ALL,
    });
    expect(await find(await create({ mayPublish: true }))).to.deep.include({
      permissions: 'all',
      duties: [],
    });
    const duties = ['read-production-times', 'operate-queues'];
    expect(await find(await create({ mayPublish: true, duties }))).to.deep.include({
      permissions: 'all',
      duties,
    });
    expect(await find(await create({ roles: ['planner'], duties: ['operate-queues'] }))).to.deep.include({
      permissions: READABLE,
      duties: [...READS_ALL, 'operate-queues'],
    });
  });

  it('are unchanged if the token was created before tokens had rights of their own', async () => {
    const token = await create({ mayPublish: true });
    await place.database.pool.query(
      'UPDATE access_tokens SET duties = NULL WHERE token_sha256 = sha256($1)',
      [token],
    );
    expect(await find(token)).to.deep.include({ permissions: 'all', duties: 'all' });
  });

  it('are limited by the rights of the client, by the duties of the person and by the duties of the token', async () => {
    const client = await addClient(place, { permissions: ['error-messages', 'publish-events'] });
    const { pid } = await addPerson(place, { roles: ['operator'] });
    const [clientId, duties] = [client.clientId, ['operate-queues']];
    const operator = [
      'read-production-times',
      'read-error-messages',
      'read-application-versions',
      'read-persons',
      'operate-queues',
    ];
    const permitted = ['error-messages', 'publish-events'];
    expect(await find(await create({ clientId }))).to.deep.include({
      permissions: permitted,
      duties: READS_ALL,
    });
    expect(await find(await create({ clientId, mayPublish: true }))).to.deep.include({
      permissions: permitted,
      duties: [],
    });
    expect(await find(await create({ pid, mayPublish: true }))).to.deep.include({ duties: operator });
    expect(await find(await create({ pid }))).to.deep.include({ permissions: READABLE, duties: operator });
    expect(await find(await create({ duties }))).to.deep.include({ permissions: READABLE, duties });
    expect(await find(await create({ clientId, pid, duties }))).to.deep.include({
      permissions: permitted,
      duties,
    });
  });

  it('include added rights from the next look-up, and end if the client or the person has fewer', async () => {
    const client = await addClient(place, { permissions: [], roles: ['integrator'] });
    const person = await addPerson(place, { roles: [] });
    const ofClient = issuedBy(await grantClientCredentials(place.api.pool, client)).accessToken;
    const ofPerson = issuedBy(await grantPassword(place.api.pool, client, person)).accessToken;
    expect(await find(ofPerson)).to.deep.include({ permissions: [], duties: [] });
    await changeClientPermissions(place.database, client.clientId, { add: ['error-messages'] });
    await changeUserDuties(place.database, person.pid, { add: ['read-persons', 'read-planned-times'] });
    await changeClientDuties(place.database, client.clientId, { add: ['operate-queues'] });
    expect(await find(ofPerson)).to.deep.include({
      permissions: ['error-messages'],
      duties: ['read-planned-times', 'read-persons'],
    });
    expect((await find(ofClient))?.duties).to.include.members(['operate-queues', 'read-planned-times']);
    const left = await changeUserDuties(place.database, person.pid, { remove: ['read-persons'] });
    expect(left).to.deep.equal(['read-planned-times']);
    expect(await find(ofPerson)).to.equal(undefined);
    await changeUserDuties(place.database, person.pid, { add: ['read-persons'] });
    expect(await find(ofPerson), 'given back').to.equal(undefined);
    expect(await find(ofClient)).not.to.equal(undefined);
    await changeClientDuties(place.database, client.clientId, { remove: ['operate-queues'] });
    expect(await find(ofClient)).to.equal(undefined);
    const again = issuedBy(await grantPassword(place.api.pool, client, person)).accessToken;
    await place.database.pool.query(`UPDATE users SET duties = duties || '{a-duty-of-tomorrow}'::text[]`);
    expect((await find(again))?.duties).to.deep.equal(['read-planned-times', 'read-persons']);
    await changeClientPermissions(place.database, client.clientId, { remove: ['error-messages'] });
    expect(await find(again)).to.equal(undefined);
    const last = issuedBy(await grantClientCredentials(place.api.pool, client)).accessToken;
    await renewClientSecret(place.database, client.clientId);
    expect(await find(last), 'with an old secret').to.equal(undefined);
  });

  it('no longer include a company that the client or the person has lost', async () => {
    const client = await addClient(place, { companyCodes: [] });
    const person = await addPerson(place, { companyCodes: ['TEM-SE', 'TEM-NO'] });
    const granted = issuedBy(await grantPassword(place.api.pool, client, person)).accessToken;
    const request = { ...client, ...person, companyCodes: ['TEM-SE', 'TEM-NO'], expiresInMs: 60_000 };
    const { token } = await createAccessToken(place.database, request);
    const codes = async () => (await find(token))?.companies.map(({ code }) => code);
    expect(await codes()).to.deep.equal(['TEM-SE', 'TEM-NO']);
    await place.database.pool.query('DELETE FROM user_companies WHERE pid = $1 AND ordinal = 1', [
      person.pid,
    ]);
    expect(await codes()).to.deep.equal(['TEM-NO']);
    expect(await find(granted), 'a grant').to.equal(undefined);
    await place.database.pool.query(
      `INSERT INTO api_client_companies SELECT $1, 1, company_id FROM companies WHERE code = 'TEM-SE'`,
      [client.clientId],
    );
    expect(await codes()).to.equal(undefined);
    const acting = await addClient(place);
    const ofClient = issuedBy(await grantClientCredentials(place.api.pool, acting)).accessToken;
    expect((await find(ofClient))?.companies.length).to.equal(2);
    await place.database.pool.query('DELETE FROM api_client_companies WHERE api_client_id = $1', [
      acting.clientId,
    ]);
    expect(await find(ofClient)).to.equal(undefined);
  });

  it('end within 5 s after the client or the person was disabled, despite the cache', async () => {
    const client = await addClient(place);
    const [person, other] = [await addPerson(place), await addPerson(place)];
    const { pool } = place.api;
    let clockMs = Date.now();
    const remembered = createTokenCache((token) => findAccessToken(pool, token), { now: () => clockMs });
    const tokens = {
      ofClient: issuedBy(await grantClientCredentials(pool, client)).accessToken,
      ofPerson: issuedBy(await grantPassword(pool, client, person)).accessToken,
      ofPage: issuedBy(await signIn(pool, person)).accessToken,
      fromCommandLine: await create({ clientId: client.clientId }),
      ofAnother: issuedBy(await signIn(pool, other)).accessToken,
    };
    const valid = async () => {
      clockMs += 5_000;
      const entries = Object.entries(tokens);
      const grants = await Promise.all(entries.map(([, token]) => remembered(token)));
      return entries.filter((_, index) => grants[index] !== undefined).map(([name]) => name);
    };
    expect(await valid()).to.deep.equal(Object.keys(tokens));
    await disableUser(place.database, person.pid);
    expect(await valid()).to.deep.equal(['ofClient', 'fromCommandLine', 'ofAnother']);
    await disableApiClient(place.database, client.clientId);
    expect(await valid()).to.deep.equal(['ofAnother']);
    expect(await grantClientCredentials(pool, client)).to.deep.equal({ refused: 'invalid_client' });
    expect(await signIn(pool, person)).to.deep.equal({ refused: 'invalid_grant' });
    const states = (await listAccessTokens(place.database)).slice(-5).map(({ state }) => state);
    expect(states.filter((state) => state === 'disabled').length).to.equal(4);
  });

  it('end when the password or the secret for which the token was issued changes', async () => {
    const { pool } = place.api;
    const client = await addClient(place);
    const person = await addPerson(place);
    const signedIn = issuedBy(await grantPassword(pool, client, person));
    const session = issuedBy(await signIn(pool, person));
    await changePassword(place.database, person.pid, 'another password');
    expect(await find(signedIn.accessToken)).to.equal(undefined);
    expect(await find(session.accessToken)).to.equal(undefined);
    expect(await grantRefreshToken(pool, client, signedIn.refreshToken)).to.deep.equal({
      refused: 'invalid_grant',
    });
    expect(await signIn(pool, person)).to.deep.equal({ refused: 'invalid_grant' });
    expect(issuedBy(await signIn(pool, { ...person, password: 'another password' })).expiresInS).to.equal(
      28_800,
    );
    const secret = await renewClientSecret(place.database, client.clientId);
    expect(await grantClientCredentials(pool, client)).to.deep.equal({ refused: 'invalid_client' });
    expect(issuedBy(await grantClientCredentials(pool, { ...client, secret })).expiresInS).to.equal(3_600);
  });

  it('are not granted for a password that is changed during the sign-in', async () => {
    const person = await addPerson(place);
    const results = await allAtOnce(
      place,
      `UPDATE users SET password.sha256 = sha256('another') WHERE pid = ${person.pid}`,
      () => signIn(place.api.pool, person),
    );
    expect(results).to.deep.equal(results.map(() => ({ refused: 'invalid_grant' })));
  });

  it('are refused for a wrong password without a write to the database', async () => {
    const { pid } = await addPerson(place);
    const hasWritten = async (person: number, proof: Buffer) => {
      const client = await place.database.pool.connect();
      await client.query('BEGIN');
      await client.query('SELECT takt.is_person($1, $2)', [person, proof]);
      const { rows } = await client.query<{ has: boolean }>(
        'SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS has',
      );
      await client.query('ROLLBACK');
      client.release();
      return rows[0]?.has;
    };
    expect([
      await hasWritten(pid, Buffer.from('wrong')),
      await hasWritten(4_711, Buffer.from('wrong')),
    ]).to.deep.equal([false, false]);
    // The database stores the SHA-256 hash of the value that a correct password yields.
    await place.database.pool.query('UPDATE users SET password.sha256 = sha256($2) WHERE pid = $1', [
      pid,
      Buffer.from('right'),
    ]);
    expect(await hasWritten(pid, Buffer.from('right'))).to.equal(true);
  });

  it('cannot exceed the rights of the client or of the person', async () => {
    const client = await addClient(place, { companyCodes: ['TEM-NO'] });
    const { pid } = await addPerson(place, { roles: [], duties: ['read-persons'] });
    const { clientId } = client;
    const refusals: readonly [Parameters<typeof create>[0], RegExp][] = [
      [{ clientId, companyCodes: ['TEM-NO', 'TEM-SE'] }, /is not for TEM-SE, only: TEM-NO$/],
      [{ clientId, mayPublish: true }, /is not permitted to publish-events, only: production-times$/],
      [{ pid, companyCodes: ['TEM-SE'] }, /does not work for TEM-SE, only: TEM-NO$/],
      [{ pid, duties: ['operate-queues'] }, /is not trusted with operate-queues, only: read-persons$/],
      [{ pid, roles: ['operator'] }, /is not trusted with operate-queues, read-.*, only: read-persons$/],
    ];
    for (const [request, message] of refusals) {
      const refusal = await create(request).catch((error: unknown) => error);
      expect(refusal).to.be.instanceOf(BeyondLimitsError);
      expect(String(refusal)).to.match(message);
    }
  });
});
