import { randomBytes, scryptSync } from 'node:crypto';
import { openedForEach } from '@takt/test-support';
import { expect } from 'chai';
import {
  type ClientCredentials,
  findAccessToken,
  grantClientCredentials,
  grantRefreshToken,
  type PersonCredentials,
  revokeToken,
  signIn,
} from '../src/index.js';
import {
  addClient,
  addPerson,
  exchangeCode,
  issueCode,
  issuedBy,
  openAccessPlace,
  PASSWORD,
} from './support/access-place.js';

/** The number of connections in the pool of the API. */
const LANES = 4;

describe('the stored rows', () => {
  const place = openedForEach(openAccessPlace);
  let client: ClientCredentials;
  let person: PersonCredentials;
  let sessionToken: string;

  beforeEach(async () => {
    client = await addClient(place, { isPublic: true });
    person = await addPerson(place);
    sessionToken = issuedBy(await signIn(place.api.pool, person)).accessToken;
  });

  const count = async (table: string): Promise<number> => {
    const { rows } = await place.database.pool.query<{ n: number }>(
      `SELECT count(*)::integer AS n FROM ${table}`,
    );
    return rows[0]?.n ?? 0;
  };
  /**
   * Calls `call` this many times, several times at once. Then calls it once more, when no other call can hold a lock.
   */
  const hammer = async (times: number, call: () => Promise<unknown>) => {
    let left = times;
    const lane = async () => {
      for (; left > 0; left -= 1) await call();
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    await call();
  };
  const issue = (clientId = client.clientId) => issueCode(place, { sessionToken, clientId });
  const grantCode = async () => exchangeCode(place, client, await issue());
  /**
   * Signs in with a code. On a busy machine, the concurrent calls may issue ten newer codes before this one is used;
   * then it tries again.
   */
  const signInByCode = async () => {
    const first = await grantCode();
    return issuedBy('refused' in first ? await grantCode() : first);
  };
  const isValid = async (token: string) => (await findAccessToken(place.api.pool, token)) !== undefined;
  const refresh = async (token: string) => issuedBy(await grantRefreshToken(place.api.pool, client, token));

  it('include only the newest ten codes of a person and a client', async () => {
    const other = await addClient(place, { isPublic: true });
    await issue(other.clientId);
    await hammer(200, () => issue());
    expect(await count('authorization_codes')).to.equal(11);
    await signInByCode();
    expect(await count(`authorization_codes WHERE api_client_id = ${other.clientId}`)).to.equal(1);
  });

  it('include at most a hundred sign-ins of a person with a client, because a further sign-in ends the oldest', async () => {
    const [oldest, used] = [await signInByCode(), await signInByCode()];
    await hammer(60, signInByCode);
    const next = await refresh(used.refreshToken);
    await hammer(60, signInByCode);
    expect(await count('token_families')).to.equal(100);
    expect(await count("access_tokens WHERE kind = 'person'")).to.be.at.most(101);
    expect(await isValid(oldest.accessToken)).to.equal(false);
    expect(await isValid(next.accessToken), 'refreshed meanwhile').to.equal(true);
  });

  it('of ended sign-ins are deleted before those of valid sign-ins', async () => {
    const first = await signInByCode();
    for (let index = 0; index < 120; index += 1) {
      await revokeToken(place.api.pool, (await signInByCode()).refreshToken);
    }
    expect(await isValid(first.accessToken)).to.equal(true);
    expect(await count('token_families')).to.be.at.most(100);
  });

  it('include at most twenty access tokens and twenty refresh tokens of a sign-in', async () => {
    const other = await signInByCode();
    let { refreshToken } = await signInByCode();
    const used: string[] = [];
    let accessToken = '';
    for (let index = 0; index < 120; index += 1) {
      used.push(refreshToken);
      ({ refreshToken, accessToken } = await refresh(refreshToken));
    }
    // The count includes the refresh token of the other sign-in.
    expect(await count('refresh_tokens')).to.equal(1 + 20 + 1);
    expect(await count("access_tokens WHERE kind = 'person'")).to.equal(20 + 1);
    expect(await isValid(accessToken)).to.equal(true);
    expect(await isValid(other.accessToken)).to.equal(true);
    expect(await grantRefreshToken(place.api.pool, client, used[0] ?? '')).to.deep.equal({
      refused: 'invalid_grant',
    });
    expect(await isValid(accessToken), 'it is forgotten').to.equal(true);
    await grantRefreshToken(place.api.pool, client, used.at(-2) ?? '');
    expect(await isValid(accessToken), 'a second use').to.equal(false);
  });

  it('include at most a hundred tokens of each client, and a hundred page sessions of each person', async () => {
    const own = await addClient(place);
    await hammer(150, () => grantClientCredentials(place.api.pool, own));
    expect(await count("access_tokens WHERE kind = 'client'")).to.equal(100);
    const { rows } = await place.api.pool.query('SELECT * FROM takt.find_scrypt_parameters($1)', [
      person.pid,
    ]);
    const { salt, cost, block_size: blockSize, parallelization } = rows[0];
    const proof = scryptSync(PASSWORD, salt, 32, { cost, blockSize, parallelization });
    const call = 'SELECT takt.sign_in($1, $2, $3)';
    await hammer(150, () => place.api.pool.query(call, [person.pid, proof, randomBytes(32)]));
    expect(await count("access_tokens WHERE kind = 'page'")).to.equal(100);
    expect(await count('access_token_companies')).to.be.at.most(2 * 200);
  });

  it('are found by an index, so a new token costs the same with any number of other rows', async () => {
    const connection = await place.database.pool.connect();
    try {
      await connection.query('SET enable_seqscan = off');
      for (const [table, condition] of [
        ['authorization_codes', 'pid = 1 AND api_client_id = 1'],
        ['token_families', 'pid = 1 AND api_client_id = 1'],
        ['access_tokens', "kind = 'client' AND api_client_id = 1"],
        ['access_tokens', "kind = 'page' AND pid = 1"],
        ['access_tokens', 'token_family_id = 1'],
        ['refresh_tokens', 'token_family_id = 1'],
      ]) {
        const { rows } = await connection.query<Record<string, string>>(
          `EXPLAIN (COSTS off) SELECT FROM ${table} WHERE ${condition}`,
        );
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan, `${table} ${condition}`)
          .to.match(/Index/)
          .and.not.match(/Seq Scan/);
      }
    } finally {
      connection.release(true);
    }
  });
});
