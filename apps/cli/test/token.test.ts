import { findAccessToken } from '@takt/access';
import { createTestDatabase } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';

const HOUR_MS = 3_600_000;

describe('takt token', function () {
  this.timeout(180_000);
  const test = opened(createTestDatabase);
  const takt = (args: readonly string[], input?: string) => runTakt(args, { DATABASE_URL: test.url }, input);
  const create = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await takt(['token', 'create', ...args]);
    expect(code, stderr).to.equal(0);
    return { token: stdout.trimEnd(), stdout, stderr };
  };
  const find = (token: string) => findAccessToken(test.database.pool, token);

  before(async () => {
    await addCompany(test.database, 'TEM-NO', 'Tempus Norge');
    await addCompany(test.database, 'TEM-SE', 'Tempus Sverige');
  });

  it('create prints the token alone, and the expiry on the standard error; the default lifetime is 8 hours', async () => {
    const { token, stdout, stderr } = await create('--database', 'TEM-SE,TEM-NO', '--description', 'line 3');
    expect(stdout).to.match(/^takt_[A-Za-z0-9_-]{43}\n$/);
    const grant = await find(token);
    expect(grant?.companies.map(({ code }) => code)).to.deep.equal(['TEM-SE', 'TEM-NO']);
    expect(stderr).to.equal(`takt: valid until ${grant?.expiresAt.toISOString()}\n`);
    expect(stderr).not.to.include(token);
    const { rows } = await test.database.pool.query(
      'SELECT description, (expires_at - created_at)::text AS life FROM access_tokens',
    );
    expect(rows).to.deep.equal([{ description: 'line 3', life: '08:00:00' }]);
  });

  it('create accepts minutes, hours and days up to a year', async () => {
    const lifetimes = { '1m': HOUR_MS / 60, '36h': 36 * HOUR_MS, '365d': 365 * 24 * HOUR_MS };
    await Promise.all(
      Object.entries(lifetimes).map(async ([text, expectedMs]) => {
        const { token } = await create('--database', 'TEM-NO', '--expires', text);
        const lifetimeMs = ((await find(token))?.expiresAt.getTime() ?? Number.NaN) - Date.now();
        expect(lifetimeMs, text).to.be.within(expectedMs - 30_000, expectedMs);
      }),
    );
  });

  it('create exits with status 2 for an invalid duration, and explains durations', async () => {
    const wrong = ['0h', '366d', '8', '8H', '1.5h', '-8h', '8h30m', '999999999999d', ''];
    const outcomes = await Promise.all(
      wrong.map((text) => takt(['token', 'create', '--database', 'TEM-NO', `--expires=${text}`])),
    );
    for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
      expect(stderr).to.include(`'${wrong[index]}'`).and.include('from 1m to 365d, as in 30m, 8h or 7d');
      expect({ code, stdout }, wrong[index]).to.deep.equal({ code: 2, stdout: '' });
    }
  });

  it('create exits with status 2 for a missing company and for an invalid code of a company', async () => {
    const [missing, malformed] = await Promise.all([
      takt(['token', 'create']),
      takt(['token', 'create', '--database', 'tem no']),
    ]);
    expect(missing.stderr).to.include('--database');
    expect(malformed.stderr).to.include("'tem no'").and.include('TEM-NO,TEM-SE');
    expect([missing.code, malformed.code]).to.deep.equal([2, 2]);
  });

  it('create exits with status 1 for an unregistered company, and lists the registered companies', async () => {
    const count = async () => (await test.database.pool.query('SELECT FROM access_tokens')).rowCount;
    const before = await count();
    const outcome = await takt(['token', 'create', '--database', 'TEM-NO,NOBODY']);
    expect(outcome).to.deep.equal({
      code: 1,
      stdout: '',
      stderr:
        'takt: company NOBODY is not registered (registered: TEM-NO, TEM-SE): takt company add registers one\n',
    });
    expect(await count()).to.equal(before);
  });

  it('revoke ends the given token or the token on the standard input', async () => {
    const [first, second, third] = await Promise.all(
      [1, 2, 3].map(async () => (await create('--database', 'TEM-NO')).token),
    );
    const [given, read] = await Promise.all([
      takt(['token', 'revoke', String(first)]),
      takt(['token', 'revoke', '-'], `${second}\r\n`),
    ]);
    const revoked = { code: 0, stdout: 'revoked\n', stderr: '' };
    expect([given, read]).to.deep.equal([revoked, revoked]);
    const grants = await Promise.all([first, second, third].map((token) => find(String(token))));
    expect(grants.map((grant) => grant === undefined)).to.deep.equal([true, true, false]);
  });

  it('list shows everything except the tokens, with ids that revoke accepts', async () => {
    const { token } = await create('--database', 'TEM-SE,TEM-NO', '--description', 'line 7');
    const listed = async () => JSON.parse((await takt(['token', 'list', '--json'])).stdout);
    const one = (await listed()).at(-1);
    expect(one).to.have.all.keys([
      'tokenId',
      'companyCodes',
      'createdAt',
      'expiresAt',
      'state',
      'kind',
      'clientId',
      'pid',
      'duties',
      'mayPublish',
      'lastUsedAt',
      'description',
    ]);
    expect(one).to.deep.include({
      companyCodes: ['TEM-SE', 'TEM-NO'],
      state: 'valid',
      mayPublish: false,
      description: 'line 7',
    });
    const table = await takt(['token', 'list']);
    expect(table.code).to.equal(0);
    expect(table.stdout).to.match(
      /^ *ID {2}COMPANIES +CREATED +EXPIRES +STATE +CLIENT +PERSON +RIGHTS +LAST USE +DESCRIPTION\n/,
    );
    expect(table.stdout).to.match(
      new RegExp(`^ *${one.tokenId} {2}TEM-SE,TEM-NO .* valid +read-\\* +line 7$`, 'm'),
    );
    expect(table.stdout).not.to.include('takt_');
    const revoked = await takt(['token', 'revoke', String(one.tokenId)]);
    expect(revoked).to.deep.equal({ code: 0, stdout: 'revoked\n', stderr: '' });
    expect(await find(token)).to.equal(undefined);
    expect((await listed()).at(-1)).to.include({ state: 'revoked' });
    expect((await takt(['token', 'revoke', '999999'])).code).to.equal(1);
  });

  it('list shows the rights of each token', async () => {
    const given: readonly (readonly [string, readonly string[]])[] = [
      ['publish-events', ['--publish']],
      ['publish-events,read-production-times', ['--publish', '--duty', 'read-production-times']],
      ['read-*,operate-queues', ['--role', 'planner', '--duty', 'operate-queues']],
      ['every duty', []],
    ];
    const ids: string[] = [];
    for (const [, options] of given) {
      await create('--database', 'TEM-NO', ...options);
      ids.push(String(JSON.parse((await takt(['token', 'list', '--json'])).stdout).at(-1).tokenId));
    }
    // Tokens of earlier versions have no duties.
    await test.database.pool.query('UPDATE takt.access_tokens SET duties = NULL WHERE access_token_id = $1', [
      ids.at(-1),
    ]);
    const lines = (await takt(['token', 'list'])).stdout.split('\n');
    const rights = ids.map((id) =>
      lines
        .find((line) => line.trimStart().startsWith(`${id} `))
        ?.split(/ {2,}/)
        .at(-1),
    );
    expect(rights).to.deep.equal(given.map(([right]) => right));
  });

  it('revoke exits with status 1 for an unknown token and with status 2 without a token, and prints no token', async () => {
    const unknown = `takt_${'A'.repeat(43)}`;
    const outcomes = await Promise.all([
      takt(['token', 'revoke', unknown]),
      takt(['token', 'revoke', 'nonsense']),
      takt(['token', 'revoke', '-'], ''),
    ]);
    for (const outcome of outcomes) {
      expect(outcome).to.deep.equal({
        code: 1,
        stdout: '',
        stderr: 'takt: no such token: takt token list shows the existing ones\n',
      });
    }
    expect((await takt(['token', 'revoke'])).code).to.equal(2);
  });
});
