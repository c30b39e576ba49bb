import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { knownNetworksOf } from '../src/index.js';
import { addPerson, openAccessPlace } from './support/access-place.js';

describe('the networks from which a person has signed in', () => {
  const place = opened(openAccessPlace);

  it('are known to all processes, but only the last eight of each person', async () => {
    const [{ pid }, other] = [await addPerson(place), await addPerson(place)];
    const networks = Array.from({ length: 10 }, (_, index) => `192.0.2.${index}`);
    for (const network of networks) await knownNetworksOf(place.api.pool).add(pid, network);
    await knownNetworksOf(place.api.pool).add(pid, '192.0.2.5');
    await knownNetworksOf(place.api.pool).add(4_711, '192.0.2.5');
    const known = knownNetworksOf(place.api.pool);
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
});
