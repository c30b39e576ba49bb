import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { createAccessToken, knownNetworksOf, revokeToken, signIn } from '../src/index.js';
import { addPerson, issuedBy, openAccessPlace } from './support/access-place.js';

describe('the networks from which a person has signed in', () => {
  const place = opened(openAccessPlace);

  it('are known to all processes, but only the last eight of each person', async () => {
    const [person, other] = [await addPerson(place), await addPerson(place)];
    const { pid } = person;
    const networks = Array.from({ length: 10 }, (_, index) => `192.0.2.${index}`);
    const known = knownNetworksOf(place.api.pool);
    const { accessToken } = issuedBy(await signIn(place.api.pool, person));
    for (const network of networks) await known.add(accessToken, network);
    await known.add(accessToken, '192.0.2.5');
    await known.add(`takt_${'A'.repeat(43)}`, '192.0.2.5');
    const found = await Promise.all(networks.map((network) => known.has(pid, network)));
    expect(found).to.deep.equal(networks.map((_, index) => index >= 2));
    expect(await known.has(other.pid, '192.0.2.5')).to.equal(false);
    expect(await known.has(4_711, '192.0.2.5')).to.equal(false);
    const { rows } = await place.database.pool.query<{ row: string; count: number }>(
      'SELECT person::text AS row, cardinality(known_networks) AS count FROM users person WHERE pid = $1',
      [pid],
    );
    expect(rows[0]?.count).to.equal(8);
    expect(rows[0]?.row, 'in clear').not.to.include('192.0.2');
  });

  it('are stored only with the token of a sign-in of the last minute, so that no app can make up a network', async () => {
    const person = await addPerson(place);
    const { pid } = person;
    const { pool } = place.database;
    const known = knownNetworksOf(place.api.pool);
    const request = { companyCodes: ['TEM-NO'], pid, expiresInMs: 60_000 };
    const { token: ofCommandLine } = await createAccessToken(place.database, request);
    const signedIn = async () => issuedBy(await signIn(place.api.pool, person)).accessToken;
    const [old, revoked] = [await signedIn(), await signedIn()];
    await revokeToken(pool, revoked);
    await pool.query(
      "UPDATE access_tokens SET created_at = now() - interval '61 seconds' WHERE token_sha256 = sha256($1)",
      [Buffer.from(old)],
    );
    for (const token of [ofCommandLine, old, revoked]) await known.add(token, '192.0.2.1');
    // An app of version 1.0.0 still calls this function during an upgrade.
    await place.api.pool.query("SELECT takt.note_known_network($1, '192.0.2.1')", [pid]);
    expect(await known.has(pid, '192.0.2.1')).to.equal(false);
    await known.add(await signedIn(), '192.0.2.1');
    expect(await known.has(pid, '192.0.2.1')).to.equal(true);
  });
});
