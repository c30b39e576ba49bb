import { findAccessToken, grantClientCredentials, grantPassword, signIn, signInByCode } from '@takt/access';
import { createTestDatabase } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';

describe('takt client, takt user and takt token create', function () {
  this.timeout(240_000);
  const test = opened(createTestDatabase);
  const takt = (args: string, input?: string) => runTakt(args.split(' '), { DATABASE_URL: test.url }, input);
  const done = async (args: string, input?: string) => {
    const { code, stdout, stderr } = await takt(args, input);
    expect(code, stderr).to.equal(0);
    return stdout;
  };
  const find = async (printed: string) => findAccessToken(test.database.pool, printed.trimEnd());
  /** Returns the text after a word at the start of a line. */
  const said = (word: string, text: string) => new RegExp(`^${word} (\\S+)$`, 'm').exec(text)?.[1] ?? '';

  before(async () => {
    await addCompany(test.database, 'TEM-NO', 'Tempus Norge');
    await addCompany(test.database, 'TEM-SE', 'Tempus Sverige');
  });

  it('print the id and the secret of a new client once, and change or end the rights of the client', async () => {
    const added = await takt(
      'client add MES --database TEM-SE,TEM-NO --role integrator --redirect https://mes.example/back',
    );
    expect(added.code, added.stderr).to.equal(0);
    expect(added.stdout).to.match(/^client \d+\nsecret takt_secret_[A-Za-z0-9_-]{43}\n$/);
    expect(added.stderr).to.match(/it has no permission yet: takt client permit \d+ RESOURCE/);
    const [id, secret] = [said('client', added.stdout), said('secret', added.stdout)];
    expect(await done(`client permit ${id} production-times error-messages`)).to.equal(
      `client ${id} is permitted: error-messages, production-times\n`,
    );
    expect(await done(`client permit ${id} error-messages --remove`)).to.equal(
      `client ${id} is permitted: production-times\n`,
    );
    expect(await done(`client duty ${id} operate-queues`)).to.equal(
      `client ${id} has the duties: operate-queues\n`,
    );
    expect(await done(`client duty ${id} operate-queues --remove`)).to.equal(
      `client ${id} has the duties: nothing\n`,
    );
    const grant = await grantClientCredentials(test.database.pool, { clientId: Number(id), secret });
    if ('refused' in grant) throw new Error(grant.refused);
    expect(await find(grant.issued.accessToken)).to.deep.include({ permissions: ['production-times'] });
    const table = await done('client list');
    expect(table).to.match(/^ *ID {2}NAME +KIND +STATE +COMPANIES +ROLES +DUTIES +PERMISSIONS\n/);
    expect(table).to.match(/^ *\d+ {2}MES +secret +active +TEM-SE,TEM-NO +integrator +production-times$/m);
    const listed = JSON.parse(await done('client list --json'));
    expect(listed).to.have.nested.property('[0].redirectUris[0]', 'https://mes.example/back');
    const renewed = (await done(`client secret ${id}`)).trimEnd();
    expect(renewed)
      .to.match(/^takt_secret_/)
      .and.not.equal(secret);
    expect(table + JSON.stringify(listed)).not.to.include('takt_secret_');
    expect(await done(`client disable ${id}`)).to.equal('disabled\n');
    expect(await find(grant.issued.accessToken)).to.equal(undefined);
    expect(await done('client list')).to.match(/ MES +secret +disabled /);
    expect(await done('client add page --public')).to.match(/^client \d+\n$/);
  });

  it('print the PID and a password of a new person; a new password ends earlier access', async () => {
    const added = await done(
      'user add Larsen --first-name Kari --database TEM-NO --role planner --duty operate-queues',
    );
    expect(added).to.match(/^pid \d+\npassword [A-Za-z0-9_-]{20}\n$/);
    const person = { pid: Number(said('pid', added)), password: said('password', added) };
    const session = await signIn(test.database.pool, person);
    if ('refused' in session) throw new Error(session.refused);
    expect((await find(session.issued.accessToken))?.duties).to.include.members([
      'operate-queues',
      'read-persons',
    ]);
    const { pid } = person;
    expect(await done(`user duty ${pid} read-persons`)).to.equal(
      `person ${pid} has the duties: operate-queues, read-persons\n`,
    );
    expect(await done(`user duty ${pid} operate-queues read-persons --remove`)).to.equal(
      `person ${pid} has the duties: nothing\n`,
    );
    const read = await done('user add Berg --database TEM-SE --pid 77 --password -', 'of ten letters\n');
    expect(read).to.equal('pid 77\n');
    const berg = await signIn(test.database.pool, { pid: 77, password: 'of ten letters' });
    expect(berg).to.have.property('issued');
    expect(await done('user password 77 --password -', 'another password\r\n')).to.equal('changed\n');
    expect(await signIn(test.database.pool, { pid: 77, password: 'of ten letters' })).to.have.property(
      'refused',
    );
    expect(await done('user reset 77')).to.match(
      /^http:\/\/127\.0\.0\.1:3001\/invitation\?code=(?:[A-Z2-9]{4}-){3}[A-Z2-9]{4}\n$/,
    );
    const renewed = await done('user password 77');
    const password = said('password', renewed);
    expect(await signIn(test.database.pool, { pid: 77, password })).to.have.property('issued');
    expect(await done('user email 77 berg@example.com')).to.equal('berg@example.com\n');
    const table = await done('user list');
    expect(table).to.match(/^ *77 +Berg +berg@example\.com +active/m);
    expect(await done('user email 77 --remove')).to.equal('removed\n');
    expect(table).to.match(/^ *PID {2}FIRST NAME {2}NAME +E-MAIL +STATE +COMPANIES +ROLES +DUTIES\n/);
    expect(table).to.match(new RegExp(`^ *${pid} {2}Kari +Larsen +active +TEM-NO +planner$`, 'm'));
    expect(JSON.parse(await done('user list --json'))[0]).to.include({
      pid: 77,
      name: 'Berg',
      firstName: null,
    });
    expect(await done(`user disable ${pid}`)).to.equal('disabled\n');
    expect(await find(session.issued.accessToken)).to.equal(undefined);
  });

  it('print an address that opens the pages as a person, where the API runs elsewhere', async () => {
    const pid = Number(said('pid', await done('user add Olsen --role administrator --database TEM-NO')));
    const environment = { DATABASE_URL: test.url, BASE_URL: 'https://takt.example/api', DISPLAY: '' };
    const { code, stdout, stderr } = await runTakt(['open', '--user', String(pid)], environment);
    expect(code, stderr).to.equal(0);
    const [, opening = ''] = /^https:\/\/takt\.example\/api\/open\?code=([\w-]+)\n$/.exec(stdout) ?? [];
    const result = await signInByCode(test.database.pool, opening);
    expect(result).to.have.nested.property('issued.accessToken');
    expect((await takt('open --user 4711')).stderr).to.include('no person has the PID 4711');
    await done(`user disable ${pid}`);
    expect((await takt(`open --user ${pid}`)).stderr).to.include(`takt user enable ${pid}`);
  });

  it('add roles at once and companies from the next sign-in, and end sessions if something is taken away', async () => {
    const added = await done('user add Moe --database TEM-NO --role planner');
    const person = { pid: Number(said('pid', added)), password: said('password', added) };
    const { pid } = person;
    const signedIn = async () => {
      const session = await signIn(test.database.pool, person);
      if ('refused' in session) throw new Error(session.refused);
      return session.issued.accessToken;
    };
    const before = await signedIn();
    const codes = async (token: string) => (await find(token))?.companies.map(({ code }) => code);
    expect(await done(`user role ${pid} system-operator`)).to.equal(
      `person ${pid} has the roles: planner, system-operator\n`,
    );
    expect((await find(before))?.duties)
      .to.include('operate-all-companies')
      .and.include('read-planned-times');
    expect(await done(`user role ${pid} planner --remove`)).to.equal(
      `person ${pid} has the roles: system-operator\n`,
    );
    expect(await find(before)).to.equal(undefined);
    const first = await signedIn();
    expect(await done(`user companies ${pid} TEM-SE TEM-NO TEM-SE`)).to.equal(
      `person ${pid} has the companies: TEM-SE, TEM-NO\n`,
    );
    expect(await codes(first), 'a session has what it began with').to.deep.equal(['TEM-NO']);
    const second = await signedIn();
    expect(await codes(second), 'the first is the default').to.deep.equal(['TEM-SE', 'TEM-NO']);
    await done(`user companies ${pid} TEM-SE`);
    expect([await codes(first), await codes(second)]).to.deep.equal([undefined, undefined]);
    expect(await done(`user companies ${pid} --all`)).to.equal(
      `person ${pid} has the companies: TEM-NO, TEM-SE\n`,
    );
    const third = await signedIn();
    for (const [args, code, message] of [
      [`user companies ${pid}`, 2, /name companies, or give --all/],
      [`user companies ${pid} TEM-NO --all`, 2, /name companies, or give --all/],
      [`user companies ${pid} NOBODY`, 1, /company NOBODY is not registered \(registered: TEM-NO, TEM-SE\)/],
      ['user companies 4711 TEM-NO', 1, /person 4711 is not registered/],
      [`user role ${pid} boss`, 1, /role boss is not known/],
      ['user role 4711 planner', 1, /person 4711 is not registered/],
    ] as const) {
      const failed = await takt(args);
      expect(failed.code, args).to.equal(code);
      expect(failed.stderr, args).to.match(message);
    }
    expect(await codes(third), 'nothing was changed').to.deep.equal(['TEM-NO', 'TEM-SE']);
  });

  it('enable a disabled person or client again, but not the ended tokens', async () => {
    const added = await done('user add Lie --database TEM-NO --role planner');
    const person = { pid: Number(said('pid', added)), password: said('password', added) };
    const session = await signIn(test.database.pool, person);
    if ('refused' in session) throw new Error(session.refused);
    const own = (await done(`token create --database TEM-NO --user ${person.pid}`)).trimEnd();
    expect(await done(`user enable ${person.pid}`)).to.equal('enabled\n');
    expect(await find(session.issued.accessToken), 'who was not disabled loses nothing').to.include({
      pid: person.pid,
    });
    await done(`user disable ${person.pid}`);
    expect(await signIn(test.database.pool, person)).to.have.property('refused');
    expect(await done(`user enable ${person.pid}`)).to.equal('enabled\n');
    expect(await signIn(test.database.pool, person)).to.have.property('issued');
    expect([await find(session.issued.accessToken), await find(own)]).to.deep.equal([undefined, undefined]);

    const client = await done('client add Line --database TEM-NO');
    const known = { clientId: Number(said('client', client)), secret: said('secret', client) };
    const grant = await grantClientCredentials(test.database.pool, known);
    if ('refused' in grant) throw new Error(grant.refused);
    await done(`client disable ${known.clientId}`);
    expect(await done(`client enable ${known.clientId}`)).to.equal('enabled\n');
    expect(await find(grant.issued.accessToken)).to.equal(undefined);
    expect(await grantClientCredentials(test.database.pool, known)).to.have.property('issued');
    for (const args of ['user enable 4711', 'client enable 4711']) {
      const { code, stderr } = await takt(args);
      expect([code, /4711 is not registered/.test(stderr)], args).to.deep.equal([1, true]);
    }
  });

  it('limit a token to a client, a person and duties, and permit publishing', async () => {
    const client = said('client', await done('client add display --database TEM-NO'));
    await done(`client permit ${client} publish-events`);
    const added = await done('user add Dahl --database TEM-NO,TEM-SE --role operator');
    const pid = said('pid', added);
    const limited = await done(
      `token create --database TEM-NO --client ${client} --user ${pid} --duty read-persons --duty operate-queues`,
    );
    expect(await find(limited)).to.deep.include({
      clientId: Number(client),
      pid: Number(pid),
      permissions: ['publish-events'],
      duties: ['read-persons', 'operate-queues'],
    });
    expect(await find(await done('token create --database TEM-NO --publish'))).to.deep.include({
      permissions: 'all',
      duties: [],
    });
    const listed = JSON.parse(await done('token list --json'));
    expect(listed.slice(-2).map(({ mayPublish }: { mayPublish: boolean }) => mayPublish)).to.deep.equal([
      true,
      true,
    ]);
    await done(`client permit ${client} publish-events --remove`);
    expect(JSON.parse(await done('token list --json')).at(-2)).to.include({ mayPublish: false });
    expect(await find(limited)).to.deep.include({ permissions: [] });
    expect(listed.at(-2)).to.deep.include({
      clientId: Number(client),
      pid: Number(pid),
      kind: 'command-line',
      lastUsedAt: null,
      duties: ['read-persons', 'operate-queues'],
    });
    const ofPerson = await grantPassword(
      test.database.pool,
      { clientId: Number(said('client', await done('client add app --public'))), secret: undefined },
      { pid: Number(pid), password: said('password', added) },
    );
    if ('refused' in ofPerson) throw new Error(ofPerson.refused);
    expect(JSON.parse(await done('token list --json')).at(-1)).to.include({ kind: 'person', state: 'valid' });
    const last = JSON.parse(await done('token list --json')).at(-1);
    expect(await done(`token revoke ${last.tokenId}`)).to.equal('revoked\n');
    expect(await find(ofPerson.issued.accessToken)).to.equal(undefined);
  });

  it('name the known values in an error, and refuse rights beyond those of the client or person', async () => {
    const { stdout: one } = await takt('user add Moen --database TEM-NO --pid 500 --role integrator');
    expect(one).to.include('pid 500');
    const known = 'read-production-times, read-planned-times, .*operate-all-companies, manage-access';
    const refusals: readonly (readonly [string, number, RegExp])[] = [
      [
        'client add x --database NOBODY',
        1,
        /company NOBODY is not registered \(registered: TEM-NO, TEM-SE\): takt comp/,
      ],
      [
        'client add x --role boss',
        1,
        /role boss is not known \(known: administrator, integrator, operator, planner, system-operator\)/,
      ],
      ['client add x --redirect http://x.example/', 2, /a redirect URI is https:/],
      [
        'client permit 4711 production-times',
        1,
        /client 4711 is not registered \(.*\): takt client add registers one/,
      ],
      [
        'client permit 4711 products',
        1,
        /permission products is not known \(known: production-times, .*publish-even/,
      ],
      ['client duty 4711 read', 1, new RegExp(`duty read is not known \\(known: ${known}\\)`)],
      ['client disable x', 2, /must be an integer/],
      ['user add x --database TEM-NO --pid 500', 1, /PID 500 is taken/],
      [
        'user add x --database TEM-NO --password secret-in-arguments',
        2,
        /--password is -, for standard input/,
      ],
      ['user add x --database TEM-NO --password -', 2, /a password has at least 10 characters/],
      [
        'user duty 4711 read-persons',
        1,
        /person 4711 is not registered \(.*500 Moen.*\): takt user add registers one/,
      ],
      ['user password 4711', 1, /person 4711 is not registered/],
      ['token create --database TEM-NO --client 4711', 1, /client 4711 is not registered/],
      ['token create --database TEM-NO --user 4711', 1, /person 4711 is not registered/],
      ['token create --database TEM-NO --duty read', 1, /duty read is not known/],
      [
        'token create --database TEM-SE --user 500',
        1,
        /person 500 \(Moen\) does not work for TEM-SE, only: TEM-NO/,
      ],
      [
        'token create --database TEM-NO --user 500 --duty read-persons',
        1,
        /is not trusted with read-persons, only: r/,
      ],
    ];
    for (const [args, expectedCode, message] of refusals) {
      const { code, stdout, stderr } = await takt(args, 'short\n');
      expect(stderr, args).to.match(message);
      expect({ code, stdout }, args).to.deep.equal({ code: expectedCode, stdout: '' });
      expect(stderr).not.to.include('secret-in-arguments');
    }
  });
});
