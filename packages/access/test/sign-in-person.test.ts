import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { createSignInGuard, createUser, disableUser, knownNetworksOf, signInPerson } from '../src/index.js';
import { setUserEmail } from '../src/users.js';
import { openAccessPlace, PASSWORD } from './support/access-place.js';

describe('signing in on a page', () => {
  const place = opened(openAccessPlace);
  let solveig: number;
  let other: number;

  before(async () => {
    const more = { companyCodes: ['TEM-SE'], password: PASSWORD };
    const email = 'Solveig.Aas@Example.com';
    solveig = await createUser(place.database, { firstName: 'Solveig', name: 'Aas', email, ...more });
    other = await createUser(place.database, {
      firstName: 'Ola',
      name: 'Aas',
      email: 'ola@example.com',
      ...more,
    });
  });

  const guard = () => createSignInGuard(knownNetworksOf(place.api.pool));
  const attempt = (login: string, { password = PASSWORD, by = guard(), address = '192.0.2.1' } = {}) =>
    signInPerson(place.api.pool, by, { login, password, address });
  const personOf = async (login: string) => {
    const begun = await attempt(login);
    if ('problem' in begun) return begun.problem;
    const { rows } = await place.database.pool.query(
      'SELECT pid FROM takt.access_tokens ORDER BY access_token_id DESC LIMIT 1',
    );
    return rows[0]?.pid;
  };

  it('takes a PID, an e-mail address or a full name, whatever its case', async () => {
    for (const login of [String(solveig), 'solveig.aas@example.COM', 'solveig aas', 'SOLVEIG AAS']) {
      expect(await personOf(login), login).to.equal(solveig);
    }
    expect(await personOf('Ola Aas')).to.equal(other);
  });

  it('refuses an ambiguous name, an unknown one and a wrong password alike', async () => {
    for (const login of ['Aas', 'Nobody', '999999', 'nobody@example.com', '', '\0', 'a'.repeat(5_000)]) {
      expect(await attempt(login), login.slice(0, 20)).to.deep.equal({ problem: 'wrongPassword' });
    }
    expect(await attempt('Solveig Aas', { password: 'wrong' })).to.deep.equal({ problem: 'wrongPassword' });
    await disableUser(place.database, other);
    expect(await personOf('Aas')).to.equal(solveig);
  });

  it('counts failures of a name that nobody has as those of a person, and apart from other names', async () => {
    const by = guard();
    for (let tries = 0; tries < 10; tries += 1) {
      for (const login of ['Nobody', 'Solveig Aas']) {
        expect(await attempt(login, { password: 'wrong', by })).to.deep.equal({ problem: 'wrongPassword' });
      }
    }
    for (const login of ['NOBODY', 'Solveig.Aas@example.com']) {
      expect(await attempt(login, { by }), login).to.include({ problem: 'tooManyFailures' });
    }
    expect(await attempt('Somebody', { by })).to.deep.equal({ problem: 'wrongPassword' });
  }).timeout(60_000);

  it('takes the present e-mail address alone, which no two people share', async () => {
    const refused = (email: string) =>
      setUserEmail(place.database, other, email).then(
        () => undefined,
        (error: Error) => `${error.name}: ${error.message}`,
      );
    expect(await refused('SOLVEIG.AAS@example.com')).to.equal(
      'EmailError: another person has the e-mail address SOLVEIG.AAS@example.com',
    );
    expect(await refused('no address')).to.equal('EmailError: no address is no e-mail address');
    await setUserEmail(place.database, solveig, 's.aas@example.com');
    expect(await personOf('s.aas@example.com')).to.equal(solveig);
    expect(await personOf('solveig.aas@example.com')).to.equal('wrongPassword');
    await setUserEmail(place.database, solveig, null);
    expect(await personOf('s.aas@example.com')).to.equal('wrongPassword');
  });
});
