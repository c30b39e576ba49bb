import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { createAccessToken, findAccessToken, listAccessTokens, revokeAccessToken } from '../src/index.js';
import { expireTokens, openAccessPlace } from './support/access-place.js';

const HOUR_MS = 3_600_000;

describe('findAccessToken', () => {
  const place = opened(openAccessPlace);

  const create = async (...companyCodes: readonly string[]) => {
    const { token } = await createAccessToken(place.database, { companyCodes, expiresInMs: HOUR_MS });
    return token;
  };
  const find = (token: string) => findAccessToken(place.api.pool, token);

  it('returns the companies of the token in the given order, the default company first', async () => {
    const [first, second] = [await create('TEM-SE', 'TEM-DK', 'TEM-NO'), await create('TEM-NO')];
    const { rows } = await place.database.pool.query<{ code: string }>(
      'SELECT company_id AS "companyId", code, name, time_zone AS "timeZone", time_unit AS "timeUnit", access_key AS key FROM companies',
    );
    const grant = await find(first);
    expect(grant?.companies.map(({ name }) => name)).to.deep.equal([
      'Tempus Sverige',
      'Tempus Danmark',
      'Tempus Norge',
    ]);
    expect(grant?.companies).to.deep.equal(
      ['TEM-SE', 'TEM-DK', 'TEM-NO'].map((wanted) => rows.find(({ code }) => code === wanted)),
    );
    expect(grant?.tokenId)
      .to.be.a('number')
      .and.not.equal((await find(second))?.tokenId);
    expect(grant?.expiresAt).to.be.instanceOf(Date);
  });

  it('finds nothing for an unknown token, nor for the hash of a token', async () => {
    const token = await create('TEM-NO');
    expect(await find(`takt_${'A'.repeat(43)}`)).to.equal(undefined);
    const { rows } = await place.database.pool.query<{ hash: Buffer }>(
      'SELECT token_sha256 AS hash FROM access_tokens',
    );
    for (const { hash } of rows) expect(await find(`takt_${hash.toString('base64url')}`)).to.equal(undefined);
    expect(await find(token)).not.to.equal(undefined);
  });

  it('finds nothing once the token has expired', async () => {
    const token = await create('TEM-NO');
    await expireTokens(place, -60_000);
    expect(await find(token)).not.to.equal(undefined);
    const state = async () => (await listAccessTokens(place.database)).at(-1)?.state;
    expect(await state()).to.equal('valid');
    await expireTokens(place, 0);
    expect(await find(token)).to.equal(undefined);
    expect(await state()).to.equal('expired');
  });

  it('finds nothing after the expiry, even in a transaction that began earlier', async () => {
    const token = await create('TEM-NO');
    const client = await place.api.pool.connect();
    try {
      await client.query('BEGIN');
      await client.query('SELECT 1');
      await expireTokens(place, 0);
      const { rows } = await client.query(
        "SELECT FROM takt.find_access_token(sha256(convert_to($1, 'UTF8')))",
        [token],
      );
      expect(rows.length).to.equal(0);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it('finds nothing for a revoked token, but still finds the other tokens', async () => {
    const [token, other] = [await create('TEM-NO'), await create('TEM-NO')];
    expect(await revokeAccessToken(place.database, token)).to.equal(true);
    expect(await find(token)).to.equal(undefined);
    expect(await find(other)).not.to.equal(undefined);
  });

  it('finds nothing for a token that has lost all its companies', async () => {
    const token = await create('TEM-NO');
    await place.database.pool.query('DELETE FROM access_token_companies');
    expect(await find(token)).to.equal(undefined);
  });

  it('sends no query for a malformed token', async () => {
    const token = await create('TEM-NO');
    const asked: unknown[] = [];
    const watched = new Proxy(place.api.pool, {
      get: (target, name) => {
        asked.push(name);
        return Reflect.get(target, name, target);
      },
    });
    const malformed = [
      '',
      'takt_',
      token.slice(0, -1),
      `${token}A`,
      `${token}\n`,
      ` ${token}`,
      token.toUpperCase(),
      `takt_${'+'.repeat(43)}`,
      `takt_${'\u0000'.repeat(43)}`,
      `takt_${'A'.repeat(200)}`,
      'A'.repeat(1_000_000),
    ];
    for (const text of malformed) {
      expect(await findAccessToken(watched, text), text.slice(0, 60)).to.equal(undefined);
    }
    expect(asked).to.deep.equal([]);
    expect(await findAccessToken(watched, token)).not.to.equal(undefined);
    expect(asked).not.to.deep.equal([]);
  });

  it('fails if the database cannot be reached, rather than finding nothing', async () => {
    const token = await create('TEM-NO');
    const other = await openAccessPlace();
    await other.close();
    const outcome = await findAccessToken(other.api.pool, token).catch((error: unknown) => error);
    expect(outcome).to.be.instanceOf(Error);
  });
});

describe('a caller of the function takt.find_access_token', () => {
  const place = opened(openAccessPlace);

  it("cannot make the function read the caller's tables instead of the tables of Takt", async () => {
    const name = new URL(place.url).pathname.slice(1);
    await place.database.pool.query(`GRANT TEMPORARY ON DATABASE ${name} TO takt_api`);
    const client = await place.api.pool.connect();
    try {
      await client.query(`
        CREATE TEMPORARY TABLE access_tokens (access_token_id bigint, token_sha256 bytea, expires_at timestamptz,
          revoked_at timestamptz);
        CREATE TEMPORARY TABLE access_token_companies (access_token_id bigint, company_id integer, ordinal integer);
        INSERT INTO pg_temp.access_tokens VALUES (1, sha256('forged'), 'infinity');
        INSERT INTO pg_temp.access_token_companies VALUES (1, 1, 1);
        SET search_path = pg_temp, takt`);
      const { rows } = await client.query("SELECT FROM takt.find_access_token(sha256('forged'))");
      expect(rows.length).to.equal(0);
    } finally {
      client.release(true);
    }
  });
});
