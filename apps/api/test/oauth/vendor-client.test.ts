import { expect } from 'chai';
import { LIST, openSignInPlace, PASSWORD, type SignInPlace } from './sign-in-place.js';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
}

/** Requests as the vendor's client sends them: once it has a token, that is in the header of whatever it asks for. */
describe('A client that sends its old token along', function () {
  this.timeout(180_000);
  let place: SignInPlace;
  before(async () => {
    place = await openSignInPlace();
  });
  after(() => place.close());

  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const own = () => ({ client_id: place.client.id, client_secret: place.client.secret });
  const ask = async (form: Readonly<Record<string, string>>, old?: string): Promise<Tokens> => {
    const headers = old === undefined ? {} : bearer(old);
    const response = await place.post('/oauth2/access_token', { ...own(), ...form }, headers);
    expect(response.status, await response.clone().text()).to.equal(200);
    const tokens: Tokens = JSON.parse(await response.text());
    return tokens;
  };
  const opens = async (token: string) => (await place.get(`${LIST}?$top=1`, bearer(token))).status;

  it('signs in a second time, for itself', async () => {
    const first = await ask({ grant_type: 'client_credentials' });
    const second = await ask({ grant_type: 'client_credentials' }, first.access_token);
    expect(await opens(second.access_token)).to.equal(200);
    await ask({ grant_type: 'client_credentials' }, 'ended-long-ago');
  });

  it('signs a person in, refreshes, signs in again and signs out', async () => {
    const password = { grant_type: 'password', username: place.pid, password: PASSWORD };
    const first = await ask(password);
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token ?? '' };
    const second = await ask(refresh, first.access_token);
    const third = await ask(password, second.access_token);
    expect(await opens(third.access_token)).to.equal(200);
    const ended = await place.post('/oauth2/logout', own(), bearer(third.access_token));
    expect(ended.status).to.equal(200);
    const again = { ...own(), grant_type: 'refresh_token', refresh_token: third.refresh_token ?? '' };
    const refused = await place.post('/oauth2/access_token', again, bearer(third.access_token));
    expect(refused.status).to.equal(400);
    expect(JSON.parse(await refused.text()).error).to.equal('invalid_grant');
    expect(await opens(second.access_token), 'another sign-in').to.equal(200);
  });

  it('reads what is wrong as message', async () => {
    const wrong = { ...own(), grant_type: 'client_credentials', client_secret: 'wrong' };
    const response = await place.post('/oauth2/access_token', wrong, bearer('old'));
    const body = JSON.parse(await response.text());
    expect(body.message).to.be.a('string').and.equal(body.error_description);
    expect(response.headers.has('www-authenticate'), 'its header was no try of a client').to.equal(false);
  });
});
