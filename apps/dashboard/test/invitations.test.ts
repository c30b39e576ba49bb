import { listUsers } from '@takt/access';
import { findHtmlFaults, opened } from '@takt/test-support';
import { expect } from 'chai';
import { openTestDashboard, PASSWORD, type Signed } from './support/open-test-dashboard.js';

const LINK = /<code>(http[^<]*\/invitation\?code=[\w-]+)<\/code>/;

describe('people who are invited', () => {
  const test = opened(openTestDashboard);
  let administrator: Signed;
  let ofNorway: Signed;

  before(async () => {
    administrator = await test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['administrator'] });
    ofNorway = await test.addPerson(['TEM-NO'], { roles: ['planner'], duties: ['manage-access'] });
  });

  type Form = readonly (readonly [string, string])[];
  const post = async (path: string, form: Form, { token }: Partial<Signed> = administrator) => {
    const answer = await test.ask('POST', path, {
      token,
      form: new URLSearchParams(form as [string, string][]),
    });
    if (answer.text !== '') expect(await findHtmlFaults(answer.text), path).to.deep.equal([]);
    return answer;
  };
  const add = (name: string, more: Form = [], by = administrator) =>
    post('/access/add', [['name', name], ['company', 'TEM-NO'], ['role', 'planner'], ...more], by);
  const personNamed = async (name: string) =>
    (await listUsers(test.database)).find((person) => person.name === name);
  const linkIn = ({ text }: { readonly text: string }) => {
    const { pathname, searchParams } = new URL(LINK.exec(text)?.[1] ?? '');
    expect(pathname).to.equal('/invitation');
    return searchParams.get('code') ?? '';
  };
  const accept = (code: string, password = 'a new password') =>
    post(
      '/invitation',
      [
        ['code', code],
        ['password', password],
      ],
      {},
    );

  it('are added with companies, roles and an address, set a password once, and are signed in', async () => {
    const form = await test.ask('GET', '/access/add', { token: administrator.token });
    expect(form.text).to.include('name="role" value="planner"').and.to.include('reads everything');
    const added = await add('Dahl', [
      ['firstName', 'Kari'],
      ['email', 'kari@example.com'],
    ]);
    expect(added.status).to.equal(200);
    expect(added.text).to.include('Send this link to Kari Dahl');
    const code = linkIn(added);
    expect(await personNamed('Dahl')).to.deep.include({
      firstName: 'Kari',
      email: 'kari@example.com',
      companyCodes: ['TEM-NO'],
      roles: ['planner'],
    });
    for (let opening = 0; opening < 2; opening += 1) {
      const page = await test.ask('GET', `/invitation?code=${code}`);
      expect(page.text).to.include('Welcome, Kari Dahl.').and.to.include('autocomplete="new-password"');
    }
    expect((await accept(code, 'short')).status).to.equal(400);
    const accepted = await accept(code);
    expect(accepted.text).to.include('you are signed in');
    const token = /takt_session=([^;]+)/.exec(accepted.headers.get('set-cookie') ?? '')?.[1];
    expect((await test.ask('GET', '/rejected', { token })).status).to.equal(200);
    for (const late of [await accept(code), await test.ask('GET', `/invitation?code=${code}`)]) {
      expect([late.status, late.text.includes('expired or was used')]).to.deep.equal([403, true]);
    }
    const signedIn = await post(
      '/sign-in',
      [
        ['login', 'kari@example.com'],
        ['password', 'a new password'],
      ],
      {},
    );
    expect(signedIn.status).to.equal(303);
    const { rows } = await test.database.pool.query(
      `SELECT actor, action FROM takt.audit_log WHERE subject LIKE 'person % Kari Dahl' ORDER BY audit_entry_id`,
    );
    const [by, own] = [`PID ${administrator.pid} Person`, 'PID 1003 Kari Dahl'];
    expect(rows.map(({ actor, action }) => `${action} by ${actor}`).sort()).to.deep.equal([
      `person-added by ${by}`,
      `person-changed by ${own}`,
      `person-invited by ${by}`,
    ]);
  });

  it('keep the password that they have until they set another; a newer link ends an older one', async () => {
    const person = await test.addPerson(['TEM-NO'], { roles: ['planner'] });
    const login = String(person.pid);
    const invite = () => post('/access/invite', [['id', login]]);
    const first = linkIn(await invite());
    const second = linkIn(await invite());
    const signIn = (password: string) =>
      post(
        '/sign-in',
        [
          ['login', login],
          ['password', password],
        ],
        {},
      );
    expect((await signIn(PASSWORD)).status).to.equal(303);
    expect((await accept(first)).status).to.equal(403);
    expect((await accept(second, 'another password')).status).to.equal(200);
    expect((await signIn(PASSWORD)).status).to.equal(403);
    expect((await test.ask('GET', '/', { token: person.token })).status).to.equal(200);
    // The code of an invitation opens no session without a password.
    const third = linkIn(await invite());
    const opened = await test.database.pool.query(
      `SELECT refused FROM takt.sign_in_by_code(sha256(convert_to(replace($1, '-', ''), 'UTF8')), sha256('x'))`,
      [third],
    );
    expect(opened.rows).to.deep.equal([{ refused: 'invalid_grant' }]);
    await test.database.pool.query('SELECT takt.disable_person($1)', [person.pid]);
    expect((await accept(third)).status).to.equal(403);
  });

  it('are refused without a name, a company or an address of their own, and the form keeps what was entered', async () => {
    await add('First', [['email', 'first@example.com']]);
    for (const [form, text] of [
      [
        [
          ['name', ' '],
          ['company', 'TEM-NO'],
        ],
        'at least one company',
      ],
      [[['name', 'Nobody']], 'at least one company'],
      [
        [
          ['name', 'Nobody'],
          ['company', 'NOPE'],
        ],
        'at least one company',
      ],
      [
        [
          ['name', 'Nobody'],
          ['company', 'TEM-NO'],
          ['email', 'FIRST@example.com'],
        ],
        'another person has it',
      ],
      [
        [
          ['name', 'Nobody'],
          ['company', 'TEM-NO'],
          ['email', 'nothing'],
        ],
        'another person has it',
      ],
    ] as const) {
      const answer = await post('/access/add', form);
      expect([answer.status, answer.text.includes(text)], text).to.deep.equal([400, true]);
      expect(answer.text).to.include(`name="name" value="${form[0][1]}"`);
    }
    expect(await personNamed('Nobody')).to.equal(undefined);
  });

  it('get no more companies and roles than the administrator may give', async () => {
    const swede = await test.addPerson(['TEM-SE'], { roles: ['planner'] });
    const own = await test.addPerson(['TEM-NO'], { roles: ['operator'] });
    const changed = (kind: string, id: number, form: Form) =>
      post('/access/change', [['change', kind], ['id', String(id)], ...form], ofNorway);
    for (const [about, answer] of [
      ['another company', await add('Spy', [['company', 'TEM-SE']], ofNorway)],
      ['a role for all companies', await add('Spy', [['role', 'administrator']], ofNorway)],
      ['a role for all companies', await changed('set-person-roles', own.pid, [['role', 'system-operator']])],
      ['a person of another company', await post('/access/invite', [['id', String(swede.pid)]], ofNorway)],
      ['a person of another company', await changed('set-person-email', swede.pid, [['email', 'a@b']])],
    ] as const) {
      expect(answer.status, about).to.equal(403);
    }
    expect(await personNamed('Spy')).to.equal(undefined);
    expect((await changed('set-person-roles', ofNorway.pid, [])).status).to.equal(409);
    expect(
      (
        await changed('set-person-roles', own.pid, [
          ['role', 'planner'],
          ['role', 'nonsense'],
        ])
      ).status,
    ).to.equal(303);
    expect((await changed('set-person-email', own.pid, [['email', 'own@example.com']])).status).to.equal(303);
    const after = (await listUsers(test.database)).find(({ pid }) => pid === own.pid);
    expect(after).to.deep.include({ roles: ['planner'], email: 'own@example.com' });
    expect((await add('Norwegian', [], ofNorway)).status).to.equal(200);
  });
});
