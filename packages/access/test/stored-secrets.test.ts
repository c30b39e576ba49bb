import { scryptSync } from 'node:crypto';
import { expect } from 'chai';
import {
  createAccessToken,
  grantClientCredentials,
  grantPassword,
  issueAuthorizationCode,
  renewClientSecret,
  signIn,
  TooManySignInsError,
} from '../src/index.js';
import { proveSecret } from '../src/slow-hash.js';
import {
  type AccessPlace,
  addClient,
  addPerson,
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

describe('secrets and passwords', function () {
  this.timeout(180_000);
  let place: AccessPlace;

  before(async () => {
    place = await openAccessPlace();
  });
  after(() => place.close());

  const saltOf = async (ofWhat: 'client' | 'person', id: number): Promise<Salt> => {
    const text = 'SELECT * FROM takt.find_scrypt_parameters($1, $2)';
    const { rows } = await place.api.pool.query<Salt>(text, [ofWhat, id]);
    const [salt] = rows;
    if (salt === undefined) throw new Error('no salt');
    return salt;
  };

  it('and every token stand in no column of any table, neither as text nor as bytes', async () => {
    const { pool } = place.api;
    const client = await addClient(place, { roles: ['integrator'] });
    const person = await addPerson(place);
    const byPassword = issuedBy(await grantPassword(pool, client, person));
    const byClient = issuedBy(await grantClientCredentials(pool, client));
    const session = issuedBy(await signIn(pool, person));
    const code = await issueAuthorizationCode(pool, {
      sessionToken: session.accessToken,
      clientId: client.clientId,
      redirectUri: 'https://client.example/signed-in',
      codeChallenge: 'A'.repeat(43),
    });
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
    const { salt, cost, block_size, parallelization } = await saltOf('person', person.pid);
    const proof = scryptSync(PASSWORD, salt, 32, { cost, blockSize: block_size, parallelization });
    // What is found where it should be: the search works.
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

  it('cannot be replaced by what is stored of them', async () => {
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
    const { salt, cost, block_size, parallelization } = await saltOf('person', person.pid);
    const proof = scryptSync(PASSWORD, salt, 32, { cost, blockSize: block_size, parallelization });
    expect(await signInWith(proof)).to.deep.equal([{ refused: null }]);
  });

  it('have a salt of their own, and so has who does not exist: the same each time, of the same form', async () => {
    const person = await addPerson(place);
    const client = await addClient(place);
    const asked: readonly ['client' | 'person', number][] = [
      ['person', person.pid],
      ['client', client.clientId],
      ['person', 4_711],
      ['client', 4_711],
      ['person', 4_712],
      ['person', 0],
    ];
    const salts = await Promise.all(asked.map(([ofWhat, id]) => saltOf(ofWhat, id)));
    const again = await Promise.all(asked.map(([ofWhat, id]) => saltOf(ofWhat, id)));
    expect(again).to.deep.equal(salts);
    expect(new Set(salts.map(({ salt }) => salt.toString('hex'))).size).to.equal(asked.length);
    expect(new Set(salts.map(({ salt }) => salt.length))).to.deep.equal(new Set([16]));
    const parameters = salts.map(({ salt: _, ...others }) => others);
    expect(parameters).to.deep.equal(asked.map(() => ({ cost: 16_384, block_size: 8, parallelization: 5 })));
    await place.database.pool.query("UPDATE salt_secret SET secret = sha256('another')");
    expect((await saltOf('person', 4_711)).salt).not.to.deep.equal(salts[2]?.salt);
    expect(await saltOf('person', person.pid)).to.deep.equal(salts[0]);
  });

  it('are the same in every coding of their letters', async () => {
    const { pid } = await addPerson(place, { password: 'b\u00e5tbyggeri \ufb01n' });
    const decomposed = 'ba\u030atbyggeri \ufb01n';
    expect(issuedBy(await signIn(place.api.pool, { pid, password: decomposed })).expiresInS).to.equal(28_800);
    const other = { pid, password: 'batbyggeri \ufb01n' };
    expect(await signIn(place.api.pool, other)).to.deep.equal({ refused: 'invalid_grant' });
  });

  it('are checked a few at a time, and past a bound the next is told to come again, whoever it is', async () => {
    const { block_size: blockSize, ...others } = await saltOf('person', 4_711);
    const person = await addPerson(place);
    const attempts = Promise.allSettled(
      Array.from({ length: 40 }, () => proveSecret(PASSWORD, { ...others, blockSize })),
    );
    const late = [person, { ...person, pid: 4_711 }].map((one) => signIn(place.api.pool, one));
    for (const outcome of await Promise.allSettled(late)) {
      expect(outcome).to.deep.include({ status: 'rejected' });
      if (outcome.status === 'rejected') expect(outcome.reason).to.be.instanceOf(TooManySignInsError);
    }
    const outcomes = await attempts;
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused.length).to.equal(40 - (2 + 16));
    for (const outcome of refused) {
      if (outcome.status === 'rejected') expect(outcome.reason).to.include({ retryAfterS: 3 });
    }
    expect(issuedBy(await signIn(place.api.pool, person)).expiresInS).to.equal(28_800);
  });
});

/** Every row of every table, as text. */
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
