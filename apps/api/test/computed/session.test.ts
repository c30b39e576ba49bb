import { createAccessToken, createApiClient, createUser } from '@takt/access';
import { elementsAt, opened, parseXml } from '@takt/test-support';
import { expect } from 'chai';
import { serveApi } from '../support/serve-api.js';

const NOBODY = { pid: null, customerId: null, supplierId: null, contactId: null, ramBaseName: null };
const PLACES = ['pid', 'customerId', 'supplierId', 'contactId', 'database', 'ramBaseName', 'apiClientId'];
const LIFETIME = { expiresInMs: 3_600_000 };

describe('the current session', () => {
  const api = opened(serveApi);

  const ask = async (token: string, query: string) => {
    const target = `/system/sessions/current?${query}`;
    const { status, text } = await api.client.get(target, { authorization: `Bearer ${token}` });
    expect(status, text).to.equal(200);
    return text;
  };
  const sessionOf = async (token: string, query = '') => JSON.parse(await ask(token, query));

  it('contains only the company if the token was created on the command line', async () => {
    const session = await sessionOf(await api.createToken('TEM-NO'));
    expect(session).to.deep.equal({ session: { ...NOBODY, database: 'TEM-NO', apiClientId: null } });
    expect(Object.keys(session.session)).to.deep.equal(PLACES);
  });

  it('contains the user and the client even without duties; $db does not change the company', async () => {
    const companyCodes = ['OTHER', 'TEM-NO'];
    const { clientId } = await createApiClient(api.database, {
      name: 'Line',
      isPublic: true,
      permissions: [],
    });
    const person = { name: 'Larsen', companyCodes, duties: [], password: 'long enough for one' };
    const pid = await createUser(api.database, person);
    const { token } = await createAccessToken(api.database, { companyCodes, clientId, pid, ...LIFETIME });
    const expected = { ...NOBODY, pid, database: 'OTHER', apiClientId: String(clientId) };
    expect(await sessionOf(token)).to.deep.equal({ session: expected });
    expect(await sessionOf(token, '$db=TEM-NO')).to.deep.equal({ session: expected });
    const root = parseXml(await ask(token, '$format=xml'));
    expect(root.name).to.equal('Session');
    expect(elementsAt(root, 'Pid').map(({ text }) => text)).to.deep.equal([String(pid)]);
    expect(root.children.map(({ isNil }) => isNil)).to.deep.equal(
      PLACES.map((place) => !['pid', 'database', 'apiClientId'].includes(place)),
    );
  });
});
