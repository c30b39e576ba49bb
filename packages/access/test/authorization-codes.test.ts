import { createHash } from 'node:crypto';
import { opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import {
  type ClientCredentials,
  type CodeExchange,
  changeClientPermissions,
  changePassword,
  createAccessToken,
  createOpeningCode,
  disableApiClient,
  disableUser,
  enableApiClient,
  enableUser,
  findAccessToken,
  grantPassword,
  grantRefreshToken,
  type PersonCredentials,
  renewClientSecret,
  revokeAccessToken,
  revokeToken,
  signIn,
} from '../src/index.js';
import {
  addClient,
  addPerson,
  allAtOnce,
  challengeOf,
  exchangeCode,
  issueCode,
  issuedBy,
  openAccessPlace,
  REDIRECT_URI,
  VERIFIER,
} from './support/access-place.js';

const INVALID = { refused: 'invalid_grant' };

describe('an authorization code', () => {
  const place = opened(openAccessPlace);
  let client: ClientCredentials;
  let person: PersonCredentials;
  let sessionToken: string;

  before(async () => {
    client = await addClient(place, { isPublic: true });
    person = await addPerson(place);
    sessionToken = issuedBy(await signIn(place.api.pool, person)).accessToken;
  });

  const issue = (changes: Partial<Parameters<typeof issueCode>[1]> = {}) =>
    issueCode(place, { sessionToken, clientId: client.clientId, ...changes });
  const exchange = (code: string | undefined, changes: Partial<CodeExchange> = {}, as = client) =>
    exchangeCode(place, as, code, changes);
  const find = (token: string) => findAccessToken(place.api.pool, token);

  it('gives the client tokens of the person who signed in', async () => {
    const code = await issue();
    expect(code).to.match(/^takt_code_[A-Za-z0-9_-]{43}$/);
    const issued = issuedBy(await exchange(code));
    expect(await find(issued.accessToken)).to.include({ clientId: client.clientId, pid: person.pid });
    const next = issuedBy(await grantRefreshToken(place.api.pool, client, issued.refreshToken));
    expect((await find(next.accessToken))?.pid).to.equal(person.pid);
  });

  it('is valid once, and a second use revokes the tokens of the first use', async () => {
    const code = await issue();
    const issued = issuedBy(await exchange(code));
    expect(await exchange(code)).to.deep.equal(INVALID);
    expect(await find(issued.accessToken)).to.equal(undefined);
    expect(await grantRefreshToken(place.api.pool, client, issued.refreshToken)).to.deep.equal(INVALID);
  });

  it('ends if the password changes, or if the person or the client was disabled meanwhile', async () => {
    const changes: Readonly<Record<string, (id: { pid: number; clientId: number }) => Promise<unknown>>> = {
      password: ({ pid }) => changePassword(place.database, pid, 'another long password'),
      person: async ({ pid }) => {
        await disableUser(place.database, pid);
        await enableUser(place.database, pid);
      },
      client: async ({ clientId }) => {
        await disableApiClient(place.database, clientId);
        await enableApiClient(place.database, clientId);
      },
    };
    for (const [name, change] of Object.entries(changes)) {
      const own = await addClient(place, { isPublic: true });
      const somebody = await addPerson(place);
      const session = issuedBy(await signIn(place.api.pool, somebody)).accessToken;
      const codeOf = () => issue({ sessionToken: session, clientId: own.clientId });
      const [used, unused] = [await codeOf(), await codeOf()];
      const issued = issuedBy(await exchange(used, {}, own));
      await change({ pid: somebody.pid, clientId: own.clientId });
      expect(await exchange(unused, {}, own), name).to.deep.equal(INVALID);
      expect(await find(issued.accessToken), name).to.equal(undefined);
      expect(await grantRefreshToken(place.api.pool, own, issued.refreshToken), name).to.deep.equal(INVALID);
    }
  });

  it('ends with the session in which it was issued', async () => {
    for (const end of ['the person', 'an operator'] as const) {
      const session = issuedBy(await signIn(place.api.pool, person)).accessToken;
      const code = await issue({ sessionToken: session });
      const used = issuedBy(await exchange(await issue({ sessionToken: session })));
      if (end === 'the person') {
        await revokeToken(place.api.pool, session);
      } else {
        await revokeAccessToken(place.database, (await find(session))?.tokenId ?? 0);
      }
      expect(await exchange(code), end).to.deep.equal(INVALID);
      expect((await find(used.accessToken))?.pid, end).to.equal(person.pid);
    }
  });

  it('waits for a change of the password that has begun, and gives no tokens after it', async () => {
    const somebody = await addPerson(place);
    const session = issuedBy(await signIn(place.api.pool, somebody)).accessToken;
    const code = await issue({ sessionToken: session });
    const changing = await place.database.pool.connect();
    await changing.query('BEGIN');
    await changing.query('SELECT takt.change_password(pid, password) FROM takt.users WHERE pid = $1', [
      somebody.pid,
    ]);
    const exchanging = exchange(code);
    await waitUntil('the exchange waits', async () => {
      const { rows } = await place.database.pool.query('SELECT FROM pg_locks WHERE NOT granted');
      return rows.length > 0;
    });
    await changing.query('COMMIT');
    changing.release();
    expect(await exchanging).to.deep.equal(INVALID);
  });

  it('ends with a change of the password that begins while the code or a session is issued', async () => {
    const { pool } = place.database;
    for (const begin of ['issue_authorization_code', 'sign_in_by_code']) {
      const somebody = await addPerson(place);
      const session = issuedBy(await signIn(place.api.pool, somebody)).accessToken;
      const opening = await createOpeningCode(place.database, somebody.pid);
      const [code, token] = [`takt_code_${'c'.repeat(43)}`, `takt_${'t'.repeat(42)}${somebody.pid % 10}`];
      const sha256 = (text: string) => createHash('sha256').update(text).digest();
      const issuing = await pool.connect();
      await issuing.query('BEGIN');
      const { rows } =
        begin === 'sign_in_by_code'
          ? await issuing.query<{ done: boolean }>(
              'SELECT refused IS NULL AS done FROM takt.sign_in_by_code($1, $2)',
              [sha256(opening.replaceAll('-', '')), sha256(token)],
            )
          : await issuing.query<{ done: boolean }>(
              'SELECT takt.issue_authorization_code($1, $2, $3, $4, $5) AS done',
              [sha256(session), client.clientId, REDIRECT_URI, challengeOf(VERIFIER), sha256(code)],
            );
      expect(rows[0]?.done, begin).to.equal(true);
      const changing = changePassword(place.database, somebody.pid, 'another horse battery');
      await waitUntil('the change waits', async () => {
        const waiting = await pool.query('SELECT FROM pg_locks WHERE NOT granted');
        return waiting.rows.length > 0;
      });
      await issuing.query('COMMIT');
      issuing.release();
      await changing;
      expect(await exchange(code), begin).to.deep.equal(INVALID);
      expect(await find(token), begin).to.equal(undefined);
    }
  });

  it('ends with a change of the client that begins while tokens are issued', async () => {
    const { pool } = place.database;
    for (const [name, change] of [
      ['a new secret', (id: number) => renewClientSecret(place.database, id)],
      [
        'fewer permissions',
        (id: number) => changeClientPermissions(place.database, id, { remove: ['error-messages'] }),
      ],
    ] as const) {
      const own = await addClient(place, { permissions: ['error-messages'] });
      const token = createHash('sha256').update(name).digest();
      const issuing = await pool.connect();
      await issuing.query('BEGIN');
      const issued = await issuing.query<{ refused: string | null }>(
        `SELECT refused FROM takt.grant_client_credentials($1, sha256(convert_to($2, 'UTF8')), $3)`,
        [own.clientId, own.secret, token],
      );
      expect(issued.rows[0]?.refused, name).to.equal(null);
      const changing = change(own.clientId);
      await waitUntil('the change waits', async () => {
        const waiting = await pool.query('SELECT FROM pg_locks WHERE NOT granted');
        return waiting.rows.length > 0;
      });
      await issuing.query('COMMIT');
      issuing.release();
      await changing;
      const left = await pool.query(
        'SELECT FROM takt.access_tokens WHERE token_sha256 = $1 AND revoked_at IS NULL',
        [token],
      );
      expect(left.rows.length, name).to.equal(0);
    }
  });

  it('works only once, even if many requests use it at the same time', async () => {
    const code = await issue();
    const results = await allAtOnce(place, 'SELECT FROM authorization_codes FOR UPDATE', () =>
      exchange(code),
    );
    const winners = results.filter((result) => 'issued' in result);
    expect(winners.length).to.equal(1);
    for (const winner of winners) expect(await find(issuedBy(winner).accessToken)).to.equal(undefined);
  });

  it('is invalidated if it is presented with another redirect URI, verifier or client', async () => {
    const other = await addClient(place, { isPublic: true });
    const wrong: readonly (readonly [Partial<CodeExchange>, ClientCredentials?])[] = [
      [{ redirectUri: `${REDIRECT_URI}/` }],
      [{ redirectUri: REDIRECT_URI.toUpperCase() }],
      [{ redirectUri: '' }],
      [{ codeVerifier: VERIFIER.slice(0, -1) }],
      [{ codeVerifier: challengeOf(VERIFIER) }],
      [{ codeVerifier: '' }],
      [{ codeVerifier: `${VERIFIER}\0` }],
      [{}, other],
    ];
    for (const [changes, as] of wrong) {
      const code = await issue();
      expect(await exchange(code, changes, as), JSON.stringify(changes)).to.deep.equal(INVALID);
      expect(await exchange(code), JSON.stringify(changes)).to.deep.equal(INVALID);
    }
  });

  it('remains valid when another code is presented, or when a client fails to authenticate', async () => {
    const code = await issue();
    for (const changes of [{ code: `takt_code_${'A'.repeat(43)}` }, { code: sessionToken }]) {
      expect(await exchange(code, changes), JSON.stringify(changes)).to.deep.equal(INVALID);
    }
    for (const as of [
      { clientId: 4_711, secret: undefined },
      { ...client, secret: 'wrong' },
    ]) {
      expect(await exchange(code, {}, as)).to.deep.equal({ refused: 'invalid_client' });
    }
    expect(issuedBy(await exchange(code)).expiresInS).to.equal(3_600);
  });

  it('revokes the tokens that it gave if another client presents the code afterwards', async () => {
    const code = await issue();
    const issued = issuedBy(await exchange(code));
    const other = await addClient(place, { isPublic: true });
    expect(await exchange(code, {}, other)).to.deep.equal(INVALID);
    expect(await find(issued.accessToken)).to.equal(undefined);
  });

  it('gives no tokens for a verifier that is too short, even if the challenge matches', async () => {
    const short = 'a'.repeat(42);
    const code = await issue({ codeChallenge: challengeOf(short) });
    expect(await exchange(code, { codeVerifier: short })).to.deep.equal(INVALID);
  });

  it('is issued only in a page session, for a registered client and a registered redirect URI', async () => {
    const ofClient = issuedBy(await grantPassword(place.api.pool, client, person)).accessToken;
    const ofCommandLine = await createAccessToken(place.database, {
      companyCodes: ['TEM-NO'],
      expiresInMs: 60_000,
      pid: person.pid,
    });
    const ended = issuedBy(await signIn(place.api.pool, person)).accessToken;
    await revokeToken(place.api.pool, ended);
    const disabled = await addClient(place, { isPublic: true });
    await disableApiClient(place.database, disabled.clientId);
    const foreign = await addClient(place, { isPublic: true, companyCodes: ['TEM-DK'] });
    const refused = [
      { sessionToken: ofClient },
      { sessionToken: ofCommandLine.token },
      { sessionToken: ended },
      { sessionToken: '' },
      { clientId: 4_711 },
      { clientId: disabled.clientId },
      { clientId: foreign.clientId },
      { redirectUri: `${REDIRECT_URI}?more=1` },
      { redirectUri: 'https://client.example' },
      { redirectUri: '' },
      { codeChallenge: '' },
      { codeChallenge: `${challengeOf(VERIFIER)}=` },
      { codeChallenge: VERIFIER },
    ];
    for (const changes of refused) expect(await issue(changes), JSON.stringify(changes)).to.equal(undefined);
  });

  it('is valid for 60 seconds, but not after its person was disabled', async () => {
    const [expiring, leaving] = [await issue(), await addPerson(place)];
    const { rows } = await place.database.pool.query(
      'SELECT DISTINCT (expires_at - created_at)::text AS life FROM authorization_codes',
    );
    expect(rows).to.deep.equal([{ life: '00:01:00' }]);
    await place.database.pool.query('UPDATE authorization_codes SET expires_at = now()');
    expect(await exchange(expiring)).to.deep.equal(INVALID);
    const session = issuedBy(await signIn(place.api.pool, leaving)).accessToken;
    const code = await issue({ sessionToken: session });
    await disableUser(place.database, leaving.pid);
    expect(await exchange(code)).to.deep.equal(INVALID);
  });
});
