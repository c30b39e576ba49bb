import { scryptSync } from 'node:crypto';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import {
  checkClient,
  createAccessToken,
  grantClientCredentials,
  grantPassword,
  quickenSecret,
  renewClientSecret,
  signIn,
} from '../src/index.js';
import {
  type AccessPlace,
  addClient,
  addPerson,
  issueCode,
  issuedBy,
  openAccessPlace,
  PASSWORD,
} from './support/access-place.js';

interface Salt {
  readonly salt: Buffer;
  readonly cost: number;
  readonly block_size: number;
  readonly parallelization: number;
}

describe('secrets, passwords and tokens', () => {
  const place = opened(openAccessPlace);

  const saltOf = async (pid: number): Promise<Salt> => {
    const text = 'SELECT * FROM takt.find_scrypt_parameters($1)';
    const { rows } = await place.api.pool.query<Salt>(text, [pid]);
    const [salt] = rows;
    if (salt === undefined) throw new Error('no salt');
    return salt;
  };

  it('appear in no column of any table, neither as text nor as bytes', async () => {
    const { pool } = place.api;
    const client = await addClient(place, { roles: ['integrator'] });
    const person = await addPerson(place);
    const byPassword = issuedBy(await grantPassword(pool, client, person));
    const byClient = issuedBy(await grantClientCredentials(pool, client));
    const session = issuedBy(await signIn(pool, person));
    const code = await issueCode(place, { sessionToken: session.accessToken, clientId: client.clientId });
    const made = await createAccessToken(place.database, { companyCodes: ['TEM-NO'], expiresInMs: 60_000 });
    const renewed = await renewClientSecret(place.database, client.clientId);
    const secrets = [
      person.password,
      client.secret,
      renewed,
      byPassword.accessToken,
      byPassword.refreshToken,
      byClient.accessToken,
      session.accessToken,
      code,
      made.token,
    ].map(String);
    expect(secrets).not.to.include('undefined');
    const dump = await dumpRows(place);
    expect(dump).to.include('line display').and.include('Larsen');
    const { salt, cost, block_size, parallelization } = await saltOf(person.pid);
    const proof = scryptSync(PASSWORD, salt, 32, { cost, blockSize: block_size, parallelization });
    // The search works: it finds a value that is stored.
    expect(dump).to.include(salt.toString('hex'));
    expect(dump).not.to.include(proof.toString('hex'));
    for (const secret of secrets) {
      const random = /[A-Za-z0-9_-]{43}$/.exec(secret)?.[0] ?? secret;
      const traces = [
        random,
        Buffer.from(secret).toString('hex'),
        Buffer.from(random, 'base64url').toString('hex'),
      ];
      for (const trace of traces) expect(dump).not.to.include(trace);
    }
  });

  it('cannot be replaced by their stored form', async () => {
    const person = await addPerson(place);
    const { rows } = await place.database.pool.query<{ stored: Buffer }>(
      'SELECT (password).sha256 AS stored FROM users WHERE pid = $1',
      [person.pid],
    );
    const signInWith = async (proof: Buffer | undefined) => {
      const text = "SELECT refused FROM takt.sign_in($1, $2, sha256('a token'))";
      return (await place.api.pool.query(text, [person.pid, proof])).rows;
    };
    expect(await signInWith(rows[0]?.stored)).to.deep.equal([{ refused: 'invalid_grant' }]);
    expect(await signInWith(undefined)).to.deep.equal([{ refused: 'invalid_grant' }]);
    const { salt, cost, block_size, parallelization } = await saltOf(person.pid);
    const proof = scryptSync(PASSWORD, salt, 32, { cost, blockSize: block_size, parallelization });
    expect(await signInWith(proof)).to.deep.equal([{ refused: null }]);
  });

  it('are accepted from every system, whether it sends a letter with its accent as one character or two', async () => {
    const password = 'Blåbærsyltetøy på Müsli';
    for (const created of ['NFC', 'NFD'] as const) {
      const person = await addPerson(place, { password: password.normalize(created) });
      for (const sent of ['NFC', 'NFD'] as const) {
        const asked = { ...person, password: password.normalize(sent) };
        expect(issuedBy(await signIn(place.api.pool, asked)).accessToken).to.match(/^takt_/);
      }
    }
  });

  it('have a different salt for each person, even for unknown people', async () => {
    const person = await addPerson(place);
    const asked = [person.pid, 4_711, 4_712, 0];
    const salts = await Promise.all(asked.map(saltOf));
    const again = await Promise.all(asked.map(saltOf));
    expect(again).to.deep.equal(salts);
    expect(new Set(salts.map(({ salt }) => salt.toString('hex'))).size).to.equal(asked.length);
    expect(new Set(salts.map(({ salt }) => salt.length))).to.deep.equal(new Set([16]));
    const parameters = salts.map(({ salt: _, ...others }) => others);
    expect(parameters).to.deep.equal(asked.map(() => ({ cost: 16_384, block_size: 8, parallelization: 5 })));
    await place.database.pool.query("UPDATE salt_secret SET secret = sha256('another')");
    expect((await saltOf(4_711)).salt).not.to.deep.equal(salts[1]?.salt);
    expect(await saltOf(person.pid)).to.deep.equal(salts[0]);
  });

  it('are accepted in every Unicode normalization form', async () => {
    const { pid } = await addPerson(place, { password: 'b\u00e5tbyggeri \ufb01n' });
    const decomposed = 'ba\u030atbyggeri \ufb01n';
    expect(issuedBy(await signIn(place.api.pool, { pid, password: decomposed })).expiresInS).to.equal(28_800);
    const other = { pid, password: 'batbyggeri \ufb01n' };
    expect(await signIn(place.api.pool, other)).to.deep.equal({ refused: 'invalid_grant' });
  });

  it('are checked slowly only once if only their slow hash is stored', async () => {
    const { pool } = place.api;
    const client = await addClient(place, { roles: ['integrator'] });
    const wrong = { ...client, secret: `${client.secret}x` };
    expect(await checkClient(pool, client)).to.equal('right');
    await place.database.pool.query('UPDATE api_clients SET secret_sha256 = NULL');
    const [check, checkOfWrong] = [await checkClient(pool, client), await checkClient(pool, wrong)];
    if (typeof check === 'string' || typeof checkOfWrong === 'string') throw new Error('it is known quickly');
    expect(await grantClientCredentials(pool, client)).to.deep.equal({ refused: 'invalid_client' });
    expect(await quickenSecret(pool, wrong, checkOfWrong.slow)).to.equal(false);
    expect(await quickenSecret(pool, client, check.slow)).to.equal(true);
    expect(await checkClient(pool, client)).to.equal('right');
    expect(await checkClient(pool, wrong)).to.equal('wrong');
    expect(issuedBy(await grantClientCredentials(pool, client)).expiresInS).to.equal(3_600);
    const open = await addClient(place, { isPublic: true });
    expect(await checkClient(pool, open)).to.equal('right');
    expect(await checkClient(pool, { ...open, secret: 'any' })).to.equal('wrong');
  });
});

/** Returns all rows of all tables as text. */
async function dumpRows({ database }: AccessPlace): Promise<string> {
  const { rows: tables } = await database.pool.query<{ name: string }>(
    "SELECT oid::regclass::text AS name FROM pg_class WHERE relnamespace = 'takt'::regnamespace AND relkind = 'r'",
  );
  const texts = await Promise.all(
    tables.map(async ({ name }) => {
      const { rows } = await database.pool.query<{ line: string }>(`SELECT line::text FROM ${name} line`);
      return rows.map(({ line }) => line).join('\n');
    }),
  );
  return texts.join('\n');
}
