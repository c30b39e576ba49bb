import {
  createAccessToken,
  createApiClient,
  findAccessToken,
  listAccessTokens,
  listUsers,
} from '@takt/access';
import { findHtmlFaults, opened } from '@takt/test-support';
import { expect } from 'chai';
import { type Got, openTestDashboard, PASSWORD, type Signed } from './support/open-test-dashboard.js';

describe('the pages of people, clients and tokens', () => {
  const test = opened(openTestDashboard);
  let administrator: Signed;
  let planner: Signed;
  let clientId: number;

  before(async () => {
    administrator = await test.addPerson(['TEM-NO'], { roles: ['administrator'] });
    planner = await test.addPerson(['TEM-NO'], { roles: ['planner'] });
    const client = { name: 'MES <b>', companyCodes: ['TEM-SE'], permissions: ['production-times'] };
    clientId = (await createApiClient(test.database, client)).clientId;
  });

  const get = async (path: string, { token } = administrator): Promise<Got> => {
    const page = await test.ask('GET', path, { token });
    expect(await findHtmlFaults(page.text), path).to.deep.equal([]);
    return page;
  };
  const change = (form: Readonly<Record<string, string>>, { token } = administrator) =>
    test.ask('POST', '/access/change', { token, form });
  const companiesOf = async (pid: number) =>
    (await listUsers(test.database)).find((person) => person.pid === pid)?.companyCodes;
  const newestEntry = async () => {
    const { rows } = await test.database.pool.query<{
      actor: string;
      action: string;
      subject: string;
      details: object;
    }>('SELECT actor, action, subject, details FROM takt.audit_log ORDER BY audit_entry_id DESC LIMIT 1');
    return rows[0];
  };

  it('list all people, clients and tokens without secrets', async () => {
    const people = await get('/access');
    expect(people.text).to.include(`href="/access/person?id=${planner.pid}">Person</a>`);
    expect(people.text).to.include('<td>administrator</td>');
    const clients = await get('/access/clients');
    expect(clients.text).to.include('MES &lt;b&gt;</a>').and.include('production-times');
    const tokens = await get('/access/tokens');
    expect(tokens.text).to.match(/href="\/access\/token\?id=\d+"/);
    for (const { text } of [people, clients, tokens, await get(`/access/person?id=${planner.pid}`)]) {
      expect(text).not.to.match(/takt_[\w-]{43}|takt_secret/);
      expect(text).not.to.include(PASSWORD);
    }
  });

  it('give companies to a person, default first, and record who did it', async () => {
    const page = await get(`/access/person?id=${planner.pid}`);
    expect(page.text).to.match(/name="company" value="TEM-NO" checked=""/);
    expect(page.text).to.match(/name="company" value="TEM-SE"\/?>/);
    const body = new URLSearchParams({
      change: 'set-person-companies',
      id: String(planner.pid),
      default: 'TEM-SE',
    });
    for (const code of ['TEM-NO', 'TEM-SE']) body.append('company', code);
    const answer = await fetch(`${test.origin}/access/change`, {
      ...{ method: 'POST', redirect: 'manual', body },
      headers: { cookie: `takt_session=${administrator.token}` },
    });
    expect([answer.status, answer.headers.get('location')]).to.deep.equal([
      ...[303, `${test.origin}/access/person?id=${planner.pid}&done=changed`],
    ]);
    expect(await companiesOf(planner.pid)).to.deep.equal(['TEM-SE', 'TEM-NO']);
    expect(await newestEntry()).to.deep.equal({
      ...{
        actor: `PID ${administrator.pid} Person`,
        action: 'person-changed',
        subject: `person ${planner.pid} Person`,
      },
      details: { companies: { from: ['TEM-NO'], to: ['TEM-SE', 'TEM-NO'] } },
    });
    expect((await get(`/access/person?id=${planner.pid}&done=changed`)).text).to.include(
      'The change was made.',
    );
    const none = await change({ change: 'set-person-companies', id: String(planner.pid) });
    expect([none.status, none.text.includes('at least one company')]).to.deep.equal([400, true]);
    expect(await companiesOf(planner.pid)).to.deep.equal(['TEM-SE', 'TEM-NO']);
  });

  it('disable and enable a person or a client with all tokens', async () => {
    const { token: ofClient } = await createAccessToken(test.database, {
      ...{ companyCodes: ['TEM-SE'], clientId, expiresInMs: 60_000 },
    });
    for (const [kind, id, token] of [
      ['person', planner.pid, planner.token],
      ['client', clientId, ofClient],
    ] as const) {
      expect(await findAccessToken(test.database.pool, token), kind).not.to.equal(undefined);
      expect((await change({ change: `disable-${kind}`, id: String(id) })).status).to.equal(303);
      expect(await findAccessToken(test.database.pool, token), kind).to.equal(undefined);
      expect((await get(`/access/${kind}?id=${id}`)).text).to.include(`value="enable-${kind}"`);
      expect((await change({ change: `enable-${kind}`, id: String(id) })).status).to.equal(303);
      expect((await get(`/access/${kind}?id=${id}`)).text).to.include(`value="disable-${kind}"`);
      expect(await newestEntry()).to.include({
        action: `${kind}-changed`,
        actor: `PID ${administrator.pid} Person`,
      });
    }
  });

  it('revoke a token', async () => {
    const { token } = await createAccessToken(test.database, {
      companyCodes: ['TEM-NO'],
      expiresInMs: 60_000,
      description: 'line 3',
    });
    const tokenId = (await listAccessTokens(test.database)).at(-1)?.tokenId;
    const { text } = await get('/access/tokens');
    expect(text).to.include('line 3');
    // The list begins with the newest token, because only the newest 200 are shown.
    const [, first] = /<tbody>.*?href="\/access\/token\?id=(\d+)"/s.exec(text) ?? [];
    expect(Number(first)).to.equal(tokenId);
    expect((await get(`/access/token?id=${tokenId}`)).text).to.include('value="revoke-token"');
    expect((await change({ change: 'revoke-token', id: String(tokenId) })).location).to.equal(
      `/access/token?id=${tokenId}&done=changed`,
    );
    expect(await findAccessToken(test.database.pool, token)).to.equal(undefined);
    expect((await get(`/access/token?id=${tokenId}`)).text).not.to.include('revoke-token');
    expect((await get('/access/tokens')).text).not.to.include('line 3');
    expect(await newestEntry()).to.deep.include({
      action: 'token-revoked',
      details: { description: 'line 3' },
    });
  });

  it('show and search the audit log, newest entry first', async () => {
    const { text } = await get('/access/audit-log');
    expect(text.indexOf('token-revoked')).to.be.within(1, text.indexOf('client-changed'));
    expect(text).to.include('Companies: TEM-NO -&gt; TEM-SE,TEM-NO');
    const found = await get('/access/audit-log?text=LINE+3');
    expect(found.text).to.include('token-revoked').and.not.include('client-changed');
    expect((await get('/access/audit-log?text=nothing+like+it')).text).to.include('There is none.');
  });

  it('name every action of the audit log in the language of the reader', async () => {
    const actions = [
      ...[
        'person-added',
        'person-changed',
        'person-invited',
        'client-changed',
        'role-added',
        'company-removed',
      ],
      ...['token-revoked', 'token-restored', 'opening-code-created', 'login-created', 'login-dropped'],
      ...['rejected-retried', 'rejected-discarded', 'rejected-corrected', 'rejected-restored'],
      ...['queue-paused', 'queue-resumed', 'job-taken', 'job-removed', 'import-begun', 'import-undone'],
    ];
    for (const action of actions) {
      await test.database.pool.query('SELECT takt.note_audit($1, $2, $3)', [
        action,
        action.startsWith('rejected') ? '1800 rejected events' : 'a subject',
        '{"companies": {"from": [], "to": ["TEM-NO"]}}',
      ]);
    }
    const headers = { 'accept-language': 'de' };
    const { text } = await test.ask('GET', '/access/audit-log', { token: administrator.token, headers });
    expect(text)
      .to.include('<td title="person-changed">Person: geändert</td>')
      .and.to.include('<td title="rejected-corrected">Abgelehnte Ereignisse: korrigiert</td>')
      .and.to.include('Unternehmen: none -&gt; TEM-NO')
      .and.to.include('<th scope="row">1.800 abgelehnte Ereignisse</th>');
    for (const action of actions) expect(text, action).not.to.include(`>${action}<`);
  });

  it('show older entries of the audit log page by page, each entry once', async () => {
    for (let times = 0; times < 26; times += 1) {
      for (const kind of ['disable', 'enable'])
        await change({ change: `${kind}-client`, id: String(clientId) });
    }
    const { rows } = await test.database.pool.query('SELECT FROM takt.audit_log');
    const shown: string[] = [];
    let next: string | undefined = '/access/audit-log';
    while (next !== undefined) {
      const { text } = await get(next);
      shown.push(...(/<tbody>(.*?)<\/tbody>/s.exec(text)?.[1]?.match(/<tr.*?<\/tr>/gs) ?? []));
      next = /href="([^"]*before=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(rows.length).to.be.greaterThan(51);
    expect(shown).to.have.lengthOf(rows.length);
  });

  it('refuse a change to oneself or to an unknown object, and an unknown change', async () => {
    const oneself = await change({ change: 'disable-person', id: String(administrator.pid) });
    expect([oneself.status, oneself.text.includes('You cannot disable yourself')]).to.deep.equal([409, true]);
    for (const form of [
      { change: 'disable-person', id: '999999' },
      { change: 'revoke-token', id: 'x' },
      { change: 'make-king', id: String(planner.pid) },
    ]) {
      expect((await change(form)).status, JSON.stringify(form)).to.equal(404);
    }
    for (const path of ['/access/person?id=999999', '/access/client', '/access/token?id=-1']) {
      expect((await get(path)).status, path).to.equal(404);
    }
  });

  it('answer impossible numbers and the character NUL with 404 or 400', async () => {
    for (const id of ['2147483648', '9999999999', '0', 'x']) {
      for (const kind of ['person', 'client', 'token']) {
        expect((await get(`/access/${kind}?id=${id}`)).status, `${kind} ${id}`).to.equal(404);
      }
      expect((await change({ change: 'disable-person', id })).status, id).to.equal(404);
    }
    for (const path of [
      '/access/audit-log?text=a%00',
      '/rejected?reason=%00',
      '/rejected/event?id=%00',
      '/access/person?id=%00',
    ]) {
      expect((await test.ask('GET', path, { token: administrator.token })).status, path).to.equal(400);
    }
    expect((await change({ change: 'disable-person', id: '\0' })).status).to.equal(400);
  });

  it('are for administrators only', async () => {
    const operator = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['system-operator'] });
    const before = await newestEntry();
    const everything = await test.createToken({});
    const ofClient = await test.createToken({
      clientId: (await createApiClient(test.database, { name: 'An app', companyCodes: ['TEM-NO'] })).clientId,
      ...{ pid: administrator.pid, companyCodes: ['TEM-NO'] },
    });
    for (const [token, refusal] of [
      [operator.token, 'manage-access'],
      [everything, 'manage-access'],
      [ofClient, 'Your session has ended'],
    ] as const) {
      for (const { method, path } of test.dashboard.routes.filter(({ access }) =>
        access.includes('manage-access'),
      )) {
        const form = { change: 'disable-person', id: String(planner.pid) };
        const answer = await test.ask(method, path, { token, ...(method === 'POST' && { form }) });
        expect(answer.status, path).to.equal(403);
        expect(answer.text, path)
          .to.match(new RegExp(`${refusal}|<h1>Sign in`))
          .and.not.include('TEM-SE');
      }
      expect((await test.ask('GET', '/', { token })).text).not.to.include('href="/access"');
    }
    expect(await newestEntry()).to.deep.include({ action: 'token-added' });
    expect(before).not.to.equal(undefined);
    expect((await get('/')).text).to.include('href="/access"');
  });
});
