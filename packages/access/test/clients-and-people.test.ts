import { disableCompany } from '@takt/figures/master-data';
import { openedForEach, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { noteTokenUse } from '../src/grants.js';
import {
  changeClientDuties,
  changeClientPermissions,
  changePassword,
  changeUserDuties,
  createAccessToken,
  createApiClient,
  createUser,
  disableApiClient,
  disableUser,
  duties,
  findApiClient,
  grantPassword,
  listAccessTokens,
  listApiClients,
  listUsers,
  PasswordError,
  PidTakenError,
  RedirectUriError,
  renewClientSecret,
  setUserCompanies,
  signIn,
  UnknownNamesError,
} from '../src/index.js';
import { listCompanyCodes } from '../src/names.js';
import { hashToken } from '../src/secrets.js';
import { addClient, addPerson, issuedBy, openAccessPlace, PASSWORD } from './support/access-place.js';

describe('the administration of clients and people', () => {
  const place = openedForEach(openAccessPlace);

  const failureOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'done',
      (error: unknown) => error,
    );

  it('lists clients and people with all their rights, but without secrets', async () => {
    const { clientId, secret } = await createApiClient(place.database, {
      name: 'MES',
      companyCodes: ['TEM-SE', 'TEM-NO', 'TEM-SE'],
      roles: ['integrator'],
      redirectUris: ['https://mes.example/back', 'http://127.0.0.1/back', 'com.example.mes:/back'],
      permissions: ['publish-events', 'production-times'],
    });
    expect(secret).to.match(/^takt_secret_[A-Za-z0-9_-]{43}$/);
    await createApiClient(place.database, { name: 'page', isPublic: true });
    await disableApiClient(place.database, clientId);
    const [client, page] = await listApiClients(place.database);
    expect(client).to.deep.include({
      clientId,
      name: 'MES',
      isPublic: false,
      companyCodes: ['TEM-SE', 'TEM-NO'],
      redirectUris: ['https://mes.example/back', 'http://127.0.0.1/back', 'com.example.mes:/back'],
      permissions: ['production-times', 'publish-events'],
      roles: ['integrator'],
      duties: [],
    });
    expect(client?.disabledAt).to.be.instanceOf(Date);
    expect(page).to.deep.include({ isPublic: true, companyCodes: [], permissions: [], disabledAt: null });
    expect(await findApiClient(place.api.pool, clientId)).to.equal(undefined);
    const wanted = { name: 'Larsen', firstName: 'Kari', companyCodes: ['TEM-NO'], password: PASSWORD };
    const pid = await createUser(place.database, {
      ...wanted,
      roles: ['integrator'],
      duties: ['operate-queues'],
    });
    const [person] = await listUsers(place.database);
    expect(person).to.deep.include({
      pid,
      firstName: 'Kari',
      name: 'Larsen',
      companyCodes: ['TEM-NO'],
      roles: ['integrator'],
      duties: ['operate-queues'],
      disabledAt: null,
    });
    expect(person?.heldDuties).to.have.members([
      'operate-queues',
      'read-production-times',
      'read-planned-times',
      'read-error-messages',
      'read-application-versions',
    ]);
    for (const line of [client, page, person]) {
      expect(line).not.to.have.any.keys('secret', 'password', 'salt', 'sha256');
    }
  });

  it('gives a person the requested PID, or by default the PID after the highest one, from 1001', async () => {
    const wanted = { name: 'Larsen', companyCodes: ['TEM-NO'], password: PASSWORD };
    expect(await createUser(place.database, wanted)).to.equal(1_001);
    expect(await createUser(place.database, { ...wanted, pid: 7 })).to.equal(7);
    expect(await createUser(place.database, { ...wanted, pid: 2_000 })).to.equal(2_000);
    expect(await createUser(place.database, wanted)).to.equal(2_001);
    const taken = await failureOf(createUser(place.database, { ...wanted, pid: 7 }));
    expect(taken).to.be.instanceOf(PidTakenError);
    expect(String(taken)).to.include('PID 7 is taken');
    expect((await listUsers(place.database)).length).to.equal(4);
  });

  it('gives people different PIDs if they are created at the same time', async () => {
    const wanted = { name: 'Larsen', companyCodes: ['TEM-NO'], password: PASSWORD };
    // A lock holds up all five calls until each of them waits for it.
    const locker = await place.database.pool.connect();
    await locker.query('BEGIN; LOCK TABLE takt.users IN SHARE MODE');
    const made = Promise.all(Array.from({ length: 5 }, () => createUser(place.database, wanted)));
    await waitUntil('all wait', async () => {
      const { rows } = await locker.query(
        'SELECT count(*)::integer AS waiting FROM pg_locks WHERE NOT granted',
      );
      return rows[0].waiting === 5;
    });
    await locker.query('COMMIT');
    locker.release();
    expect([...(await made)].sort()).to.deep.equal([1_001, 1_002, 1_003, 1_004, 1_005]);
  });

  it('allows a person to sign in only if the person has access to an enabled company', async () => {
    const pid = await createUser(place.database, { name: 'Larsen', companyCodes: [], password: PASSWORD });
    const outcome = () => signIn(place.api.pool, { pid, password: PASSWORD });
    expect(await outcome()).to.deep.equal({ refused: 'unauthorized_client' });
    expect(await signIn(place.api.pool, { pid, password: 'wrong horse battery' })).to.deep.equal({
      refused: 'invalid_grant',
    });
    await setUserCompanies(place.database, pid, ['TEM-NO']);
    expect(await outcome()).to.have.property('issued');
    expect(await listCompanyCodes(place.database)).to.include('TEM-NO');
    await disableCompany(place.database, 'TEM-NO', true);
    expect(await listCompanyCodes(place.database)).not.to.include('TEM-NO');
    expect(await outcome()).to.deep.equal({ refused: 'unauthorized_client' });
    await disableCompany(place.database, 'TEM-NO', false);
  });

  it('rejects invalid values, and lists the known names if a name is unknown', async () => {
    const person = { name: 'Larsen', companyCodes: ['TEM-NO'], password: PASSWORD };
    const unknown: readonly [() => Promise<unknown>, RegExp][] = [
      [
        () => createUser(place.database, { ...person, companyCodes: ['X'] }),
        /X is not registered \(registered: TEM-DK, TEM/,
      ],
      [
        () => createUser(place.database, { ...person, roles: ['boss'] }),
        /boss is not known \(known: administrator, integrator, operator, p/,
      ],
      [
        () => createUser(place.database, { ...person, duties: ['x', 'y'] }),
        /duties x, y are not known \(known: read-prod/,
      ],
      [
        () => createApiClient(place.database, { name: 'c', companyCodes: ['X'] }),
        /company X is not registered/,
      ],
      [() => createApiClient(place.database, { name: 'c', roles: ['boss'] }), /role boss is not known/],
      [
        () => createApiClient(place.database, { name: 'c', permissions: ['x'] }),
        /permission x is not known \(known: prod/,
      ],
      [() => changeClientPermissions(place.database, 1, { remove: ['x'] }), /permission x is not known/],
      [() => changeClientDuties(place.database, 1, { add: ['x'] }), /duty x is not known/],
      [() => changeUserDuties(place.database, 1, { add: ['x'] }), /duty x is not known/],
      [() => changeClientPermissions(place.database, 1, {}), /client 1 is not registered \(none is\)/],
      [() => changeUserDuties(place.database, 1, {}), /person 1 is not registered \(none is\)/],
      [() => disableApiClient(place.database, 1), /client 1 is not registered/],
      [() => disableUser(place.database, 1), /person 1 is not registered/],
      [() => renewClientSecret(place.database, 1), /client 1 is not registered/],
      [() => changePassword(place.database, 1, PASSWORD), /person 1 is not registered/],
    ];
    for (const [attempt, message] of unknown) {
      const failure = await failureOf(attempt());
      expect(failure).to.be.instanceOf(UnknownNamesError);
      expect(String(failure)).to.match(message);
    }
    for (const password of ['', 'x'.repeat(9), '\u{1f600}'.repeat(9), 'a\u030a'.repeat(9)]) {
      expect(await failureOf(createUser(place.database, { ...person, password }))).to.be.instanceOf(
        PasswordError,
      );
      expect(await failureOf(changePassword(place.database, 1, password))).to.be.instanceOf(PasswordError);
    }
    expect(await failureOf(changePassword(place.database, 1, 'x'.repeat(10)))).to.be.instanceOf(
      UnknownNamesError,
    );
    const uris = [
      '',
      'client.example',
      'http://client.example/',
      'javascript:alert(1)',
      'https://a.example/#b',
      'https://user:secret@a.example/',
      'https://user@a.example/',
      'app:/x',
    ];
    for (const uri of uris) {
      const failure = await failureOf(createApiClient(place.database, { name: 'c', redirectUris: [uri] }));
      expect(failure, uri).to.be.instanceOf(RedirectUriError);
    }
    expect([await listUsers(place.database), await listApiClients(place.database)]).to.deep.equal([[], []]);
  });

  it('stores the built-in roles, whose duties are all known to the program', async () => {
    const { rows } = await place.database.pool.query<{ role: string; duties: string[] }>(
      'SELECT role, duties FROM roles ORDER BY role',
    );
    const rolesByName = Object.fromEntries(rows.map(({ role, duties: held }) => [role, held]));
    const reads = duties.filter((duty) => duty.startsWith('read-'));
    const operator = [...reads.filter((duty) => duty !== 'read-planned-times'), 'operate-queues'];
    expect(rolesByName).to.deep.equal({
      integrator: reads.filter((duty) => duty !== 'read-persons'),
      operator,
      planner: reads,
      'system-operator': [...operator, 'operate-all-companies'],
      administrator: [...operator, 'operate-all-companies', 'manage-access'],
    });
  });

  it('shows the last use of each token', async () => {
    const request = { companyCodes: ['TEM-NO'], expiresInMs: 60_000 };
    const hashes: Buffer[] = [];
    for (const description of ['first', 'second', 'third']) {
      const { token } = await createAccessToken(place.database, { ...request, description });
      hashes.push(hashToken(token));
    }
    const ids = (await listAccessTokens(place.database)).map(({ tokenId }) => tokenId);
    await noteTokenUse(place.api.pool, []);
    await Promise.all([
      noteTokenUse(place.api.pool, [...hashes.slice(0, 2), hashToken('unknown')]),
      noteTokenUse(place.api.pool, hashes.slice(0, 2).reverse()),
    ]);
    // An app of version 1.0.0 still calls this function during an upgrade.
    await place.api.pool.query('SELECT takt.note_token_use($1)', [ids]);
    const used = (await listAccessTokens(place.database)).map(({ lastUsedAt }) => lastUsedAt instanceof Date);
    expect(used).to.deep.equal([true, true, false]);
  });

  it('deletes at most a hundred expired rows with each new token, until none are left', async () => {
    const { pool } = place.api;
    const client = await addClient(place, { isPublic: true });
    const person = await addPerson(place);
    for (let made = 0; made < 3; made += 1) await grantPassword(pool, client, person);
    await place.database.pool.query(`
      INSERT INTO access_tokens (token_sha256, created_at, expires_at)
      SELECT sha256(n::text::bytea), now() - interval '2 days', now() - interval '1 day' FROM generate_series(1, 250) n;
      UPDATE access_tokens SET created_at = now() - interval '1 day', expires_at = now() WHERE kind = 'person';
      UPDATE refresh_tokens SET expires_at = now();
      UPDATE token_families SET expires_at = now();
      INSERT INTO authorization_codes (code_sha256, api_client_id, pid, redirect_uri, code_challenge, expires_at)
      SELECT sha256(n::text::bytea), ${client.clientId}, ${person.pid}, 'u', repeat('A', 43), now() - n * interval '23 hours'
      FROM generate_series(1, 2) n`);
    const count = async () => {
      const { rows } = await place.database.pool.query<Record<string, number>>(`
        SELECT (SELECT count(*) FROM access_tokens)::integer AS access,
          (SELECT count(*) FROM refresh_tokens)::integer AS refresh,
          (SELECT count(*) FROM token_families)::integer AS families,
          (SELECT count(*) FROM authorization_codes)::integer AS codes`);
      return rows[0];
    };
    expect(await count()).to.deep.equal({ access: 253, refresh: 3, families: 3, codes: 2 });
    issuedBy(await signIn(pool, person));
    expect((await count())?.['access']).to.be.within(151, 154);
    for (let made = 0; made < 2; made += 1) issuedBy(await signIn(pool, person));
    expect(await count()).to.deep.equal({ access: 3, refresh: 0, families: 0, codes: 1 });
  });
});
