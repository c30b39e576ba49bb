import { createHash, randomBytes } from 'node:crypto';
import { createAccessToken, createApiClient } from '@takt/access';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { LIST, openSignInPlace, PASSWORD } from './sign-in-place.js';

interface Tokens {
  readonly access_token: string;
  readonly refresh_token?: string;
  readonly expires_in: number;
}

describe('The token endpoint', () => {
  const place = opened(openSignInPlace);

  const TOKENS = '/oauth2/access_token';
  const basic = (id: string, secret: string) => ({
    Authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const own = () => ({ client_id: place.client.id, client_secret: place.client.secret });
  const issued = async (form: Readonly<Record<string, string>>): Promise<Tokens> => {
    const response = await place.post(TOKENS, { ...own(), ...form });
    expect(response.status, await response.clone().text()).to.equal(200);
    const tokens: Tokens = JSON.parse(await response.text());
    return tokens;
  };
  const refused = async (response: Response): Promise<string> => {
    expect(response.status).to.equal(400);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    const body: Record<string, string> = JSON.parse(await response.text());
    expect(body['error_description']).to.match(/^[\x20-\x21\x23-\x5B\x5D-\x7E]{10,}$/);
    expect(body['message']).to.equal(body['error_description']);
    return body['error'] ?? '';
  };
  const opens = async (token: string) =>
    (await place.get(`${LIST}?$top=1`, { Authorization: `Bearer ${token}` })).status;
  const password = () => ({ grant_type: 'password', username: place.pid, password: PASSWORD });

  it('gives a client a token for a resource, and states the lifetime of the token', async () => {
    const response = await place.post(TOKENS, { grant_type: 'client_credentials', ...own() });
    expect(response.status).to.equal(200);
    expect(response.headers.get('cache-control')).to.equal('no-store');
    expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
    expect(response.headers.get('access-control-allow-origin')).to.equal('*');
    const { access_token: token, ...rest }: Tokens = JSON.parse(await response.text());
    expect(rest).to.deep.equal({ token_type: 'Bearer', expires_in: 3_600, is_target_test_system: false });
    expect(await opens(token)).to.equal(200);
  });

  it('accepts Basic credentials with form-encoded parts, and the scheme in any letter case', async () => {
    const encoded = [...place.client.secret]
      .map((letter) => `%${letter.charCodeAt(0).toString(16)}`)
      .join('');
    for (const secret of [place.client.secret, encoded]) {
      const headers = basic(place.client.id, secret);
      const response = await place.post(TOKENS, { grant_type: 'client_credentials' }, headers);
      expect(response.status).to.equal(200);
    }
    const lower = {
      Authorization: basic(place.client.id, place.client.secret).Authorization.replace('Basic', 'basic'),
    };
    expect((await place.post(TOKENS, { grant_type: 'client_credentials' }, lower)).status).to.equal(200);
  });

  it('accepts a public client that sends Basic credentials without a secret', async () => {
    const form = { grant_type: 'refresh_token', refresh_token: 'unknown' };
    const errorWith = async (secret: string) =>
      refused(await place.post(TOKENS, form, basic(place.publicClientId, secret)));
    expect(await errorWith('a secret')).to.equal('invalid_client');
    expect(await errorWith(''), 'only the token is refused').to.equal('invalid_grant');
  });

  it('reports errors with OAuth 2 error codes', async () => {
    const credentials = { grant_type: 'client_credentials', ...own() };
    const cases: readonly (readonly [string, Readonly<Record<string, string>> | string])[] = [
      ['invalid_request', {}],
      ['invalid_request', { ...own(), grant_type: '' }],
      ['invalid_request', 'grant_type=password&grant_type=password'],
      ['invalid_request', 'grant_type=%ff'],
      ['invalid_request', `client_id=${place.client.id}&grant_type=password&username=1`],
      ['unsupported_grant_type', { ...credentials, grant_type: 'implicit' }],
      ['unsupported_grant_type', { ...credentials, grant_type: 'Password' }],
      ['invalid_client', { grant_type: 'client_credentials' }],
      ['invalid_client', { ...credentials, client_secret: 'wrong' }],
      ['invalid_client', { ...credentials, client_id: "1' OR true" }],
      ['invalid_client', { ...password(), client_id: place.client.id }],
      ['unauthorized_client', { grant_type: 'client_credentials', client_id: place.publicClientId }],
      ['invalid_grant', { ...own(), ...password(), password: 'wrong password' }],
      ['invalid_grant', { ...own(), ...password(), username: 'Larsen' }],
      ['invalid_grant', { ...own(), grant_type: 'refresh_token', refresh_token: 'nonsense' }],
    ];
    for (const [error, form] of cases) {
      const name = typeof form === 'string' ? form : Object.entries(form).join(' ');
      expect(await refused(await place.post(TOKENS, form)), name).to.equal(error);
    }
  });

  it('asks for Basic credentials only after wrong Basic credentials', async () => {
    const form = { grant_type: 'client_credentials' };
    const wrong = [basic(place.client.id, 'wrong'), basic('999999', 'wrong'), { Authorization: 'Basic %%%' }];
    for (const path of [TOKENS, '/oauth2/logout']) {
      for (const headers of wrong) {
        const response = await place.post(path, { ...form, token: 'unknown' }, headers);
        expect(response.headers.get('www-authenticate')).to.match(/^Basic realm="takt"/);
        expect(await refused(response)).to.equal('invalid_client');
      }
    }
    const byForm = await place.post(TOKENS, { ...form, ...own(), client_secret: 'wrong' });
    expect(byForm.headers.has('www-authenticate')).to.equal(false);
    const right = basic(place.client.id, place.client.secret);
    const other = await place.post(TOKENS, { grant_type: 'implicit' }, right);
    expect(other.headers.has('www-authenticate')).to.equal(false);
  });

  it('accepts client credentials in one place only, and in the Authorization header only as Basic', async () => {
    const form = { grant_type: 'client_credentials', ...own() };
    const headers = basic(place.client.id, place.client.secret);
    expect(await refused(await place.post(TOKENS, form, headers))).to.equal('invalid_request');
    const foreign = { grant_type: 'client_credentials', client_id: place.publicClientId };
    expect(await refused(await place.post(TOKENS, foreign, headers))).to.equal('invalid_request');
    for (const Authorization of [
      'Bearer x',
      'Basic',
      'Basic %%%',
      `Basic ${btoa('no colon')}`,
      `Basic ${btoa('%zz:x')}`,
    ]) {
      const response = await place.post(TOKENS, { grant_type: 'client_credentials' }, { Authorization });
      expect(await refused(response), Authorization).to.equal('invalid_client');
    }
  });

  it('accepts only forms of at most 16 KB', async () => {
    const url = place.baseUrl + TOKENS;
    const json = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' };
    expect(await refused(await fetch(url, json))).to.equal('invalid_request');
    expect(await refused(await fetch(url, { method: 'POST' }))).to.equal('invalid_request');
    const large = { ...own(), grant_type: 'client_credentials', more: 'x'.repeat(16_384) };
    expect(await refused(await place.post(TOKENS, large))).to.equal('invalid_request');
    const full = { ...own(), grant_type: 'client_credentials', more: 'x'.repeat(15_000) };
    expect((await place.post(TOKENS, full)).status).to.equal(200);
    expect((await place.get(TOKENS)).status).to.equal(404);
    const options = await fetch(url, { method: 'OPTIONS' });
    expect(options.headers.get('allow')).to.equal('POST, OPTIONS');
  });

  it('revokes a token of any kind together with all tokens of the same sign-in', async () => {
    const { refresh_token: refreshToken = '' } = await issued(password());
    for (const token of [refreshToken, 'unknown', '']) {
      const response = await place.post('/oauth2/logout', { token, token_type_hint: 'refresh_token' });
      expect(response.status, token).to.equal(token === '' ? 400 : 200);
    }
    const refresh = { ...own(), grant_type: 'refresh_token', refresh_token: refreshToken };
    expect(await refused(await place.post(TOKENS, refresh))).to.equal('invalid_grant');
    const { access_token: token } = await issued(password());
    const response = await place.post('/oauth2/logout', {}, { Authorization: `Bearer ${token}` });
    expect(response.status).to.equal(200);
    // The answer cannot come from the cache of tokens, because this token was not used before.
    expect(await opens(token)).to.equal(403);
  });

  it('revokes a token of a client only with the secret of that client', async () => {
    const logout = '/oauth2/logout';
    const { access_token: token, refresh_token: refreshToken = '' } = await issued(password());
    const right = basic(place.client.id, place.client.secret);
    const { clientId, secret } = await createApiClient(place.database, {
      name: 'Other',
      companyCodes: ['TEM-NO'],
    });
    const other = basic(String(clientId), secret ?? '');
    expect(await refused(await place.post(logout, { ...own(), token, client_secret: 'wrong' }))).to.equal(
      'invalid_client',
    );
    for (const foreign of [token, refreshToken]) {
      expect(await refused(await place.post(logout, { token: foreign }, other))).to.equal('invalid_grant');
    }
    expect(await refused(await place.post(logout, { ...own(), token }, right))).to.equal('invalid_request');
    expect(await opens(token)).to.equal(200);
    for (const ended of [token, token, 'unknown']) {
      expect((await place.post(logout, { token: ended }, right)).status).to.equal(200);
    }
    // A token from the command line belongs to no client.
    const { token: ofNobody } = await createAccessToken(place.database, {
      companyCodes: ['TEM-NO'],
      expiresInMs: 60_000,
    });
    expect(await refused(await place.post(logout, { token: ofNobody }, right))).to.equal('invalid_grant');
    expect(await opens(ofNobody)).to.equal(200);
    const left = await issued(password());
    const { access_token: kept } = left;
    for (const [clientId, error] of [
      [place.publicClientId, 'invalid_grant'],
      [place.client.id, 'invalid_client'],
      ['999999', 'invalid_client'],
      ['no number', 'invalid_client'],
    ] as const) {
      expect(
        await refused(await place.post(logout, { token: kept, client_id: clientId })),
        clientId,
      ).to.equal(error);
    }
    expect(await opens(kept)).to.equal(200);
    expect((await place.post(logout, { token: kept })).status).to.equal(200);
  });

  it('logs neither credentials nor tokens', async () => {
    const verifier = randomBytes(32).toString('base64url');
    const tokens = await issued(password());
    await place.post(`${TOKENS}?client_secret=${place.client.secret}&code=${verifier}`, own());
    await place.post(`${TOKENS}/client_secret=${verifier}`, own());
    await place.post(`${TOKENS}&password=${PASSWORD.replaceAll(' ', '+')}`, own());
    await place.post(`/oauth2/accesstoken/code=${verifier}`, own());
    await place.get(`/oauth2&state=${verifier}&code_verifier=${verifier}`);
    const basicText = basic(place.client.id, place.client.secret).Authorization;
    await place.get(`/${encodeURIComponent(basicText)}`, { Authorization: basicText });
    const log = place.log.join('');
    const secrets = [
      ...[PASSWORD, PASSWORD.replaceAll(' ', '+'), place.client.secret, tokens.access_token],
      ...[tokens.refresh_token ?? '-', verifier, basicText.slice(6)],
      createHash('sha256').update(tokens.access_token).digest('hex'),
    ];
    for (const secret of secrets) expect(log.includes(secret), secret).to.equal(false);
    const metrics = await (await fetch(`${place.origin}/metrics`)).text();
    for (const secret of secrets) expect(metrics.includes(secret), secret).to.equal(false);
  });
});
