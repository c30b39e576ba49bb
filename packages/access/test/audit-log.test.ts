import { createHash } from 'node:crypto';
import { openDatabase } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import {
  addCompany,
  changeTimeZone,
  disableCompany,
  renameCompany,
  setTimeUnit,
} from '@takt/figures/master-data';
import { openedForEach, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import {
  type AccessChange,
  administer,
  changePassword,
  changeUserDuties,
  changeUserRoles,
  createAccessToken,
  createApiClient,
  createOpeningCode,
  createUser,
  findAccessToken,
  grantPassword,
  grantRefreshToken,
  listAccessTokens,
  listAuditEntries,
  listUsers,
  noteOperatorEntry,
  renewClientSecret,
  revokeAccessToken,
  revokeToken,
  setUserCompanies,
  signIn,
} from '../src/index.js';
import { addClient, issuedBy, PASSWORD } from './support/access-place.js';

async function openPlace() {
  const { url, appUrl, database: owner, close } = await createTestDatabase();
  await addCompany(owner, 'TEM-NO', 'Tempus Norge');
  await addCompany(owner, 'TEM-SE', 'Tempus Sverige');
  const database = openDatabase({
    url,
    applicationName: 'takt access test',
    settings: { 'takt.actor': 'nora at the command line' },
  });
  const dashboard = openDatabase({ url: appUrl('dashboard'), applicationName: 'takt access test' });
  return {
    database,
    dashboard,
    close: async () => {
      await Promise.all([database.close(), dashboard.close()]);
      await close();
    },
  };
}

describe('the audit log', () => {
  const place = openedForEach(openPlace);

  const entries = async () =>
    (await listAuditEntries(place.database.pool, { limit: 100 }))
      .map(({ actor, action, subject, details }) => ({ actor, action, subject, details }))
      .reverse();
  const addPerson = (name: string, roles: readonly string[], firstName?: string) =>
    createUser(place.database, {
      ...{ name, roles, companyCodes: ['TEM-NO'], password: PASSWORD },
      ...(firstName !== undefined && { firstName }),
    });
  const sessionOf = async (pid: number) =>
    issuedBy(await signIn(place.database.pool, { pid, password: PASSWORD })).accessToken;

  it('records who changed a person, a client, a token or a company, with both the old and the new values', async () => {
    const { database } = place;
    const before = (await entries()).length;
    const pid = await addPerson('Nilsen', ['planner'], 'Nora');
    await changeUserRoles(database, pid, { add: ['operator'], remove: ['planner'] });
    await changeUserDuties(database, pid, { add: ['read-planned-times'] });
    await changeUserDuties(database, pid, { add: ['read-planned-times'] });
    await setUserCompanies(database, pid, ['TEM-SE', 'TEM-NO']);
    await changePassword(database, pid, 'another horse battery');
    const { clientId } = await createApiClient(database, { name: 'MES', companyCodes: ['TEM-SE'] });
    await renewClientSecret(database, clientId);
    const { token } = await createAccessToken(database, {
      ...{ companyCodes: ['TEM-NO'], expiresInMs: 60_000, mayPublish: true, description: 'line 3' },
    });
    await revokeAccessToken(database, token);
    await revokeAccessToken(database, token);
    await renameCompany(database, 'TEM-SE', 'Sweden');
    await changeTimeZone(database.pool, { database: 'TEM-SE', timeZone: 'Europe/Stockholm' });
    await setTimeUnit(database, 'TEM-SE', 'min');
    const noted = (await entries()).slice(before);
    expect(new Set(noted.map(({ actor }) => actor))).to.deep.equal(new Set(['nora at the command line']));
    const nora = `person ${pid} Nora Nilsen`;
    const tokenId = (await listAccessTokens(database))[0]?.tokenId;
    const expiresAt = noted.find(({ action }) => action === 'token-added')?.details['expires_at'];
    expect(noted.map(({ action, subject, details }) => [action, subject, details])).to.deep.equal([
      [
        ...['person-added', nora],
        { first_name: 'Nora', name: 'Nilsen', roles: ['planner'], companies: ['TEM-NO'] },
      ],
      ['person-changed', nora, { roles: { from: ['planner'], to: ['operator'] } }],
      ['person-changed', nora, { duties: { from: [], to: ['read-planned-times'] } }],
      ['person-changed', nora, { companies: { from: ['TEM-NO'], to: ['TEM-SE', 'TEM-NO'] } }],
      ['person-changed', nora, { password: 'renewed' }],
      ['client-added', `client ${clientId} MES`, { name: 'MES', companies: ['TEM-SE'] }],
      ['client-changed', `client ${clientId} MES`, { secret: 'renewed' }],
      [
        ...['token-added', `token ${tokenId}`],
        { description: 'line 3', may_publish: true, companies: ['TEM-NO'], expires_at: expiresAt },
      ],
      ['token-revoked', `token ${tokenId}`, { description: 'line 3' }],
      ['company-changed', 'company TEM-SE', { name: { from: 'Tempus Sverige', to: 'Sweden' } }],
      ['company-changed', 'company TEM-SE', { time_zone: { from: 'UTC', to: 'Europe/Stockholm' } }],
      ['company-changed', 'company TEM-SE', { time_unit: { from: 'h', to: 'min' } }],
    ]);
    expect(expiresAt).to.be.a('string');
  });

  it('contains no password, no secret, no token and no part of these', async () => {
    const { database } = place;
    const pid = await addPerson('Nilsen', ['planner']);
    await changePassword(database, pid, 'another horse battery');
    const { clientId, secret = '' } = await createApiClient(database, {
      name: 'MES',
      companyCodes: ['TEM-SE'],
    });
    const renewed = await renewClientSecret(database, clientId);
    const { token } = await createAccessToken(database, { companyCodes: ['TEM-NO'], expiresInMs: 60_000 });
    await revokeAccessToken(database, token);
    const { rows } = await database.pool.query<{ kept: string }>(
      `SELECT encode((password).sha256, 'hex') AS kept FROM takt.users
       UNION ALL SELECT encode((secret).sha256, 'hex') FROM takt.api_clients
       UNION ALL SELECT encode(secret_sha256, 'hex') FROM takt.api_clients
       UNION ALL SELECT encode(token_sha256, 'hex') FROM takt.access_tokens`,
    );
    const log = JSON.stringify(await listAuditEntries(database.pool, { limit: 100 }));
    const secrets = [
      PASSWORD,
      'another horse battery',
      secret,
      renewed,
      token,
      ...rows.map(({ kept }) => kept),
    ];
    expect(secrets.filter((one) => one === '' || log.includes(one))).to.deep.equal([]);
  });

  it('does not record sign-ins, nor tokens that are issued to clients', async () => {
    const pid = await addPerson('Nilsen', ['planner']);
    const client = await addClient({ ...place, url: '', api: place.database });
    const before = (await entries()).length;
    const session = await sessionOf(pid);
    const { accessToken } = issuedBy(
      await grantPassword(place.database.pool, client, { pid, password: PASSWORD }),
    );
    await revokeToken(place.database.pool, session);
    await revokeToken(place.database.pool, accessToken);
    expect((await entries()).slice(before)).to.deep.equal([]);
  });

  it('records a token that its holder revokes, and a code that opens a session', async () => {
    const { database } = place;
    const pid = await addPerson('Nilsen', ['planner']);
    const before = (await entries()).length;
    const { token } = await createAccessToken(database, {
      companyCodes: ['TEM-NO'],
      pid,
      expiresInMs: 60_000,
    });
    await revokeToken(database.pool, token);
    await revokeToken(database.pool, token);
    await createOpeningCode(database, pid);
    const noted = (await entries())
      .slice(before)
      .map(({ actor, action, subject }) => [actor, action, subject]);
    const { tokenId } = (await listAccessTokens(database)).find((one) => one.pid === pid) ?? {};
    expect(noted).to.deep.equal([
      ['nora at the command line', 'token-added', `token ${tokenId}`],
      [`PID ${pid} Nilsen`, 'token-revoked', `token ${tokenId}`],
      ['nora at the command line', 'opening-code-created', `person ${pid} Nilsen`],
    ]);
  });

  it('records each change of rights in SQL, with the log-in that made it', async () => {
    const { database } = place;
    const pid = await addPerson('Nilsen', ['planner']);
    const { clientId } = await createApiClient(database, { name: 'MES', companyCodes: ['TEM-NO'] });
    const request = { companyCodes: ['TEM-NO', 'TEM-SE'], expiresInMs: 3_600_000 };
    await createAccessToken(database, request);
    const tokenId = (await listAccessTokens(database))[0]?.tokenId;
    const before = (await entries()).length;
    const { rows } = await database.pool.query<{ id: number }>(
      "SELECT company_id AS id FROM takt.companies WHERE code = 'TEM-SE'",
    );
    const sweden = rows[0]?.id;
    for (const statement of [
      `INSERT INTO takt.user_companies VALUES (${pid}, 2, ${sweden})`,
      `UPDATE takt.user_companies SET ordinal = 3 WHERE pid = ${pid} AND ordinal = 2`,
      `DELETE FROM takt.user_companies WHERE pid = ${pid} AND ordinal = 3`,
      `UPDATE takt.api_client_companies SET company_id = ${sweden} WHERE api_client_id = ${clientId}`,
      `DELETE FROM takt.access_token_companies WHERE access_token_id = ${tokenId} AND ordinal = 2`,
      `UPDATE takt.access_tokens SET may_publish = true WHERE access_token_id = ${tokenId}`,
      `UPDATE takt.api_clients SET secret_sha256 = sha256('other') WHERE api_client_id = ${clientId}`,
      "UPDATE takt.roles SET duties = '{operate-queues}' WHERE role = 'planner'",
      "UPDATE takt.roles SET role = 'designer' WHERE role = 'integrator'",
      "INSERT INTO takt.roles VALUES ('guest', '{}', 'reads nothing')",
      "DELETE FROM takt.roles WHERE role = 'guest'",
      `DELETE FROM takt.access_tokens WHERE access_token_id = ${tokenId}`,
      `DELETE FROM takt.users WHERE pid = ${pid}`,
      `DELETE FROM takt.api_clients WHERE api_client_id = ${clientId}`,
    ]) {
      await database.pool.query(statement);
    }
    const noted = (await entries()).slice(before);
    const planner = noted.find(({ action }) => action === 'role-changed')?.details['duties'];
    const [person, client, token] = [`person ${pid} Nilsen`, `client ${clientId} MES`, `token ${tokenId}`];
    const company = (from: string | null, to: string | null) => ({ company: { from, to } });
    expect(noted.map(({ action, subject, details }) => [action, subject, details])).to.deep.equal([
      ['person-changed', person, company(null, 'TEM-SE')],
      ['person-changed', person, company('TEM-SE', 'TEM-SE')],
      ['person-changed', person, company('TEM-SE', null)],
      ['client-changed', client, company('TEM-NO', 'TEM-SE')],
      ['token-changed', token, company('TEM-SE', null)],
      ['token-changed', token, { may_publish: { from: false, to: true } }],
      ['client-changed', client, { secret_sha256: 'renewed' }],
      ['role-changed', 'role planner', { duties: planner }],
      ['role-changed', 'role designer', { role: { from: 'integrator', to: 'designer' } }],
      ['role-added', 'role guest', { role: 'guest', description: 'reads nothing' }],
      ['role-removed', 'role guest', {}],
      ['token-removed', token, {}],
      ['person-removed', person, {}],
      ['client-removed', client, {}],
    ]);
    expect(planner).to.deep.include({ to: ['operate-queues'] });
    const [one, other] = [await addPerson('Olsen', []), await addPerson('Moe', [])];
    await database.pool.query('DELETE FROM takt.user_companies WHERE pid = $1', [other]);
    const moved = database.pool.query('UPDATE takt.user_companies SET pid = $2 WHERE pid = $1', [one, other]);
    expect(await moved.catch(String)).to.include('cannot be given to another owner');
  });

  it('can be searched, and is read page by page', async () => {
    await addPerson('Nilsen', ['planner']);
    await addPerson('Berg', ['operator']);
    const { pool } = place.database;
    const found = await listAuditEntries(pool, { limit: 10, text: 'NILSEN' });
    expect(found.map(({ subject }) => subject)).to.deep.equal(['person 1001 Nilsen']);
    for (const text of ['PERSON-ADDED', 'command line']) {
      const [berg, nilsen] = await listAuditEntries(pool, { limit: 10, text });
      expect([berg?.subject, nilsen?.subject], text).to.deep.equal([
        'person 1002 Berg',
        'person 1001 Nilsen',
      ]);
    }
    const [newest, ...others] = await listAuditEntries(pool, { limit: 100 });
    const next = await listAuditEntries(pool, { limit: 2, beforeId: newest?.entryId ?? 0 });
    expect(next).to.deep.equal(others.slice(0, 2));
  });

  describe('of changes on the dashboard', () => {
    const change = (token: string, wanted: AccessChange) => administer(place.dashboard.pool, token, wanted);

    it('names the administrator who made a change', async () => {
      const administrator = await addPerson('Berg', ['administrator'], 'Bo');
      const pid = await addPerson('Nilsen', ['planner']);
      const others = await Promise.all(
        ['planner', 'operator', 'system-operator'].map((role) => addPerson(role, [role]).then(sessionOf)),
      );
      const { token: ofNobody } = await createAccessToken(place.database, {
        ...{ companyCodes: ['TEM-NO', 'TEM-SE'], expiresInMs: 60_000 },
      });
      const wanted: AccessChange = { kind: 'set-person-companies', id: pid, companyCodes: ['TEM-SE'] };
      const before = (await entries()).length;
      for (const token of [...others, ofNobody, 'takt_unknown']) {
        expect(await change(token, wanted)).to.equal('not-allowed');
      }
      expect((await entries()).slice(before)).to.deep.equal([]);
      const token = await sessionOf(administrator);
      const before2 = await sessionOf(pid);
      expect(await change(token, wanted)).to.equal(undefined);
      expect(await change(token, { kind: 'disable-person', id: pid })).to.equal(undefined);
      expect(await findAccessToken(place.database.pool, before2)).to.equal(undefined);
      expect(await change(token, { kind: 'enable-person', id: pid })).to.equal(undefined);
      expect(await findAccessToken(place.database.pool, before2)).to.equal(undefined);
      expect(await listUsers(place.dashboard)).to.deep.equal(await listUsers(place.database));
      const noted = (await entries()).slice(before);
      expect(noted.map(({ actor, action }) => [actor, action])).to.deep.equal([
        [`PID ${administrator} Bo Berg`, 'person-changed'],
        [`PID ${administrator} Bo Berg`, 'person-changed'],
        [`PID ${administrator} Bo Berg`, 'person-changed'],
      ]);
      expect(noted[0]?.details).to.deep.equal({ companies: { from: ['TEM-NO'], to: ['TEM-SE'] } });
    });

    it('records the changes of clients and tokens', async () => {
      const administrator = await addPerson('Berg', ['administrator']);
      const token = await sessionOf(administrator);
      const { clientId } = await addClient({ ...place, url: '', api: place.database });
      const { token: other } = await createAccessToken(place.database, {
        ...{ companyCodes: ['TEM-NO'], expiresInMs: 60_000 },
      });
      const tokenId = (await listAccessTokens(place.dashboard)).find(
        ({ kind }) => kind === 'command-line',
      )?.tokenId;
      expect(await change(token, { kind: 'disable-client', id: clientId })).to.equal(undefined);
      expect(await change(token, { kind: 'enable-client', id: clientId })).to.equal(undefined);
      expect(await change(token, { kind: 'revoke-token', id: tokenId ?? 0 })).to.equal(undefined);
      expect(await findAccessToken(place.database.pool, other)).to.equal(undefined);
      expect(await change(token, { kind: 'revoke-token', id: 999_999 })).to.equal('unknown');
      expect(await change(token, { kind: 'disable-client', id: 999_999 })).to.equal('unknown');
      expect(await change(token, { kind: 'disable-person', id: 999_999 })).to.equal('unknown');
      expect(await change(token, { kind: 'disable-person', id: administrator })).to.equal('yourself');
      const noCompany: AccessChange = {
        kind: 'set-person-companies',
        id: administrator,
        companyCodes: ['TEM-SE'],
      };
      expect(await change(token, noCompany)).to.equal('yourself');
      const actions = (await entries()).slice(-3).map(({ action }) => action);
      expect(actions).to.deep.equal(['client-changed', 'client-changed', 'token-revoked']);
    });

    it('reaches only people, clients and tokens of the own companies, without the duty for all companies', async () => {
      const [no, both, se] = [['TEM-NO'], ['TEM-NO', 'TEM-SE'], ['TEM-SE']];
      const add = (companyCodes: readonly string[], duties: readonly string[] = ['read-error-messages']) =>
        createUser(place.database, { name: 'Somebody', companyCodes, duties, password: PASSWORD });
      const client = async (companyCodes: readonly string[]) =>
        (await createApiClient(place.database, { name: 'one', companyCodes })).clientId;
      const tokenId = async (companyCodes: readonly string[]) => {
        await createAccessToken(place.database, { companyCodes, expiresInMs: 60_000 });
        return (await listAccessTokens(place.database)).reduce(
          (last, token) => Math.max(last, token.tokenId),
          0,
        );
      };
      const tokenOf = async (pid: number) => {
        await createAccessToken(place.database, { companyCodes: no, pid, expiresInMs: 60_000 });
        return (await listAccessTokens(place.database)).find((token) => token.pid === pid)?.tokenId ?? 0;
      };
      /** Returns a token for one company, whose sign-in has a newer token for two. */
      const olderTokenOfFamily = async () => {
        const { pool } = place.database;
        const app = await addClient({ ...place, url: '', api: place.database }, { companyCodes: both });
        const pid = await add(no);
        const issued = issuedBy(await grantPassword(pool, app, { pid, password: PASSWORD }));
        await setUserCompanies(place.database, pid, both);
        const newer = issuedBy(await grantRefreshToken(pool, app, issued.refreshToken));
        expect((await findAccessToken(pool, newer.accessToken))?.companies).to.have.length(2);
        return (await findAccessToken(pool, issued.accessToken))?.tokenId ?? 0;
      };
      const manager = await sessionOf(await add(no, ['manage-access']));
      const operator = await sessionOf(await add(no, ['manage-access', 'operate-all-companies']));
      const given = (id: number, companyCodes: readonly string[]): AccessChange => ({
        ...{ kind: 'set-person-companies', id, companyCodes },
      });
      const own: readonly AccessChange[] = [
        { kind: 'disable-person', id: await add(no) },
        { kind: 'disable-client', id: await client(no) },
        { kind: 'revoke-token', id: await tokenId(no) },
        given(await add(no), no),
      ];
      const foreign: readonly AccessChange[] = [
        { kind: 'disable-person', id: await add(both) },
        { kind: 'enable-person', id: await add(se) },
        { kind: 'disable-person', id: await add(no, ['operate-all-companies']) },
        { kind: 'disable-client', id: await client(both) },
        { kind: 'disable-client', id: await client([]) },
        { kind: 'enable-client', id: await client(se) },
        { kind: 'revoke-token', id: await tokenId(both) },
        { kind: 'revoke-token', id: await tokenId(se) },
        { kind: 'revoke-token', id: await tokenOf(await add(no, ['operate-all-companies'])) },
        { kind: 'revoke-token', id: await olderTokenOfFamily() },
        { kind: 'enable-person', id: await add([]) },
        given(await add([]), no),
        given(await add(no), both),
        given(await add(no), se),
        given(await add(both), no),
      ];
      const before = (await entries()).length;
      for (const wanted of foreign) {
        expect(await change(manager, wanted), JSON.stringify(wanted)).to.equal('other-companies');
      }
      expect((await entries()).slice(before)).to.deep.equal([]);
      for (const wanted of own)
        expect(await change(manager, wanted), JSON.stringify(wanted)).to.equal(undefined);
      for (const wanted of foreign)
        expect(await change(operator, wanted), JSON.stringify(wanted)).to.equal(undefined);
    });

    it('reaches only the companies that the administrator still has after a wait', async () => {
      const add = (companyCodes: readonly string[], duties: readonly string[]) =>
        createUser(place.database, { name: 'Somebody', companyCodes, duties, password: PASSWORD });
      const manager = await add(['TEM-NO', 'TEM-SE'], ['manage-access']);
      const request = { companyCodes: ['TEM-NO', 'TEM-SE'], pid: manager, expiresInMs: 60_000 };
      const { token } = await createAccessToken(place.database, request);
      const victim = await add(['TEM-SE'], []);
      const session = await place.database.pool.connect();
      await session.query('BEGIN');
      await session.query('SELECT FROM takt.users WHERE pid = $1 FOR UPDATE', [victim]);
      const changing = change(token, { kind: 'disable-person', id: victim });
      await waitUntil('the change waits', async () => {
        return (
          ((await place.database.pool.query('SELECT FROM pg_locks WHERE NOT granted')).rowCount ?? 0) > 0
        );
      });
      await setUserCompanies(place.database, manager, ['TEM-NO']);
      await session.query('COMMIT');
      session.release();
      expect(await changing).to.equal('other-companies');
    });

    it('names the administrator even if the log-in of the app sets another actor, and takes no entries of rights', async () => {
      const planner = await addPerson('Dahl', ['planner']);
      const administrator = await addPerson('Berg', ['administrator'], 'Bo');
      const token = await sessionOf(administrator);
      const session = await place.dashboard.pool.connect();
      const hash = createHash('sha256').update(token).digest();
      await session.query('BEGIN');
      await session.query("SELECT takt.administer($1, 'disable-person', $2)", [hash, planner]);
      await session.query("SET LOCAL takt.actor = 'somebody else'");
      await session.query('COMMIT');
      session.release();
      expect((await entries()).at(-1)).to.include({
        ...{
          actor: `PID ${administrator} Bo Berg`,
          action: 'person-changed',
          subject: `person ${planner} Dahl`,
        },
      });
      const forged = place.dashboard.pool.query(
        "SELECT takt.note_audit_of($1, 'person-changed', 'x', '{}')",
        [hash],
      );
      expect(await forged.catch(String)).to.include('is not of an operator');
    });

    it('has no entry of a client that acts for an administrator, because clients cannot make such changes', async () => {
      const administrator = await addPerson('Berg', ['administrator']);
      const client = await addClient({ ...place, url: '', api: place.database });
      const { accessToken } = issuedBy(
        await grantPassword(place.database.pool, client, { pid: administrator, password: PASSWORD }),
      );
      const { clientId } = client;
      expect(await change(accessToken, { kind: 'disable-client', id: clientId })).to.equal('not-allowed');
    });

    it('names the person or the token that retried rejected events', async () => {
      const operator = await addPerson('Berg', ['operator'], 'Bo');
      const { token: ofNobody } = await createAccessToken(place.database, {
        ...{ companyCodes: ['TEM-NO'], expiresInMs: 60_000 },
      });
      const tokenId = (await listAccessTokens(place.database)).at(-1)?.tokenId;
      const token = await sessionOf(operator);
      await revokeToken(place.database.pool, token);
      const before = (await entries()).length;
      const entry = {
        action: 'rejected-retried',
        subject: '3 rejected events',
        details: { run: 'x' },
      } as const;
      for (const one of [token, ofNobody, 'takt_unknown']) {
        await noteOperatorEntry(place.dashboard.pool, one, entry);
      }
      expect((await entries()).slice(before)).to.deep.equal([
        { actor: `PID ${operator} Bo Berg`, ...entry },
        { actor: `token ${tokenId}`, ...entry },
      ]);
    });
  });

  it('records that a company was disabled and later enabled again', async () => {
    const { database } = place;
    const { token } = await createAccessToken(database, {
      companyCodes: ['TEM-NO', 'TEM-SE'],
      expiresInMs: 60_000,
    });
    const companies = async () =>
      (await findAccessToken(database.pool, token))?.companies.map(({ code }) => code);
    await disableCompany(database, 'TEM-NO', true);
    await disableCompany(database, 'TEM-NO', true);
    expect(await companies()).to.deep.equal(['TEM-SE']);
    await disableCompany(database, 'TEM-SE', true);
    expect(await companies()).to.equal(undefined);
    await disableCompany(database, 'TEM-NO', false);
    expect(await companies()).to.deep.equal(['TEM-NO']);
    const noted = (await entries()).filter(({ action }) => action === 'company-changed');
    expect(noted.map(({ subject, details }) => [subject, Object.keys(details)])).to.deep.equal([
      ['company TEM-NO', ['disabled_at']],
      ['company TEM-SE', ['disabled_at']],
      ['company TEM-NO', ['disabled_at']],
    ]);
  });
});
